"""Carries a ``ClientSession`` over one gRPC stream. The only module of a bot that needs grpc.

The bot's own code runs in the thread of the event loop, the main one, so that breakpoints work; gRPC's own threads
answer the referee's keepalive pings meanwhile, so a bot that thinks, or is being debugged, is not taken for gone.
"""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from types import FrameType
from typing import Any, NamedTuple

import grpc
import grpc.aio

from tradepit.bot import Bot
from tradepit.errors import ConnectionFailed, EditionError
from tradepit.session import ClientSession
from tradepit.v1 import referee_pb2

PATIENCE_SECONDS = 5.0
"""How long a starting bot waits for the referee to be there."""

_EDITION_SECONDS = 10.0
_AGAIN_SECONDS = 0.1
_PASSING = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
"""What says nothing about an edition: it is asked for again, as long as the stream stands."""

_FAREWELL_SECONDS = 1.0
_STATUS_TURNS = 100
_STATUS_SECONDS = 0.01
_PLAY = "/tradepit.v1.RefereeService/Play"
_GET_EDITION = "/tradepit.v1.RefereeService/GetEdition"
_OPTIONS = [
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 5_000),  # how long one attempt may take: a busy machine is not a dead one
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.max_receive_message_length", 1 << 20),
]
_Stream = Any  # grpc.aio.StreamStreamCall over raw bytes
_Metadata = tuple[tuple[str, str], ...]


def play(bot: Bot, referee: str, token: str, patience: float = PATIENCE_SECONDS) -> None:
    """Play *bot* at *referee* until that ends the stream, or until SIGINT or SIGTERM. Call it in the main thread.

    Raises ConnectionFailed when there is no referee within *patience* seconds, when it refuses the bot, and when it
    is lost.
    """
    session = ClientSession(bot)
    metadata = (("authorization", f"Bearer {token}"),)
    asyncio.run(_play(session, referee, metadata, patience))


async def _play(session: ClientSession, referee: str, metadata: _Metadata, patience: float) -> None:
    async with _aio_channel(referee) as channel:
        stream: _Stream = channel.stream_stream(_PLAY)
        conversation = _Conversation(session, referee, _Editions(channel, metadata))
        with _interruptible(session, conversation.stop):
            try:
                await asyncio.wait_for(channel.channel_ready(), patience)
                await conversation.run(stream(metadata=metadata))
            except TimeoutError:
                raise ConnectionFailed(f"no referee at {referee} within {patience:g} s") from None
            except asyncio.CancelledError:
                return  # interrupted


class _End(NamedTuple):
    """How a stream ended."""

    code: grpc.StatusCode
    details: str | None


class _Conversation:
    """The exchange of frames on one stream, by the task that makes it."""

    def __init__(self, session: ClientSession, referee: str, editions: "_Editions") -> None:
        self._session = session
        self._referee = referee
        self._editions = editions
        session.edition_source = editions.find
        self._task = asyncio.current_task()
        self._stream: _Stream = None
        self._pausing = False
        """Nothing is being written."""
        self._stopping = False
        self._farewell: asyncio.Task[None] | None = None
        self._end: _End | None = None

    async def run(self, stream: _Stream) -> None:
        """Answer every frame until the stream ends. Raises ConnectionFailed, FairnessError, ProtocolError."""
        self._stream = stream
        stream.add_done_callback(self._note_end)
        try:
            await stream.write(self._session.hello())
            while (frame := await self._read()) is not grpc.aio.EOF:
                if not self._stopping:
                    await self._answer(frame)
                if self._session.finished:
                    await stream.done_writing()
                    return
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):  # the latter: written to a stream that has ended
            await self._judge_end()

    def stop(self) -> None:
        """Leave: say so, and give the referee a moment to end the stream. Asked again, leave at once."""
        if self._task is None or self._stream is None or self._stopping:
            if self._task is not None:
                self._task.cancel()
            return
        self._stopping = True
        if self._pausing:  # else the task itself will come to it; two may not write at once
            self._farewell = asyncio.get_running_loop().create_task(self._say_bye())

    async def _read(self) -> Any:
        """The next frame, or EOF."""
        if self._stopping and self._farewell is None:
            await self._say_bye()
        self._pausing = True
        frame = await self._stream.read()
        self._pausing = False
        return frame

    async def _answer(self, frame: bytes) -> None:
        try:
            for answer in self._session.received(frame):
                await self._stream.write(answer)
                if self._stopping:
                    return
            while self._session.awaited_edition is not None and not self._stopping:
                await self._answer_with_edition(*self._session.awaited_edition)
        except KeyboardInterrupt:  # raised in the author's code by the signal's handler
            self._stopping = True

    async def _answer_with_edition(self, game: str, sha256: bytes) -> None:
        self._pausing = True
        await self._editions.fetch(game, sha256, self._stream)
        self._pausing = False
        for answer in () if self._stopping else self._session.edition_arrived():
            await self._stream.write(answer)

    async def _say_bye(self) -> None:
        if self._task is not None:
            asyncio.get_running_loop().call_later(_FAREWELL_SECONDS, self._task.cancel)
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self._stream.write(self._session.bye("interrupted"))
            await self._stream.done_writing()

    async def _judge_end(self) -> None:
        """Raises ConnectionFailed unless the stream ended well, or the bot was about to leave anyway."""
        code, details = await self._true_end()
        if self._stopping or code is grpc.StatusCode.OK:
            return
        reason = (details or code.name).splitlines()[0]
        if code is grpc.StatusCode.UNAUTHENTICATED:
            raise ConnectionFailed(f"the referee at {self._referee} does not accept the token: {reason}") from None
        raise ConnectionFailed(f"lost the referee at {self._referee}: {reason}") from None

    async def _true_end(self) -> _End:
        """The status that the referee gave. A write that fails because of it may come back before it."""
        for _ in range(_STATUS_TURNS):
            if self._end is not None and self._end.code is not grpc.StatusCode.INTERNAL:
                return self._end
            await asyncio.sleep(_STATUS_SECONDS)
        return self._end or _End(grpc.StatusCode.UNKNOWN, "the stream broke off")

    def _note_end(self, stream: _Stream) -> None:
        """Keep the status before a failed write overwrites it: gRPC calls this each time that it sets one."""
        if self._end is None or self._end.code is grpc.StatusCode.INTERNAL:
            self._end = _End(_ready(stream.code()), _ready(stream.details()))


def _ready(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine that has nothing to wait for, as those of a stream that has ended."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError(f"{coroutine!r} is not ready")


@contextmanager
def _interruptible(session: ClientSession, stop: Callable[[], None]) -> Iterator[None]:
    """Let SIGINT and SIGTERM end the bot: its own code at once, wherever it is; else between two frames."""
    loop = asyncio.get_running_loop()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if session.deciding:
            raise KeyboardInterrupt
        loop.call_soon_threadsafe(stop)

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Editions:
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
        """Get an edition, or the referee's reason why it gives none, unless *stream* ends before."""
        request = referee_pb2.GetEditionRequest(game=game, sha256=sha256).SerializeToString()
        while True:
            try:
                data = await self._call(request, timeout=_EDITION_SECONDS, metadata=self._metadata, wait_for_ready=True)
                self._fetched[sha256] = referee_pb2.GetEditionResponse.FromString(data).toml
                return
            except grpc.aio.AioRpcError as error:
                if error.code() not in _PASSING or stream.done():
                    reason = f"the referee does not give the edition {sha256.hex()} of {game}: {error.details()}"
                    self._fetched[sha256] = EditionError(reason)
                    return
            await asyncio.sleep(_AGAIN_SECONDS)


def is_local(referee: str) -> bool:
    """Whether *referee* is on this machine, so that its address needs no TLS."""
    if referee.startswith(("unix:", "unix-abstract:")):
        return True
    host = referee.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _aio_channel(referee: str) -> grpc.aio.Channel:
    if is_local(referee):
        return grpc.aio.insecure_channel(referee, _OPTIONS)
    return grpc.aio.secure_channel(referee, grpc.ssl_channel_credentials(), _OPTIONS)


def open_channel(referee: str) -> grpc.Channel:
    """A channel to *referee*: encrypted, unless it is on this machine."""
    if is_local(referee):
        return grpc.insecure_channel(referee, _OPTIONS)
    return grpc.secure_channel(referee, grpc.ssl_channel_credentials(), _OPTIONS)
