"""The database: what it refuses, how long it waits, what a user is told."""

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from crash_line import DatabaseLine
from raw_database import raw
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from tradepit_ladder import database as database_module
from tradepit_ladder import engines, store
from tradepit_ladder.client import LadderError, RecordError
from tradepit_ladder.database import WAIT_SECONDS, Database
from tradepit_ladder.models import Bot


class Patience:
    """A clock that moves when somebody sleeps, and what was said meanwhile."""

    def __init__(self, at_each_pause: Callable[[], None] = lambda: None) -> None:
        self.seconds = 0.0
        self.told: list[str] = []
        self._at_each_pause = at_each_pause

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds
        self._at_each_pause()

    def open(self, url: str) -> Database:
        return Database(url, on_wait=self.told.append, clock=lambda: self.seconds, sleep=self.sleep)


def add_ann(session: Session) -> str:
    store.add_bot(session, "ann", house=True)
    return "added"


def names(database: Database) -> list[str]:
    return database.read(lambda session: list(session.exec(select(Bot.name).order_by(Bot.name)).all()))


@contextmanager
def holding(url: str) -> Iterator[None]:
    """Another program's transaction that writes."""
    with closing(Database(url)) as other, other.writing() as session:
        store.add_bot(session, "other", house=True)
        yield


def test_a_transaction_is_stored_as_a_whole_or_not_at_all(database: Database) -> None:
    def add_twice(session: Session) -> None:
        add_ann(session)
        add_ann(session)

    for write in (database.write, partial(write_in_context, database)):
        with pytest.raises(IntegrityError):
            write(add_twice)
        assert names(database) == []


def write_in_context(database: Database, step: Callable[[Session], object]) -> None:
    with database.writing() as session:
        step(session)


def test_what_is_written_is_there_for_others_and_what_a_step_returns_comes_back(database: Database, url: str) -> None:
    assert database.write(add_ann) == "added"
    with closing(Database(url)) as again:
        assert names(again) == ["ann"]


def test_reading_sees_one_state_of_the_record(database: Database, url: str) -> None:
    with database.reading() as session:
        assert session.exec(select(Bot)).all() == []
        with closing(Database(url)) as other:
            other.write(add_ann)
        assert session.exec(select(Bot)).all() == []
    assert names(database) == ["ann"]


def test_a_read_only_database_refuses_to_be_written(database: Database, url: str) -> None:
    database.write(add_ann)
    with closing(Database(url, read_only=True)) as reading:
        assert names(reading) == ["ann"]
        with pytest.raises(RecordError, match=r"read-?only"):
            reading.write(add_ann)


def test_who_finds_another_programs_transaction_waits_says_so_once_and_goes_on(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "QUIET_SECONDS", 0.05)
    pauses: list[None] = []
    other = ExitStack()

    def end_at_the_third() -> None:
        pauses.append(None)
        if len(pauses) == 3:
            other.close()

    patience = Patience(end_at_the_third)
    with other, closing(patience.open(url)) as database:
        other.enter_context(holding(url))
        # It sees what was written meanwhile.
        assert database.write(lambda session: session.exec(select(Bot.name)).all()) == ["other"]
    assert len(pauses) == 3
    (told,) = patience.told
    assert told.endswith(f"is held by another program; waiting up to {WAIT_SECONDS:.0f} s for it")


def test_a_transaction_that_never_ends_is_told_in_one_line(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "QUIET_SECONDS", 0.02)
    monkeypatch.setattr(database_module, "_PAUSE_SECONDS", 20)
    patience = Patience()
    with closing(patience.open(url)) as database, holding(url):
        for write in (lambda: database.write(add_ann), lambda: write_in_context(database, add_ann)):
            with pytest.raises(RecordError, match=r"is held by another program, for 60 s now$"):
                write()
        assert names(database) == []
    assert len(patience.told) == 2


# What happens on SQLite alone.


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A record in a SQLite file."""
    Database(f"sqlite:///{tmp_path / 'own.db'}").close()
    return tmp_path / "own.db"


def test_sqlite_survives_a_loss_of_power_and_checks_references(file: Path) -> None:
    with closing(Database(f"sqlite:///{file}")) as database, database.writing() as session:
        connection = session.connection()
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1


@pytest.mark.parametrize("closed", ["", "own.db", "folder"])
def test_reading_leaves_a_file_and_its_folder_as_they_are_and_takes_those_that_cannot_be_written(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    with closing(Database(f"sqlite:///{file}")) as database:
        database.write(add_ann)
    (tmp_path / "folder").mkdir()
    copied = Path(shutil.copy(file, tmp_path / "folder"))
    before = copied.read_bytes()
    monkeypatch.setattr("os.access", lambda path, mode: mode != 2 or Path(path).name != closed)
    with closing(Database(f"sqlite:///{copied}", read_only=True)) as reading, reading.reading() as session:
        assert session.get(Bot, 1) is not None
        # Beside a file that cannot be written, SQLite cannot keep its log either.
        assert not closed or list(copied.parent.iterdir()) == [copied]
    assert (copied.read_bytes(), list(copied.parent.iterdir())) == (before, [copied])


def test_reading_never_creates_what_is_missing_nor_prepares_what_is_empty(tmp_path: Path) -> None:
    with pytest.raises(LadderError, match="unable to open"):
        Database(f"sqlite:///{tmp_path / 'missing.db'}", read_only=True)
    (tmp_path / "empty.db").touch()
    with pytest.raises(LadderError, match=r"empty\.db is empty; a command that writes"):
        Database(f"sqlite:///{tmp_path / 'empty.db'}", read_only=True)
    assert [path.name for path in tmp_path.iterdir()] == ["empty.db"]


def test_a_file_that_may_only_be_read_is_told_in_one_line_and_keeps_what_it_has(file: Path) -> None:
    """As the superuser, tests may write to every file; SQLite can be told not to."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        before = connection.execute("SELECT * FROM alembic_version").fetchall()
    with closing(Database(f"sqlite:///file:{file}?mode=ro&uri=true", unchecked=True)) as database:
        with pytest.raises(RecordError, match=r"own\.db.*readonly database$"):
            database.write(add_ann)
        assert names(database) == []
    assert before


def test_a_full_disk_is_told_in_one_line_and_nothing_is_lost(file: Path) -> None:
    with closing(Database(f"sqlite:///{file}")) as database:
        database.write(add_ann)

        def fill(session: Session) -> None:
            # The file may not grow: that is how SQLite sees a disk that is full.
            session.connection().exec_driver_sql("PRAGMA max_page_count = 1")
            for number in range(1000):
                store.add_bot(session, f"bot-{number}", ["x" * 4000])

        with pytest.raises(RecordError, match=r"own\.db: database or disk is full$"):
            database.write(fill)
        assert names(database) == ["ann"]


# What happens on PostgreSQL alone.


@pytest.fixture
def url_of_postgresql(request: pytest.FixtureRequest) -> Iterator[str]:
    with request.getfixturevalue("postgresql").database(prepared=True) as url:
        yield url


def test_who_gets_the_lock_sees_what_was_written_while_it_waited(url_of_postgresql: str) -> None:
    seen: list[object] = []
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND pid <> pg_backend_pid()"

    def look() -> None:
        with closing(Database(url_of_postgresql)) as database:
            seen.extend(database.write(lambda session: session.exec(select(Bot.name)).all()))

    thread = threading.Thread(target=look)
    with holding(url_of_postgresql), psycopg.connect(url_of_postgresql, autocommit=True) as watching:
        thread.start()
        for _ in range(100_000):
            row = watching.execute(waiting).fetchone()
            if row is not None and row[0]:
                break
    thread.join()
    assert seen == ["other"]


@pytest.mark.parametrize("before", [True, False])
def test_a_line_that_is_cut_at_a_commit_stores_the_step_once(url_of_postgresql: str, before: bool) -> None:
    """Before the server has the COMMIT nothing is stored, and the step is called again; after it, all was."""
    calls: list[int] = []

    def step(session: Session) -> int:
        calls.append(len(calls))
        store.add_bot(session, f"bot-{len(calls)}", house=True)
        return len(calls)

    patience = Patience()
    # The line is mended while the database waits. Opening commits nothing; the first COMMIT is this step's.
    with DatabaseLine(url_of_postgresql, 1, before=before, told=lambda: None) as line:
        patience = Patience(line.mend)
        with closing(patience.open(line.url)) as database:
            assert database.write(step) == (2 if before else 1)
            assert names(database) == (["bot-2"] if before else ["bot-1"])
    assert len(calls) == (2 if before else 1)
    assert patience.told == [f"database {shown(line.url)} does not answer; waiting up to 60 s for it"]


def shown(url: str) -> str:
    return make_url(url).set(query={}).render_as_string(hide_password=True)


def test_a_database_that_stays_away_is_told_in_one_line(
    url_of_postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "_PAUSE_SECONDS", 20)
    patience = Patience()
    line = DatabaseLine(url_of_postgresql, 0, before=True, told=lambda: None)
    with line, closing(patience.open(line.url)) as database:
        line.cut()
        for call in (lambda: database.write(add_ann), lambda: names(database)):
            with pytest.raises(RecordError, match=r"does not answer, for 60 s now$"):
                call()
        line.mend()
        assert database.write(add_ann) == "added"
    assert len(patience.told) == 2


def test_a_server_that_ends_our_session_is_asked_again(url_of_postgresql: str) -> None:
    patience = Patience()
    with closing(patience.open(url_of_postgresql)) as database:
        ended: list[None] = []

        def step(session: Session) -> str:
            add_ann(session)
            if not ended:
                ended.append(None)
                process = session.connection().exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
                with psycopg.connect(url_of_postgresql) as other:
                    other.execute("SELECT pg_terminate_backend(%s)", [process])
            return "added"

        assert database.write(step) == "added"
        assert names(database) == ["ann"]
    assert len(patience.told) == 1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"path": "/nowhere_at_all"}, r'database "nowhere_at_all" does not exist$'),
        ({"netloc": "postgres:secret@127.0.0.1:1"}, r"onnection refused"),
        ({"netloc": "nobody_here:secret@127.0.0.1"}, r'(role "nobody_here" does not exist|authentication failed.*)$'),
    ],
)
def test_a_server_that_refuses_is_told_in_one_line_at_once_without_a_password(
    url_of_postgresql: str, change: dict[str, str], told: str
) -> None:
    patience = Patience()
    parts = urlsplit(url_of_postgresql)
    if "nobody_here" in change.get("netloc", ""):
        change = {"netloc": f"{change['netloc']}:{parts.port or 5432}"}
    if "netloc" in change:
        change = {**change, "query": "password=secret"}
    with pytest.raises(RecordError, match=told) as error:
        patience.open(parts._replace(**change).geturl())
    assert "\n" not in str(error.value)
    assert "secret" not in str(error.value)
    assert patience.told == []


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("ladder.db", "URL such as sqlite"),
        ("nosql://x", r"of a kind 'nosql'; it can be sqlite:///FILE or postgresql://"),
        ("oracle://me:secret@host/x", "of a kind 'oracle'"),
        ("sqlite:////nowhere/at/all.db", "/nowhere/at/all.db"),
        ("sqlite:///" + __file__, "not a database"),
    ],
)
def test_a_database_that_cannot_be_opened_is_told_in_one_line_without_a_password(wrong: str, told: str) -> None:
    with pytest.raises(LadderError, match=told) as error:
        Database(wrong)
    assert "\n" not in str(error.value)
    assert "secret" not in str(error.value)


def test_a_driver_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(RecordError, match=r"^database postgresql://me:\*\*\*@host/x: its driver is not installed: "):
        Database("postgresql://me:secret@host/x")


def test_a_record_that_is_cut_off_by_hand_is_refused(file: Path) -> None:
    with raw(f"sqlite:///{file}") as connection:
        connection.execute("DROP TABLE seats")
    with pytest.raises(RecordError, match="is no ladder's"):
        Database(f"sqlite:///{file}")
