"""Carries a ``ClientSession`` over one gRPC stream. The only module of a bot that needs grpc.

The bot's own code runs in the thread of the event loop, the main one, so that breakpoints work; gRPC's own threads
answer the referee's keepalive pings meanwhile, so a bot that thinks, or is being debugged, is not taken for gone.
"""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from types import FrameType
from typing import Any

import grpc
import grpc.aio

from tradepit.bot import Bot
from tradepit.errors import ConnectionFailed, EditionError
from tradepit.session import ClientSession
from tradepit.v1 import referee_pb2

PATIENCE_SECONDS = 5.0
"""How long a starting bot waits for the referee to be there."""

_EDITION_SECONDS = 10.0
_PLAY = "/tradepit.v1.RefereeService/Play"
_GET_EDITION = "/tradepit.v1.RefereeService/GetEdition"
_OPTIONS = [
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
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
    session.edition_source = lambda game, sha256: _get_edition(referee, metadata, game, sha256)
    asyncio.run(_play(session, referee, metadata, patience))


async def _play(session: ClientSession, referee: str, metadata: _Metadata, patience: float) -> None:
    with _interruptible(session):
        async with _aio_channel(referee) as channel:
            try:
                await asyncio.wait_for(channel.channel_ready(), patience)
            except TimeoutError:
                raise ConnectionFailed(f"no referee at {referee} within {patience:g} s") from None
            except asyncio.CancelledError:
                return
            await _converse(session, channel.stream_stream(_PLAY)(metadata=metadata), referee)


async def _converse(session: ClientSession, stream: _Stream, referee: str) -> None:
    try:
        await stream.write(session.hello())
        while not session.finished and (frame := await stream.read()) is not grpc.aio.EOF:
            for answer in session.received(frame):
                await stream.write(answer)
        await stream.done_writing()
    except (asyncio.CancelledError, KeyboardInterrupt):
        await _say_bye(session, stream)
    except grpc.aio.AioRpcError as error:
        raise _lost(referee, error.code(), error.details()) from None
    except asyncio.InvalidStateError:  # written to a stream that had ended
        raise _lost(referee, await stream.code(), await stream.details()) from None


async def _say_bye(session: ClientSession, stream: _Stream) -> None:
    if not stream.done():
        await stream.write(session.bye("interrupted"))
        await stream.done_writing()


def _lost(referee: str, code: grpc.StatusCode, details: str | None) -> ConnectionFailed:
    reason = (details or code.name).splitlines()[0]
    if code is grpc.StatusCode.UNAUTHENTICATED:
        return ConnectionFailed(f"the referee at {referee} does not accept the token: {reason}")
    return ConnectionFailed(f"lost the referee at {referee}: {reason}")


@contextmanager
def _interruptible(session: ClientSession) -> Iterator[None]:
    """Let SIGINT and SIGTERM end the bot: at once while its own code runs, else between two frames."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def stop(number: int, frame: FrameType | None) -> None:
        if session.deciding:
            raise KeyboardInterrupt
        if task is not None:
            loop.call_soon_threadsafe(task.cancel)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _get_edition(referee: str, metadata: _Metadata, game: str, sha256: bytes) -> bytes:
    """Ask the referee on a channel of its own: once a process and edition, and before any decision's clock runs."""
    request = referee_pb2.GetEditionRequest(game=game, sha256=sha256)
    with _channel(referee) as channel:
        call: Any = channel.unary_unary(_GET_EDITION)
        try:
            data = call(request.SerializeToString(), timeout=_EDITION_SECONDS, metadata=metadata)
        except grpc.RpcError as error:
            raise EditionError(f"the referee does not give the edition {sha256.hex()} of {game}: {error}") from None
    return referee_pb2.GetEditionResponse.FromString(data).toml


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


def _channel(referee: str) -> grpc.Channel:
    if is_local(referee):
        return grpc.insecure_channel(referee, _OPTIONS)
    return grpc.secure_channel(referee, grpc.ssl_channel_credentials(), _OPTIONS)
