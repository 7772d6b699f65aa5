"""The private folder of a node, for its socket. Folders of nodes that were killed are cleared away: by the next one, or
by whoever had workers.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "tradepit-node-"

_LONGEST_BASE = 64
"""Bytes. The kernel takes paths of sockets up to some 104, and the folder's and the socket's own part is 31."""


@contextmanager
def private_folder() -> Iterator[Path]:
    """A new folder that only we may enter, with a path short enough for a socket in it; gone afterwards."""
    clear_away()
    folder, lock = _make(_base())
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _base() -> Path:
    base = Path(tempfile.gettempdir())
    return base if len(bytes(base)) <= _LONGEST_BASE else Path("/tmp")  # noqa: S108  # mkdtemp makes a private folder


def _make(base: Path) -> tuple[Path, int]:
    """A new folder, and a descriptor that locks it for as long as it is open: a process that dies gives it up."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
        with suppress(FileNotFoundError):
            lock = _open(folder)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.exists():
                return folder, lock
            os.close(lock)
        # Before we could lock it, another node took it for a dead one's.


def clear_away() -> None:
    """Remove the folders of nodes that were killed."""
    for folder in _base().glob(f"{_PREFIX}*"):
        with suppress(OSError):  # it is somebody else's, or its node lives, or it is gone already
            lock = _open(folder)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder)
            finally:
                os.close(lock)


def _open(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
