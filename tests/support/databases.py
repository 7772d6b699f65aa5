"""Databases for tests: each its own, gone afterwards.

The PostgreSQL server is the one that TRADEPIT_TEST_POSTGRESQL names, whose user may create databases. What a test gets
is a schema of its own in a database of this process: a database takes seconds to drop when the disk is busy.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy import Connection, Engine, event

from tradepit_ladder.database import Database

SERVER = os.environ.get("TRADEPIT_TEST_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432/test")
"""The address of a database on it, to begin with."""

INSTALL = (
    "a PostgreSQL server (Debian: postgresql) that answers where TRADEPIT_TEST_POSTGRESQL says, by default "
    "postgresql://postgres@127.0.0.1:5432/test"
)


class Server:
    """A PostgreSQL server."""

    def __init__(self, purpose: str = "test") -> None:
        """In one process, each has a *purpose* of its own. Raises psycopg.OperationalError where it does not answer."""
        self._name = Identifier(f"tradepit_{purpose}_{os.getpid()}")
        self._url = urlsplit(SERVER)._replace(path=f"/{self._name.as_string()[1:-1]}").geturl()
        self._numbers = count(1)
        self._steps: list[str] = []
        with _connected(SERVER) as connection:
            # One of the same name is of a process that was killed.
            connection.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(self._name))
            connection.execute(SQL("CREATE DATABASE {}").format(self._name))

    def close(self) -> None:
        with _connected(SERVER) as connection:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(self._name))

    @contextmanager
    def database(self, *, prepared: bool) -> Iterator[str]:
        """The URL of a new database: empty, or *prepared* with the record's tables."""
        schema = f"s{next(self._numbers)}"
        url = f"{self._url}?options=-csearch_path%3D{schema}"
        with _connected(url) as connection:
            connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(schema)))
            if prepared and self._steps:
                connection.execute("; ".join(self._steps).encode())
        if prepared and not self._steps:
            self._steps = _steps(url)
        yield url
        with _connected(url) as connection:
            connection.execute("SET client_min_messages = warning")
            connection.execute(SQL("DROP SCHEMA {} CASCADE").format(Identifier(schema)))


@contextmanager
def _connected(url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
        yield connection


def _steps(url: str) -> list[str]:
    """Prepare the empty database at *url*. Returns how that was done, which is quicker than to work it out again."""
    steps: list[str] = []

    def note(_: Connection, cursor: Any, statement: str, values: Any, *__: object) -> None:
        if not statement.lstrip().upper().startswith(("SELECT", "SET", "SHOW")):
            steps.append(psycopg.ClientCursor(cursor.connection).mogrify(statement, values or None))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        Database(url).close()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return steps
