"""The frames that wait for one stream."""

import asyncio
from collections import deque
from collections.abc import Callable

from tradepit_server.referee.endings import Ending

OUTBOX_BYTES = 4 * 1024 * 1024
"""A stream for which more than this waits is ended: its bot does not read."""

CLOSING_SECONDS = 2.0
"""How long a bot may take to read the last frames of a stream that is being closed."""


class Outbox:
    """The frames that wait for one stream, bounded in bytes."""

    def __init__(self, interrupt: Callable[[], object]) -> None:
        """*interrupt* stops whoever takes the frames, in the middle of sending one."""
        self.abandoned = False
        """What waits is not sent any more."""
        self.reason = "the stream broke off"
        """Why the stream ends, as far as is known."""
        self.ending = Ending.ORDERLY
        """What kind of end that is."""
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._interrupt = interrupt
        self._closed = False
        self._waiter: asyncio.Future[None] | None = None
        self._last_call: asyncio.TimerHandle | None = None

    def put(self, frame: bytes) -> None:
        """Have *frame* sent; if too much waits already, the stream is abandoned."""
        if self.abandoned:
            return
        self._frames.append(frame)
        self._bytes += len(frame)
        self._wake()
        if self._bytes > OUTBOX_BYTES:
            self.abandon(f"the bot does not read: {self._bytes} bytes wait for it", Ending.UNREAD)

    def close(self, reason: str, ending: Ending = Ending.ORDERLY) -> None:
        """End the stream when everything is sent. The first call counts."""
        if not self._closed:
            self._closed, self.reason, self.ending = True, reason, ending
            self._last_call = asyncio.get_running_loop().call_later(CLOSING_SECONDS, self._give_up)
            self._wake()

    def _give_up(self) -> None:
        self.abandon(self.reason, Ending.UNREAD if self.ending is Ending.ORDERLY else self.ending)

    def abandon(self, reason: str, ending: Ending) -> None:
        """End the stream now, and keep nothing that waits for it."""
        if not self.abandoned:
            self.abandoned, self.reason, self.ending = True, reason, ending
            self._frames.clear()
            self._bytes = 0
            self._interrupt()

    def done(self) -> None:
        """Nobody takes frames any more."""
        if self._last_call is not None:
            self._last_call.cancel()

    async def take(self) -> bytes | None:
        """The next frame; None: there will be no more."""
        while not self._frames and not self._closed:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if not self._frames:
            return None
        frame = self._frames.popleft()
        self._bytes -= len(frame)
        return frame

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
