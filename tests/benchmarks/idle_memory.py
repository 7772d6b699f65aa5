"""What a connected bot that plays nothing costs the referee in memory."""

import asyncio
import gc
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from tradepit_server.referee import Identity, Referee
from tradepit_server.service import RefereeServer, Tokens

BOTS = 400
BYTES_ALLOWED = 64 * 1024

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


def allowed_bots_per_gigabyte() -> float:
    """What 64 KiB a bot comes to."""
    return 2**30 / BYTES_ALLOWED


def bots_per_gigabyte() -> float:
    """How many idle bots fit in a gigabyte of the referee's memory, each on a connection of its own.

    Measured in a new process: one that has played would serve them from memory that it has already.
    """
    measured = subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True)
    return 2**30 / float(measured.stdout)


async def _bytes_per_bot() -> float:
    tokens = Tokens()
    tokens.grant("benchmark", Identity("idle"))
    with tempfile.TemporaryDirectory() as folder:
        server = RefereeServer(Referee(), tokens)
        (target,) = await server.start([f"unix:{Path(folder)}/referee"])
        few = await _connect(target, 20)  # what the first connections alone cost is not counted
        before = _resident_bytes()
        many = await _connect(target, BOTS)
        after = _resident_bytes()
        for crowd in (few, many):
            await crowd.communicate(b"")
        await server.stop(None)
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
    print(asyncio.run(_bytes_per_bot()))
