"""Databases for tests: each its own, on SQLite and on PostgreSQL, gone afterwards.

The PostgreSQL server is the one that TRADEPIT_TEST_POSTGRESQL names, whose user may create databases.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.sql import SQL, Identifier

from tradepit_ladder.database import Database

SERVER = os.environ.get("TRADEPIT_TEST_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432/test")
"""The address of a database on it, to begin with."""

INSTALL = (
    "a PostgreSQL server (Debian: postgresql) that answers where TRADEPIT_TEST_POSTGRESQL says, by default "
    "postgresql://postgres@127.0.0.1:5432/test"
)

_KEPT = 20
"""So many databases may wait to be dropped. The server writes all that it has to the disk before it drops one, so dropping
them one by one takes longer than the tests."""

_PREFIX = f"tradepit_test_{os.getpid()}_"


class Server:
    """A PostgreSQL server."""

    def __init__(self) -> None:
        """Raises psycopg.OperationalError where it does not answer."""
        self._connection: psycopg.Connection[Any] = psycopg.connect(SERVER, autocommit=True, connect_timeout=5)
        self._numbers = count(1)
        self._template: str | None = None
        self._done: list[str] = []

    def close(self) -> None:
        self._drop(*self._done, *filter(None, [self._template]))
        self._connection.close()

    @contextmanager
    def database(self, *, empty: bool) -> Iterator[str]:
        """The URL of a new database, *empty* or with the record's tables."""
        name = self._create(None if empty else self._prepared())
        try:
            yield url_of(name)
        finally:
            self._done.append(name)
            if len(self._done) > _KEPT:
                self._drop(*self._done)
                self._done.clear()

    def execute(self, statement: SQL) -> list[tuple[Any, ...]]:
        """What the server answers in the database to begin with."""
        return self._connection.execute(statement).fetchall()

    def _prepared(self) -> str:
        # Copying one is three times as fast as making its tables.
        if self._template is None:
            self._template = self._create(None)
            Database(url_of(self._template)).close()
        return self._template

    def _create(self, template: str | None) -> str:
        name = f"{_PREFIX}{next(self._numbers)}"
        copied = SQL("") if template is None else SQL(" TEMPLATE {}").format(Identifier(template))
        self._connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)) + copied)
        return name

    def _drop(self, *names: str) -> None:
        for name in names:
            self._connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


def url_of(name: str) -> str:
    """The URL of the server's database called *name*."""
    return urlsplit(SERVER)._replace(path=f"/{name}").geturl()
