"""A referee that goes away, and one whose core has failed; and who watches the sessions meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2
from service_calls import ADA, BOB, CUP, Bot, connected, refusal, tokens

from tradepit.v1 import block_pb2, play_pb2, referee_pb2, referee_pb2_grpc
from tradepit_server.referee import Referee
from tradepit_server.service import RefereeServer

NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
Main = Callable[["World"], Awaitable[None]]


class World:
    """A server and a channel to it."""

    def __init__(self, server: RefereeServer, channel: grpc.aio.Channel) -> None:
        self.server = server
        self.channel = channel
        self.stub = referee_pb2_grpc.RefereeServiceStub(channel)

    async def health(self) -> int:
        check = self.channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        reply: health_pb2.HealthCheckResponse = await check(health_pb2.HealthCheckRequest())
        return reply.status

    async def join(self) -> tuple[Bot, Bot, list[block_pb2.Entrant]]:
        """Two bots, and what a block calls them."""
        ada, bob = Bot(self.channel, ADA), Bot(self.channel, BOB)
        return ada, bob, [connected("ada", await ada.join()), connected("bob", await bob.join())]

    def run(self, block: block_pb2.BlockSpecification) -> Any:
        """The call that has *block* played."""
        return self.stub.RunBlock(referee_pb2.RunBlockRequest(block=block), metadata=CUP)

    def watch(self) -> Any:
        """The call that watches."""
        return self.stub.WatchSessions(referee_pb2.WatchSessionsRequest(), metadata=CUP)


@pytest.fixture
def serve(tmp_path: Path) -> Callable[[Main], None]:
    """``serve(main)``: runs ``main(world)`` beside a server."""

    async def session(main: Main) -> None:
        async with _world(tmp_path) as world:
            await main(world)

    return lambda main: asyncio.run(asyncio.wait_for(session(main), 30))


@asynccontextmanager
async def _world(folder: Path) -> AsyncIterator[World]:
    server = RefereeServer(Referee(), tokens())
    (address,) = await server.start([f"unix:{folder}/referee"])
    async with grpc.aio.insecure_channel(address) as channel:
        try:
            yield World(server, channel)
        finally:
            await server.stop(None)


def seen(message: referee_pb2.WatchSessionsResponse) -> list[tuple[str, bool]]:
    return sorted((session.bot, session.connected) for session in message.sessions)


async def last_frame(bot: Bot) -> play_pb2.RefereeMessage:
    """The bot's next message, behind which the stream ends in good order."""
    message = await bot.read()
    assert await bot.stream.read() == grpc.aio.EOF
    assert await bot.stream.code() == grpc.StatusCode.OK
    return message


def test_a_referee_without_blocks_sends_every_bot_away_at_once(serve: Callable[[Main], None]) -> None:
    async def main(world: World) -> None:
        ada, bob, _ = await world.join()
        await world.server.drain(3600)
        for bot in (ada, bob):
            drain = (await last_frame(bot)).drain
            assert (drain.grace.seconds, drain.reconnect_address) == (3600, "")

    serve(main)


def test_bots_are_told_where_to_go_also_those_that_come_while_it_drains(serve: Callable[[Main], None]) -> None:
    async def main(world: World) -> None:
        ada, _, __ = await world.join()
        await world.server.driver.drain(0, "there:7070")
        late = Bot(world.channel, BOB)
        await late.join()
        told = [(await ada.read()).drain, late.last_frame[1].drain]
        assert [drain.reconnect_address for drain in told] == ["there:7070"] * 2

    serve(main)


def test_while_it_drains_a_block_ends_as_always_but_no_other_begins(
    serve: Callable[[Main], None], make_block: Any
) -> None:
    async def main(world: World) -> None:
        ada, bob, entrants = await world.join()
        run = world.run(make_block(*entrants))
        await ada.answer(await ada.read())
        draining = asyncio.create_task(world.server.drain(3600))
        assert (await ada.read()).HasField("drain")
        assert await world.health() == NOT_SERVING
        code, details = await refusal(world.run(make_block(*entrants, block_id="test/1")).read())
        assert code == grpc.StatusCode.UNAVAILABLE
        assert details == "the referee is going away and begins no more blocks"
        assert not draining.done()
        await asyncio.gather(ada.play(), bob.play())
        *_, last = [message async for message in run]
        assert last.result.outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
        await draining

    serve(main)


def test_a_block_that_does_not_end_in_time_is_void(serve: Callable[[Main], None], make_block: Any) -> None:
    async def main(world: World) -> None:
        ada, _, entrants = await world.join()
        run = world.run(make_block(*entrants))
        await ada.read()
        await world.server.drain(0.01)
        *_, last = [message async for message in run]
        assert last.result.outcome == block_pb2.BLOCK_OUTCOME_VOID
        assert last.result.reason == "infrastructure: the referee went away, and gave it no more than 0.01 seconds"

    serve(main)


def test_a_bot_that_comes_while_it_drains_is_told(serve: Callable[[Main], None], make_block: Any) -> None:
    async def main(world: World) -> None:
        ada, bob, entrants = await world.join()
        run = world.run(make_block(*entrants))
        await ada.answer(await ada.read())
        draining = asyncio.create_task(world.server.drain(3600))
        assert (await ada.read()).HasField("drain")
        late = Bot(world.channel, BOB)
        await late.join()
        kinds = [message.WhichOneof("kind") for message in late.last_frame]
        assert kinds == ["welcome", "drain"]
        run.cancel()
        await draining
        assert (await bob.read()).HasField("block_invitation")

    serve(main)


def test_a_referee_whose_core_failed_is_not_serving(
    serve: Callable[[Main], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main(world: World) -> None:
        ada, _, __ = await world.join()
        watch = world.watch()
        await watch.read()

        def fails(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(Referee, "received", fails)
        await ada.send(play_pb2.BotMessage())
        assert (await refusal(ada.stream.read()))[0] == grpc.StatusCode.INTERNAL
        assert (await refusal(watch.read()))[0] == grpc.StatusCode.INTERNAL
        assert await world.health() == NOT_SERVING
        assert (await refusal(world.watch().read()))[0] == grpc.StatusCode.INTERNAL

    serve(main)


def test_an_organiser_sees_who_is_there_and_who_comes_and_goes(serve: Callable[[Main], None]) -> None:
    async def main(world: World) -> None:
        empty = world.watch()
        assert seen(await empty.read()) == []
        _, bob, entrants = await world.join()
        watch = world.watch()
        first = await watch.read()
        assert seen(first) == [("ada", True), ("bob", True)]
        assert {s.session_id for s in first.sessions} == {e.connected.session_id for e in entrants}
        bob.stream.cancel()
        assert seen(await watch.read()) == [("bob", False)]
        cid = Bot(world.channel, BOB)
        await cid.join()
        assert seen(await watch.read()) == [("bob", True)]
        await world.server.drain(0)
        assert await watch.read() == grpc.aio.EOF

    serve(main)


def test_a_watcher_who_is_slow_hears_the_newest_of_each_session_alone(serve: Callable[[Main], None]) -> None:
    async def main(world: World) -> None:
        with world.server.driver.watch_sessions() as watch:
            assert await watch.news() == []
            ada, _, entrants = await world.join()
            ada.stream.cancel()
            gone = (entrants[0].connected.session_id, "ada", False)
            while gone not in watch.waiting:
                await asyncio.sleep(0)
            news = await watch.news()
            assert news is not None
            assert [(bot, connected) for _, bot, connected in news] == [("ada", False), ("bob", True)]

    serve(main)
