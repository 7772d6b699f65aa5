"""A record's database as anybody may open it, past the program."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, create_engine, text

from tradepit_ladder.engines import parse


class Raw:
    """A connection; what it changes is stored when it ends."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def execute(self, statement: str, **values: object) -> None:
        self.connection.execute(text(statement), values)

    def rows(self, query: str, **values: object) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self.connection.execute(text(query), values)]

    def insert(self, table: str, **values: object) -> None:
        """A row; lists and dicts as JSON."""
        stored = {name: json.dumps(each) if isinstance(each, list | dict) else each for name, each in values.items()}
        places = ", ".join(f":{name}" for name in stored)
        statement = f"INSERT INTO {table} ({', '.join(stored)}) VALUES ({places})"  # noqa: S608  # names of ours
        self.execute(statement, **stored)


@contextmanager
def raw(url: str) -> Iterator[Raw]:
    """The database at *url*. SQLite checks references only when it is told to, and here it is."""
    engine = create_engine(parse(url))
    try:
        with engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("PRAGMA foreign_keys = ON")
                connection.commit()
            with connection.begin():
                yield Raw(connection)
    finally:
        engine.dispose()
