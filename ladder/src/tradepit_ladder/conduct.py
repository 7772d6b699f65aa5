"""What the bots of a run did, beyond results: faults, processes that ended, whether they played at all."""

from collections import Counter

from tradepit.v1 import block_pb2
from tradepit_ladder.client import BotFaults, EndedProcess


class Conduct:
    """Gathered from the blocks of one run, replay by replay."""

    def __init__(self) -> None:
        self._processes: dict[str, EndedProcess] = {}
        self._first: dict[tuple[str, str], BotFaults] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        self._asked: Counter[str] = Counter()
        self._own: Counter[str] = Counter()

    def add_processes(self, bots: list[str], result: block_pb2.BlockResult) -> None:
        """Note the processes that ended in the block of *result*, whatever came of it; *bots* are its entrants."""
        for process in result.processes:
            if process.HasField("exit_status") and process.entrant < len(bots):
                bot = bots[process.entrant]
                ended = EndedProcess(bot, result.block_id, process.exit_status, process.last_output)
                self._processes.setdefault(bot, ended)

    def add_match(self, replay: block_pb2.Replay) -> None:
        """Note decisions and faults of a match that counts."""
        for decision in replay.decisions:
            self._asked[replay.bots[decision.seat]] += 1
            self._own[replay.bots[decision.seat]] += decision.fault == block_pb2.FAULT_KIND_UNSPECIFIED
        for fault in replay.result.faults:
            self._add_fault(replay.bots[fault.seat], fault, replay.match_id)

    def _add_fault(self, bot: str, fault: block_pb2.Fault, match_id: str) -> None:
        kind = _word(fault.kind)
        decision = fault.decision_index if fault.HasField("decision_index") else None
        self._counts[bot, kind] += 1
        self._first.setdefault((bot, kind), BotFaults(bot, kind, 0, match_id, decision, fault.message))

    @property
    def ended_processes(self) -> tuple[EndedProcess, ...]:
        """Processes that ended before they were asked to: the first of each bot."""
        return tuple(self._processes.values())

    @property
    def faults(self) -> tuple[BotFaults, ...]:
        """What each bot did wrong, in the order in which it was first seen."""
        return tuple(
            BotFaults(first.bot, first.kind, self._counts[key], first.match_id, first.decision, first.message)
            for key, first in self._first.items()
        )

    @property
    def idle(self) -> tuple[str, ...]:
        """The bots that were asked for decisions and made none, by name."""
        return tuple(sorted(bot for bot in self._asked if not self._own[bot]))


def _word(kind: block_pb2.FaultKind.ValueType) -> str:
    try:
        return block_pb2.FaultKind.Name(kind).removeprefix("FAULT_KIND_").lower()
    except ValueError:
        return str(kind)
