"""The database: its schema, what it refuses, what a user is told."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import IntegrityError

from tradepit_ladder.client import LadderError, TournamentOrder, TournamentReport
from tradepit_ladder.database import Database
from tradepit_ladder.models import METADATA, Bot

Run = Callable[[TournamentOrder], TournamentReport]


@pytest.fixture
def played(run: Run, make_order: Callable[..., TournamentOrder], tmp_path: Path) -> Path:
    """A database file that holds a finished tournament."""
    run(make_order())
    return tmp_path / "ladder.db"


def test_the_migrated_schema_is_the_models(database: Database, url: str) -> None:
    engine = create_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, METADATA) == []
    engine.dispose()


def test_the_migrated_constraints_are_the_models(database: Database, url: str) -> None:
    """Alembic does not compare checks and names, so both schemas are made and read back."""
    migrated, modelled = create_engine(url), create_engine("sqlite://")
    METADATA.create_all(modelled)
    for table in METADATA.tables:
        for read in ("get_check_constraints", "get_unique_constraints", "get_foreign_keys", "get_pk_constraint"):
            ours, theirs = (getattr(inspect(engine), read)(table) for engine in (migrated, modelled))
            assert sorted(map(str, ours)) == sorted(map(str, theirs))
    migrated.dispose()
    modelled.dispose()


def foreign_database(path: Path) -> Path:
    """Of another program, which uses Alembic too."""
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY)")
    connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
    connection.close()
    return path


@pytest.mark.parametrize("read_only", [False, True])
def test_a_database_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path, read_only: bool) -> None:
    path = foreign_database(tmp_path / "shop.db")
    before = path.read_bytes()
    with pytest.raises(LadderError, match=r"shop\.db is refused: it holds other tables \(.*customers\)"):
        Database(f"sqlite:///{path}", read_only=read_only)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_read_only_database_refuses_to_be_written(database: Database, url: str) -> None:
    reading = Database(url, read_only=True)
    with pytest.raises(LadderError, match="readonly"), reading.writing() as session:
        session.add(Bot(name="ann", house=True, command=[], working_directory=""))
    reading.close()


@pytest.mark.parametrize("closed", ["", "ladder.db", "folder"])
def test_reading_leaves_a_file_and_its_folder_as_they_are_and_takes_those_that_cannot_be_written(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    connection = sqlite3.connect(played)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    (tmp_path / "folder").mkdir()
    copied = Path(shutil.copy(played, tmp_path / "folder"))
    before = copied.read_bytes()
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK or Path(path).name != closed)
    reading = Database(f"sqlite:///{copied}", read_only=True)
    with reading.reading() as session:
        assert session.get(Bot, 1) is not None
        # Beside a file that cannot be written, SQLite cannot keep its log either.
        assert not closed or list(copied.parent.iterdir()) == [copied]
    reading.close()
    assert (copied.read_bytes(), list(copied.parent.iterdir())) == (before, [copied])


def test_reading_never_creates_what_is_missing_nor_prepares_what_is_empty(tmp_path: Path) -> None:
    with pytest.raises(LadderError, match="unable to open"):
        Database(f"sqlite:///{tmp_path / 'missing.db'}", read_only=True)
    (tmp_path / "empty.db").touch()
    with pytest.raises(LadderError, match=r"empty\.db is empty"):
        Database(f"sqlite:///{tmp_path / 'empty.db'}", read_only=True)
    assert [path.name for path in tmp_path.iterdir()] == ["empty.db"]


def test_opening_again_changes_nothing(url: str, database: Database) -> None:
    with database.writing() as session:
        session.add(Bot(name="ann", house=True, command=[], working_directory=""))
    again = Database(url)
    with again.reading() as session:
        assert session.get(Bot, 1) is not None
    again.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE seats SET placement = 1",
        "UPDATE matches SET replay_sha256 = ''",
        "UPDATE blocks SET outcome = 'void'",
        "UPDATE blocks SET outcome = NULL, public_id = NULL",
        "UPDATE blocks SET reason = 'we lost'",
        "DELETE FROM seats",
        "DELETE FROM matches",
        "DELETE FROM blocks",
    ],
)
def test_results_can_neither_be_changed_nor_deleted_even_past_the_program(played: Path, statement: str) -> None:
    connection = sqlite3.connect(played)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO matches SELECT 99, block_id, match_index, 'other', '' FROM matches",
        "INSERT INTO seats SELECT match_id, 7, bot_id, 0, 1, 'completed', 0 FROM seats",
        "INSERT INTO seats SELECT match_id, 7, 99, 0, 1, 'completed', 0 FROM seats",
        "INSERT INTO blocks SELECT 99, tournament_id, block_index, NULL, '[]', 0, NULL, NULL, '' FROM blocks",
        "INSERT INTO blocks VALUES (99, 1, 99, NULL, '[]', 0, 'x', 'drawn', '')",
        "INSERT INTO blocks VALUES (99, 1, 99, NULL, '[]', 0, NULL, 'void', '')",
        "INSERT INTO blocks VALUES (99, 99, 99, NULL, '[]', 0, NULL, NULL, '')",
    ],
)
def test_a_second_result_or_one_without_sense_cannot_be_inserted(played: Path, statement: str) -> None:
    connection = sqlite3.connect(played)
    connection.execute("PRAGMA foreign_keys = ON")
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    connection.close()


def test_sqlite_runs_with_a_write_ahead_log_and_foreign_keys(database: Database) -> None:
    with database.reading() as session:
        connection = session.connection()
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1


def test_a_transaction_is_stored_as_a_whole_or_not_at_all(database: Database) -> None:
    def add_the_same_twice() -> None:
        with database.writing() as session:
            for _ in range(2):
                session.add(Bot(name="ann", house=True, command=[], working_directory=""))
                session.flush()

    with pytest.raises(IntegrityError):
        add_the_same_twice()
    with database.reading() as session:
        assert session.get(Bot, 1) is None


def test_a_database_that_another_program_holds_is_told_in_one_line(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tradepit_ladder.database._BUSY_SECONDS", 0)
    other = sqlite3.connect(tmp_path / "ladder.db")
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LadderError, match=r"ladder\.db: database is locked"):
        Database(f"sqlite:///{tmp_path / 'ladder.db'}")
    other.close()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("ladder.db", "URL such as sqlite"),
        ("nosql://x", "nosql"),
        ("sqlite:////nowhere/at/all.db", "/nowhere/at/all.db"),
        ("oracle://me:secret@host/x", "not installed"),
        ("sqlite:///" + __file__, "not a database"),
    ],
)
def test_a_database_that_cannot_be_opened_is_told_in_one_line_without_a_password(wrong: str, told: str) -> None:
    with pytest.raises(LadderError, match=told) as error:
        Database(wrong)
    assert "\n" not in str(error.value)
    assert "secret" not in str(error.value)


def test_a_database_of_a_newer_version_is_refused(url: str, database: Database, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "ladder.db")
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    for read_only in (False, True):
        with pytest.raises(LadderError, match=r"written by a newer version of tradepit: .*9999"):
            Database(url, read_only=read_only)
