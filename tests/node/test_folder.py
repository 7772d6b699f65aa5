"""The folder of a node's socket: private, and cleared away even behind a node that was killed."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tradepit_server.hosting.folder import clear_away, private_folder

Script = Callable[[str], list[str]]

KILLED = """
import os, signal, sys
from pathlib import Path
from tradepit_server.hosting.folder import private_folder
with private_folder() as folder:
    (folder / "referee").touch()
    print(folder, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def base(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the folders are made: at the end of a path so short that nodes use it."""
    with TemporaryDirectory(dir="/tmp") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr("tempfile.tempdir", None)
        yield Path(folder)


def test_a_folder_is_private_and_goes_with_its_node(base: Path) -> None:
    with private_folder() as folder:
        assert (folder.parent, folder.stat().st_mode & 0o777) == (base, 0o700)
        (folder / "referee").touch()
    assert list(base.iterdir()) == []


def test_what_a_killed_node_left_is_cleared_away_by_the_next(script: Script) -> None:
    left = subprocess.run(script(KILLED), stdout=subprocess.PIPE, text=True, check=False)
    folder = Path(left.stdout.strip())
    assert (folder / "referee").exists()
    with private_folder():
        assert not folder.exists()


def test_whoever_had_it_killed_clears_it_away(base: Path, script: Script) -> None:
    subprocess.run(script(KILLED), stdout=subprocess.DEVNULL, check=False)
    with private_folder() as living:
        subprocess.run(script(KILLED), stdout=subprocess.DEVNULL, check=False)
        clear_away()
        assert list(base.iterdir()) == [living]


def test_nodes_that_live_and_folders_that_are_not_theirs_are_left_alone(base: Path) -> None:
    (base / "tradepit-demo-1").mkdir()
    (base / "tradepit-node-link").symlink_to(base / "tradepit-demo-1")
    (base / "tradepit-node-file").touch()
    with private_folder() as first, private_folder() as second:
        assert first.exists()
        assert second.exists()
    assert {path.name for path in base.iterdir()} == {"tradepit-demo-1", "tradepit-node-link", "tradepit-node-file"}


def test_a_folder_that_is_taken_for_a_dead_nodes_before_it_is_locked_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[Path] = []

    def lock(descriptor: int, operation: int) -> None:
        folder = Path(f"/proc/self/fd/{descriptor}").readlink()
        if not taken:
            taken.append(folder)
            folder.rmdir()

    monkeypatch.setattr("fcntl.flock", lock)
    with private_folder() as folder:
        assert folder.exists()
        assert folder not in taken
