"""More bots for the toy game that speak gRPC without the client library: these try what a session allows.

    python wire_tricks.py BEHAVIOUR

The referee and the token come from the environment, as for any hosted bot.
"""

import os
import queue
import sys
import threading
from collections.abc import Iterator

import grpc
from wire_bot import WireBot

from tradepit.v1 import play_pb2


class Reorders(WireBot):
    """Answers in another order than it was asked in: each request after the one that follows it, if one does."""

    def __init__(self) -> None:
        super().__init__()
        self.held: list[play_pb2.DecisionRequest] = []

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """The one before waits for this one, and a moment at most."""
        if self.held:
            super().decide(request)
            super().decide(self.held.pop())
        else:
            self.held.append(request)
            threading.Timer(0.05, self.release).start()

    def release(self) -> None:
        """Nothing followed."""
        if self.held:
            super().decide(self.held.pop())


class WrongIds(WireBot):
    """Answers what it was never asked."""

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """The right match, and a decision of its own making."""
        self.answer(request.match_id, request.decision_id + 1000)


class ForOthers(WireBot):
    """Answers for itself, and then for everybody else."""

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """Whatever may have been asked of others, in this match and in those of other blocks."""
        super().decide(request)
        block_id, _, index = request.match_id.rpartition("/")
        for decision_id in range(1, 20):
            if decision_id != request.decision_id:
                self.answer(f"{block_id}/{(int(index) + decision_id) % 3}", decision_id, 0)
                self.answer(f"{block_id.rpartition('/')[0]}/{decision_id}/0", decision_id, 0)


class Declines(WireBot):
    """Wants no part in it."""

    def accept(self, invitation: play_pb2.BlockInvitation) -> None:
        """No."""
        self.reply(invitation, refusal="not on a Friday")


class Withholds(WireBot):
    """Gives no chance of its own."""

    def accept(self, invitation: play_pb2.BlockInvitation) -> None:
        """Yes, and no more."""
        self.reply(invitation)


class ShortNonce(WireBot):
    """Gives too little chance of its own."""

    def accept(self, invitation: play_pb2.BlockInvitation) -> None:
        """Five bytes."""
        self.reply(invitation, nonce=b"short")


class Resumes(WireBot):
    """Cuts its line once, while it thinks, and comes back with its session and the answers."""

    def __init__(self) -> None:
        super().__init__()
        self.session_id = ""
        self.owed: list[play_pb2.DecisionRequest] = []
        self.cut = False

    def run(self) -> None:
        """Two streams."""
        with grpc.insecure_channel(os.environ["TRADEPIT_REFEREE"]) as channel:
            self.listen(self.connect(channel))
            self.outgoing = queue.Queue()
            frames = self.connect(channel, self.session_id)
            for request in self.owed:
                super().decide(request)
            self.listen(frames)

    def listen(self, frames: Iterator[bytes]) -> None:
        """Until there is something to think about, the first time."""
        for frame in frames:
            response = play_pb2.PlayResponse.FromString(frame)
            self.acknowledged = response.sequence
            for message in response.messages:
                self.session_id = message.welcome.session_id or self.session_id
                self.hear(message)
            if self.owed and not self.cut:
                self.cut = True
                frames.cancel()  # type: ignore[attr-defined]  # a call of gRPC's is more than an iterator
                return

    def decide(self, request: play_pb2.DecisionRequest) -> None:
        """Honest on the second stream."""
        if self.cut:
            super().decide(request)
        else:
            self.owed.append(request)


BEHAVIOURS: dict[str, type[WireBot]] = {
    "reorders": Reorders,
    "wrong-ids": WrongIds,
    "for-others": ForOthers,
    "declines": Declines,
    "withholds": Withholds,
    "short-nonce": ShortNonce,
    "resumes": Resumes,
}

if __name__ == "__main__":
    BEHAVIOURS[sys.argv[1]]().run()
