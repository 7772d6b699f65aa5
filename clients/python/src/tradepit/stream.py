"""Carries a ``ClientSession`` over one gRPC stream, from its Hello to its end."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

import grpc
import grpc.aio

from tradepit.errors import EditionError
from tradepit.session import ClientSession
from tradepit.v1 import referee_pb2

_EDITION_SECONDS = 10.0
_AGAIN_SECONDS = 0.1
_PASSING = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
"""What says nothing about an edition: it is asked for again, as long as the stream stands."""

_FAREWELL_SECONDS = 1.0
_STATUS_TURNS = 100
_STATUS_SECONDS = 0.01
_PLAY = "/tradepit.v1.RefereeService/Play"
_GET_EDITION = "/tradepit.v1.RefereeService/GetEdition"
_Stream = Any  # grpc.aio.StreamStreamCall over raw bytes
_Metadata = tuple[tuple[str, str], ...]


class End(NamedTuple):
    """How a stream ended."""

    code: grpc.StatusCode
    details: str | None

    @property
    def reason(self) -> str:
        """One line."""
        return (self.details or self.code.name).splitlines()[0]


class Owner(Protocol):
    """Whoever has a conversation."""

    def heard(self) -> None:
        """A frame has come."""

    def answered(self) -> None:
        """It is answered, and what it said is in the session."""

    def interrupted(self) -> None:
        """A signal stopped the author's code."""


class Conversation:
    """The exchange of frames on one stream, by the task that makes it."""

    stopping: bool
    """The bot leaves of its own accord."""

    def __init__(self, session: ClientSession, editions: "Editions", owner: Owner) -> None:
        self.stopping = False
        self._session = session
        self._editions = editions
        session.edition_source = editions.find
        self._owner = owner
        self._task = asyncio.current_task()
        self._stream: _Stream = None
        self._pausing = False
        """Nothing is being written."""
        self._farewell: asyncio.Task[None] | None = None
        self._end: End | None = None

    async def run(self, channel: grpc.aio.Channel, metadata: _Metadata) -> End:
        """Answer every frame until the stream ends, and say how it did. Raises FairnessError and ProtocolError."""
        open_stream: Callable[..., _Stream] = channel.stream_stream(_PLAY)
        stream = self._stream = open_stream(metadata=metadata)
        stream.add_done_callback(self._note_end)
        try:
            await stream.write(self._session.hello())
            while (frame := await self._read()) is not grpc.aio.EOF:
                self._owner.heard()
                if not self.stopping:
                    await self._answer(frame)
                    self._owner.answered()
                if self._session.finished:
                    await self._leave()
                    break
            return End(grpc.StatusCode.OK, None)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):  # the latter: written to a stream that has ended
            return await self._true_end()
        except asyncio.CancelledError:
            if self._task is None or self._task.cancelling():
                raise
            return await self._true_end()  # it is the stream that was cancelled
        finally:
            stream.cancel()  # if it has not ended: nobody will read it any more

    def stop(self) -> None:
        """Leave: say so, and give the referee a moment to end the stream."""
        self.stopping = True
        if self._pausing:  # else the task itself will come to it; two may not write at once
            self._farewell = asyncio.get_running_loop().create_task(self._say_bye())

    def abandon(self) -> None:
        """End the stream, of which nothing more is expected, as if the line had broken."""
        self._stream.cancel()

    async def _read(self) -> Any:
        """The next frame, or EOF."""
        if self.stopping and self._farewell is None:
            await self._say_bye()
        self._pausing = True
        frame = await self._stream.read()
        self._pausing = False
        return frame

    async def _answer(self, frame: bytes) -> None:
        try:
            for answer in self._session.received(frame):
                await self._stream.write(answer)
                if self.stopping:
                    return
            while self._session.awaited_edition is not None and not self.stopping:
                await self._answer_with_edition(*self._session.awaited_edition)
        except KeyboardInterrupt:  # raised in the author's code by the signal's handler
            self._owner.interrupted()

    async def _answer_with_edition(self, game: str, sha256: bytes) -> None:
        self._pausing = True
        await self._editions.fetch(game, sha256, self._stream)
        self._pausing = False
        for answer in () if self.stopping else self._session.edition_arrived():
            await self._stream.write(answer)

    async def _leave(self) -> None:
        """Nothing is left to play: let the referee end the stream in good order, unless it takes its time."""
        with suppress(TimeoutError, grpc.aio.AioRpcError, asyncio.InvalidStateError):
            async with asyncio.timeout(_FAREWELL_SECONDS):
                await self._stream.done_writing()
                while await self._stream.read() is not grpc.aio.EOF:
                    pass

    async def _say_bye(self) -> None:
        if self._task is not None:
            asyncio.get_running_loop().call_later(_FAREWELL_SECONDS, self._task.cancel)
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self._stream.write(self._session.bye("interrupted"))
            await self._stream.done_writing()

    async def _true_end(self) -> End:
        """The status that the referee gave. A write that fails because of it may come back before it."""
        for _ in range(_STATUS_TURNS):
            if self._end is not None and self._end.code is not grpc.StatusCode.INTERNAL:
                return self._end
            await asyncio.sleep(_STATUS_SECONDS)
        return self._end or End(grpc.StatusCode.UNKNOWN, "the stream broke off")

    def _note_end(self, stream: _Stream) -> None:
        """Keep the status before a failed write overwrites it: gRPC calls this each time that it sets one."""
        if self._end is None or self._end.code is grpc.StatusCode.INTERNAL:
            self._end = End(_ready(stream.code()), _ready(stream.details()))


def _ready(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine that has nothing to wait for, as those of a stream that has ended."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError(f"{coroutine!r} is not ready")


class Editions:
    """Editions of the referee, over the channel of the stream: where that goes, no second one needs to find the way."""

    def __init__(self, channel: grpc.aio.Channel, metadata: _Metadata) -> None:
        self._call: Any = channel.unary_unary(_GET_EDITION)
        self._metadata = metadata
        self._fetched: dict[bytes, bytes | EditionError] = {}

    def find(self, game: str, sha256: bytes) -> bytes | None:
        """An edition that was fetched, as EditionSource says."""
        fetched = self._fetched.get(sha256)
        if isinstance(fetched, EditionError):
            raise fetched
        return fetched

    async def fetch(self, game: str, sha256: bytes, stream: _Stream) -> None:
        """Get an edition, or the referee's reason why it gives none.

        Raises InvalidStateError if *stream* ends before: then nobody has said that there is none.
        """
        request = referee_pb2.GetEditionRequest(game=game, sha256=sha256).SerializeToString()
        while not stream.done():
            call = self._call(request, timeout=_EDITION_SECONDS, metadata=self._metadata, wait_for_ready=True)
            stream.add_done_callback(lambda _, call=call: call.cancel())
            try:
                self._fetched[sha256] = referee_pb2.GetEditionResponse.FromString(await call).toml
                return
            except grpc.aio.AioRpcError as error:
                if error.code() not in _PASSING:
                    reason = f"the referee does not give the edition {sha256.hex()} of {game}: {error.details()}"
                    self._fetched[sha256] = EditionError(reason)
                    return
            await asyncio.sleep(_AGAIN_SECONDS)
        raise asyncio.InvalidStateError("the stream has ended")
