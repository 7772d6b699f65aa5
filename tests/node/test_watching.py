"""Spectators at a referee over gRPC: late as configured, public alone, and no burden to anybody."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

import grpc
import pytest
import toy_game
from google.protobuf.wrappers_pb2 import StringValue
from service_calls import ADA, BOB, CUP, EVE, Bot, connected, refusal, tokens

from tradepit.v1 import block_pb2, referee_pb2, referee_pb2_grpc
from tradepit_server.referee import Referee
from tradepit_server.referee.gallery import Gallery
from tradepit_server.service import RefereeServer
from tradepit_server.service.match_watch import MATCHES

DELAY = 2


class Table:
    """Two bots of the toy game that are connected, an organiser, and spectators."""

    def __init__(self, channel: grpc.aio.Channel, make_block: Any) -> None:
        self.stub = referee_pb2_grpc.RefereeServiceStub(channel)
        self.bots = [Bot(channel, ADA), Bot(channel, BOB)]
        self._make_block = make_block
        self._entrants: list[block_pb2.Entrant] = []

    async def join(self) -> None:
        sessions = [await bot.join() for bot in self.bots]
        self._entrants = [connected(name, session) for name, session in zip(("ada", "bob"), sessions, strict=True)]

    def start(self, block_id: str, matches: int = 1) -> Any:
        block = self._make_block(*self._entrants, block_id=block_id, matches=matches, time_control="training")
        return self.stub.RunBlock(referee_pb2.RunBlockRequest(block=block), metadata=CUP)

    def watch(self, metadata: Any = EVE, **selection: list[str]) -> Any:
        return self.stub.WatchMatch(referee_pb2.WatchMatchRequest(**selection), metadata=metadata)

    async def listed(self, number: int) -> list[referee_pb2.WatchedMatch]:
        """The matches in play, as soon as there are so many."""
        while True:
            reply = await self.stub.ListMatches(referee_pb2.ListMatchesRequest(), metadata=EVE)
            if len(reply.matches) == number:
                return list(reply.matches)

    def let_play(self) -> list["asyncio.Task[None]"]:
        return [asyncio.create_task(bot.play()) for bot in self.bots]


Main = Callable[[Table, RefereeServer], Awaitable[None]]


@pytest.fixture
def serve(tmp_path: Path, make_block: Any) -> Callable[[Main], None]:
    """``serve(main)``: runs ``main(table, server)`` at a referee on a unix socket."""

    async def session(main: Main) -> None:
        server = RefereeServer(Referee(watch_delay=DELAY), tokens())
        (address,) = await server.start([f"unix:{tmp_path}/referee"])
        try:
            async with grpc.aio.insecure_channel(address) as channel:
                table = Table(channel, make_block)
                await table.join()
                await main(table, server)
        finally:
            await server.stop(None)

    return lambda main: asyncio.run(asyncio.wait_for(session(main), 60))


async def answer(bot: Bot, decisions: int) -> None:
    """Read and answer until so many decisions have been sent."""
    while decisions:
        await bot.read()
        for message in bot.last_frame:
            await bot.answer(message)
            decisions -= message.HasField("decision_request")


async def messages_of(call: Any) -> AsyncIterator[Any]:
    """What is still to be read, with ``read`` as before."""
    while (message := await call.read()) is not grpc.aio.EOF:
        yield message


async def decisions_shown(call: Any, until: int) -> list[int]:
    """The moments of the snapshots up to one."""
    shown: list[int] = []
    while until not in shown:
        message = await call.read()
        if message.HasField("snapshot"):
            shown.append(message.snapshot.decisions)
    return shown


def test_the_spectator_is_as_late_as_configured(serve: Callable[[Main], None]) -> None:
    """Ada and Bob answer once each, both once more at the same moment; then Ada is asked, and thinks."""

    async def main(table: Table, _: RefereeServer) -> None:
        block = table.start("test/0")
        ada, bob = table.bots
        await ada.read()
        call = table.watch(block_ids=["test/0"])
        await call.initial_metadata()
        await ada.answer(ada.last_frame[0])
        await asyncio.gather(answer(ada, 2), answer(bob, 2))
        await ada.read()
        assert (await decisions_shown(call, until=2))[-1] == 4 - DELAY
        following = asyncio.ensure_future(call.read())
        await table.listed(1)
        assert not following.done(), "what follows is withheld: nobody has decided again"
        for message in ada.last_frame:
            await ada.answer(message)
        playing = table.let_play()
        assert (await following).snapshot.decisions == 4
        rest = [message async for message in messages_of(call)]
        assert [m.snapshot.decisions for m in rest[:-1]] == [5, 6]
        assert rest[-1].over.placements
        assert [message async for message in block][-1].result.outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
        for task in playing:
            task.cancel()

    serve(main)


def test_a_spectator_who_does_not_read_slows_nothing_and_leaves_memory_bounded(
    serve: Callable[[Main], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches end while its stream is stuck, and few of them are kept for it; later it is told how many it missed."""
    padding = "x" * 3_000
    public = toy_game.ToyCodec.public
    monkeypatch.setattr(
        toy_game.ToyCodec,
        "public",
        lambda self, state: public(self, state) + StringValue(value=padding).SerializeToString(),
    )

    async def main(table: Table, server: RefereeServer) -> None:
        call = table.watch()
        await call.initial_metadata()
        playing = table.let_play()
        (watch,) = server.driver._spectators.values()
        for index in count():
            messages = [message async for message in table.start(f"test/{index}", matches=100)]
            assert messages[-1].result.outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
            assert len(watch._waiting) <= MATCHES + 8, "8 are played at once"
            if watch._matches_skipped > 100:
                break
        missed = 0
        while missed <= 100:
            missed += (await call.read()).match.matches_skipped
        call.cancel()
        for task in playing:
            task.cancel()

    serve(main)


def test_what_is_not_played_cannot_be_watched(serve: Callable[[Main], None]) -> None:
    async def main(table: Table, server: RefereeServer) -> None:
        for selection, line in (
            ({"match_ids": ["nope/0"]}, "no match 'nope/0' is being played"),
            ({"block_ids": ["nope"]}, "no block 'nope' is being played"),
        ):
            assert await refusal(table.watch(**selection).read()) == (grpc.StatusCode.NOT_FOUND, line)
        assert server.driver._spectators == {}

    serve(main)


def test_a_spectator_who_goes_away_is_forgotten(serve: Callable[[Main], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by the core: nobody looks at the matches any more."""

    def look(*_: object) -> None:
        raise AssertionError("nobody watches")

    async def main(table: Table, server: RefereeServer) -> None:
        call = table.watch(CUP)
        await call.initial_metadata()
        call.cancel()
        while server.driver._spectators:
            await asyncio.sleep(0)
        monkeypatch.setattr(Gallery, "look", look)
        playing = table.let_play()
        messages = [message async for message in table.start("test/0")]
        assert messages[-1].result.outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
        for task in playing:
            task.cancel()

    serve(main)


def test_a_referee_that_goes_away_ends_the_show_in_good_order(serve: Callable[[Main], None]) -> None:
    async def main(table: Table, server: RefereeServer) -> None:
        call = table.watch()
        await call.initial_metadata()
        await server.drain(1)
        assert await call.read() is grpc.aio.EOF
        assert await call.code() == grpc.StatusCode.OK

    serve(main)
