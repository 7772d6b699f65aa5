"""A referee with a clock of its own, and bots that are driven by hand."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
import toy_game
from google.protobuf.any_pb2 import Any
from google.protobuf.wrappers_pb2 import Int64Value

from tradepit.v1 import block_pb2, play_pb2, referee_pb2
from tradepit_server import registry
from tradepit_server.referee import BlockSpec, Identity, Referee
from tradepit_server.referee.time_control import TimeControl, parse

SECOND = 1_000_000_000
MILLISECOND = 1_000_000


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy game is installed."""
    installed = registry.get
    monkeypatch.setattr(registry, "get", lambda name: toy_game.PLUGIN if name == "toy" else installed(name))


def number(value: int) -> Any:
    """A toy action."""
    action = Any()
    action.Pack(Int64Value(value=value))
    return action


@dataclass
class HandBot:
    """One stream, driven by hand."""

    world: "World"
    connection: int
    session_id: str = ""
    acknowledged: int = 0
    sent: int = 0
    acknowledges: bool = True
    inbox: list[play_pb2.RefereeMessage] = field(default_factory=list)
    closed: str | None = None

    def send(self, *messages: play_pb2.BotMessage) -> None:
        """One frame with *messages*."""
        self.sent += 1
        acknowledged = self.acknowledged if self.acknowledges else 0
        frame = play_pb2.PlayRequest(sequence=self.sent, acknowledged_sequence=acknowledged, messages=messages)
        self.send_bytes(frame.SerializeToString())

    def send_bytes(self, frame: bytes) -> None:
        """One frame as bytes."""
        self.world.core.received(self.connection, frame, self.world.now)

    def hello(self, *, resume: str = "", concurrent: int = 1, revision: int = 1) -> None:
        """The first frame."""
        self.send(
            play_pb2.BotMessage(
                hello=play_pb2.Hello(
                    protocol_revision=revision, max_concurrent_matches=concurrent, resume_session_id=resume
                )
            )
        )

    def take(self, kind: str) -> list[play_pb2.RefereeMessage]:
        """The messages of this *kind* that have come since the last time; they leave the inbox."""
        found = [message for message in self.inbox if message.WhichOneof("kind") == kind]
        self.inbox = [message for message in self.inbox if message.WhichOneof("kind") != kind]
        return found

    def requests(self) -> list[play_pb2.DecisionRequest]:
        """The requests that have come since the last time."""
        return [message.decision_request for message in self.take("decision_request")]

    def accept_all(self, nonce: bytes = b"") -> None:
        """Accept every invitation that has come."""
        for message in self.take("block_invitation"):
            acceptance = play_pb2.BlockAcceptance(block_id=message.block_invitation.block_id, nonce=nonce)
            self.send(play_pb2.BotMessage(block_acceptance=acceptance))

    def answer(self, request: play_pb2.DecisionRequest, value: int = 7, note: str = "") -> None:
        """Answer one request with a number."""
        decision = play_pb2.Decision(
            match_id=request.match_id, decision_id=request.decision_id, action=number(value), note=note
        )
        self.send(play_pb2.BotMessage(decision=decision))

    def drop(self) -> None:
        """The stream is lost."""
        self.world.core.disconnected(self.connection, "line lost", self.world.now)


class World:
    """A referee, its clock, and the bots that are connected."""

    def __init__(self, watch_delay: int = 2) -> None:
        self.now = 5 * SECOND
        self.core = Referee(self._entropy, watch_delay)
        self.bots: dict[int, HandBot] = {}
        self.progress: list[tuple[str, int, int]] = []
        self.results: dict[str, block_pb2.BlockResult] = {}
        self.late: list[tuple[str, int]] = []
        self.shown: list[tuple[int, referee_pb2.WatchMatchResponse]] = []
        self.satisfied: list[int] = []
        self.frames: list[tuple[int, play_pb2.PlayResponse]] = []
        self._drawn = 0

    def _entropy(self, size: int) -> bytes:
        self._drawn += 1
        return self._drawn.to_bytes(size, "big")

    def connect(self, name: str, session_id: str | None = None) -> HandBot:
        """Open a stream without a Hello."""
        bot = HandBot(self, len(self.bots) + 1)
        self.bots[bot.connection] = bot
        self.core.connected(bot.connection, Identity(name, session_id), self.now)
        return bot

    def join(self, name: str, *, concurrent: int = 1, session_id: str | None = None) -> HandBot:
        """Open a stream and say Hello."""
        bot = self.connect(name, session_id)
        bot.hello(concurrent=concurrent)
        self.turn()
        bot.session_id = bot.take("welcome")[0].welcome.session_id
        return bot

    def turn(self) -> None:
        """One turn of the shell's loop."""
        self.core.tick(self.now)
        effects = self.core.effects(self.now)
        for connection, encoded in effects.frames:
            frame = play_pb2.PlayResponse.FromString(encoded)
            self.frames.append((connection, frame))
            self.bots[connection].acknowledged = frame.sequence
            self.bots[connection].inbox += frame.messages
        for connection, reason, _ in effects.closing:
            self.bots[connection].closed = reason
        self.progress += effects.matches_ended
        self.results.update(effects.blocks_ended)
        self.late += effects.late_answers
        self.shown += effects.shown
        self.satisfied += effects.satisfied

    def wait(self, nanoseconds: int) -> None:
        """Let time pass, stopping at every deadline on the way."""
        end = self.now + nanoseconds
        while (deadline := self.core.next_deadline()) is not None and deadline <= end:
            self.now = max(self.now, deadline)
            self.turn()
        self.now = end
        self.turn()

    def start(
        self,
        block_id: str,
        bots: dict[str, HandBot | str],
        control: str | TimeControl = "training",
        **fields: object,
    ) -> None:
        """Start a block between *bots*, by name; a string is a session id."""
        clocks = control if isinstance(control, TimeControl) else parse(control)
        message = block_pb2.BlockSpecification(
            block_id=block_id,
            game="toy",
            entrants=[block_pb2.Entrant(bot=name) for name in bots],
            time_control=clocks.to_message(),
            **fields,  # type: ignore[arg-type]  # whatever the test gives
        )
        ids = [bot if isinstance(bot, str) else bot.session_id for bot in bots.values()]
        self.core.start_block(BlockSpec.from_message(message, ids), self.now)
        self.turn()

    def play(self, *bots: HandBot, choose: Callable[[play_pb2.DecisionRequest], int] = lambda _: 7) -> None:
        """Let *bots* accept and answer everything until nothing more comes at this instant."""
        known = -1
        while known != len(self.frames):
            known = len(self.frames)
            for bot in bots:
                bot.accept_all()
                for request in bot.requests():
                    bot.answer(request, choose(request))
            self.wait(3 * MILLISECOND)


@pytest.fixture
def world() -> World:
    """An empty world."""
    return World()


@pytest.fixture
def make_world() -> Callable[[int], World]:
    """``make_world(0)``: an empty world in which spectators see everything so many decisions late."""
    return World
