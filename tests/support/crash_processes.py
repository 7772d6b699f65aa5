"""The processes of a run: started with its mark in their environment, found by it, waited for."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

MARK = "CRASH_RUN"
"""The variable that every process of a run inherits; its value is the run's folder."""

END_SECONDS = 30
"""How long those that a killed process leaves may take to end: longer than they give themselves."""

LIFE_SECONDS = 240
"""No command of a run takes longer, on the slowest machine."""

_PROGRAM = Path(__file__).with_name("crash_program.py")

_NUMBERS = count()

_TICK = 0.05

_SOCKETS = "tradepit-node-*"


def environment(folder: Path, more: Mapping[str, str]) -> dict[str, str]:
    """Of all processes of the run in *folder*, which also holds what they keep."""
    (folder / "tmp").mkdir(exist_ok=True)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("TRADEPIT_", "CRASH_"))}
    ours = {"TRADEPIT_HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp"), MARK: str(folder)}
    return inherited | ours | dict(more)


def command(*words: str, probed: bool = False) -> list[str]:
    """``tradepit WORDS``; *probed*: with the probes of crash_program."""
    return [sys.executable, *([str(_PROGRAM)] if probed else ["-m", "tradepit"]), *words]


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended."""

    status: int
    """Below zero for a signal."""
    output: str
    errors: str


class Running:
    """A command of the run in *folder*, with *more* in its environment. What it writes goes to files there.

    Not to pipes: of a command that is killed, what it started holds them open.
    """

    def __init__(self, folder: Path, words: Sequence[str], more: Mapping[str, str], *, probed: bool = False) -> None:
        self._texts = [folder / f"{name}-{next(_NUMBERS)}" for name in ("output", "errors")]
        with open(self._texts[0], "wb") as output, open(self._texts[1], "wb") as errors:
            self.process = subprocess.Popen(
                command(*words, probed=probed), stdout=output, stderr=errors, env=environment(folder, more)
            )

    def errors(self) -> str:
        """What it has written to standard error up to now."""
        return self._texts[1].read_text()

    def until(self, come: Callable[[], object], seconds: float = LIFE_SECONDS) -> bool:
        """Wait until *come* says so, or it has ended, or the time is over. Whether it has come."""
        for _ in range(int(seconds / _TICK)):
            if come():
                return True
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(_TICK)
                break
        return bool(come())

    def end(self, seconds: float = LIFE_SECONDS) -> Done:
        """Wait for it. Raises TimeoutExpired, after killing it, if that takes longer than *seconds*."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        return Done(status, *(text.read_text() for text in self._texts))


def tradepit(folder: Path, *words: str, **more: str) -> Done:
    """Run ``tradepit WORDS`` in the run of *folder*, with *more* in its environment."""
    return Running(folder, words, more).end()


def living(folder: Path) -> list[int]:
    """The processes of the run in *folder* that have not ended, us left out."""
    mark = f"{MARK}={folder}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended, or is somebody else's
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found


def workers(parent: int) -> list[int]:
    """The processes that play for the command *parent*."""
    children = [
        int(pid) for each in Path(f"/proc/{parent}/task").glob("*/children") for pid in each.read_text().split()
    ]
    return [pid for pid in children if "spawn_main" in _command_line(pid)]


def outlived(folder: Path, seconds: float = END_SECONDS) -> list[str]:
    """The processes of the run in *folder* that do not end within *seconds*, as command lines."""
    until = time.monotonic() + seconds
    while (pids := living(folder)) and (left := until - time.monotonic()) > 0:
        with suppress(ProcessLookupError):
            end = os.pidfd_open(pids[0])
            select.select([end], [], [], left)
            os.close(end)
    return [_command_line(pid) for pid in pids]


def _command_line(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    return str(pid)


def sockets(folder: Path) -> list[str]:
    """The folders for sockets that are left of the run in *folder*."""
    return [path.name for path in (folder / "tmp").glob(_SOCKETS)]
