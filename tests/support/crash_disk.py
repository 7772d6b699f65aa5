"""Small disks that tests may fill."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_BLOCK = 4096


class SmallDisk:
    """A file system in memory, mounted at *folder*."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ballast = folder / "ballast"

    def leave(self, free: int) -> None:
        """Fill it up to *free* bytes."""
        space = os.statvfs(self._folder)
        with open(self._ballast, "wb") as ballast:
            ballast.write(bytes(max(0, space.f_bavail * space.f_frsize - free)))

    def make_room(self) -> None:
        """Throw away what filled it."""
        self._ballast.unlink()

    def forbid_writing(self) -> None:
        """From now on it can only be read."""
        _run("mount", "-o", "remount,ro", self._folder)

    def permit_writing(self) -> None:
        """Again."""
        _run("mount", "-o", "remount,rw", self._folder)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[SmallDisk]:
    """A disk of *size* bytes at *folder*, which is made; gone afterwards with all that is on it."""
    folder.mkdir(parents=True)
    _run("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder)
    try:
        yield SmallDisk(folder)
    finally:
        _run("umount", "--lazy", folder)


def _run(*words: str | Path) -> None:
    subprocess.run(words, check=True, capture_output=True)


def can_mount(folder: Path) -> bool:
    """This process may mount, which takes root, and in a container the capability."""
    try:
        with small_disk(folder, 16 * _BLOCK):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False
