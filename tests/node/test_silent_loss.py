"""Lines that go dead without a word: nobody is told, and both ends believe that all is well.

On TCP and on unix sockets by a proxy that swallows everything; and, where that is permitted, in network namespaces:
the referee in one, a bot in another, and between them a cable that is pulled out and put in again.
"""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from cut_line import CutLine
from referee_process import Club, Process, RefereeProcess
from toy_referee import TOY, command, start

from tradepit.v1 import block_pb2

COMPLETE = block_pb2.BLOCK_OUTCOME_COMPLETE

HASTY = """
OPTIONS = {"grpc.keepalive_time_ms": 1_000, "grpc.keepalive_timeout_ms": 3_000, "grpc.http2.ping_timeout_ms": 3_000}
"""
"""A dead line is noticed within four seconds, not forty."""

REFEREE = f"""
{TOY}
{HASTY}
from tradepit_server.service import server
server._OPTIONS = tuple((dict(server._OPTIONS) | OPTIONS).items())
"""

BOT = f"""
{HASTY}
from tradepit import transport
transport._OPTIONS = list((dict(transport._OPTIONS) | OPTIONS).items())
transport.is_local = lambda referee: True
"""
"""The cable is a private one: no TLS."""

CONTROL = "decision=120s,startup=60s,resume_window={window}"
"""No clock ends what is tested."""


def play(club: Club, window: str, in_between: Callable[[], object]) -> block_pb2.BlockResult:
    """What comes of a block between all who are connected when something happens *in_between*."""
    block = club.block("loss/0", club.sessions(3), CONTROL.format(window=window))
    block.game = "toy"
    call = club.start(block)
    while not club.matches():
        pass
    in_between()
    return club.result(call)


def charges(result: block_pb2.BlockResult) -> list[set[tuple[str, int]]]:
    """In each match: which bots committed which faults."""
    assert (result.outcome, result.reason) == (COMPLETE, "")
    return [{(replay.bots[fault.seat], fault.kind) for fault in replay.result.faults} for replay in result.replays]


DISCONNECTED = [{("gone", block_pb2.FAULT_KIND_DISCONNECTED)}] * 3


@pytest.mark.parametrize("transport", ["tcp", "unix"])
def test_a_bot_whose_line_goes_dead_is_given_up_and_the_others_play_on(transport: str, tmp_path: Path) -> None:
    async def main(referee: RefereeProcess) -> block_pb2.BlockResult:
        listen = "127.0.0.1:0" if transport == "tcp" else f"unix:{tmp_path}/line"
        async with CutLine(referee.addresses[0], listen) as line:
            start(referee, "gone", command("silent"), line.address)
            loop, club = asyncio.get_running_loop(), Club(referee.channel())
            return await asyncio.to_thread(play, club, "100ms", lambda: loop.call_soon_threadsafe(line.swallow))

    listen = "localhost:0" if transport == "tcp" else f"unix:{tmp_path}/referee"
    with RefereeProcess(tmp_path, ["gone", "honest", "library"], "--listen", listen, prelude=REFEREE) as referee:
        for name in ("honest", "library"):
            start(referee, name, command(name), referee.addresses[0])
        assert charges(asyncio.run(main(referee))) == DISCONNECTED


class Cable:
    """Two network namespaces and a cable between them. Gone with *ends*."""

    def __init__(self, ends: ExitStack) -> None:
        self.referee, self.bot = (f"tradepit-{role}-{os.getpid()}" for role in ("referee", "bot"))
        for namespace in (self.referee, self.bot):
            ip("netns", "add", namespace)
            ends.callback(ip, "netns", "delete", namespace)
        ip("-n", self.referee, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", self.bot)
        for namespace, address in ((self.referee, "10.213.77.1/30"), (self.bot, "10.213.77.2/30")):
            ip("-n", namespace, "address", "add", address, "dev", "cable")
            ip("-n", namespace, "link", "set", "cable", "up")

    def pull_out(self) -> None:
        """From now on everything is lost."""
        ip("-n", self.bot, "link", "set", "cable", "down")

    def put_in(self) -> None:
        """Everything arrives again."""
        ip("-n", self.bot, "link", "set", "cable", "up")


def ip(*words: str) -> None:
    subprocess.run([str(shutil.which("ip")), *words], check=True, capture_output=True)


def lay_cable(ends: ExitStack) -> Cable | None:
    """None where nobody may, or there is no iproute2."""
    if shutil.which("ip"):
        with suppress(subprocess.CalledProcessError):
            return Cable(ends)
    return None


class World:
    """A referee in one namespace, a bot in another, and two whose line does not go over the cable."""

    def __init__(self, cable: Cable, referee: RefereeProcess) -> None:
        self.cable = cable
        self.club = Club(referee.channel())
        self._referee = referee
        for name in ("honest", "library"):
            start(referee, name, command(name), referee.addresses[0])

    def start_far_bot(self, words: list[str], **environment: str) -> Process:
        """At the other end of the cable."""
        words = ["ip", "netns", "exec", self.cable.bot, *words]
        return start(self._referee, "gone", words, self._referee.addresses[1], **environment)


@pytest.fixture
def world(require: Any, tmp_path: Path) -> Iterator[World]:
    with ExitStack() as ends:
        cable = require(lay_cable(ends), "ip, from iproute2, and the right to add network namespaces")
        listen = ["--listen", f"unix:{tmp_path}/referee", "--listen", "10.213.77.1:0", "--insecure"]
        within = ["ip", "netns", "exec", cable.referee]
        names = ["gone", "honest", "library"]
        yield World(cable, ends.enter_context(RefereeProcess(tmp_path, names, *listen, prelude=REFEREE, within=within)))


def test_a_bot_that_vanishes_with_its_network_is_given_up_and_the_others_play_on(world: World) -> None:
    world.start_far_bot(command("silent"))
    assert charges(play(world.club, "100ms", world.cable.pull_out)) == DISCONNECTED


def test_a_short_loss_is_nobodys_fault(world: World, tmp_path: Path) -> None:
    bot = world.start_far_bot(command("waits", BOT), GO=str(tmp_path / "go"))

    def lose_for_a_moment() -> None:
        assert bot.stdout is not None
        assert bot.stdout.readline() == "asked\n"
        world.cable.pull_out()
        (tmp_path / "go").touch()
        Event().wait(0.5)
        world.cable.put_in()

    assert charges(play(world.club, "100ms", lose_for_a_moment)) == [set()] * 3


def test_who_comes_back_within_the_window_is_not_charged(world: World, tmp_path: Path) -> None:
    bot = world.start_far_bot(command("waits", BOT), GO=str(tmp_path / "go"))

    def lose_until_it_is_noticed() -> None:
        assert bot.stdout is not None
        assert bot.stdout.readline() == "asked\n"
        world.cable.pull_out()
        world.club.await_loss("gone")
        world.cable.put_in()
        (tmp_path / "go").touch()

    assert charges(play(world.club, "60s", lose_until_it_is_noticed)) == [set()] * 3
