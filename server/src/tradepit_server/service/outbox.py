"""The frames that wait for one stream."""

import asyncio
from collections import deque
from collections.abc import Callable

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
        self.orderly = False
        """It ends as it should."""
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._interrupt = interrupt
        self._closed = False
        self._waiter: asyncio.Future[None] | None = None
        self._last_call: asyncio.TimerHandle | None = None

    def put(self, frame: bytes) -> None:
        """Have *frame* sent; if too much waits already, the stream is abandoned."""
        self._frames.append(frame)
        self._bytes += len(frame)
        self._wake()
        if self._bytes > OUTBOX_BYTES:
            self.abandon(f"the bot does not read: {self._bytes} bytes wait for it")

    def close(self, reason: str, *, orderly: bool) -> None:
        """End the stream when everything is sent. The first call counts."""
        if not self._closed:
            self._closed, self.reason, self.orderly = True, reason, orderly
            self._last_call = asyncio.get_running_loop().call_later(CLOSING_SECONDS, self.abandon, reason)
            self._wake()

    def abandon(self, reason: str) -> None:
        """End the stream now."""
        if not self.abandoned:
            self.abandoned, self.reason = True, reason
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
