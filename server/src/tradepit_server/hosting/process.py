"""A bot as a child process: started, watched, ended, reaped."""

import asyncio
import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import cast

from tradepit_server.hosting import keeper

TAIL_BYTES = 4096
"""So much of what a process wrote to standard output and error is kept."""

LEAVE_SECONDS = 1.0
"""How long a process that is no longer needed may take to end of its own accord, before SIGTERM."""

GRACE_SECONDS = 2.0
"""How long a process has between SIGTERM and SIGKILL."""

_REST_SECONDS = 0.01
"""How long nothing is read from a process after a chunk of its output, which is a full pipe, 64 KiB, at most. One that
writes without end has to wait, and the loop has time for others."""

_KEEPER_SECONDS = 5.0
"""How long a keeper that was told to end everything may take."""

_DRAIN_SECONDS = 0.25
"""How long the last output of a dead process is waited for; what could not be killed may hold the pipe for ever."""

_LINE_CHARACTERS = 200
"""So much of the last line of its output tells how a process ended. Its report has all that is kept."""

_NOT_FOUND = 127
_NOT_EXECUTABLE = 126

_KEEPER = (sys.executable, "-I", "-S", keeper.__file__)

_SHORTAGES = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
"""The machine cannot start a process now, whatever the command."""


class HostedProcess:
    """A child process, with all that it starts. Made by ``start``, in the loop that watches it.

    Between it and us is its keeper, which ends what it leaves behind, and everything if we die.
    """

    def __init__(self) -> None:
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """Done when the process is reaped: its exit status, below zero for a signal."""
        self.signalled = False
        """We made it end; its exit status says nothing."""
        self._watch = _Watch()
        self._transport: asyncio.SubprocessTransport | None = None
        self._end: asyncio.Task[None] | None = None

    @classmethod
    async def start(
        cls, arguments: Sequence[str], working_directory: str, environment: Mapping[str, str]
    ) -> "HostedProcess":
        """Start a program; one that cannot be started has ended at once, and its output says why.

        An empty *working_directory* is our own. Raises OSError if the machine has no room for a process.
        """
        process = cls()
        folder = working_directory or os.getcwd()
        try:
            status, complaint = _obstacle(arguments[0], folder, environment)
            if not complaint:
                await process._launch(arguments, folder, environment)
        except OSError as error:
            if error.errno in _SHORTAGES:
                raise
            status, complaint = _NOT_EXECUTABLE, f"{arguments[0]!r} cannot be started: {error.strerror}"
        if complaint:
            process._watch.tail += complaint.encode()
            process.ended.set_result(status)
        return process

    @property
    def last_output(self) -> str:
        """The last 4 KiB of what it wrote to standard output and error."""
        return self._watch.tail.decode(errors="replace")

    async def end(self, leave_seconds: float = LEAVE_SECONDS, grace_seconds: float = GRACE_SECONDS) -> None:
        """See to it that the process ends: wait, then SIGTERM to its group, wait, then SIGKILL to all it started."""
        await asyncio.wait([self.ended], timeout=leave_seconds)
        if not self.ended.done():
            self.signalled = True
            self._signal(signal.SIGTERM)
            await asyncio.wait([self.ended], timeout=grace_seconds)
        if not self.ended.done():
            self._signal(signal.SIGUSR1)
            self._signal(signal.SIGCONT)  # a bot may have stopped its keeper
            await asyncio.wait([self.ended], timeout=_KEEPER_SECONDS)
        if not self.ended.done():
            self._signal(signal.SIGKILL)
            await self.ended

    async def _launch(self, arguments: Sequence[str], folder: str, environment: Mapping[str, str]) -> None:
        self._transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: self._watch,
            *_KEEPER,
            str(os.getpid()),
            *arguments,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._end = asyncio.create_task(self._await_end(self._transport))

    async def _await_end(self, transport: asyncio.SubprocessTransport) -> None:
        await self._watch.exited
        await asyncio.wait([self._watch.drained], timeout=_DRAIN_SECONDS)
        transport.close()
        self.ended.set_result(cast(int, transport.get_returncode()))

    def _signal(self, number: signal.Signals) -> None:
        if self._transport is not None and not self._watch.exited.done():
            with suppress(ProcessLookupError):
                os.kill(self._transport.get_pid(), number)


class _Watch(asyncio.SubprocessProtocol):
    """What the loop tells about a child process."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.tail = bytearray()
        self.exited: asyncio.Future[None] = loop.create_future()
        self.drained: asyncio.Future[None] = loop.create_future()
        self._loop = loop
        self._output: asyncio.ReadTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        output = cast(asyncio.SubprocessTransport, transport).get_pipe_transport(1)
        self._output = cast(asyncio.ReadTransport, output)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.tail += data
        del self.tail[:-TAIL_BYTES]
        self._output.pause_reading()
        self._loop.call_later(_REST_SECONDS, self._output.resume_reading)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self.drained.set_result(None)

    def process_exited(self) -> None:
        self.exited.set_result(None)


def describe_exit(status: int, last_output: str) -> str:
    """An exit status and the last line of output, its beginning if it is long, as one sentence."""
    lines = last_output.split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    if len(last) > _LINE_CHARACTERS:
        last = f"{last[:_LINE_CHARACTERS]}..."
    how = f"exit status {status}" if status >= 0 else f"killed by {_signal_name(-status)}"
    return f"{how}: {last}" if last else how


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _obstacle(program: str, folder: str, environment: Mapping[str, str]) -> tuple[int, str]:
    """Why *program* cannot run: an exit status as of a shell, and a line; an empty line: it can."""
    if not os.path.isdir(folder):
        return _NOT_EXECUTABLE, f"the working directory {folder!r} does not exist"
    if "/" not in program:
        found = shutil.which(program, path=environment.get("PATH"))
        return (0, "") if found else (_NOT_FOUND, f"program {program!r} is not found on the PATH")
    path = os.path.join(folder, program)
    if not os.path.exists(path):
        return _NOT_FOUND, f"program {program!r} does not exist"
    if not os.path.isfile(path) or not os.access(path, os.X_OK):
        return _NOT_EXECUTABLE, f"program {program!r} is not an executable file"
    return 0, ""
