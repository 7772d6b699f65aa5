"""What a connected bot that plays nothing costs the referee in memory; and what a raw grpc.aio stream costs.

    python idle_memory.py referee|raw

prints the bytes of one connection.
"""

import asyncio
import gc
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import grpc
from grpc import aio

from tradepit_server.referee import Identity, Referee
from tradepit_server.service import RefereeServer, Tokens
from tradepit_server.service.server import SERVICE

BOTS = 400

WELCOME_BYTES = 60
"""About as long as the referee's first frame."""

_CROWD = """
import asyncio, sys
from grpc import aio
from tradepit.v1 import play_pb2

async def main(target, bots):
    hello = play_pb2.Hello(bot_name="idle", protocol_revision=1)
    frame = play_pb2.PlayRequest(sequence=1, messages=[play_pb2.BotMessage(hello=hello)]).SerializeToString()
    channels, calls = [], []
    for number in range(bots):
        # A pool of its own: each bot has a connection of its own, as a process of its own would.
        channels.append(aio.insecure_channel(target, options=(("grpc.use_local_subchannel_pool", 1),)))
        play = channels[-1].stream_stream("/tradepit.v1.RefereeService/Play")
        calls.append(play(metadata=(("authorization", "Bearer benchmark"),)))
        await calls[-1].write(frame)
        await calls[-1].read()
    print("connected", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for channel in channels:
        await channel.close()

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


def bots_per_gigabyte() -> float:
    """How many idle bots fit in a gigabyte of the referee's memory, each on a connection of its own."""
    return _per_gigabyte("referee")


def raw_streams_per_gigabyte() -> float:
    """The same for a server that does no more than hold the streams."""
    return _per_gigabyte("raw")


def _per_gigabyte(server: str) -> float:
    # In a new process: one that has played would serve them from memory that it has already.
    measured = subprocess.run([sys.executable, __file__, server], capture_output=True, text=True, check=True)
    return 2**30 / float(measured.stdout)


async def _referee_bytes() -> float:
    tokens = Tokens()
    tokens.grant("benchmark", Identity("idle"))
    with tempfile.TemporaryDirectory() as folder:
        server = RefereeServer(Referee(), tokens)
        (target,) = await server.start([f"unix:{Path(folder)}/referee"])
        measured = await _measure(target)
        await server.stop(None)
    return measured


async def _raw_bytes() -> float:
    async def play(_: object, context: aio.ServicerContext[bytes, bytes]) -> None:
        await context.read()
        await context.write(bytes(WELCOME_BYTES))
        await context.read()

    with tempfile.TemporaryDirectory() as folder:
        server, target = aio.server(), f"unix:{Path(folder)}/raw"
        handlers: dict[str, Any] = {"Play": grpc.stream_stream_rpc_method_handler(play)}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
        server.add_insecure_port(target)
        await server.start()
        measured = await _measure(target)
        await server.stop(None)
    return measured


async def _measure(target: str) -> float:
    """Bytes of one more bot, of BOTS."""
    few = await _connect(target, 20)  # what the first connections alone cost is not counted
    before = _resident_bytes()
    many = await _connect(target, BOTS)
    after = _resident_bytes()
    for crowd in (few, many):
        await crowd.communicate(b"")
    return (after - before) / BOTS


async def _connect(target: str, bots: int) -> asyncio.subprocess.Process:
    """So many bots with a connection each, in one process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _CROWD, target, str(bots), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    await process.stdout.readline()
    return process


def _resident_bytes() -> int:
    """This process's resident memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


if __name__ == "__main__":
    print(asyncio.run({"referee": _referee_bytes, "raw": _raw_bytes}[sys.argv[1]]()))
