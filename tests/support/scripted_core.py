"""A stand-in for the referee's core that writes down what it is told and says what the test puts into it."""

from collections.abc import Callable

from tradepit.v1 import block_pb2
from tradepit_server.referee import BlockSpec, Effects, Identity, Referee


class ScriptedCore(Referee):
    """Of a referee it has the methods alone."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        """The name of each call and its arguments, without the instant."""
        self.instants: list[int] = []
        """The instant of each call, in nanoseconds."""
        self.pending = Effects()
        """What the next ``effects`` gives."""
        self.turns = 0
        self.deadline: int | None = None
        self.pauses: list[int] = []
        """What the next calls of ``pause`` give, in nanoseconds; then 0."""
        self.on_received: Callable[[int, bytes], None] = lambda connection, frame: None

    def _note(self, now: int, *call: object) -> None:
        self.calls.append(call)
        self.instants.append(now)

    def names(self) -> list[object]:
        """The names of the calls."""
        return [call[0] for call in self.calls]

    def connected(self, connection: int, identity: Identity, now: int) -> None:
        self._note(now, "connected", connection, identity)

    def disconnected(self, connection: int, reason: str, now: int) -> None:
        self._note(now, "disconnected", connection, reason)

    def received(self, connection: int, frame: bytes, now: int) -> None:
        self._note(now, "received", connection, frame)
        self.on_received(connection, frame)

    def pause(self, connection: int, now: int) -> int:
        return self.pauses.pop(0) if self.pauses else 0

    def process_ended(self, session_id: str, detail: str, now: int) -> None:
        self._note(now, "process_ended", session_id, detail)

    def start_block(self, spec: BlockSpec, now: int) -> None:
        self._note(now, "start_block", spec.block_id)

    def cancel_block(self, block_id: str, cause: block_pb2.VoidCause.ValueType, reason: str, now: int) -> None:
        self._note(now, "cancel_block", block_id, cause, reason)
        result = block_pb2.BlockResult(block_id=block_id, outcome=block_pb2.BLOCK_OUTCOME_VOID, void_cause=cause)
        result.reason = reason
        self.pending.blocks_ended.append((block_id, result))

    def tick(self, now: int) -> None:
        self._note(now, "tick")
        self.deadline = None

    def next_deadline(self) -> int | None:
        return self.deadline

    def effects(self, now: int) -> Effects:
        self.turns += 1
        effects, self.pending = self.pending, Effects()
        return effects
