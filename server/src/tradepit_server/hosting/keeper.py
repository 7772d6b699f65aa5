"""Keeps a bot: starts it, and ends with it whatever it started, wherever that has gone.

A program of its own, ``keeper.py PARENT PROGRAM [ARGUMENT ...]``, in the standard library alone so that it starts
quickly. On Linux it adopts what the bot's children leave behind, also those that have begun a session of their own: all
processes below it are the bot's, and no others are. It ends as the bot does. Signals::

    SIGTERM   is passed on to the bot and its group
    SIGUSR1   ends all at once, as does the death of the parent
"""

import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

_SIGNALS = {signal.SIGTERM, signal.SIGUSR1, signal.SIGCHLD}

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36  # linux/prctl.h

_NOT_FOUND = 127
_NOT_EXECUTABLE = 126

_CHILDREN = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
"""Our children's process ids. Who could not find them must not adopt any."""

_libc = ctypes.CDLL(None)


def main(parent: int, command: Sequence[str]) -> NoReturn:
    """Keep *command* until it ends; *parent* is who started us."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    if _CHILDREN.exists():
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    _die_with(parent, signal.SIGUSR1)
    bot = os.fork()
    if not bot:
        _become(command, os.getppid())
    status = _watch(bot)
    _end_all(bot)
    _end_like(status)


def _watch(bot: int) -> int:
    """Pass signals on until the bot has ended; its status, as from wait."""
    while True:
        number = signal.sigwait(_SIGNALS)
        if number == signal.SIGTERM:
            with suppress(ProcessLookupError):
                os.killpg(bot, signal.SIGTERM)
        elif number == signal.SIGUSR1:
            os.kill(bot, signal.SIGKILL)
        for pid, status in _reaped():
            if pid == bot:
                return status


def _reaped() -> list[tuple[int, int]]:
    """The children that have ended, each with its status."""
    ended = []
    with suppress(ChildProcessError):
        while (child := os.waitpid(-1, os.WNOHANG))[0]:
            ended.append(child)
    return ended


def _end_all(bot: int) -> None:
    """End what is left. The children of what is killed become ours, so that in the end nobody is."""
    with suppress(OSError):
        os.killpg(bot, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            for pid in _children():
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0)


def _children() -> list[int]:
    return [int(pid) for pid in _CHILDREN.read_text().split()] if _CHILDREN.exists() else []


def _end_like(status: int) -> NoReturn:
    if os.WIFSIGNALED(status):
        _prctl(_PR_SET_DUMPABLE, 0)  # one core is enough
        for late in _SIGNALS:  # one that waits to be heard would be how we end
            signal.signal(late, signal.SIG_IGN)
        number = os.WTERMSIG(status)
        with suppress(OSError):  # SIGKILL
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, set())
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


def _become(command: Sequence[str], keeper: int) -> NoReturn:
    os.setsid()
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and programs do not expect it
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    _die_with(keeper, signal.SIGKILL)
    try:
        os.execvp(command[0], list(command))  # noqa: S606  # a bot's command is a list, not a shell's line
    except OSError as error:
        print(f"{command[0]!r} cannot be started: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(_NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_EXECUTABLE)


def _die_with(parent: int, number: signal.Signals) -> None:
    """Have the kernel send us *number* when our parent dies. It tells nobody of one that died before."""
    _prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(_NOT_EXECUTABLE)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        _libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
