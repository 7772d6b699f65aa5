"""A block of the toy game between a bot of the library, whose line can be cut, and an honest one.

The first is a process, which asks a test before each decision.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Self

import grpc
from cut_line import CutLine
from service_calls import ADA, BOB, Bot, tokens

from tradepit.v1 import block_pb2
from tradepit_server.referee import BlockSpec, Referee
from tradepit_server.referee.time_control import parse
from tradepit_server.service import RefereeServer

UNHURRIED = "startup=30s,resume_window=60s"
SECONDS = 60.0

PROGRAM = """
import sys
from google.protobuf.wrappers_pb2 import Int64Value
from tradepit.bot import Bot
{prelude}

class Author(Bot):
    games = ("toy",)
    max_concurrent_matches = {matches}

    def answer(self, request):
        print(request.match_id, request.decision_id, flush=True)
        sys.stdin.readline()
        return Int64Value(value=7)

    def match_started(self, match):
        print("started", match.match_id, flush=True)

    def match_ended(self, match, result):
        print("ended", match.match_id, *result.terminations, flush=True)

Author().run()
"""


class Author:
    """The process, seen from the test."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.asked: list[str] = []
        """Match and decision id of every decision that its code was asked for."""
        self.told: list[str] = []
        """What its hooks were told."""

    async def asks(self) -> str:
        """The next decision that its code is asked for; empty: it has left."""
        assert self.process.stdout is not None
        while line := (await self.process.stdout.readline()).decode().strip():
            if self._hear(line):
                return line
        return ""

    def _hear(self, line: str) -> bool:
        """Whether *line* asks."""
        asks = line.split()[0] not in ("started", "ended")
        (self.asked if asks else self.told).append(line)
        return asks

    def decide(self) -> None:
        """Let its code answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")

    async def decide_until(self, block: "asyncio.Task[block_pb2.BlockResult]") -> None:
        """Let its code answer whatever is asked until *block* has ended."""
        deciding = asyncio.create_task(self._decide_all())
        await asyncio.wait([deciding, block], return_when=asyncio.FIRST_COMPLETED)
        deciding.cancel()
        await asyncio.wait([deciding])

    async def _decide_all(self) -> None:
        while await self.asks():
            self.decide()

    async def left(self) -> tuple[int, list[str]]:
        """Exit status and standard error, by line, once it has left."""
        told, shown = await self.process.communicate()
        for line in told.decode().splitlines():
            self._hear(line)
        return await self.process.wait(), shown.decode().splitlines()


class DroppedPlay:
    """A referee, a line to it, and bots. Inside ``async with``."""

    def __init__(self, folder: Path, *, kind: str = "tcp") -> None:
        """The line is of the *kind* "tcp" or "unix"."""
        self.address = f"unix:{folder}/referee"
        self.line = CutLine(self.address, "127.0.0.1:0" if kind == "tcp" else f"unix:{folder}/line")
        self.server = RefereeServer(Referee(), tokens())
        self._ends = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self.server.start([self.address])
        self._ends.push_async_callback(self._stop)
        await self._ends.enter_async_context(self.line)
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._ends.aclose()

    async def _stop(self) -> None:
        await self.server.stop(None)

    async def restart(self) -> None:
        """The referee is killed, and another one begins in its place."""
        await self.server.stop(None)
        self.server = RefereeServer(Referee(), tokens())
        await self.server.start([self.address])

    async def author(self, *, hosted: bool = False, matches: int = 1, prelude: str = "") -> Author:
        """The bot "ada" at the line, connected; *hosted* as a node starts one."""
        where = [] if hosted else ["--referee", self.line.address]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            PROGRAM.format(matches=matches, prelude=prelude),
            *where,
            env={
                **os.environ,
                "TRADEPIT_REFEREE": self.line.address,
                "TRADEPIT_TOKEN": ADA[0][1].removeprefix("Bearer "),
            },
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        self._ends.push_async_callback(_end, process)
        await self.until(lambda: self.session("ada"))
        return Author(process)

    async def drain(self, author: Author) -> tuple[int, list[str]]:
        """The referee goes away; how the bot leaves."""
        leaving = asyncio.create_task(author.left())
        await self.server.drain(SECONDS)
        return await leaving

    def session(self, bot: str) -> str:
        """The session with which a bot is connected; empty: it is not."""
        return next((id for id, name, there in self.server.driver._core.sessions() if name == bot and there), "")

    async def begin(
        self, time_control: str = UNHURRIED, block_id: str = "cup/0/0"
    ) -> "asyncio.Task[block_pb2.BlockResult]":
        """Have a block played between "ada" and "bob", who comes for it."""
        channel = await self._ends.enter_async_context(grpc.aio.insecure_channel(self.address))
        bob = Bot(channel, BOB)
        sessions = [self.session("ada"), await bob.join()]
        playing = asyncio.create_task(bob.play())
        self._ends.callback(playing.cancel)
        block = block_pb2.BlockSpecification(
            block_id=block_id,
            game="toy",
            entrants=[block_pb2.Entrant(bot=name) for name in ("ada", "bob")],
            time_control=parse(time_control).to_message(),
        )
        spec = BlockSpec.from_message(block, sessions)
        return asyncio.create_task(self.server.driver.play(spec, lambda *_: None))

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for something that comes."""
        async with asyncio.timeout(SECONDS):
            while not condition():
                await asyncio.sleep(0.001)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.communicate()
