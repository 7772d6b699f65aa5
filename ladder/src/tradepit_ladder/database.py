"""Opening the record's database and speaking to it in transactions."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Generic, TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, ProgrammingError
from sqlmodel import Session

from tradepit_ladder import schema
from tradepit_ladder.client import RecordError
from tradepit_ladder.engines import for_reading, for_writing, make_engine, parse, shown

T = TypeVar("T")

WAIT_SECONDS = 60.0
"""How long a transaction waits for a database that has gone away, or for another program's to end."""

_PAUSE_SECONDS = 0.5
"""Between two attempts to reach a database that has gone away."""

_HELD = {"55P03"}
"""What PostgreSQL calls a lock that another transaction holds for too long."""

_FORBIDDEN = "42501"
"""What PostgreSQL says to a user without the right."""

_GOING_AWAY = {"57P01", "57P02", "57P03", "53300"}
"""What PostgreSQL says while it stops, starts, or has no room for another connection."""


class Database:
    """The record's database. Raises LadderError, as all its methods do.

    One that holds nothing gets its tables when it is opened, unless it is to be *read_only*: then nothing is ever
    written. One with the tables of another version of this program is refused, unless it is *unchecked*: for upkeep.

    Transactions wait for a database that has gone away, and for other programs' transactions: after two seconds
    *on_wait* is called with a sentence, after ``WAIT_SECONDS`` they fail. *clock* counts seconds; *sleep* takes some.
    """

    def __init__(
        self,
        url: str,
        *,
        read_only: bool = False,
        unchecked: bool = False,
        on_wait: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._url = parse(url)
        self._on_wait = on_wait
        self._clock = clock
        self._sleep = sleep
        self._reached = False
        with _one_line(self._url):
            engine = make_engine(self._url, read_only)
            self._reading_engine = for_reading(engine)
            self._writing_engine = for_writing(engine, read_only)
            try:
                self._open(read_only, unchecked)
            except BaseException:
                self.close()
                raise

    def _open(self, read_only: bool, unchecked: bool) -> None:
        # Judged before anything is written: even the log that SQLite shall use is noted in the file.
        revision = self.revision()
        if revision is None and read_only and not unchecked:
            raise RecordError(
                f"database {self.shown} is empty; a command that writes to it, like 'tradepit bot add', prepares it"
            )
        if revision is not None and not unchecked:
            schema.check_current(revision, self.shown)
        if read_only:
            return
        if self._url.get_backend_name() == "sqlite":
            self._persistently(self._keep_log)
        if revision is None and not unchecked:
            self.migrating(self._prepare)

    @property
    def shown(self) -> str:
        """Its URL without password."""
        return shown(self._url)

    def revision(self) -> str | None:
        """The revision of its tables; None where there are none."""

        def look() -> str | None:
            with self._reading_engine.connect() as connection:
                return schema.revision_of(connection, self.shown)

        with _one_line(self._url):
            return self._persistently(look)

    def read(self, step: Callable[[Session], T]) -> T:
        """What *step* makes of one state of the record. It may be called again when the database goes away."""

        def once() -> T:
            with Session(self._reading_engine, expire_on_commit=False) as session:
                return step(session)

        with _one_line(self._url):
            return self._persistently(once)

    def write(self, step: Callable[[Session], T]) -> T:
        """What *step* returns, whose changes are stored together, once; or not at all, when it raises.

        It may be called again when the database goes away, so it changes nothing but the session.
        """
        with _one_line(self._url):
            return self._persistently(_Write(self._writing_engine, step))

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the record."""
        with _one_line(self._url), self._session(self._reading_engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose changes are stored together when the context ends without an error, or not at all.

        It waits to begin, as all do; but a database that goes away later fails it: *write* goes on.
        """
        with _one_line(self._url), self._session(self._writing_engine) as session:
            yield session
            session.commit()

    def _session(self, engine: Engine) -> Session:
        def begun() -> Session:
            session = Session(engine, expire_on_commit=False)
            try:
                session.connection()
            except BaseException:
                session.close()
                raise
            return session

        return self._persistently(begun)

    def migrating(self, step: Callable[[Connection], T]) -> T:
        """What *step* returns, which changes tables, all in one transaction."""

        def once() -> T:
            with self._writing_engine.connect() as connection, _unhindered(connection), connection.begin():
                result = step(connection)
                _check_references(connection, self.shown)
                return result

        with _one_line(self._url):
            return self._persistently(once)

    def _prepare(self, connection: Connection) -> None:
        # Looked at again, since another program may have been quicker.
        revision = schema.revision_of(connection, self.shown)
        if revision is None:
            schema.migrate(connection)
        else:
            schema.check_current(revision, self.shown)

    def _keep_log(self) -> None:
        with closing(self._writing_engine.raw_connection()) as raw:
            raw.cursor().execute("PRAGMA journal_mode = WAL")

    def _persistently(self, call: Callable[[], T]) -> T:
        """What *call* returns, which is made again for as long as waiting may help."""
        since = self._clock()
        told = False
        while True:
            try:
                result = call()
            except (DBAPIError, sqlite3.OperationalError) as error:
                trouble = _passing_trouble(error, self._reached)
                if trouble is None:
                    raise
                if self._clock() - since >= WAIT_SECONDS:
                    raise RecordError(f"database {self.shown} {trouble}, for {WAIT_SECONDS:.0f} s now") from error
                if not told:
                    self._on_wait(f"database {self.shown} {trouble}; waiting up to {WAIT_SECONDS:.0f} s for it")
                    told = True
                self._sleep(_PAUSE_SECONDS)
            else:
                self._reached = True
                return result

    def close(self) -> None:
        """Give back all connections."""
        self._writing_engine.dispose()


class _Write(Generic[T]):
    """A step in a transaction. Called again after an error, it first finds out whether it was stored after all."""

    def __init__(self, engine: Engine, step: Callable[[Session], T]) -> None:
        self._engine = engine
        self._step = step
        self._sent: tuple[str, T] | None = None

    def __call__(self) -> T:
        with Session(self._engine, expire_on_commit=False) as session:
            connection = session.connection()
            if self._sent is not None and _is_stored(connection, self._sent[0]):
                return self._sent[1]
            self._sent = None
            result = self._step(session)
            session.flush()
            if connection.dialect.name == "postgresql":
                # The answer to COMMIT may be lost on the way: then the number tells what became of it.
                number = connection.execute(text("SELECT CAST(pg_current_xact_id() AS text)")).scalar_one()
                self._sent = (number, result)
            session.commit()
            return result


def _is_stored(connection: Connection, number: str) -> bool:
    # Whoever asks holds the lock of those who write, so the transaction is not under way any more.
    status = text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))")
    return bool(connection.execute(status, {"number": number}).scalar_one() == "committed")


def _passing_trouble(error: Exception, reached: bool) -> str | None:
    """What is the matter, where waiting may help. *reached*: the database has answered before."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        # The lowest byte of the code is its kind.
        busy = getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
        return "is held by another program" if busy else None
    state = getattr(cause, "sqlstate", None)
    if state in _HELD:
        return "is held by another program"
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    # A refused connection has no state; the first one is rather a wrong address than a server that restarts.
    refused = isinstance(error, OperationalError) and state is None and reached
    return "does not answer" if lost or refused or state in _GOING_AWAY else None


@contextmanager
def _unhindered(connection: Connection) -> Iterator[None]:
    """SQLite changes a table by replacing it, which references to it would forbid."""
    if connection.dialect.name != "sqlite":
        yield
        return
    cursor = connection.connection.cursor()
    cursor.execute("PRAGMA foreign_keys = OFF")  # no effect inside a transaction
    try:
        yield
    finally:
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()


def _check_references(connection: Connection, shown: str) -> None:
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            raise RecordError(f"database {shown} is refused: a row of {broken[0]} refers to none of {broken[2]}")


@contextmanager
def _one_line(url: URL) -> Iterator[None]:
    """What goes wrong with the database itself, as RecordError."""
    name = shown(url)
    try:
        yield
    except ModuleNotFoundError as error:
        raise RecordError(f"database {name}: its driver is not installed: {error}") from error
    except (IntegrityError, ProgrammingError) as error:
        if getattr(error.orig, "sqlstate", None) != _FORBIDDEN:
            raise  # a bug of ours
        raise RecordError(f"database {name}: {' '.join(str(error.orig).split())}") from error
    except (DBAPIError, sqlite3.OperationalError) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        raise RecordError(f"database {name}: {' '.join(str(cause).split())}") from error
