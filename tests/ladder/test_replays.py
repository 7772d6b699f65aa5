"""Replays are kept by their content."""

import hashlib
import os
from pathlib import Path

import pytest

from tradepit_ladder.client import LadderError
from tradepit_ladder.replays import ReplayStore

REPLAY = b"turn after turn " * 100


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_replay_is_found_by_its_digest(replays: Path) -> None:
    store = ReplayStore(replays)
    digest = store.keep(REPLAY)
    assert digest == hashlib.sha256(REPLAY).hexdigest()
    assert store.read(digest) == REPLAY


def test_it_is_kept_once_and_compressed(replays: Path) -> None:
    store = ReplayStore(replays)
    assert store.keep(REPLAY) == store.keep(REPLAY)
    (path,) = files(replays)
    assert path.stat().st_size < len(REPLAY) / 10


def test_a_replay_and_its_names_are_on_the_disk_when_it_is_kept(replays: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First the content, then its name, then that of each new folder in the one above it; the last thing of all."""
    done: list[tuple[str, str]] = []
    replace = os.replace

    def fsync(handle: int) -> None:
        done.append(("on the disk", os.readlink(f"/proc/self/fd/{handle}")))

    def renamed(old: str, new: Path) -> None:
        done.append(("named", str(new)))
        replace(old, new)

    monkeypatch.setattr("os.fsync", fsync)
    monkeypatch.setattr("os.replace", renamed)
    digest = ReplayStore(replays).keep(REPLAY)
    (path,) = files(replays)
    folder = replays / digest[:2]
    assert done[:2] == [("on the disk", str(replays.parent)), ("on the disk", str(replays))]
    (content, name, entry) = done[2:]
    assert content[0] == "on the disk"
    assert Path(content[1]).parent == folder
    assert (name, entry) == (("named", str(path)), ("on the disk", str(folder)))
    # Whoever wrote it before may have been killed between the last two.
    done.clear()
    ReplayStore(replays).keep(REPLAY)
    assert done == [("on the disk", str(folder))]


def test_a_write_that_fails_leaves_nothing_behind(replays: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(LadderError, match="No space left on device"):
        ReplayStore(replays).keep(REPLAY)
    assert files(replays) == []


def test_a_missing_or_damaged_replay_is_told(replays: Path) -> None:
    store = ReplayStore(replays)
    digest = store.keep(REPLAY)
    (path,) = files(replays)
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    with pytest.raises(LadderError, match=digest):
        store.read(digest)
    other = store.keep(b"another match")
    path.write_bytes(next(file for file in files(replays) if other in file.name).read_bytes())
    with pytest.raises(LadderError, match="not what its name says"):
        store.read(digest)
    path.unlink()
    with pytest.raises(LadderError, match=digest):
        store.read(digest)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "replays").write_text("a file")
    with pytest.raises(LadderError, match="replays"):
        ReplayStore(tmp_path / "replays").keep(REPLAY)
