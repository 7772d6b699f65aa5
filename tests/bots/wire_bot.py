"""Bots for the toy game that speak gRPC without the client library, and misbehave as told.

    python wire_bot.py BEHAVIOUR

The referee and the token come from the environment, as for any hosted bot.
"""

import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.wrappers_pb2 import Int64Value

from tradepit.v1 import play_pb2

PLAY = "/tradepit.v1.RefereeService/Play"

MATCHES = 256
"""So many at a time."""


class WireBot:
    """Honest; subclasses are not."""

    def __init__(self) -> None:
        self.outgoing: queue.Queue[bytes | None] = queue.Queue()
        self.sequence = 0
        self.acknowledged = 0

    def run(self) -> None:
        """Play until the referee ends the stream."""
        with grpc.insecure_channel(os.environ["TRADEPIT_REFEREE"]) as channel:
            self.listen(self.connect(channel))

    def connect(self, channel: grpc.Channel, session_id: str = "") -> Iterator[bytes]:
        """A stream, Hello said."""
        metadata = (("authorization", f"Bearer {os.environ['TRADEPIT_TOKEN']}"),)
        hello = play_pb2.Hello(protocol_revision=1, max_concurrent_matches=MATCHES, resume_session_id=session_id)
        self.send(play_pb2.BotMessage(hello=hello))
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(PLAY)
        return play(iter(self.outgoing.get, None), metadata=metadata)

    def listen(self, frames: Iterator[bytes]) -> None:
        """Answer what comes."""
        for frame in frames:
            response = play_pb2.PlayResponse.FromString(frame)
            self.acknowledged = response.sequence
            for message in response.messages:
                self.hear(message)

    def hear(self, message: play_pb2.RefereeMessage) -> None:
        """Answer a message."""
        kind = message.WhichOneof("kind")
        if kind == "block_invitation":
            self.accept(message.block_invitation)
        elif kind == "decision_request":
            self.decide(message.decision_request)
        elif kind == "decision_rejected":
            self.regret(message.decision_rejected)

    def accept(self, invitation: play_pb2.BlockInvitation) -> None:
        """Take part, with a nonce."""
        self.reply(invitation, nonce=os.urandom(16))

    def reply(self, invitation: play_pb2.BlockInvitation, **answer: Any) -> None:
        """Answer an invitation."""
        acceptance = play_pb2.BlockAcceptance(block_id=invitation.block_id, **answer)
        self.send(play_pb2.BotMessage(block_acceptance=acceptance))

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """Name 7."""
        self.answer(request.match_id, request.decision_id)

    def regret(self, rejected: play_pb2.DecisionRejected) -> None:
        """It is too late for anything."""

    def answer(self, match_id: str, decision_id: int, number: int = 7) -> None:
        """Name a number."""
        action = AnyMessage()
        action.Pack(Int64Value(value=number))
        decision = play_pb2.Decision(match_id=match_id, decision_id=decision_id, action=action)
        self.send(play_pb2.BotMessage(decision=decision))

    def send(self, message: play_pb2.BotMessage) -> None:
        """One frame with one message."""
        self.sequence += 1
        frame = play_pb2.PlayRequest(
            sequence=self.sequence, acknowledged_sequence=self.acknowledged, messages=[message]
        )
        self.outgoing.put(frame.SerializeToString())


class Silent(WireBot):
    """Never answers a request."""

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """Nothing."""


class Slow(WireBot):
    """Takes its time, and keeps to its time."""

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """The right answer, after 50 ms."""
        threading.Event().wait(0.05)
        super().decide(request)


class Late(Silent):
    """Late by a hair: answers at the moment at which it hears that its time is up."""

    def regret(self, rejected: play_pb2.DecisionRejected) -> None:
        """The right answer."""
        self.answer(rejected.match_id, rejected.decision_id)


class Illegal(WireBot):
    """Breaks the rules."""

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """Name 99."""
        self.answer(request.match_id, request.decision_id, 99)


class Twice(WireBot):
    """Changes its mind."""

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """Name 7, then 9."""
        super().decide(request)
        self.answer(request.match_id, request.decision_id, 9)


class Elsewhere(WireBot):
    """Takes one match for another."""

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """As if it had been asked in the next match."""
        block_id, _, index = request.match_id.rpartition("/")
        self.answer(f"{block_id}/{(int(index) + 1) % 3}", request.decision_id)


class NeverAccepts(WireBot):
    """Says neither yes nor no."""

    def accept(self, invitation: play_pb2.BlockInvitation) -> None:
        """Nothing."""


class Garbage(WireBot):
    """Answers with bytes that are no frame."""

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """No frame."""
        self.outgoing.put(b"\xff\xff\xff garbage")


class Dies(WireBot):
    """Is killed at its first request."""

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """Suicide, after a last word."""
        print("tell my mother", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)


class Exits(WireBot):
    """Ends at its first request with a status and a last line."""

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """The last line."""
        print("Traceback ...\nZeroDivisionError: division by zero", file=sys.stderr, flush=True)
        os._exit(3)


class HangsUp(WireBot):
    """Cancels its stream at its first request, and lives on."""

    def listen(self, frames: Iterator[bytes]) -> None:
        """Until the first request."""
        self.frames = frames
        super().listen(frames)

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """The line is cut."""
        self.frames.cancel()  # type: ignore[attr-defined]  # a call of gRPC's is more than an iterator
        threading.Event().wait()


class Floods(Silent):
    """Sends and prints junk all the time, instead of answering."""

    JUNK = (b"\x1a\x00" * 500_000, b"\xff" * 1_000_000, b"\x1a\x00" * 10)
    """A mebibyte of empty messages, one that is no frame, and a small frame."""

    def __init__(self) -> None:
        super().__init__()
        self.outgoing = queue.Queue(maxsize=4)

    def accept(self, invitation: play_pb2.BlockInvitation) -> None:
        """From now on there are three threads."""
        super().accept(invitation)
        threading.Thread(target=self.flood, daemon=True).start()
        threading.Thread(target=self.print_on, daemon=True).start()

    def flood(self) -> None:
        """As fast as gRPC takes it."""
        for frame in cycle(self.JUNK):
            self.outgoing.put(frame)

    def print_on(self) -> None:
        """As fast as the pipe takes it."""
        while True:
            os.write(1, bytes(65_536))


class Deaf(WireBot):
    """Accepts, and reads nothing more."""

    def accept(self, invitation: play_pb2.BlockInvitation) -> None:
        """The last thing that it reads."""
        super().accept(invitation)
        threading.Event().wait()


class Lingers(WireBot):
    """Honest, but neither SIGTERM nor the end of the stream ends it."""

    def run(self) -> None:
        """For ever."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        super().run()
        threading.Event().wait()


class Complains(WireBot):
    """Plays to the end, and then finds something wrong."""

    def run(self) -> None:
        """The verdict."""
        super().run()
        sys.exit("the cards were not what the seed says")


class Confides(WireBot):
    """Prints its process id and what the referee has put into its environment."""

    def run(self) -> None:
        """Tells, and plays."""
        ours = {name: value for name, value in os.environ.items() if name.startswith("TRADEPIT_")}
        print(json.dumps({"pid": os.getpid(), **ours}), flush=True)
        super().run()


class NeverConnects(WireBot):
    """Is started and does nothing."""

    def run(self) -> None:
        """For ever."""
        threading.Event().wait()


BEHAVIOURS: dict[str, type[WireBot]] = {
    "honest": WireBot,
    "silent": Silent,
    "slow": Slow,
    "late": Late,
    "illegal": Illegal,
    "twice": Twice,
    "elsewhere": Elsewhere,
    "garbage": Garbage,
    "dies": Dies,
    "exits": Exits,
    "hangs-up": HangsUp,
    "floods": Floods,
    "deaf": Deaf,
    "lingers": Lingers,
    "complains": Complains,
    "confides": Confides,
    "never-accepts": NeverAccepts,
    "never-connects": NeverConnects,
}

if __name__ == "__main__":
    BEHAVIOURS[sys.argv[1]]().run()
