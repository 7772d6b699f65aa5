"""A disk that is full, or gone: one clear line, and when there is room again the tournament ends right."""

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from crash_disk import SmallDisk, can_mount, small_disk
from crash_plans import PARENT, Strike
from crash_processes import Done, tradepit
from crash_records import read
from crash_run import Expected, check_nothing_left, check_record, live, words

MIB = 1024 * 1024

Mount = Callable[[Path], SmallDisk]


@pytest.fixture
def mount(folder: Path, require: Any) -> Iterator[Mount]:
    """Mounts a small disk at a folder of the run, for the test."""
    require(can_mount(folder / "probe"), "the right to mount (root, CAP_SYS_ADMIN)")
    (folder / "probe").rmdir()
    mounted = []

    def mount(at: Path) -> SmallDisk:
        mounted.append(small_disk(at, 2 * MIB))
        return mounted[-1].__enter__()

    yield mount
    for disk in mounted:
        disk.__exit__(None, None, None)


def run(folder: Path, url: str) -> Done:
    return tradepit(folder, *words("threes", url))


def check_told(done: Done, word: str) -> None:
    assert done.status == 1
    assert word in done.errors
    assert done.errors.startswith("tradepit: ")
    assert done.errors.count("\n") == 1, done.errors
    assert "bug" not in done.errors


@pytest.mark.parametrize("free", [0, 150_000])
def test_a_record_on_a_full_disk(free: int, folder: Path, mount: Mount, expected: Expected) -> None:
    disk, url = mount(folder / "disk"), f"sqlite:///{folder}/disk/ladder.db"
    disk.leave(free)
    check_told(run(folder, url), f"database {url}: ")
    assert read(url, {"check": "PRAGMA integrity_check"})
    disk.make_room()
    assert run(folder, url).status == 0
    check_record("threes", expected, folder, url)
    check_nothing_left(folder)


def test_replays_on_a_full_disk(folder: Path, url: str, mount: Mount, expected: Expected) -> None:
    disk = mount(folder / "home" / "replays")
    disk.leave(30_000)
    check_told(run(folder, url), "cannot be stored: No space left on device")
    disk.make_room()
    assert run(folder, url).status == 0
    check_record("threes", expected, folder, url)
    check_nothing_left(folder)


def test_replays_where_nothing_can_be_stored(folder: Path, url: str, expected: Expected) -> None:
    (folder / "home").mkdir()
    (folder / "home" / "replays").write_text("in the way")
    check_told(run(folder, url), "cannot be stored: Not a directory")
    (folder / "home" / "replays").unlink()
    assert run(folder, url).status == 0
    check_record("threes", expected, folder, url)


def test_replays_on_a_disk_that_is_read_only(folder: Path, url: str, mount: Mount, expected: Expected) -> None:
    disk = mount(folder / "home" / "replays")
    disk.forbid_writing()
    check_told(run(folder, url), "cannot be stored: Read-only file system")
    disk.permit_writing()
    assert run(folder, url).status == 0
    check_record("threes", expected, folder, url)


def test_replays_that_are_lost_take_no_result_with_them(folder: Path, url: str, expected: Expected) -> None:
    live(folder, words("threes", url), Strike("submit: after", 2, PARENT))
    assert list((folder / "home" / "replays").iterdir())
    rmtree(folder / "home" / "replays")
    assert run(folder, url).status == 0
    check_record("threes", expected, folder, url, replays=False)
