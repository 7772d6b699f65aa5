"""The line that tests cut does to its connections what they ask for."""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from cut_line import CutLine

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Ends:
    """Both ends of connections through a line; closed at the end."""

    def __init__(self) -> None:
        self.arrived: asyncio.Queue[Streams] = asyncio.Queue()
        self.writers: list[asyncio.StreamWriter] = []

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """At the target."""
        self.writers.append(writer)
        self.arrived.put_nowait((reader, writer))

    async def connect(self, address: str) -> Streams:
        """To the line."""
        if address.startswith("unix:"):
            streams = await asyncio.open_unix_connection(address.removeprefix("unix:"))
        else:
            host, _, port = address.rpartition(":")
            streams = await asyncio.open_connection(host, int(port))
        self.writers.append(streams[1])
        return streams

    async def close(self) -> None:
        """All of them."""
        for writer in self.writers:
            writer.transport.abort()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()


Main = Callable[[CutLine, Ends], Awaitable[None]]


@pytest.fixture(params=["tcp", "unix"])
def talk(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Main], None]:
    """``talk(main)`` runs ``main(line, ends)``, on either kind of socket."""

    async def session(main: Main) -> None:
        ends = Ends()
        if request.param == "tcp":
            server = await asyncio.start_server(ends.accept, "127.0.0.1", 0)
            line = CutLine(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
        else:
            server = await asyncio.start_unix_server(ends.accept, tmp_path / "target")
            line = CutLine(f"unix:{tmp_path}/target", f"unix:{tmp_path}/line")
        async with server, line:
            await main(line, ends)
            await ends.close()

    return lambda main: asyncio.run(asyncio.wait_for(session(main), 30))


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0)


async def ended(reader: asyncio.StreamReader) -> bool:
    """The connection ended, without a byte."""
    try:
        return await reader.read() == b""
    except ConnectionResetError:
        return True


def test_bytes_go_both_ways_and_so_does_the_end(talk: Callable[[Main], None]) -> None:
    async def main(line: CutLine, ends: Ends) -> None:
        bot, referee = await ends.connect(line.address), await ends.arrived.get()
        for (_, writer), (reader, _) in ((bot, referee), (referee, bot)):
            writer.write(bytes(3_000_000))
            writer.write_eof()
            assert await reader.read() == bytes(3_000_000)
        assert (line.connections, line.swallowed) == (1, 0)

    talk(main)


def test_what_is_late_keeps_its_order(talk: Callable[[Main], None]) -> None:
    async def main(line: CutLine, ends: Ends) -> None:
        bot, referee = await ends.connect(line.address), await ends.arrived.get()
        line.delay(0.02)
        for digit in b"123":
            bot[1].write(bytes([digit]))
            await asyncio.sleep(0.001)
        line.delay(0)
        bot[1].write(b"4")
        bot[1].write_eof()
        begun = asyncio.get_running_loop().time()
        assert await referee[0].read() == b"1234"
        assert asyncio.get_running_loop().time() - begun < 5

    talk(main)


def test_a_cut_ends_both_sides(talk: Callable[[Main], None]) -> None:
    async def main(line: CutLine, ends: Ends) -> None:
        bot, referee = await ends.connect(line.address), await ends.arrived.get()
        line.cut()
        for reader, writer in (bot, referee):
            if writer.get_extra_info("socket").family == socket.AF_UNIX:
                assert await ended(reader)
            else:
                with pytest.raises(ConnectionResetError):
                    await reader.read()
        assert line.open == 0

    talk(main)


def test_half_a_line_goes_on_one_way(talk: Callable[[Main], None]) -> None:
    async def main(line: CutLine, ends: Ends) -> None:
        bot, referee = await ends.connect(line.address), await ends.arrived.get()
        line.close_half()
        assert await ended(referee[0])
        referee[1].write(b"still here")
        assert await bot[0].readexactly(10) == b"still here"

    talk(main)


def test_a_silent_loss_is_heard_by_nobody_and_later_connections_are_good(talk: Callable[[Main], None]) -> None:
    async def main(line: CutLine, ends: Ends) -> None:
        bot, referee = await ends.connect(line.address), await ends.arrived.get()
        line.swallow()
        bot[1].write(b"lost")
        await until(lambda: line.swallowed == 4)
        bot[1].transport.abort()
        await until(lambda: line.open == 0)
        heard = asyncio.create_task(referee[0].read(1))
        other = await ends.connect(line.address)
        await until(lambda: line.open == 1)
        assert not heard.done()
        other[1].write(b"found")
        assert await (await ends.arrived.get())[0].readexactly(5) == b"found"
        heard.cancel()

    talk(main)


def test_who_comes_to_an_unplugged_line_is_sent_away(talk: Callable[[Main], None]) -> None:
    async def main(line: CutLine, ends: Ends) -> None:
        bot, _ = await ends.connect(line.address), await ends.arrived.get()
        line.unplug()
        assert await ended(bot[0])
        assert await ended((await ends.connect(line.address))[0])
        line.plug_in()
        await ends.connect(line.address)
        assert await ends.arrived.get()
        assert line.open == 1

    talk(main)


def test_without_a_target_who_comes_is_sent_away() -> None:
    async def main() -> None:
        ends = Ends()
        async with CutLine("127.0.0.1:9") as line:
            assert await ended((await ends.connect(line.address))[0])
            await ends.close()

    asyncio.run(asyncio.wait_for(main(), 30))
