"""A bot: a client of the protocol as the published library is one, with habits that spoil it."""

from collections import deque
from typing import TYPE_CHECKING, Any

from google.protobuf.any_pb2 import Any as AnyMessage

from simulation import toy
from simulation.lines import Line
from tradepit.v1 import play_pb2
from tradepit_server import registry

if TYPE_CHECKING:
    from simulation.habits import Habit
    from simulation.world import World

RECONNECTIONS = 8
"""So often a bot comes back at most."""


class Bot:
    """One bot of a world. What it does when is decided by its habits."""

    def __init__(self, world: "World", name: str, pace: "Habit", faults: list["Habit"], wildness: float) -> None:
        """*pace* is how it is honest; by *wildness*, from 0 to 1, one of its *faults* decides instead."""
        self.world = world
        self.rng = world.rng
        self.name = name
        self.pace = pace
        self.faults = faults
        self.wildness = wildness
        self.reserved: str | None = None
        self.capacity = 8 if world.crowded else self.rng.choice((1, 1, 2, 4))
        self.outage = 0
        """The longest time for which it has no line after a loss; 0: it loses none."""
        self.line: Line | None = None
        self.session_id = ""
        self.last_sequence = 0
        self.gone = False
        """It will not come back."""
        self.games: dict[str, str] = {}
        self.requests: dict[int, play_pb2.DecisionRequest] = {}
        """What it was asked, by decision id."""
        self.answers: dict[int, play_pb2.BotMessage] = {}
        self.batch: list[play_pb2.BotMessage] = []
        self._sent = 0
        self._unconfirmed: deque[tuple[int, list[play_pb2.BotMessage]]] = deque()
        self._unsent: list[play_pb2.BotMessage] = []
        self._welcomed = False
        self._connections = 0

    def mood(self) -> "Habit":
        """Who decides this time."""
        if self.faults and self.rng.random() < self.wildness:
            return self.rng.choice(self.faults)
        return self.pace

    # The line

    def connect(self) -> None:
        """Open a stream and say Hello."""
        if self.gone or self._connections > RECONNECTIONS or self.world.closing:
            return
        self._connections += 1
        self._welcomed = False
        self.line = self.world.open_line(self)
        if self.rng.random() < 0.2:
            self.capacity = self.rng.choice((1, 2, 3, 9))
        if not self.mood().greet(self):
            self.hello()

    def hello(self, **fields: Any) -> None:
        """The first frame."""
        hello = play_pb2.Hello(
            **{
                "bot_name": self.name,
                "protocol_revision": 1,
                "max_concurrent_matches": self.capacity,
                "resume_session_id": self.session_id,
                **fields,
            }
        )
        if self.session_id:
            self.world.tally["resumes"] += 1
        self.transmit([play_pb2.BotMessage(hello=hello)])

    def closed(self, line: Line, ending: str) -> None:
        """A stream of its has ended."""
        if line is not self.line:
            return
        self.line = None
        self.world.note("closed", self.name, line.number, ending)
        if ending == "ORDERLY":
            self.gone = True
        elif ending != "SUPERSEDED":
            if ending not in ("lost", "MISUSE"):
                self.forget()
            self.world.after(self.mood().away(self), self._come_back)

    def _come_back(self) -> None:
        if self.line is None:
            self.connect()

    def forget(self) -> None:
        """The session is over; the next one begins anew."""
        self.session_id, self.last_sequence, self._sent = "", 0, 0
        self._unconfirmed.clear()
        self._unsent.clear()
        self.requests.clear()
        self.answers.clear()
        self.batch.clear()

    # What it sends

    def send(self, *messages: play_pb2.BotMessage) -> None:
        """Say something as soon as a stream carries the session."""
        if self.line is None or not self._welcomed:
            self._unsent += messages
            return
        self.transmit(list(messages))

    def transmit(self, messages: list[play_pb2.BotMessage]) -> None:
        """One frame, at once."""
        if self.line is None:
            return
        self._sent += 1
        acknowledged = self.mood().acknowledge(self)
        frame = play_pb2.PlayRequest(sequence=self._sent, acknowledged_sequence=acknowledged, messages=messages)
        self._unconfirmed.append((self._sent, messages))
        self.line.send(frame.SerializeToString())

    def raw(self, frame: bytes) -> None:
        """Bytes as they are."""
        if self.line is not None:
            self.line.send(frame)

    def later(self, delay: int, step: Any, *arguments: Any) -> None:
        """Do something after *delay* nanoseconds."""
        self.world.after(delay, step, *arguments)

    # What it hears

    def received(self, line: Line, frame: play_pb2.PlayResponse) -> None:
        """A frame has come."""
        if line is not self.line:
            return
        self.last_sequence = frame.sequence
        for message in frame.messages:
            kind = message.WhichOneof("kind")
            if kind == "decision_request":
                self._asked(message.decision_request)
            elif kind == "block_invitation":
                self.games[message.block_invitation.block_id] = message.block_invitation.game
                self.mood().invited(self, message.block_invitation)
            elif kind == "welcome":
                self._greeted(message.welcome)
        while self._unconfirmed and self._welcomed and self._unconfirmed[0][0] <= frame.acknowledged_sequence:
            self._unconfirmed.popleft()

    def _greeted(self, welcome: play_pb2.Welcome) -> None:
        self.session_id, self._welcomed = welcome.session_id, True
        lost = [m for number, messages in self._unconfirmed if number > welcome.received_sequence for m in messages]
        again = [message for message in lost if message.WhichOneof("kind") != "hello"]
        self._unconfirmed.clear()
        if again or self._unsent:
            again, self._unsent = [*again, *self._unsent], []
            self.transmit(again)

    def _asked(self, request: play_pb2.DecisionRequest) -> None:
        number = request.decision_id
        if number in self.answers:
            self.send(self.answers[number])
        elif number not in self.requests:
            self.requests[number] = request
            self.mood().asked(self, request)

    # Answers

    def accept(self, invitation: play_pb2.BlockInvitation, nonce: bytes = b"") -> None:
        """Take part in a block."""
        acceptance = play_pb2.BlockAcceptance(block_id=invitation.block_id, nonce=nonce)
        self.send(play_pb2.BotMessage(block_acceptance=acceptance))

    def answer(self, request: play_pb2.DecisionRequest) -> None:
        """Answer a request with a legal action, unless it was asked in a session that is over."""
        if self.requests.get(request.decision_id) is not request:
            return
        message = self.answers[request.decision_id] = self.decision(request)
        self.send(message)

    def decision(self, request: play_pb2.DecisionRequest, note: str = "") -> play_pb2.BotMessage:
        """A legal answer."""
        return self.answer_with(request, self._legal(request), note)

    def answer_with(
        self, request: play_pb2.DecisionRequest, action: AnyMessage | None, note: str = ""
    ) -> play_pb2.BotMessage:
        """An answer with this action."""
        decision = play_pb2.Decision(
            match_id=request.match_id, decision_id=request.decision_id, action=action, note=note
        )
        return play_pb2.BotMessage(decision=decision)

    def other_matches(self, request: play_pb2.DecisionRequest) -> list[str]:
        """Matches in which something else was asked."""
        return sorted({other.match_id for other in self.requests.values()} - {request.match_id})

    def game(self, request: play_pb2.DecisionRequest) -> str:
        """The name of the game that is played."""
        return self.games[request.match_id.rpartition("/")[0]]

    def illegal(self, request: play_pb2.DecisionRequest) -> AnyMessage:
        """An action of the right type that the rules forbid, mostly."""
        game = self.game(request)
        if game == "toy":
            return _toy_number(self.rng.randrange(6, 128))
        return AnyMessage(type_url=f"type.googleapis.com/{registry.get(game).codec.action_type}")

    def _legal(self, request: play_pb2.DecisionRequest) -> AnyMessage:
        game = self.game(request)
        if game == "toy":
            return _toy_number(self.rng.randrange(6))
        ask = self.world.open_ask(self.session_id, request.decision_id)
        if ask is None:
            return self.illegal(request)
        action = toy.legal(game, ask.twin.state, ask.seat, self.rng)
        return AnyMessage(type_url=ask.twin.type_url, value=ask.twin.codec.encode_action(action))


def _toy_number(number: int) -> AnyMessage:
    """The toy game's action, from 0 to 127; a new one each time, since habits spoil what they get."""
    return AnyMessage(type_url="type.googleapis.com/google.protobuf.Int64Value", value=bytes([8, number]))
