"""Streams and how they end, over gRPC, with a core that only writes down what it is told."""

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from scripted_core import ScriptedCore
from wire_bot import PLAY

from tradepit_server.referee import Identity
from tradepit_server.referee.endings import Ending
from tradepit_server.service import RefereeServer, Tokens
from tradepit_server.service import outbox as outbox_module
from tradepit_server.service.outbox import OUTBOX_BYTES
from tradepit_server.service.statuses import STATUS

TOKEN = (("authorization", "Bearer ada's"),)

Main = Callable[[ScriptedCore, str], Awaitable[None]]


@pytest.fixture(params=["unix", "tcp"])
def serve(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Main], None]:
    """``serve(main)``: runs ``main(core, address)`` beside a server, on either kind of socket."""
    listen = f"unix:{tmp_path}/referee" if request.param == "unix" else "127.0.0.1:0"

    async def session(main: Main) -> None:
        core, tokens = ScriptedCore(), Tokens()
        tokens.grant("ada's", Identity("ada"))
        server = RefereeServer(core, tokens)
        (address,) = await server.start([listen])
        try:
            await main(core, address)
        finally:
            await server.stop(None)

    return lambda main: asyncio.run(asyncio.wait_for(session(main), 30))


def open_stream(channel: grpc.aio.Channel) -> grpc.aio.StreamStreamCall[bytes, bytes]:
    stream: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(PLAY)(metadata=TOKEN)
    return stream


async def read_all(stream: grpc.aio.StreamStreamCall[bytes, bytes]) -> None:
    with contextlib.suppress(grpc.aio.AioRpcError):
        while await stream.read() is not grpc.aio.EOF:
            pass


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0)


def ends(core: ScriptedCore) -> list[tuple[object, ...]]:
    return [call for call in core.calls if call[0] == "disconnected"]


def say(core: ScriptedCore, connection: int, frame: bytes) -> None:
    core.pending.frames.append((connection, frame))


def test_bytes_go_both_ways_as_they_are(serve: Callable[[Main], None]) -> None:
    async def main(core: ScriptedCore, address: str) -> None:
        core.on_received = lambda connection, frame: say(core, connection, frame[::-1])
        async with grpc.aio.insecure_channel(address) as channel:
            stream = open_stream(channel)
            for frame in (b"\xff no frame", b"", bytes(200_000)):
                await stream.write(frame)
                assert await stream.read() == frame[::-1]
        assert core.calls[0] == ("connected", 1, Identity("ada"))

    serve(main)


def test_a_client_that_cancels_is_disconnected_once(serve: Callable[[Main], None]) -> None:
    async def main(core: ScriptedCore, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            stream = open_stream(channel)
            await stream.write(b"frame")
            await until(lambda: "received" in core.names())
            stream.cancel()
            await until(lambda: ends(core))
        assert len(ends(core)) == 1

    serve(main)


def test_a_client_that_ends_its_side_gets_what_is_due_and_is_disconnected_once(
    serve: Callable[[Main], None],
) -> None:
    async def main(core: ScriptedCore, address: str) -> None:
        core.on_received = lambda connection, frame: say(core, connection, b"an answer")
        async with grpc.aio.insecure_channel(address) as channel:
            stream = open_stream(channel)
            await stream.write(b"frame")
            await stream.done_writing()
            assert await stream.read() == b"an answer"
            assert await stream.read() is grpc.aio.EOF
            assert await stream.code() == grpc.StatusCode.OK
            await until(lambda: ends(core))
        assert ends(core) == [("disconnected", 1, "the stream ended")]

    serve(main)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_process_that_dies_is_disconnected_once(
    serve: Callable[[Main], None], number: signal.Signals, tmp_path: Path
) -> None:
    text = (
        "import sys, threading, grpc\n"
        "def frames():\n    yield b'frame'\n    threading.Event().wait()\n"
        f"call = grpc.insecure_channel(sys.argv[1]).stream_stream({PLAY!r})\n"
        "for _ in call(frames(), metadata=(('authorization', \"Bearer ada's\"),)): pass\n"
    )

    async def main(core: ScriptedCore, address: str) -> None:
        process = subprocess.Popen([sys.executable, "-c", text, address], stderr=subprocess.DEVNULL)
        await until(lambda: "received" in core.names())
        os.kill(process.pid, number)
        await until(lambda: ends(core))
        process.kill()
        process.wait()
        assert len(ends(core)) == 1

    serve(main)


def test_a_server_that_stops_disconnects_everybody_once_without_a_fuss(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        core, tokens = ScriptedCore(), Tokens()
        tokens.grant("ada's", Identity("ada"))
        server = RefereeServer(core, tokens)
        (address,) = await server.start([f"unix:{tmp_path}/referee"])
        async with grpc.aio.insecure_channel(address) as channel:
            streams = [open_stream(channel) for _ in range(3)]
            for stream in streams:
                await stream.write(b"frame")
            await until(lambda: core.names().count("received") == 3)
            await server.stop(None)
        assert sorted(call[1] for call in ends(core)) == [1, 2, 3]  # type: ignore[type-var]  # numbers

    with caplog.at_level(logging.INFO):
        asyncio.run(asyncio.wait_for(main(), 30))
    assert caplog.text == ""


@pytest.mark.parametrize("ending", Ending)
def test_a_stream_that_the_core_closes_gets_its_last_frames_and_if_something_was_wrong_the_reason(
    serve: Callable[[Main], None], ending: Ending
) -> None:
    async def main(core: ScriptedCore, address: str) -> None:
        def close(connection: int, frame: bytes) -> None:
            say(core, connection, b"last words")
            core.pending.closing.append((connection, "no Hello", ending))

        core.on_received = close
        async with grpc.aio.insecure_channel(address) as channel:
            stream = open_stream(channel)
            await stream.write(b"frame")
            assert await stream.read() == b"last words"
            said = "" if ending is Ending.ORDERLY else "no Hello"
            assert (await stream.code(), await stream.details()) == (STATUS[ending], said)
            await until(lambda: ends(core))
        assert ends(core) == [("disconnected", 1, "no Hello")]

    serve(main)


def test_a_bot_that_does_not_read_holds_up_nobody_and_is_told_when_it_does(serve: Callable[[Main], None]) -> None:
    async def main(core: ScriptedCore, address: str) -> None:
        chunk = bytes(256 * 1024)
        core.on_received = lambda connection, frame: say(core, connection, frame)
        async with grpc.aio.insecure_channel(address) as channel:
            deaf = open_stream(channel)
            await deaf.write(b"the first stream")
            await until(lambda: "received" in core.names())
            other = open_stream(channel)
            rounds = 0
            while not ends(core):
                say(core, 1, chunk)
                await other.write(b"are you there?")
                assert await other.read() == b"are you there?"
                rounds += 1
            assert OUTBOX_BYTES < rounds * len(chunk) < 3 * OUTBOX_BYTES
            ((_, connection, reason),) = ends(core)
            assert connection == 1
            assert str(reason).startswith("the bot does not read: ")
            unread = asyncio.create_task(read_all(deaf))
            assert (await deaf.code(), await deaf.details()) == (grpc.StatusCode.RESOURCE_EXHAUSTED, reason)
            unread.cancel()
        assert len(ends(core)) == 1

    serve(main)


def test_a_bot_that_floods_is_read_from_later_and_the_others_at_once(serve: Callable[[Main], None]) -> None:
    async def main(core: ScriptedCore, address: str) -> None:
        core.pauses = [200_000_000]
        async with grpc.aio.insecure_channel(address) as channel:
            flooding, other = open_stream(channel), open_stream(channel)
            await flooding.write(b"flood")
            await until(lambda: "received" in core.names())
            await flooding.write(b"flood")
            await other.write(b"honest")
            await until(lambda: core.names().count("received") == 3)
        read = [(call[2], at) for call, at in zip(core.calls, core.instants, strict=True) if call[0] == "received"]
        assert [frame for frame, _ in read] == [b"flood", b"honest", b"flood"]
        assert read[2][1] - read[0][1] >= 200_000_000

    serve(main)


def test_a_closed_stream_that_is_not_read_is_given_up(
    serve: Callable[[Main], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox_module, "CLOSING_SECONDS", 0.01)

    async def main(core: ScriptedCore, address: str) -> None:
        def close(connection: int, frame: bytes) -> None:
            core.pending.frames += [(connection, bytes(256 * 1024))] * 10
            core.pending.closing.append((connection, "goodbye", Ending.ORDERLY))

        core.on_received = close
        async with grpc.aio.insecure_channel(address) as channel:
            stream = open_stream(channel)
            await stream.write(b"frame")
            await until(lambda: ends(core))
            assert ends(core) == [("disconnected", 1, "goodbye")]

    serve(main)


def test_a_core_that_fails_ends_every_stream_with_internal(
    serve: Callable[[Main], None], caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("a bug of ours")

    async def main(core: ScriptedCore, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            first, second = (open_stream(channel) for _ in range(2))
            await first.write(b"frame")
            await until(lambda: "received" in core.names())
            core.on_received = fail
            await second.write(b"frame")
            third = open_stream(channel)
            for stream in (first, second, third):
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await stream.read()
                assert caught.value.code() == grpc.StatusCode.INTERNAL
                assert caught.value.details() == "the referee failed and plays no more"

    serve(main)
    assert "a bug of ours" in caplog.text
