"""Opening the record's database and speaking to it in transactions."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from urllib.parse import quote

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, ProgrammingError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session

from tradepit_ladder.client import LadderError, RecordError
from tradepit_ladder.models import METADATA

_BUSY_SECONDS = 30
"""How long a transaction waits for another program's on the same SQLite file."""

_TABLES_NAMED = 3
"""So many of a database's tables tell that it is another program's."""


class Database:
    """The record's database. Raises LadderError, as all its methods do.

    It is brought up to date when it is opened, unless it is to be *read_only*: then nothing is ever written.
    """

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self._url = _parse(url)
        with _one_line(self._url):
            self._engine = _engine(self._url, read_only)
            self._writing_engine = self._engine.execution_options(tradepit_writing=True)
            try:
                self._open(read_only)
            except BaseException:
                self.close()
                raise

    def _open(self, read_only: bool) -> None:
        # Judged before anything is written: even the log that SQLite shall use is noted in the file.
        with self._engine.connect() as connection:
            _check_ours(connection, _shown(self._url))
            if read_only:
                _check_up_to_date(connection, _shown(self._url))
        if read_only:
            return
        if self._url.get_backend_name() == "sqlite":
            with closing(self._engine.raw_connection()) as raw:
                raw.cursor().execute("PRAGMA journal_mode = WAL")
        with self._writing_engine.begin() as connection:
            _migrate(connection)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the record."""
        with _one_line(self._url), Session(self._engine) as session, session.begin():
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose changes are stored together when the context ends without an error, or not at all."""
        with _one_line(self._url), Session(self._writing_engine) as session, session.begin():
            yield session

    def close(self) -> None:
        """Give back all connections."""
        self._engine.dispose()


def _parse(url: str) -> URL:
    try:
        return make_url(url)
    except ArgumentError:
        # Not quoted: what cannot be parsed may still hold a password.
        raise LadderError("the database is not given by a URL such as sqlite:////home/me/ladder.db") from None


@contextmanager
def _one_line(url: URL) -> Iterator[None]:
    """What goes wrong with the database itself, as LadderError."""
    shown = _shown(url)
    try:
        yield
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise RecordError(f"database {shown}: its driver is not installed: {error}") from error
    except CommandError as error:
        raise RecordError(f"database {shown} was written by a newer version of tradepit: {error}") from error
    except (IntegrityError, ProgrammingError):
        raise  # a bug of ours
    except DBAPIError as error:
        raise RecordError(f"database {shown}: {' '.join(str(error.orig).split())}") from error


def _shown(url: URL) -> str:
    return url.render_as_string(hide_password=True)


def _engine(url: URL, read_only: bool) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url)
    engine = create_engine(_existing(url) if read_only else url, connect_args={"timeout": _BUSY_SECONDS})
    if read_only:
        event.listen(engine, "connect", _forbid_writing)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _existing(url: URL) -> URL:
    """The same file, which must exist, for reading."""
    if not url.database or url.database == ":memory:":
        return url
    path = Path(url.database).absolute()
    # Not "ro" wherever possible: who opens a file so leaves its empty log behind.
    query = {"mode": "rw", "uri": "true"}
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        query["mode"] = "ro"
        if not path.with_name(f"{path.name}-wal").exists():
            # SQLite would need shared memory beside the file; and nobody is writing to it, or there were a log.
            query["immutable"] = "1"
    return url.set(database=f"file:{quote(os.fsencode(path))}", query=query)


def _forbid_writing(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA query_only = ON")
    cursor.close()


def _prepare_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    # The driver must not begin transactions by itself: it does so late, and not before DDL.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer that begins by reading could not wait for another one, only fail.
    writing = connection.get_execution_options().get("tradepit_writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _check_ours(connection: Connection, shown: str) -> None:
    """Raises RecordError for a database that holds something, but not a ladder's record."""
    tables = set(inspect(connection).get_table_names())
    if tables and not tables >= {*METADATA.tables, "alembic_version"}:
        raise RecordError(
            f"database {shown} is refused: it holds other tables "
            f"({', '.join(sorted(tables)[:_TABLES_NAMED])}) and is no ladder's"
        )


def _check_up_to_date(connection: Connection, shown: str) -> None:
    revision = MigrationContext.configure(connection).get_current_revision()
    with _migrations() as config:
        script = ScriptDirectory.from_config(config)
        if revision is not None:
            script.get_revision(revision)  # raises CommandError for one that is newer
        if revision != script.get_current_head():
            raise RecordError(
                f"database {shown} is "
                f"{'empty' if revision is None else 'older than this tradepit'}; "
                "a command that writes to it, like 'tradepit bot add', prepares it"
            )


def _migrate(connection: Connection) -> None:
    with _migrations() as config:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextmanager
def _migrations() -> Iterator[Config]:
    with as_file(files("tradepit_ladder") / "migrations") as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        yield config
