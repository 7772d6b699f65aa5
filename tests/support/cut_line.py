"""A line between bots and a referee that a test can cut: it hands on bytes from one socket to another, in one loop.

async with CutLine(referee_address) as line:
    ...                     # bots connect to line.address
    line.cut()              # as when a router restarts
"""

import asyncio
import socket
import struct
from collections import deque
from types import TracebackType
from typing import Self, cast

_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class CutLine:
    """Listens inside ``async with`` and connects everybody to *target*. What a test does to it, its loop does next."""

    def __init__(self, target: str, listen: str = "127.0.0.1:0") -> None:
        """From *listen* to *target*, each ``host:port`` or ``unix:/path``; port 0 is any that is free."""
        self.address = listen
        """Where bots connect, as a gRPC target."""
        self.connections = 0
        """How many have come so far."""
        self.swallowed = 0
        """How many bytes were dropped silently so far."""
        self.seconds = 0.0
        """How much later all arrives."""
        self._target = target
        self._unplugged = False
        self._sides: set[_Side] = set()
        self._calls: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        if self.address.startswith("unix:"):
            self._server = await loop.create_unix_server(self._accept, self.address.removeprefix("unix:"))
        else:
            host, _, port = self.address.rpartition(":")
            self._server = await loop.create_server(self._accept, host, int(port))
            self.address = f"{host}:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._server.close()
        self._unplugged = True
        self.cut()
        await asyncio.gather(*self._calls)
        while self._sides:
            await asyncio.sleep(0)

    @property
    def open(self) -> int:
        """How many connections of bots stand now."""
        return len(self._sides) // 2

    def cut(self) -> None:
        """Reset every connection at both ends, as a router does that has forgotten them; bytes on the way are lost."""
        for side in self._sides:
            side.reset()

    def close_half(self) -> None:
        """Tell the referee that nothing more comes from the bots, which hear nothing of it."""
        for side in self._sides:
            side.close_half()

    def swallow(self, *, to_bots: bool = True, to_referee: bool = True) -> None:
        """Drop silently all that goes over the connections of now: both ends believe that they stand. Later ones do."""
        for side in self._sides:
            side.swallowing |= to_referee if side.towards_bots else to_bots

    def delay(self, seconds: float) -> None:
        """From now on all bytes arrive so much later."""
        self.seconds = seconds

    def unplug(self) -> None:
        """Cut, and until ``plug_in`` reset everybody who comes."""
        self._unplugged = True
        self.cut()

    def plug_in(self) -> None:
        """Connect again who comes from now on."""
        self._unplugged = False

    def _accept(self) -> "_Side":
        self.connections += 1
        return _Side(self, self._sides, towards_bots=True)

    def reach_on(self, bot: "_Side") -> None:
        """A bot has connected: connect to the referee in its place."""
        if self._unplugged:
            bot.reset()
            return
        call = asyncio.get_running_loop().create_task(self._connect(bot))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)

    async def _connect(self, bot: "_Side") -> None:
        loop, side = asyncio.get_running_loop(), _Side(self, self._sides, towards_bots=False)
        side.peer = bot
        try:
            if self._target.startswith("unix:"):
                await loop.create_unix_connection(lambda: side, self._target.removeprefix("unix:"))
            else:
                host, _, port = self._target.rpartition(":")
                await loop.create_connection(lambda: side, host, int(port))
        except OSError:
            bot.reset()  # as if nobody were there


class _Side(asyncio.Protocol):
    """One end of a connection: its bytes go to its peer."""

    def __init__(self, line: CutLine, sides: "set[_Side]", *, towards_bots: bool) -> None:
        self.peer: _Side | None = None
        self.swallowing = False
        self._line = line
        self._sides = sides
        self.towards_bots = towards_bots
        self._transport: asyncio.Transport
        self._late: deque[bytes] = deque()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Tied to its peer once both are there."""
        self._transport = cast(asyncio.Transport, transport)
        self._sides.add(self)
        if self.towards_bots:
            self._transport.pause_reading()
            self._line.reach_on(self)
        elif self.peer is None or self.peer._transport.is_closing():
            self.reset()
        else:
            self.peer.peer = self
            self.peer._transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Hand on, drop, or hand on later."""
        if self.swallowing:
            self._line.swallowed += len(data)
        elif self._line.seconds or self._late:
            self._late.append(data)
            asyncio.get_running_loop().call_later(self._line.seconds, self._hand_on_late)
        else:
            self._hand_on(data)

    def eof_received(self) -> bool:
        """Hand that on too; the other direction stays."""
        self.data_received(b"")
        return not self.swallowing

    def _hand_on_late(self) -> None:
        self._hand_on(self._late.popleft())

    def _hand_on(self, data: bytes) -> None:
        """No data is the end."""
        if self.peer is None or self.peer._transport.is_closing():
            return
        if data:
            self.peer._transport.write(data)
        else:
            self.peer._end()

    def pause_writing(self) -> None:
        """This end does not read: nor is its peer read from."""
        if self.peer is not None and not self.peer._transport.is_closing():
            self.peer._transport.pause_reading()

    def resume_writing(self) -> None:
        """This end reads again."""
        if self.peer is not None and not self.peer._transport.is_closing():
            self.peer._transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """The peer hears of it, unless the line swallows everything."""
        self._sides.discard(self)
        if self.peer is not None and not self.swallowing:
            self.peer._transport.close()

    def reset(self) -> None:
        """End with an RST, where the kind of socket has one."""
        connection = self._transport.get_extra_info("socket")
        if connection.family != socket.AF_UNIX:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        self._transport.abort()

    def close_half(self) -> None:
        """Say that nothing more comes, if this end is the referee's."""
        if not self.towards_bots and not self._transport.is_closing():
            self._end()

    def _end(self) -> None:
        self._transport.write_eof()
