"""A referee for tests of the transport: a grpc.aio server on a unix socket.

It says on the stream what a test's script tells it, and gives editions. Inside ``with`` it has a thread and a loop of
its own; inside ``async with`` it runs in the loop of the test.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import grpc
import grpc.aio

from tradepit.v1 import play_pb2, referee_pb2

TOKEN = "a-token"


class Stream:
    """A bot's stream, seen from the referee."""

    def __init__(self, frames: AsyncIterator[bytes], context: Any) -> None:
        self._frames = frames
        self.context = context
        self._sent = 0

    async def receive(self) -> play_pb2.PlayRequest:
        """The bot's next frame."""
        return play_pb2.PlayRequest.FromString(await anext(self._frames))

    async def send(self, *messages: play_pb2.RefereeMessage) -> None:
        """One frame with *messages*."""
        self._sent += 1
        frame = play_pb2.PlayResponse(sequence=self._sent, messages=messages)
        await self.context.write(frame.SerializeToString())

    async def closed(self) -> bool:
        """Wait until the bot says no more; whether it still listens then, rather than being gone."""
        try:
            await anext(self._frames)
        except StopAsyncIteration:
            pass
        else:
            raise AssertionError("the bot says more")
        try:
            await self.send()
        except (grpc.aio.BaseError, asyncio.CancelledError):
            return False
        return True


Script = Callable[[Stream], Awaitable[None]]


class WireReferee:
    """Serves *script* for each stream, inside ``with``; ``stop`` ends it early and at once."""

    def __init__(self, folder: Path, script: Script, editions: dict[bytes, bytes], token: str = TOKEN) -> None:
        """*token* is the only one that it knows."""
        self.address = f"unix:{folder}/referee.sock"
        self._script = script
        self._editions = editions
        self._token = token

    async def __aenter__(self) -> "WireReferee":
        await self._start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self._server.stop(None)

    def __enter__(self) -> "WireReferee":
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="wire referee")
        self._thread.start()
        self._run(self._start())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def stop(self) -> None:
        """Cut all streams."""
        self._run(self._server.stop(None))

    def _run(self, work: Any) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=30)

    async def _start(self) -> None:
        handlers: dict[str, Any] = {
            "Play": grpc.stream_stream_rpc_method_handler(self._play),
            "GetEdition": grpc.unary_unary_rpc_method_handler(self._get_edition),
        }
        self._server = grpc.aio.server()
        service = grpc.method_handlers_generic_handler("tradepit.v1.RefereeService", handlers)
        self._server.add_generic_rpc_handlers((service,))
        self._server.add_insecure_port(self.address)
        await self._server.start()

    async def _play(self, frames: AsyncIterator[bytes], context: Any) -> None:
        await self._check(context)
        await self._script(Stream(frames, context))

    async def _get_edition(self, request: bytes, context: Any) -> bytes:
        await self._check(context)
        wanted = referee_pb2.GetEditionRequest.FromString(request)
        if wanted.sha256 not in self._editions:
            await context.abort(grpc.StatusCode.NOT_FOUND, "no such edition")
        return referee_pb2.GetEditionResponse(toml=self._editions[wanted.sha256]).SerializeToString()

    async def _check(self, context: Any) -> None:
        if ("authorization", f"Bearer {self._token}") not in context.invocation_metadata():
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")
