"""Backups: one state of a record, from which any database can be filled."""

import errno
import gzip
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from raw_database import raw
from recording import begin, deliver, finish
from sqlmodel import Session, func, select

from tradepit_ladder import leases, schema, store, upkeep
from tradepit_ladder.application import Ladder
from tradepit_ladder.backup import FORMAT, Contents, backup, restore
from tradepit_ladder.client import LadderError, RecordError, TournamentOrder
from tradepit_ladder.database import Database
from tradepit_ladder.models import Block
from tradepit_ladder.owners import Owner


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "friday.backup"


@pytest.fixture
def elsewhere(backend: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of an empty database of the other kind."""
    if backend == "postgresql":
        yield f"sqlite:///{tmp_path / 'elsewhere.db'}"
    else:
        with request.getfixturevalue("postgresql").database(prepared=False) as url:
            yield url


def save(url: str, file: Path) -> Contents:
    with closing(Database(url, read_only=True, unchecked=True)) as database:
        return backup(database, file)


def fill(url: str, file: Path) -> Contents:
    with closing(Database(url, unchecked=True)) as database:
        return restore(database, file)


def everything(url: str, file: Path) -> bytes:
    """Every row of every table."""
    save(url, file)
    return gzip.decompress(file.read_bytes())


def test_a_record_is_the_same_in_a_database_of_the_other_kind_to_the_last_bit(
    ladder: Ladder, make_order: Callable[..., TournamentOrder], url: str, elsewhere: str, file: Path, tmp_path: Path
) -> None:
    ladder.add_bot("mine", ["./mine", "ä'\"\\"], "/home/me")
    ladder.run_tournament(make_order(name="cup", blocks=2), lambda _: None)
    board = ladder.leaderboard("toy")
    assert save(url, file).rows == fill(elsewhere, file).rows > 50
    with closing(Ladder(elsewhere, never, never, replays=tmp_path, house_bots=())) as restored:
        assert restored.leaderboard("toy") == board
        assert restored.bots() == ladder.bots()
    # And back again: nothing depends on the way.
    assert everything(elsewhere, tmp_path / "again") == gzip.decompress(file.read_bytes())


def never(*_: object) -> Any:
    raise AssertionError("nothing is played here")


def test_a_restored_record_goes_on(url: str, elsewhere: str, file: Path) -> None:
    with closing(Database(url)) as database, database.writing() as session:
        cup = begin(session, "cup", 3)
        finish(session, cup, 0)
        leases.take(session, store.key(cup), Owner("gone with the old machine"), 0.0, 10.0, 1)
    save(url, file)
    fill(elsewhere, file)
    with closing(Database(elsewhere)) as database, database.writing() as session:
        open_leases = leases.take(session, store.key(cup), Owner("here"), 10.0, 10.0, 9)
        assert [(lease.block_index, lease.attempt) for lease in open_leases] == [(1, 2), (2, 1)]
        assert min(lease.token for lease in open_leases) > 2
        assert all(deliver(session, cup, lease).fresh for lease in open_leases)
        # Every table numbers its rows on from there.
        begin(session, "next", 1, bots=("cid", "dot"))
    with pytest.raises(Exception, match="append-only"), raw(elsewhere) as connection:
        connection.execute("UPDATE seats SET placement = 1")


def test_a_backup_holds_one_state_whatever_is_written_meanwhile(
    url: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Database(url)) as database:
        with database.writing() as session:
            cup = begin(session, "cup", 40)

        def play_on(session: Session) -> None:
            finish(session, cup, store.open_blocks(session, store.key(cup))[0].block_index)

        looked: list[object] = []
        real = schema.tables

        def tables(revision: str) -> set[str]:
            # The backup has begun to read; a tournament goes on.
            for _ in range(3):
                database.write(play_on)
            looked.append(None)
            return real(revision)

        monkeypatch.setattr(schema, "tables", tables)
        save(url, file)
        assert looked
        finished = select(func.count()).select_from(Block).where(Block.outcome == "complete")
        assert database.read(lambda session: session.exec(finished).one()) == 3
    rows = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    names = list(rows[0]["tables"])
    kept = {name: sum(isinstance(row, list) and names[row[0]] == name for row in rows) for name in names}
    assert (kept["blocks"], kept["attempts"], kept["matches"], kept["seats"]) == (40, 0, 0, 0)


def test_a_backup_of_an_older_schema_is_taken_and_becomes_this_one(
    new_database: Callable[..., str], elsewhere: str, file: Path
) -> None:
    old = new_database("old")
    with closing(Database(old, unchecked=True)) as database:
        database.migrating(lambda connection: schema.migrate(connection, "0001"))
    with raw(old) as connection:
        connection.insert("bots", id=7, name="mine", house=False, command=["./mine"], working_directory="")
    assert save(old, file) == Contents("0001", 1)
    fill(elsewhere, file)
    with closing(Database(elsewhere)) as database, database.writing() as session:
        ((bot, version),) = store.added_bots(session)
        assert (bot.id, bot.name, version.command) == (7, "mine", ["./mine"])
        assert store.key(store.add_bot(session, "next")) == 8


def test_a_restored_database_must_be_empty_and_is_left_as_it_is_where_it_is_not(url: str, file: Path) -> None:
    with closing(Database(url)) as database, database.writing() as session:
        begin(session, "cup", 1)
    before = everything(url, file)
    with pytest.raises(LadderError, match="is refused: it holds a record; restore into one that is empty"):
        fill(url, file)
    assert everything(url, file.with_name("after")) == before


def test_a_backup_overwrites_nothing(url: str, file: Path) -> None:
    file.write_text("precious")
    with pytest.raises(RecordError, match=r"friday\.backup' exists; a backup never overwrites anything"):
        save(url, file)
    assert file.read_text() == "precious"


def test_of_nothing_there_is_no_backup(new_database: Callable[..., str], file: Path) -> None:
    url = new_database()
    Database(url, unchecked=True).close()
    with pytest.raises(RecordError, match="is empty: there is nothing to back up"):
        save(url, file)
    assert not file.exists()


def test_a_backup_that_cannot_be_written_is_told_and_leaves_nothing(
    url: str, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RecordError, match=r"backup '.*/nowhere/x' cannot be written: No such file"):
        save(url, tmp_path / "nowhere" / "x")
    before = sorted(tmp_path.iterdir())

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(RecordError, match=r"friday\.backup' cannot be written: No space left on device$"):
        save(url, file)
    assert sorted(tmp_path.iterdir()) == before


# Files that are not what they were.


@pytest.fixture
def saved(tmp_path: Path) -> bytes:
    """What a backup of a small record holds, unpacked."""
    url = f"sqlite:///{tmp_path / 'small.db'}"
    with closing(Database(url)) as database, database.writing() as session:
        begin(session, "cup", 2)
    save(url, tmp_path / "small.backup")
    return gzip.decompress((tmp_path / "small.backup").read_bytes())


def signed(lines: list[bytes]) -> bytes:
    """These lines with the last one that fits them."""
    content = b"".join(line + b"\n" for line in lines)
    end = {"rows": len(lines) - 1, "sha256": hashlib.sha256(content).hexdigest()}
    return content + json.dumps(end).encode() + b"\n"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(b'"cup"', b'"cap"', 1),
        lambda text: text.replace(b'"cup"', b'"cup" ', 1),
        lambda text: b"\n".join(text.split(b"\n")[:3] + text.split(b"\n")[4:]),
        lambda text: b"\n".join(text.split(b"\n")[:-2]) + b"\n",
        lambda text: text.split(b"\n")[0] + b"\n",
        lambda text: text[: len(text) // 2],
        lambda text: text + text,
        lambda text: b"",
        lambda text: b"[]\n",
        lambda text: b"{}\n",
        lambda text: text.replace(FORMAT.encode(), b"tradepit-backup/9"),
        lambda text: b"\xff" + text,
    ],
)
def test_a_file_that_was_changed_fills_nothing(tmp_path: Path, saved: bytes, change: Callable[[bytes], bytes]) -> None:
    damaged = tmp_path / "damaged.backup"
    damaged.write_bytes(gzip.compress(change(saved)))
    refused(tmp_path, damaged, r"damaged\.backup' is damaged, or is none: ")


def refused(tmp_path: Path, file: Path, told: str) -> None:
    url = f"sqlite:///{tmp_path / 'new.db'}"
    with pytest.raises(RecordError, match=told) as error:
        fill(url, file)
    assert "\n" not in str(error.value)
    with closing(Database(url, unchecked=True)) as database:
        assert database.revision() is None


@pytest.mark.parametrize("content", [b"", b"no gzip at all", gzip.compress(b"x" * 999, mtime=0)[:-20]])
def test_what_is_no_backup_fills_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "none.backup").write_bytes(content)
    refused(tmp_path, tmp_path / "none.backup", r"none\.backup' is damaged, or is none: ")
    refused(tmp_path, tmp_path / "missing", r"there is no backup '.*missing'")
    refused(tmp_path, tmp_path, r"cannot be read: Is a directory")


def test_a_backup_of_a_newer_version_fills_nothing(tmp_path: Path, saved: bytes) -> None:
    lines = saved.splitlines()[:-1]
    lines[0] = json.dumps(json.loads(lines[0]) | {"schema": "9999"}).encode()
    (tmp_path / "newer.backup").write_bytes(gzip.compress(signed(lines)))
    told = rf"newer\.backup' has schema '9999', of a newer version .* up to '{schema.head()}'"
    refused(tmp_path, tmp_path / "newer.backup", told)


def test_a_backup_with_a_reference_to_nothing_fills_nothing(tmp_path: Path, saved: bytes) -> None:
    lines = [line for line in saved.splitlines()[:-1] if b'"cup","cup"' not in line]
    (tmp_path / "broken.backup").write_bytes(gzip.compress(signed(lines)))
    refused(tmp_path, tmp_path / "broken.backup", r"a row of (blocks|entrants) refers to none of tournaments")


# Status.


def test_the_status_tells_schema_and_counts(url: str, new_database: Callable[..., str]) -> None:
    with closing(Database(url)) as database:
        with database.writing() as session:
            finish(session, begin(session, "cup", 3), 0)
        found = upkeep.status(database)
    assert (found.revision, found.is_current) == (schema.head(), True)
    assert found.counts == {"bot": 2, "tournament": 1, "block": 3, "match": 2}
    with closing(Database(new_database("empty"), unchecked=True)) as database:
        found = upkeep.status(database)
    assert (found.revision, found.is_current, found.counts) == (None, False, {})
