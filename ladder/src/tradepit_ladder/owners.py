"""Which process holds a lease, told such that others on the same machine see when it is gone."""

import os
import secrets
from functools import cache
from pathlib import Path
from typing import NewType

Owner = NewType("Owner", str)
"""``<machine>/<pid>/<start time>``: *machine* names one boot of one machine and its set of process numbers."""

_PROC = Path("/proc")
_DEAD_STATES = {"Z", "X"}
"""A zombie has ended too: only its parent has not asked yet."""


def me() -> Owner:
    """This process."""
    pid = os.getpid()
    return Owner(f"{_machine()}/{pid}/{_started(pid) or 'unknown'}")


def is_gone(owner: Owner) -> bool:
    """Whether *owner* ran on this boot of this machine and has ended. Of others nothing is known: False."""
    machine, _, rest = owner.partition("/")
    pid, _, started = rest.partition("/")
    if machine != _machine() or not pid.isdecimal() or not started.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        pass  # somebody else's: it exists
    now = _started(int(pid))
    # Where it cannot be read, the process may be hidden rather than gone.
    return now is not None and now != started


@cache
def _machine() -> str:
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        # Containers of one machine count their processes apart.
        return f"{boot}.{os.stat(_PROC / 'self/ns/pid').st_ino}"
    except OSError:
        return secrets.token_hex(16)  # no machine that another process could be on


def _started(pid: int) -> str | None:
    """When the process began, in ticks since the boot; ``dead`` for a zombie; None: unknown."""
    try:
        # The name of the program comes second, in brackets, and may hold anything.
        state, *fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        return "dead" if state in _DEAD_STATES else fields[18]
    except (OSError, ValueError, IndexError):
        return None
