"""A referee that runs by itself, for bots and organisers that connect to it, until it is told to stop."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from secrets import token_bytes

import grpc

from tradepit_server.referee import Referee
from tradepit_server.referee.gallery import DEFAULT_DELAY
from tradepit_server.service.server import RefereeServer
from tradepit_server.service.tokens import Tokens

LAST_WORDS_SECONDS = 5.0
"""How long organisers may take to read the last results, and bots the last frames."""

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@dataclass(frozen=True)
class Daemon:
    """What a referee needs to know."""

    addresses: Sequence[str]
    """Each ``host:port`` or ``unix:/path``."""
    tokens: Tokens
    tls: grpc.ServerCredentials | None
    """For the addresses that others can reach; None: nothing is encrypted."""
    drain_seconds: float
    """How long running blocks may go on after SIGTERM or SIGINT; a second one ends them at once."""
    reconnect_address: str = ""
    """Where bots are to go then, as a gRPC target; empty: nowhere."""
    watch_delay: int = DEFAULT_DELAY
    """Spectators see a moment of a match when so many more decisions have been carried out."""

    def run(self, ready: Callable[[str], None]) -> None:
        """Serve until a signal, calling ``ready(address)`` for each address once all are listened on.

        Call it in the main thread. Raises ListenError, and CoreFailure for a bug of ours.
        """
        asyncio.run(self._serve(ready))

    async def _serve(self, ready: Callable[[str], None]) -> None:
        server = RefereeServer(Referee(token_bytes, self.watch_delay), self.tokens)
        stopping = asyncio.Event()
        try:
            addresses = await server.start(self.addresses, self.tls)
            _on_signals(server, stopping)
            for address in addresses:
                ready(address)
            await _first(stopping, server.driver.failed)
            if server.driver.failure is None:
                await server.drain(self.drain_seconds, self.reconnect_address)
        finally:
            await server.stop(LAST_WORDS_SECONDS)
        if server.driver.failure is not None:
            raise server.driver.failure


def _on_signals(server: RefereeServer, stopping: asyncio.Event) -> None:
    def signalled() -> None:
        if stopping.is_set():
            server.driver.void_all("infrastructure: the referee was told twice to go away")
        stopping.set()

    for number in _SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, signalled)


async def _first(*events: asyncio.Event) -> None:
    """Wait until one of *events* is set."""
    waiting = [asyncio.create_task(event.wait()) for event in events]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
