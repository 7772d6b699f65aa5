"""Connections to the two kinds of database, SQLite and PostgreSQL, made alike."""

import os
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from tradepit_ladder.client import LadderError

QUIET_SECONDS = 2
"""How long a transaction waits for another program's before that is said."""

_WRITING = "tradepit_writing"
"""The execution option of a connection that writes."""

_LOCK = int.from_bytes(b"tradepit")
"""The advisory lock of PostgreSQL that whoever writes holds."""

_POSTGRESQL_DRIVER = "postgresql+psycopg"

# A line that is dead without a word is noticed within a minute.
_POSTGRESQL_ARGUMENTS = {
    "connect_timeout": 10,
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 50_000,
}


def parse(url: str) -> URL:
    """*url*, with the driver that this program uses. Raises LadderError."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # ValueError: of its port
        # Not quoted: what cannot be parsed may still hold a password.
        raise LadderError(
            "the database is not given by a URL such as sqlite:////home/me/ladder.db or postgresql://host/name"
        ) from None
    kind = parsed.get_backend_name()
    if kind not in ("sqlite", "postgresql", "postgres"):
        raise LadderError(f"the database is of a kind {kind!r}; it can be sqlite:///FILE or postgresql://HOST/NAME")
    return parsed if kind == "sqlite" else parsed.set(drivername=_POSTGRESQL_DRIVER)


def shown(url: URL) -> str:
    """*url* for messages."""
    # Without the query, which may hold a password too.
    plain = url.set(drivername=url.get_backend_name(), query={})
    return plain.render_as_string(hide_password=True)


def make_engine(url: URL, read_only: bool) -> Engine:
    """For connections to the database at *url*."""
    if url.get_backend_name() == "postgresql":
        return _postgresql_engine(url)
    engine = create_engine(_existing(url) if read_only else url, connect_args={"timeout": QUIET_SECONDS})
    if read_only:
        event.listen(engine, "connect", _forbid_writing)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _postgresql_engine(url: URL) -> Engine:
    arguments = {name: value for name, value in _POSTGRESQL_ARGUMENTS.items() if name not in url.query}
    engine = create_engine(url, connect_args=arguments, pool_pre_ping=True)
    event.listen(engine, "begin", _begin_postgresql)
    return engine


def for_reading(engine: Engine) -> Engine:
    """*engine* for transactions that see one state."""
    if engine.dialect.name == "sqlite":
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def for_writing(engine: Engine, read_only: bool) -> Engine:
    """*engine* for transactions that exclude one another; *read_only*: they fail when they write."""
    writing = engine.execution_options(**{_WRITING: True})
    if engine.dialect.name == "sqlite":
        return writing
    # Not with one state of the record: that would be the one from before the lock was waited for.
    return writing.execution_options(isolation_level="READ COMMITTED", postgresql_readonly=read_only)


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
    # With the write-ahead log, anything less may lose the last transactions when the power fails: results that were
    # told to people, and ratings that were shown, would change afterwards. It costs one wait for the disk a block.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer that begins by reading could not wait for another one, only fail.
    writing = connection.get_execution_options().get(_WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _begin_postgresql(connection: Connection) -> None:
    # One writer at a time, as on SQLite: what a transaction has read is still so when it is stored.
    if connection.get_execution_options().get(_WRITING, False):
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{QUIET_SECONDS}s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
