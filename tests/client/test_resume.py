"""A line that drops: the bot comes back, its author's code is asked once, and the match ends as if nothing had been."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import grpc
import pytest
import toy_game
from dropped_play import SECONDS, Author, DroppedPlay
from service_calls import ADA, Bot

from tradepit.v1 import block_pb2, play_pb2
from tradepit_server import registry

Main = Callable[[DroppedPlay], Awaitable[None]]
Drop = Callable[[DroppedPlay, Author], Awaitable[None]]


IMPATIENT = """
from tradepit import transport

times = ("grpc.keepalive_time_ms", "grpc.keepalive_timeout_ms", "grpc.http2.ping_timeout_ms")
transport._OPTIONS = [(name, 500 if name in times else value) for name, value in transport._OPTIONS]
"""


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy game is installed."""
    monkeypatch.setattr(registry, "get", lambda name: toy_game.PLUGIN)


def run(main: Main, folder: Path, kind: str = "tcp") -> None:
    """Run *main* beside a referee at the end of a line."""

    async def session() -> None:
        async with asyncio.timeout(SECONDS), DroppedPlay(folder, kind=kind) as play:
            await main(play)

    asyncio.run(session())


def check(result: block_pb2.BlockResult, author: Author) -> None:
    """The block is complete without a fault, nothing was asked twice, and nothing was answered twice."""
    assert result.outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
    faults = [decision.fault for replay in result.replays for decision in replay.decisions]
    assert set(faults) == {block_pb2.FAULT_KIND_UNSPECIFIED}
    assert len(author.asked) == len(set(author.asked)) == 6
    assert not any(late for timing in result.timings for late in timing.late_answers)


def back(shown: list[str]) -> int:
    """How often a bot says that it has come back; otherwise it says no more than that the referee goes away."""
    assert shown.pop() == "tradepit: the referee is going away"
    assert all(line.startswith("tradepit: back at ") for line in shown)
    return len(shown)


async def in_the_middle(play: DroppedPlay, author: Author) -> None:
    """While the author's code thinks."""
    play.line.cut()
    await play.until(lambda: not play.line.open)
    author.decide()


async def before_it_was_sent(play: DroppedPlay, author: Author) -> None:
    """The bot answers, tries in vain to come back, and is back later."""
    play.line.unplug()
    await play.until(lambda: not play.line.open)
    tried = play.line.connections
    author.decide()
    await play.until(lambda: play.line.connections > tried + 1)
    play.line.plug_in()


async def before_it_was_received(play: DroppedPlay, author: Author) -> None:
    """The answer left the bot, and got lost on its way."""
    play.line.swallow(to_bots=False)
    author.decide()
    await play.until(lambda: play.line.swallowed)
    play.line.cut()


async def before_the_next_was_received(play: DroppedPlay, author: Author) -> None:
    """The answer arrived, and what came next got lost on its way."""
    play.line.swallow(to_referee=False)
    author.decide()
    await play.until(lambda: play.line.swallowed)
    play.line.cut()


async def twice_in_a_row(play: DroppedPlay, author: Author) -> None:
    """The second time as soon as the bot has come back, with an answer that was never sent."""
    await in_the_middle(play, author)
    come = play.line.connections
    await play.until(lambda: play.line.connections > come)
    play.line.cut()


DROPS = [in_the_middle, before_it_was_sent, before_it_was_received, before_the_next_was_received, twice_in_a_row]


@pytest.mark.parametrize("drop", DROPS)
def test_nothing_is_lost_nor_asked_twice_when_the_line_drops(drop: Drop, tmp_path: Path) -> None:
    """At every second decision."""

    async def main(play: DroppedPlay) -> None:
        author = await play.author()
        block = await play.begin()
        for number in range(6):
            assert await author.asks()
            if number % 2:
                author.decide()
            else:
                await drop(play, author)
        check(await block, author)
        status, shown = await play.drain(author)
        assert (status, back(shown)) == (0, 3)
        started, ended = author.told[::2], author.told[1::2]
        assert started == ["started cup/0/0/0", "started cup/0/0/1"]
        assert ended == ["ended cup/0/0/0 completed completed", "ended cup/0/0/1 completed completed"]

    run(main, tmp_path)


@pytest.mark.parametrize("drop", DROPS[:3])
def test_the_rest_of_a_frame_is_decided_after_the_return(drop: Drop, tmp_path: Path) -> None:
    """The frame asks for decisions in two matches; the line drops at the first of them."""

    async def main(play: DroppedPlay) -> None:
        author = await play.author(matches=2)
        block = await play.begin()
        first = await author.asks()
        await drop(play, author)
        second = await author.asks()
        assert {first.split()[0], second.split()[0]} == {"cup/0/0/0", "cup/0/0/1"}
        author.decide()
        await author.decide_until(block)
        check(await block, author)

    run(main, tmp_path)


def test_a_hosted_bot_comes_back_while_its_node_is_there(tmp_path: Path) -> None:
    async def main(play: DroppedPlay) -> None:
        author = await play.author(hosted=True)
        block = await play.begin()
        await author.asks()
        await in_the_middle(play, author)
        await author.decide_until(block)
        check(await block, author)

    run(main, tmp_path, "unix")


def test_a_silent_loss_is_noticed_and_mended(tmp_path: Path) -> None:
    async def main(play: DroppedPlay) -> None:
        author = await play.author(prelude=IMPATIENT)
        block = await play.begin()
        await author.asks()
        play.line.swallow()
        author.decide()
        await author.decide_until(block)
        check(await block, author)

    run(main, tmp_path)


def test_a_bot_that_cannot_come_back_gives_up_with_one_line_when_the_window_is_over(tmp_path: Path) -> None:
    async def main(play: DroppedPlay) -> None:
        author = await play.author()
        block = await play.begin("startup=30s,resume_window=300ms")
        await author.asks()
        play.line.unplug()
        author.decide()
        status, (line,) = await author.left()
        assert status == 1
        assert line.startswith(f"Author: lost the referee at {play.line.address}: ")
        assert line.endswith("; not back within 0.3 s")
        terminations = [list(replay.result.terminations) for replay in (await block).replays]
        completed, lost = block_pb2.TERMINATION_COMPLETED, block_pb2.TERMINATION_FORFEITED_DISCONNECTED
        assert terminations == [[lost, completed], [completed, lost]]

    run(main, tmp_path)


def test_a_line_over_which_nothing_comes_back_is_given_up_too(tmp_path: Path) -> None:
    async def main(play: DroppedPlay) -> None:
        author = await play.author()
        block = await play.begin("startup=30s,resume_window=1s")
        await author.asks()
        play.line.cut()
        await play.until(lambda: not play.line.open)
        author.decide()
        await play.until(lambda: play.line.open)
        play.line.swallow()
        status, (line,) = await author.left()
        assert (status, line.partition("; ")[2]) == (1, "not back within 1 s")
        block.cancel()

    run(main, tmp_path)


def test_blocks_are_lost_with_their_referee_and_the_bot_goes_on_at_the_next(tmp_path: Path) -> None:
    async def main(play: DroppedPlay) -> None:
        author = await play.author()
        lost = await play.begin()
        await author.asks()
        await play.restart()
        lost.cancel()  # no sooner, or the bot might still hear of it
        author.decide()
        await play.until(lambda: play.session("ada"))
        author.asked.clear()
        block = await play.begin(block_id="cup/1/0")
        await author.decide_until(block)
        check(await block, author)
        status, shown = await play.drain(author)
        assert status == 0
        assert shown[0] == (
            "tradepit: there is no session to go on with: blocks are lost with it: cup/0/0; going on as a new one"
        )
        assert back(shown[1:]) == 1

    run(main, tmp_path)


def test_a_bot_that_plays_nothing_survives_its_referee_without_a_word_of_blocks(tmp_path: Path) -> None:
    async def main(play: DroppedPlay) -> None:
        author = await play.author()
        await play.restart()
        await play.until(lambda: play.session("ada"))
        status, shown = await play.drain(author)
        assert (status, back(shown)) == (0, 1)

    run(main, tmp_path)


def test_a_hosted_bot_does_not_outlive_the_node_that_knows_it(tmp_path: Path) -> None:
    async def main(play: DroppedPlay) -> None:
        author = await play.author(hosted=True)
        lost = await play.begin()
        await author.asks()
        await play.restart()
        lost.cancel()  # no sooner, or the bot might still hear of it
        author.decide()
        status, shown = await author.left()
        line = f"Author: lost the referee at {play.line.address}: there is no session to go on with"
        assert (status, shown) == (1, [line])

    run(main, tmp_path, "unix")


def test_a_hosted_bot_ends_soon_when_its_node_is_gone_whatever_the_window(tmp_path: Path) -> None:
    async def main(play: DroppedPlay) -> None:
        author = await play.author(hosted=True)
        lost = await play.begin()
        await author.asks()
        lost.cancel()
        play.line.unplug()
        author.decide()
        status, (line,) = await author.left()
        assert (status, line.partition("; ")[2]) == (1, "not back within 1 s")

    run(main, tmp_path, "unix")


def test_a_bot_whose_session_another_stream_has_taken_stays_away(tmp_path: Path) -> None:
    async def main(play: DroppedPlay) -> None:
        author = await play.author()
        hello = play_pb2.Hello(protocol_revision=1, resume_session_id=play.session("ada"))
        async with grpc.aio.insecure_channel(play.address) as channel:
            thief = Bot(channel, ADA)
            await thief.send(play_pb2.BotMessage(hello=hello))
            status, shown = await author.left()
        reason = "a newer stream has taken over the session"
        assert (status, shown) == (1, [f"Author: lost the referee at {play.line.address}: {reason}"])
        assert play.line.connections == 1

    run(main, tmp_path)


def test_a_signal_ends_a_bot_that_tries_to_come_back(tmp_path: Path) -> None:
    async def main(play: DroppedPlay) -> None:
        author = await play.author()
        block = await play.begin()
        await author.asks()
        play.line.unplug()
        await play.until(lambda: not play.line.open)
        tried = play.line.connections
        author.decide()
        await play.until(lambda: play.line.connections > tried)
        author.process.send_signal(signal.SIGTERM)
        assert await author.left() == (0, [])
        block.cancel()

    run(main, tmp_path)
