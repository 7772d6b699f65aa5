"""Clients that keep the rules of docs/protocol.md for lost streams, over lines that break at any moment."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tradepit.v1 import block_pb2, play_pb2

MILLISECOND = 1_000_000


class Client:
    """A bot that sends again what was lost, and nothing else. Nothing arrives by itself, in either direction."""

    def __init__(self, world: Any, name: str) -> None:
        self.world = world
        self.name = name
        self.session_id = ""
        self.stream = world.connect(name)
        self.sent = 0
        self.received = 0
        self.kept: deque[tuple[int, Sequence[play_pb2.BotMessage]]] = deque()
        """What the referee is not known to have, by the number of its frame."""
        self.resuming = False
        self.answered = set[int]()
        self.rising = deque[bytes]()
        self.falling = deque[play_pb2.PlayResponse]()
        self.hello()

    def hello(self) -> None:
        """The first frame of a stream."""
        hello = play_pb2.Hello(protocol_revision=1, max_concurrent_matches=3, resume_session_id=self.session_id)
        self.sent += 1
        self.rising.append(self.frame([play_pb2.BotMessage(hello=hello)]))

    def frame(self, messages: Sequence[play_pb2.BotMessage]) -> bytes:
        """An encoded frame under the number that was taken for it."""
        request = play_pb2.PlayRequest(sequence=self.sent, acknowledged_sequence=self.received, messages=messages)
        return request.SerializeToString()

    def say(self, messages: Sequence[play_pb2.BotMessage]) -> None:
        """A frame that is kept; while Welcome is awaited it waits for it."""
        self.sent += 1
        self.kept.append((self.sent, messages))
        if not self.resuming:
            self.rising.append(self.frame(messages))

    def cut(self, *, noticed: bool) -> None:
        """What is on its way is lost, both ways; the referee notices now, or when the next stream says Hello."""
        self.rising.clear()
        self.falling.clear()
        if noticed:
            self.stream.drop()
        if self.session_id:
            self.resuming = True
        self.stream = self.world.connect(self.name)
        self.hello()

    def rise(self) -> None:
        """The referee reads a frame."""
        if self.rising:
            self.stream.send_bytes(self.rising.popleft())

    def fall(self) -> None:
        """The bot reads a frame."""
        if not self.falling:
            return
        frame = self.falling.popleft()
        self.received = frame.sequence
        for message in frame.messages:
            self.hear(message)
        while not self.resuming and self.kept and self.kept[0][0] <= frame.acknowledged_sequence:
            self.kept.popleft()

    def hear(self, message: play_pb2.RefereeMessage) -> None:
        """One message of the referee's."""
        assert not message.HasField("notice"), message.notice.text
        if message.HasField("welcome"):
            self.welcome(message.welcome)
        elif message.HasField("block_invitation") and 0 not in self.answered:
            self.answered.add(0)
            acceptance = play_pb2.BlockAcceptance(block_id=message.block_invitation.block_id, nonce=bytes(16))
            self.say([play_pb2.BotMessage(block_acceptance=acceptance)])
        elif message.HasField("decision_request") and message.decision_request.decision_id not in self.answered:
            request = message.decision_request
            self.answered.add(request.decision_id)
            decision = play_pb2.Decision(match_id=request.match_id, decision_id=request.decision_id)
            decision.action.type_url = "type.googleapis.com/google.protobuf.Int64Value"
            decision.action.value = b"\x08" + bytes([request.decision_id % 10])
            self.say([play_pb2.BotMessage(decision=decision)])

    def welcome(self, welcome: play_pb2.Welcome) -> None:
        """The session goes on: first of all what was lost goes again, in new frames."""
        self.session_id, self.resuming = welcome.session_id, False
        lost = [messages for sequence, messages in self.kept if sequence > welcome.received_sequence]
        self.kept.clear()
        for messages in lost:
            self.say(messages)


class Line:
    """Two clients and a referee; what each step does is the script's."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.clients = [Client(world, name) for name in "ab"]
        for client in self.clients:
            client.rise()
        self.turn()
        for client in self.clients:
            client.fall()
        world.start("t/0", {client.name: client.session_id for client in self.clients}, matches=4)

    def turn(self) -> None:
        """One turn of the referee's loop, some time after the last."""
        self.world.now += 3 * MILLISECOND
        self.world.turn()
        for client in self.clients:
            for connection, frame in self.world.frames:
                if connection == client.stream.connection:
                    client.falling.append(frame)
        self.world.frames.clear()

    def do(self, step: tuple[int, str]) -> None:
        """One step of one client."""
        client = self.clients[step[0]]
        if step[1] == "rise":
            client.rise()
        elif step[1] == "fall":
            client.fall()
        else:
            client.cut(noticed=step[1] == "noticed")

    def finish(self) -> None:
        """Nothing is lost any more."""
        for _ in range(200):
            self.turn()
            for client in self.clients:
                for _ in range(10):
                    client.fall()
                    client.rise()


steps = st.tuples(
    st.integers(0, 1), st.sampled_from(["rise", "rise", "rise", "fall", "fall", "fall", "noticed", "cut"])
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(steps, max_size=6), max_size=60))
def test_every_answer_arrives_once_however_lines_break(
    make_world: Callable[[int], Any], script: list[list[tuple[int, str]]]
) -> None:
    """Nothing is lost, or the block would not end; nothing comes twice, or there would be an answer to no request."""
    line = Line(make_world(0))
    for batch in script:
        line.turn()
        for step in batch:
            line.do(step)
    line.finish()
    world = line.world
    assert world.results["t/0"].outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
    assert not any(replay.result.faults for replay in world.results["t/0"].replays)
    assert world.late == []
