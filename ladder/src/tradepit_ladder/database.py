"""Opening the record's database and speaking to it in transactions."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, ProgrammingError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session

from tradepit_ladder.client import LadderError, RecordError

_BUSY_SECONDS = 30
"""How long a transaction waits for another program's on the same SQLite file."""


class Database:
    """The record's database, brought up to date when it is opened. Raises LadderError, as all its methods do."""

    def __init__(self, url: str) -> None:
        parsed = _parse(url)
        with _one_line(parsed):
            self._engine = _engine(parsed)
            self._writing_engine = self._engine.execution_options(tradepit_writing=True)
            try:
                with self._writing_engine.begin() as connection:
                    _migrate(connection)
            except BaseException:
                self.close()
                raise

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the record."""
        with _one_line(self._engine.url), Session(self._engine) as session, session.begin():
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose changes are stored together when the context ends without an error, or not at all."""
        with _one_line(self._engine.url), Session(self._writing_engine) as session, session.begin():
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
    shown = url.render_as_string(hide_password=True)
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


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url)
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    # The driver must not begin transactions by itself: it does so late, and not before DDL.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer that begins by reading could not wait for another one, only fail.
    writing = connection.get_execution_options().get("tradepit_writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _migrate(connection: Connection) -> None:
    with as_file(files("tradepit_ladder") / "migrations") as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
