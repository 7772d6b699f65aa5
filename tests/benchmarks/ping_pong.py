"""Peers: the fastest that two processes can talk by a pipe or by gRPC, a message to and fro at a time."""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from time import perf_counter
from typing import Any

import grpc
from grpc import aio

QUESTION_BYTES = 1400
"""As long as a request of Long Short in a frame, on average."""
ANSWER_BYTES = 150
"""As long as an answer in a frame, on average."""

EXCHANGES = 20_000
GRPC_EXCHANGES = 4_000

_ECHO_LINES = f"""
import sys
answer = b"x" * {ANSWER_BYTES - 1} + b"\\n"
read, write, flush = sys.stdin.buffer.readline, sys.stdout.buffer.write, sys.stdout.buffer.flush
while read():
    write(answer)
    flush()
"""

_ECHO_RAW = f"""
import os
answer = b"x" * {ANSWER_BYTES}
while os.read(0, 65536):
    os.write(1, answer)
"""

_GRPC_CLIENT = f"""
import asyncio, sys
from grpc import aio

async def main():
    async with aio.insecure_channel(sys.argv[1]) as channel:
        call = channel.stream_stream("/peer/Play")()
        answer = b"x" * {ANSWER_BYTES}
        await call.write(answer)
        while await call.read():
            await call.write(answer)

asyncio.run(main())
"""


def line_pipe() -> float:
    """Lines to a Python child and back; exchanges a second."""
    question = b"x" * (QUESTION_BYTES - 1) + b"\n"
    with subprocess.Popen([sys.executable, "-c", _ECHO_LINES], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        write, flush, read = child.stdin.write, child.stdin.flush, child.stdout.readline
        begun = 0.0
        for exchange in range(EXCHANGES + 1):
            if exchange == 1:
                begun = perf_counter()  # the child has started
            write(question)
            flush()
            read()
        rate = EXCHANGES / (perf_counter() - begun)
        child.stdin.close()
    return rate


def raw_pipe() -> float:
    """The same by os.read and os.write alone: what the kernel's pipes allow; exchanges a second."""
    question = b"x" * QUESTION_BYTES
    with subprocess.Popen([sys.executable, "-c", _ECHO_RAW], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        to, back = child.stdin.fileno(), child.stdout.fileno()
        begun = 0.0
        for exchange in range(EXCHANGES + 1):
            if exchange == 1:
                begun = perf_counter()
            os.write(to, question)
            os.read(back, 65536)
        rate = EXCHANGES / (perf_counter() - begun)
        child.stdin.close()
    return rate


def grpc_lockstep() -> float:
    """Raw bytes on a grpc.aio stream over a unix socket, with a child of its own loop; exchanges a second."""
    return asyncio.run(_grpc_lockstep())


async def _grpc_lockstep() -> float:
    measured: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    async def play(requests: AsyncIterator[bytes], context: aio.ServicerContext[bytes, bytes]) -> None:
        question = b"x" * QUESTION_BYTES
        await context.read()
        begun = perf_counter()
        for _ in range(GRPC_EXCHANGES):
            await context.write(question)
            await context.read()
        measured.set_result(GRPC_EXCHANGES / (perf_counter() - begun))

    with tempfile.TemporaryDirectory() as folder:
        target = f"unix:{Path(folder)}/peer"
        server = aio.server()
        handlers: dict[str, Any] = {"Play": grpc.stream_stream_rpc_method_handler(play)}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("peer", handlers),))
        server.add_insecure_port(target)
        await server.start()
        child = await asyncio.create_subprocess_exec(sys.executable, "-c", _GRPC_CLIENT, target)
        rate = await measured
        await child.wait()
        await server.stop(None)
    return rate
