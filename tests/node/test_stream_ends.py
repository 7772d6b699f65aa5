"""How streams end that do not go as they should, over gRPC on both kinds of socket; what each side is told."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import grpc
import pytest
from cut_line import CutLine
from service_calls import ADA, HELLO, Bot, refusal, tokens
from wire_bot import PLAY

from tradepit.v1 import play_pb2
from tradepit_server.referee import Referee
from tradepit_server.referee.limits import FRAME_BYTES
from tradepit_server.service import RefereeServer
from tradepit_server.service import server as server_module

Main = Callable[[RefereeServer, str], Awaitable[None]]


@pytest.fixture(params=["unix", "tcp"])
def serve(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Main], None]:
    """``serve(main)``: runs ``main(server, address)`` beside a referee."""
    listen = f"unix:{tmp_path}/referee" if request.param == "unix" else "127.0.0.1:0"

    async def session(main: Main) -> None:
        server = RefereeServer(Referee(), tokens())
        (address,) = await server.start([listen])
        try:
            await main(server, address)
        finally:
            await server.stop(None)

    return lambda main: asyncio.run(asyncio.wait_for(session(main), 60))


def resuming(session_id: str) -> play_pb2.BotMessage:
    hello = play_pb2.Hello(protocol_revision=1, resume_session_id=session_id)
    return play_pb2.BotMessage(hello=hello)


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0)


def test_of_two_streams_for_a_session_the_older_is_told_and_the_newer_goes_on(serve: Callable[[Main], None]) -> None:
    async def main(server: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as first, grpc.aio.insecure_channel(address) as second:
            older, newer = Bot(first, ADA), Bot(second, ADA)
            session_id = await older.join()
            await newer.send(resuming(session_id))
            assert (await newer.read()).welcome.session_id == session_id
            told = (grpc.StatusCode.ABORTED, "a newer stream has taken over the session")
            assert await refusal(older.stream.read()) == told
            assert server.driver.is_connected(session_id)

    serve(main)


def test_a_session_that_is_not_there_is_told_apart(serve: Callable[[Main], None]) -> None:
    async def main(server: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            bot = Bot(channel, ADA)
            await bot.send(resuming("0" * 32))
            assert (await refusal(bot.stream.read()))[0] is grpc.StatusCode.NOT_FOUND

    serve(main)


def test_another_revision_and_what_is_no_hello_are_told_apart(serve: Callable[[Main], None]) -> None:
    async def main(server: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            old, rude = Bot(channel, ADA), Bot(channel, ADA)
            await old.send(play_pb2.BotMessage(hello=play_pb2.Hello(protocol_revision=77)))
            code, details = await refusal(old.stream.read())
            assert (code, "77" in str(details)) == (grpc.StatusCode.FAILED_PRECONDITION, True)
            await rude.send(play_pb2.BotMessage(bye=play_pb2.Bye()))
            assert (await refusal(rude.stream.read()))[0] is grpc.StatusCode.INVALID_ARGUMENT

    serve(main)


def test_a_frame_that_is_too_large_is_refused_with_both_sizes(serve: Callable[[Main], None]) -> None:
    async def main(server: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            bot = Bot(channel, ADA)
            session_id = await bot.join()
            await bot.stream.write(bytes(FRAME_BYTES + 1))
            code, details = await refusal(bot.stream.read())
            assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert f"({FRAME_BYTES + 1} vs. {FRAME_BYTES})" in str(details)
            await until(lambda: not server.driver.is_connected(session_id))

    serve(main)


def test_half_a_line_is_no_line(serve: Callable[[Main], None], tmp_path: Path) -> None:
    async def main(server: RefereeServer, address: str) -> None:
        listen = f"unix:{tmp_path}/line" if address.startswith("unix:") else "127.0.0.1:0"
        async with CutLine(address, listen) as line, grpc.aio.insecure_channel(line.address) as channel:
            session_id = await Bot(channel, ADA).join()
            line.close_half()
            await until(lambda: not server.driver.is_connected(session_id))

    serve(main)


def test_a_line_that_is_reset_is_noticed_at_once(serve: Callable[[Main], None], tmp_path: Path) -> None:
    async def main(server: RefereeServer, address: str) -> None:
        listen = f"unix:{tmp_path}/line" if address.startswith("unix:") else "127.0.0.1:0"
        async with CutLine(address, listen) as line, grpc.aio.insecure_channel(line.address) as channel:
            bot = Bot(channel, ADA)
            session_id = await bot.join()
            line.cut()
            assert (await refusal(bot.stream.read()))[0] is grpc.StatusCode.UNAVAILABLE
            await until(lambda: not server.driver.is_connected(session_id))

    serve(main)


DEAF = f"""
import sys, threading, grpc
def frames():
    yield {play_pb2.PlayRequest(sequence=1, messages=[HELLO]).SerializeToString()!r}
    threading.Event().wait()
call = grpc.insecure_channel(sys.argv[1]).stream_stream({PLAY!r})(frames(), metadata={ADA!r})
next(call)
print("greeted", flush=True)
threading.Event().wait()
"""
"""Says Hello, reads the answer, and nothing more."""


@pytest.fixture
def deaf() -> Iterator[Callable[[str], "subprocess.Popen[str]"]]:
    """``deaf(address)``: a process that has joined and reads nothing more."""
    started = []

    def start(address: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen([sys.executable, "-c", DEAF, address], stdout=subprocess.PIPE, text=True)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()
    server_module._stuck.clear()


@pytest.mark.parametrize("stopped", [False, True], ids=["does not read", "is stopped"])
def test_a_bot_that_does_not_read_is_not_waited_for_while_it_lives_nor_in_the_end(
    stopped: bool,
    serve: Callable[[Main], None],
    deaf: Callable[[str], "subprocess.Popen[str]"],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_module, "CLOSING_SECONDS", 0.1)
    monkeypatch.setattr(server_module, "STUCK_SECONDS", 0.1)

    async def main(server: RefereeServer, address: str) -> None:
        process = deaf(address)
        assert process.stdout is not None
        assert await asyncio.to_thread(process.stdout.readline) == "greeted\n"
        if stopped:
            os.kill(process.pid, signal.SIGSTOP)
        (outbox,) = server.driver._streams.values()
        while not outbox.abandoned:
            outbox.put(bytes(256 * 1024))
            await asyncio.sleep(0.001)
        await until(lambda: not server._plays)
        assert process.poll() is None

    serve(main)
