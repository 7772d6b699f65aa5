"""Numbers the frames that a bot sends, and keeps those that the referee may not have."""

from collections import deque
from collections.abc import Sequence

from tradepit.v1 import play_pb2


class Delivery:
    """The frames of one session, whatever streams carry them."""

    received: int
    """The sequence of the referee's last frame that arrived here; 0 before the first."""

    def __init__(self) -> None:
        self.received = 0
        self._sent = 0
        self._kept: deque[tuple[int, Sequence[play_pb2.BotMessage]]] = deque()
        """What was sent and is not known to have arrived, each with the sequence of its frame."""
        self._hello: int | None = None
        """The first resuming Hello since the last Welcome: what is kept was sent before it."""

    def hello(self, hello: play_pb2.Hello) -> bytes:
        """The first frame of a stream; if it resumes a session, what is kept waits for ``welcomed``."""
        self._sent += 1
        if hello.resume_session_id and self._hello is None:
            self._hello = self._sent
        messages = [play_pb2.BotMessage(hello=hello)]
        frame = play_pb2.PlayRequest(sequence=self._sent, acknowledged_sequence=self.received, messages=messages)
        return frame.SerializeToString()

    def frame(self, *messages: play_pb2.BotMessage) -> bytes:
        """A frame that is kept until the referee has it."""
        self._sent = sent = self._sent + 1
        self._kept.append((sent, messages))
        frame = play_pb2.PlayRequest(sequence=sent, acknowledged_sequence=self.received, messages=messages)
        return frame.SerializeToString()

    def arrived(self, sequence: int, acknowledged: int) -> None:
        """A frame of the referee's has arrived: its own sequence, and that of the last frame which it had from here."""
        self.received = sequence
        if self._hello is None:
            self._drop(acknowledged)

    @property
    def resuming(self) -> bool:
        """A Hello has asked to go on with the session, and no Welcome has come yet."""
        return self._hello is not None

    def welcomed(self, received: int) -> list[bytes]:
        """The session goes on; before its stream's Hello the referee had received the frame *received*, and no later.

        Returns what is to be sent again.
        """
        # Numbers from a Hello on are of lost streams that brought no Welcome. If those count as received, nobody knows
        # how much of what is kept arrived: all of it is sent again, since a second answer to a request does no harm.
        if self._hello is not None and received < self._hello:
            self._drop(received)
        self._hello = None
        kept, self._kept = self._kept, deque()
        return [self.frame(*messages) for _, messages in kept]

    def _drop(self, sequence: int) -> None:
        while self._kept and self._kept[0][0] <= sequence:
            self._kept.popleft()
