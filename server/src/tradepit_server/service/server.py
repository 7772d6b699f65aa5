"""The referee as a gRPC service."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeVar, cast

import grpc
from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from tradepit.v1 import block_pb2, referee_pb2
from tradepit_server import registry
from tradepit_server.referee import BlockSpec, Identity, Referee, Selection, SpecificationError, UnknownMatch
from tradepit_server.referee.endings import Ending
from tradepit_server.referee.limits import FRAME_BYTES
from tradepit_server.service import catalogue
from tradepit_server.service.driver import CoreFailure, Draining, Driver
from tradepit_server.service.listening import ListenError, check_unused, needs_tls
from tradepit_server.service.outbox import CLOSING_SECONDS, Outbox
from tradepit_server.service.statuses import STATUS
from tradepit_server.service.tokens import Holder, Organiser, Spectator, Tokens

SERVICE: str = referee_pb2.DESCRIPTOR.services_by_name["RefereeService"].full_name
"""The service's full name."""

_OPTIONS: Sequence[tuple[str, Any]] = (
    ("grpc.max_receive_message_length", FRAME_BYTES),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # a ping of gRPC's own that gets lost would hold up those of keepalive
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.so_reuseport", 0),  # a second referee on the same port is a mistake, not a way to share the load
)

_DETAILS = 1000
"""Characters of a refusal, which may quote what it was given: gRPC sends no long ones."""

STUCK_SECONDS = 5.0
"""How long gRPC may take to end what is over, when the other end of a connection takes nothing: a stopped process."""

_stuck: list[aio.Server] = []
"""Servers that could not end everything. Whoever freed one would wait for as long as that takes; they go with us."""

_MAY_WATCH = (Organiser, Spectator)

_OWNERS: dict[type[Holder], str] = {Identity: "a bot's", Organiser: "an organiser's", Spectator: "a spectator's"}

_Holder = TypeVar("_Holder", bound=Holder)
_Request = TypeVar("_Request")
_Response = TypeVar("_Response")
_Context = aio.ServicerContext[_Request, _Response]


class RefereeServer:
    """A referee that listens on any number of addresses at once. Made and used in one running loop."""

    def __init__(self, core: Referee, tokens: Tokens) -> None:
        self.driver = Driver(core)
        self.tokens = tokens
        self._plays: set[asyncio.Task[None]] = set()
        self._watchdog: asyncio.Task[None] | None = None
        self._health = health.aio.HealthServicer()
        self._server = aio.server(options=_OPTIONS)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, self._handlers()),))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection((SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server)

    async def start(self, addresses: Sequence[str], tls: grpc.ServerCredentials | None = None) -> list[str]:
        """Listen on *addresses*, each ``host:port`` or ``unix:/path``, and return them.

        With *tls*, everything is encrypted but unix sockets and the loopback interface. A port of 0 is replaced by
        the one that was found free. Raises ListenError.
        """
        bound = [self._bind(address, tls) for address in addresses]
        await self._server.start()
        self._watchdog = asyncio.create_task(self._give_up_after_failure())
        for name in ("", SERVICE):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        return bound

    async def drain(self, grace_seconds: float, reconnect_address: str = "") -> None:
        """Begin no more blocks, let those that run end, which after the grace are void, and send the bots away:
        to *reconnect_address*, a gRPC target, if there is one.
        """
        await self._health.enter_graceful_shutdown()
        await self.driver.drain(grace_seconds, reconnect_address)
        self.driver.close_streams("the referee is going away")

    async def stop(self, grace_seconds: float | None) -> None:
        """Take no more calls, end those that still run after the grace (None: all at once), and stop for good."""
        await self._health.enter_graceful_shutdown()
        try:
            await asyncio.wait_for(self._server.stop(grace_seconds), (grace_seconds or 0) + STUCK_SECONDS)
        except TimeoutError:
            _stuck.append(self._server)
        for task in (*self._plays, self._watchdog):
            if task is not None:
                task.cancel()
        await asyncio.gather(*self._plays, return_exceptions=True)
        self.driver.stop()
        # The server's handlers are methods of ours. Without this cycle gRPC's thread and sockets go when we go.
        del self._server

    async def _give_up_after_failure(self) -> None:
        await self.driver.failed.wait()
        await self._health.enter_graceful_shutdown()

    def _bind(self, address: str, tls: grpc.ServerCredentials | None) -> str:
        check_unused(address)
        try:
            if tls is not None and needs_tls(address):
                port = self._server.add_secure_port(address, tls)
            else:
                port = self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise ListenError(f"cannot listen on {address!r}") from error
        host, _, asked = address.rpartition(":")
        return f"{host}:{port}" if asked == "0" else address

    def _handlers(self) -> "dict[str, grpc.RpcMethodHandler[Any, Any]]":
        return {
            # Raw bytes: the core decodes them itself, so that one bad message spoils one decision alone.
            "Play": grpc.stream_stream_rpc_method_handler(self._play),
            "RunBlock": grpc.unary_stream_rpc_method_handler(
                self._run_block,
                request_deserializer=referee_pb2.RunBlockRequest.FromString,
                response_serializer=referee_pb2.RunBlockResponse.SerializeToString,
            ),
            "WatchSessions": grpc.unary_stream_rpc_method_handler(
                self._watch_sessions,
                request_deserializer=referee_pb2.WatchSessionsRequest.FromString,
                response_serializer=referee_pb2.WatchSessionsResponse.SerializeToString,
            ),
            "ListMatches": grpc.unary_unary_rpc_method_handler(
                self._list_matches,
                request_deserializer=referee_pb2.ListMatchesRequest.FromString,
                response_serializer=referee_pb2.ListMatchesResponse.SerializeToString,
            ),
            "WatchMatch": grpc.unary_stream_rpc_method_handler(
                self._watch_match,
                request_deserializer=referee_pb2.WatchMatchRequest.FromString,
                response_serializer=referee_pb2.WatchMatchResponse.SerializeToString,
            ),
            "ListGames": grpc.unary_unary_rpc_method_handler(
                self._list_games,
                request_deserializer=referee_pb2.ListGamesRequest.FromString,
                response_serializer=referee_pb2.ListGamesResponse.SerializeToString,
            ),
            "GetEdition": grpc.unary_unary_rpc_method_handler(
                self._get_edition,
                request_deserializer=referee_pb2.GetEditionRequest.FromString,
                response_serializer=referee_pb2.GetEditionResponse.SerializeToString,
            ),
        }

    async def _holder(self, context: _Context[Any, Any]) -> Holder:
        holder = self.tokens.holder(context.invocation_metadata() or ())
        if holder is None:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "the call carries no token that this referee knows")
        return holder

    async def _play(self, _: object, context: _Context[bytes, bytes]) -> None:
        holder = await self._check(context, Identity, "only bots play")
        await self._refuse_after_failure(context)
        task = cast("asyncio.Task[None]", asyncio.current_task())
        self._plays.add(task)
        task.add_done_callback(self._plays.discard)
        outbox = Outbox(task.cancel)
        connection = self.driver.connect(holder, outbox)
        reader = asyncio.create_task(self._read(connection, outbox, context))
        try:
            await _write(outbox, context)
        except asyncio.CancelledError:
            if not outbox.abandoned:
                raise
        finally:
            reader.cancel()
            outbox.done()
            self.driver.disconnect(connection, outbox.reason)
        await self._take_leave(outbox, context)

    async def _read(self, connection: int, outbox: Outbox, context: _Context[bytes, bytes]) -> None:
        with suppress(aio.BaseError):  # the call is over
            while isinstance(frame := await context.read(), bytes):
                if pause := self.driver.received(connection, frame):
                    await asyncio.sleep(pause)
        outbox.close("the stream ended")

    async def _take_leave(self, outbox: Outbox, context: _Context[bytes, bytes]) -> None:
        """Tell a bot why its stream ends. One that does not read keeps gRPC waiting, and in the end is not told."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                await self._refuse_after_failure(context)
                if outbox.ending is not Ending.ORDERLY:
                    await context.abort(STATUS[outbox.ending], outbox.reason)

    async def _run_block(
        self,
        request: referee_pb2.RunBlockRequest,
        context: _Context[referee_pb2.RunBlockRequest, referee_pb2.RunBlockResponse],
    ) -> None:
        await self._check(context, Organiser, "only organisers run blocks")
        await self._refuse_after_failure(context)
        messages: asyncio.Queue[referee_pb2.RunBlockResponse | None] = asyncio.Queue()
        block = asyncio.create_task(self._connected_block(request.block, messages))
        block.add_done_callback(lambda _: messages.put_nowait(None))
        try:
            while (message := await messages.get()) is not None:
                await context.write(message)
            await _write_result(block.result(), context)
        except SpecificationError as error:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error)[:_DETAILS])
        except Draining as error:
            await context.abort(grpc.StatusCode.UNAVAILABLE, str(error))
        except CoreFailure:
            await self._refuse_after_failure(context)
        finally:
            block.cancel()

    async def _connected_block(
        self, block: block_pb2.BlockSpecification, messages: asyncio.Queue[referee_pb2.RunBlockResponse | None]
    ) -> block_pb2.BlockResult:
        def progress(_: str, ended: int, matches: int) -> None:
            message = referee_pb2.BlockProgress(matches_ended=ended, matches=matches)
            messages.put_nowait(referee_pb2.RunBlockResponse(progress=message))

        return await self.driver.play(self._specification(block), progress)

    def _specification(self, block: block_pb2.BlockSpecification) -> BlockSpec:
        refuse_duplicate(block)
        for entrant in block.entrants:
            if entrant.WhichOneof("place") != "connected":
                raise SpecificationError(f"entrant {entrant.bot!r} is not a connected bot; this referee starts none")
            if not self.driver.is_connected(entrant.connected.session_id):
                raise SpecificationError(f"no bot is connected with the session given for entrant {entrant.bot!r}")
        return BlockSpec.from_message(block, [entrant.connected.session_id for entrant in block.entrants])

    async def _watch_sessions(
        self,
        _: referee_pb2.WatchSessionsRequest,
        context: _Context[referee_pb2.WatchSessionsRequest, referee_pb2.WatchSessionsResponse],
    ) -> None:
        await self._check(context, Organiser, "only organisers watch sessions")
        await self._refuse_after_failure(context)
        with self.driver.watch_sessions() as watch:
            while (news := await watch.news()) is not None:
                sessions = (
                    referee_pb2.ConnectedSession(session_id=session_id, bot=bot, connected=connected)
                    for session_id, bot, connected in news
                )
                await context.write(referee_pb2.WatchSessionsResponse(sessions=sessions))
        await self._refuse_after_failure(context)

    async def _list_matches(
        self, _: referee_pb2.ListMatchesRequest, context: _Context[Any, Any]
    ) -> referee_pb2.ListMatchesResponse:
        await self._check(context, _MAY_WATCH, "only spectators and organisers watch matches")
        await self._refuse_after_failure(context)
        return referee_pb2.ListMatchesResponse(matches=self.driver.matches())

    async def _watch_match(
        self,
        request: referee_pb2.WatchMatchRequest,
        context: _Context[referee_pb2.WatchMatchRequest, referee_pb2.WatchMatchResponse],
    ) -> None:
        await self._check(context, _MAY_WATCH, "only spectators and organisers watch matches")
        await self._refuse_after_failure(context)
        selection = Selection(frozenset(request.match_ids), frozenset(request.block_ids))
        try:
            with self.driver.watch_matches(selection) as watch:
                await context.send_initial_metadata(())  # what begins from now on is shown
                while (news := await watch.news()) is not None:
                    for message in news:
                        await context.write(message)
        except UnknownMatch as error:
            await context.abort(grpc.StatusCode.NOT_FOUND, str(error))
        except CoreFailure:
            pass
        await self._refuse_after_failure(context)

    async def _check(
        self, context: _Context[Any, Any], wanted: type[_Holder] | tuple[type[_Holder], ...], rule: str
    ) -> _Holder:
        """The caller, of a kind that is *wanted*; else *rule* says why the call is refused."""
        holder = await self._holder(context)
        if not isinstance(holder, wanted):
            await context.abort(grpc.StatusCode.PERMISSION_DENIED, f"this token is {_OWNERS[type(holder)]}; {rule}")
        return holder

    async def _list_games(
        self, _: referee_pb2.ListGamesRequest, context: _Context[Any, Any]
    ) -> referee_pb2.ListGamesResponse:
        await self._holder(context)
        return catalogue.list_games()

    async def _get_edition(
        self, request: referee_pb2.GetEditionRequest, context: _Context[Any, Any]
    ) -> referee_pb2.GetEditionResponse:
        await self._holder(context)
        try:
            return catalogue.find_edition(request.game, request.sha256, self.driver.editions())
        except (registry.UnknownGame, catalogue.UnknownEdition) as error:
            await context.abort(grpc.StatusCode.NOT_FOUND, str(error))

    async def _refuse_after_failure(self, context: _Context[Any, Any]) -> None:
        if self.driver.failure is not None:
            await context.abort(grpc.StatusCode.INTERNAL, "the referee failed and plays no more")


def refuse_duplicate(block: block_pb2.BlockSpecification) -> None:
    """Raises SpecificationError for duplicate deals: who sits in two such matches at once sees every hand."""
    if block.deal == block_pb2.DEAL_DUPLICATE:
        raise SpecificationError(
            f"block {block.block_id!r} asks for duplicate deals, for which every bot must be hosted in a sandbox "
            "of its own without a network; this referee has none"
        )


async def _write_result(
    result: block_pb2.BlockResult, context: _Context[referee_pb2.RunBlockRequest, referee_pb2.RunBlockResponse]
) -> None:
    """Send the replays one by one, since all together may be more than one message holds, and then the rest."""
    for replay in result.replays:
        await context.write(referee_pb2.RunBlockResponse(replay=replay))
    result.ClearField("replays")
    await context.write(referee_pb2.RunBlockResponse(result=result))


async def _write(outbox: Outbox, context: _Context[bytes, bytes]) -> None:
    """Send what waits until there will be no more."""
    try:
        while (frame := await outbox.take()) is not None:
            await context.write(frame)
    except aio.InternalError as error:
        # The line broke while a frame was being sent: the same as when it breaks between two.
        raise asyncio.CancelledError from error
