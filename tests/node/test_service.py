"""The referee over gRPC: who may call what, and what comes back."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
import toy_game
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2
from service_calls import ADA, BOB, CUP, EVE, Bot, connected, refusal, tokens
from wire_bot import PLAY

from tradepit.v1 import block_pb2, referee_pb2, referee_pb2_grpc
from tradepit_server.referee import Referee
from tradepit_server.service import ListenError, RefereeServer

Main = Callable[[RefereeServer, str], Awaitable[None]]


@pytest.fixture
def serve(tmp_path: Path) -> Callable[[Main], None]:
    """``serve(main)``: runs ``main(server, address)`` beside a server on a unix socket."""

    async def session(main: Main) -> None:
        server = RefereeServer(Referee(), tokens())
        (address,) = await server.start([f"unix:{tmp_path}/referee"])
        try:
            await main(server, address)
        finally:
            await server.stop(None)

    return lambda main: asyncio.run(asyncio.wait_for(session(main), 30))


def calls(channel: grpc.aio.Channel, metadata: Any) -> dict[str, Callable[[], Awaitable[Any]]]:
    """How to call each method."""
    stub = referee_pb2_grpc.RefereeServiceStub(channel)
    return {
        "Play": lambda: channel.stream_stream(PLAY)(metadata=metadata).read(),
        "RunBlock": lambda: stub.RunBlock(referee_pb2.RunBlockRequest(), metadata=metadata).read(),
        "WatchSessions": lambda: stub.WatchSessions(referee_pb2.WatchSessionsRequest(), metadata=metadata).read(),
        "ListMatches": lambda: stub.ListMatches(referee_pb2.ListMatchesRequest(), metadata=metadata),
        "WatchMatch": lambda: stub.WatchMatch(referee_pb2.WatchMatchRequest(), metadata=metadata).read(),
        "ListGames": lambda: stub.ListGames(referee_pb2.ListGamesRequest(), metadata=metadata),
        "GetEdition": lambda: stub.GetEdition(referee_pb2.GetEditionRequest(game="toy"), metadata=metadata),
    }


@pytest.mark.parametrize("metadata", [None, (("authorization", "Bearer nobody's"),), (("authorization", "ada's"),)])
def test_every_method_asks_for_a_token(serve: Callable[[Main], None], metadata: Any) -> None:
    async def main(_: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            for name, call in calls(channel, metadata).items():
                code, details = await refusal(call())
                assert (name, code) == (name, grpc.StatusCode.UNAUTHENTICATED)
                assert details == "the call carries no token that this referee knows"

    serve(main)


def test_each_kind_of_token_is_good_for_its_own_calls(serve: Callable[[Main], None]) -> None:
    refused = {
        "a bot's": (ADA, {"RunBlock", "WatchSessions", "ListMatches", "WatchMatch"}),
        "an organiser's": (CUP, {"Play"}),
        "a spectator's": (EVE, {"Play", "RunBlock", "WatchSessions"}),
    }

    async def main(_: RefereeServer, address: str) -> None:
        for owner, (metadata, names) in refused.items():
            async with grpc.aio.insecure_channel(address) as channel:
                for name in names:
                    code, details = await refusal(calls(channel, metadata)[name]())
                    assert (name, code) == (name, grpc.StatusCode.PERMISSION_DENIED)
                    assert (details or "").startswith(f"this token is {owner}; only ")

    serve(main)


def test_health_and_reflection_ask_for_no_token_and_reflection_lists_the_real_services(
    serve: Callable[[Main], None],
) -> None:
    async def main(_: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            check = channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                response_deserializer=health_pb2.HealthCheckResponse.FromString,
            )
            for name in ("", "tradepit.v1.RefereeService"):
                reply = await check(health_pb2.HealthCheckRequest(service=name))
                assert reply.status == health_pb2.HealthCheckResponse.SERVING
            reflect = channel.stream_stream(
                "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
                response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
            )
            ask = [
                reflection_pb2.ServerReflectionRequest(list_services=""),
                reflection_pb2.ServerReflectionRequest(file_containing_symbol="tradepit.v1.RefereeService"),
            ]
            listed, described = [reply async for reply in reflect(iter(ask))]
            assert {service.name for service in listed.list_services_response.service} == {
                "tradepit.v1.RefereeService",
                "grpc.health.v1.Health",
                "grpc.reflection.v1alpha.ServerReflection",
            }
            assert described.file_descriptor_response.file_descriptor_proto

    serve(main)


def test_it_listens_on_tcp_and_on_a_unix_socket_at_once(tmp_path: Path) -> None:
    async def main() -> None:
        server = RefereeServer(Referee(), tokens())
        addresses = await server.start(["127.0.0.1:0", f"unix:{tmp_path}/a", "localhost:0", f"unix:{tmp_path}/b"])
        try:
            assert addresses[0].startswith("127.0.0.1:")
            assert not addresses[0].endswith(":0")
            for address in addresses:
                async with grpc.aio.insecure_channel(address) as channel:
                    assert await Bot(channel, ADA).join()
        finally:
            await server.stop(None)

    asyncio.run(asyncio.wait_for(main(), 30))


def test_an_address_that_is_taken_or_none_is_quoted(serve: Callable[[Main], None], tmp_path: Path) -> None:
    async def main(_: RefereeServer, __: str) -> None:
        first, second = RefereeServer(Referee(), tokens()), RefereeServer(Referee(), tokens())
        (address,) = await first.start(["127.0.0.1:0"])
        for wrong in (address, "nowhere.invalid:1", f"unix:{tmp_path}/{'long' * 50}"):
            with pytest.raises(ListenError, match="cannot listen on ") as caught:
                await second.start([wrong])
            assert repr(wrong) in str(caught.value)
        await first.stop(None)
        await second.stop(None)

    serve(main)


def test_the_games_are_listed_with_options_presets_and_editions(serve: Callable[[Main], None]) -> None:
    async def main(_: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            stub = referee_pb2_grpc.RefereeServiceStub(channel)
            (game,) = (await stub.ListGames(referee_pb2.ListGamesRequest(), metadata=ADA)).games
            assert (game.name, game.title, game.min_seats, game.max_seats) == ("toy", "Toy", 2, 4)
            option = referee_pb2.GameOption(
                name="limit", description="The highest number.", values=["9", "5"], default_value="9"
            )
            assert list(game.options) == [option]
            assert [(preset.name, dict(preset.options)) for preset in game.presets] == [
                ("classic", {}),
                ("low", {"limit": "5"}),
            ]
            assert [(e.id, e.sha256) for e in game.editions] == [("toy-1", toy_game.EDITION.sha256)]

    serve(main)


@pytest.mark.parametrize("sha256", [b"", toy_game.EDITION.sha256])
def test_an_edition_is_given_byte_for_byte(serve: Callable[[Main], None], sha256: bytes) -> None:
    async def main(_: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            stub = referee_pb2_grpc.RefereeServiceStub(channel)
            request = referee_pb2.GetEditionRequest(game="toy", sha256=sha256)
            reply = await stub.GetEdition(request, metadata=ADA)
            assert (reply.edition.id, reply.toml) == ("toy-1", toy_game.EDITION.toml)
            assert reply.edition.sha256 == toy_game.EDITION.sha256

    serve(main)


@pytest.mark.parametrize(
    ("request_", "quoted"),
    [
        (referee_pb2.GetEditionRequest(game="chess"), "'chess'"),
        (referee_pb2.GetEditionRequest(game="toy", sha256=bytes(range(32))), bytes(range(32)).hex()),
    ],
)
def test_an_unknown_edition_is_quoted(
    serve: Callable[[Main], None], request_: referee_pb2.GetEditionRequest, quoted: str
) -> None:
    async def main(_: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            stub = referee_pb2_grpc.RefereeServiceStub(channel)
            code, details = await refusal(stub.GetEdition(request_, metadata=ADA))
            assert code == grpc.StatusCode.NOT_FOUND
            assert quoted in (details or "")

    serve(main)


def test_an_organiser_gets_the_progress_then_each_replay_and_then_the_result(
    serve: Callable[[Main], None], make_block: Any
) -> None:
    async def main(_: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            ada, bob = Bot(channel, ADA), Bot(channel, BOB)
            entrants = [connected("ada", await ada.join()), connected("bob", await bob.join())]
            playing = [asyncio.create_task(bot.play()) for bot in (ada, bob)]
            stub = referee_pb2_grpc.RefereeServiceStub(channel)
            request = referee_pb2.RunBlockRequest(block=make_block(*entrants))
            messages = [message async for message in stub.RunBlock(request, metadata=CUP)]
            kinds = [message.WhichOneof("kind") for message in messages]
            assert kinds == ["progress", "progress", "replay", "replay", "result"]
            told = [(m.progress.matches_ended, m.progress.matches) for m in messages[:2]]
            assert told == [(1, 2), (2, 2)]
            assert [list(m.replay.bots) for m in messages[2:4]] == [["ada", "bob"], ["bob", "ada"]]
            result = messages[-1].result
            assert (result.block_id, result.outcome) == ("test/0", block_pb2.BLOCK_OUTCOME_COMPLETE)
            assert not result.replays, "they may be too much for one message"
            for task in playing:
                task.cancel()

    serve(main)


def test_an_edition_of_the_organisers_own_is_given_while_its_block_runs(
    serve: Callable[[Main], None], make_block: Any
) -> None:
    async def main(server: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            ada, bob = Bot(channel, ADA), Bot(channel, BOB)
            entrants = [connected("ada", await ada.join()), connected("bob", await bob.join())]
            block = make_block(*entrants, edition_toml=b'id = "mine"\n')
            stub = referee_pb2_grpc.RefereeServiceStub(channel)
            run = stub.RunBlock(referee_pb2.RunBlockRequest(block=block), metadata=CUP)
            invitation = (await ada.read()).block_invitation
            request = referee_pb2.GetEditionRequest(game="toy", sha256=invitation.edition.sha256)
            assert (await stub.GetEdition(request, metadata=ADA)).toml == b'id = "mine"\n'
            run.cancel()

    serve(main)


def test_cancelling_the_call_voids_the_block(serve: Callable[[Main], None], make_block: Any) -> None:
    async def main(_: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            ada, bob = Bot(channel, ADA), Bot(channel, BOB)
            entrants = [connected("ada", await ada.join()), connected("bob", await bob.join())]
            stub = referee_pb2_grpc.RefereeServiceStub(channel)
            run = stub.RunBlock(referee_pb2.RunBlockRequest(block=make_block(*entrants)), metadata=CUP)
            await ada.stream.read()
            run.cancel()
            message = await ada.read()
            assert message.block_ended.outcome == block_pb2.BLOCK_OUTCOME_VOID
            assert message.block_ended.reason == "the organiser cancelled it"

    serve(main)


@pytest.mark.parametrize(
    ("entrants", "fields", "complaint"),
    [
        (("honest", "honest#2"), {}, "entrant 'honest' is not a connected bot; this referee starts none"),
        ((connected("ada", "nope"),), {}, "no bot is connected with the session given for entrant 'ada'"),
        ((block_pb2.Entrant(bot="ada"),), {}, "entrant 'ada' is not a connected bot; this referee starts none"),
        ((), {}, "block 'test/0': toy is played by 2 to 4 bots, not 0"),
        ((), {"deal": block_pb2.DEAL_DUPLICATE}, "block 'test/0' asks for duplicate deals, for which every bot must"),
        ((), {"block_id": ""}, "block '': a block id is 1 to 200 bytes of printable text"),
    ],
)
def test_a_block_that_cannot_be_played_is_refused_with_one_line(
    serve: Callable[[Main], None], make_block: Any, entrants: Any, fields: Any, complaint: str
) -> None:
    async def main(_: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            stub = referee_pb2_grpc.RefereeServiceStub(channel)
            request = referee_pb2.RunBlockRequest(block=make_block(*entrants, **fields))
            code, details = await refusal(stub.RunBlock(request, metadata=CUP).read())
            assert code == grpc.StatusCode.INVALID_ARGUMENT
            assert (details or "").startswith(complaint)
            assert "\n" not in (details or "")

    serve(main)


def test_a_message_of_more_than_a_mebibyte_is_not_read(serve: Callable[[Main], None]) -> None:
    async def main(_: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            bot = Bot(channel, ADA)
            await bot.join()
            await bot.stream.write(bytes(1024 * 1024 + 1))
            assert (await refusal(bot.stream.read()))[0] == grpc.StatusCode.RESOURCE_EXHAUSTED

    serve(main)


def test_no_token_gets_into_the_log(serve: Callable[[Main], None], caplog: pytest.LogCaptureFixture) -> None:
    async def main(_: RefereeServer, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            await Bot(channel, ADA).join()
            for call in calls(channel, (("authorization", "Bearer nobody's"),)).values():
                await refusal(call())

    with caplog.at_level(0):
        serve(main)
    assert "ada's" not in caplog.text
    assert "nobody's" not in caplog.text
