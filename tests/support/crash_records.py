"""The databases of disturbed runs: made, read from outside, removed."""

import atexit
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

import psycopg
from databases import Server
from sqlalchemy import create_engine, inspect, text

Rows = Counter[tuple[object, ...]]
"""Each with how often it is there."""

RESULTS = {
    "blocks": "SELECT id, tournament_id, block_index, public_id, outcome, reason FROM blocks WHERE outcome IS NOT NULL",
    "matches": "SELECT * FROM matches",
    "seats": "SELECT * FROM seats",
    "attempts": "SELECT * FROM attempts WHERE ended IS NOT NULL",
    "rating_steps": "SELECT * FROM rating_steps",
}
"""What may only grow, by table."""

_PLACES = """
SELECT m.public_id, s.seat, b.name, s.score, s.placement, s.termination, s.faults
FROM seats s JOIN matches m ON m.id = s.match_id JOIN bots b ON b.id = s.bot_id
"""


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a database of the run's own, in *folder* if it is a file."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'ladder.db'}"
    else:
        with _beginning:
            server = _server()
        with server.database(prepared=False) as url:
            yield url


_beginning = Lock()
"""Runs at the same time share a server."""


@cache
def _server() -> Server:
    server = Server("crash")
    atexit.register(server.close)
    return server


def is_reachable() -> bool:
    """The PostgreSQL server answers."""
    try:
        _server()
    except psycopg.OperationalError:
        return False
    return True


def _with_driver(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://")


def results(url: str) -> dict[str, Rows]:
    """What the record at *url* holds for good, by table; nothing where there is none yet."""
    return read(url, RESULTS)


def places(url: str) -> Rows:
    """What came of each seat of each match, without the keys of rows."""
    return read(url, {"seats": _PLACES})["seats"]


def read(url: str, queries: dict[str, str]) -> dict[str, Rows]:
    """The rows of *queries*, by table, of tables that there are. A file is left as it was found, not even opened."""
    with TemporaryDirectory() as folder:
        engine = create_engine(_with_driver(_copy(url, Path(folder))))
        with engine.connect() as connection:
            known = set(inspect(connection).get_table_names())
            rows = {
                table: Counter(tuple(map(_plain, row)) for row in connection.execute(text(query)))
                for table, query in queries.items()
                if table in known
            }
        engine.dispose()
    return {table: rows.get(table, Counter()) for table in queries}


def _copy(url: str, folder: Path) -> str:
    path = Path(url.removeprefix("sqlite:///"))
    if path == Path(url):
        return url
    for part in (path, *(path.with_name(f"{path.name}-{log}") for log in ("wal", "journal"))):
        if part.exists():
            shutil.copy(part, folder / part.name)
    return f"sqlite:///{folder / path.name}"


def _plain(value: object) -> object:
    return repr(value) if isinstance(value, (dict, list)) else value
