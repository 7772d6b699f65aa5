"""Databases for benchmarks of the ladder."""

import atexit
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from engine import PeerMissing

from tradepit_ladder.database import Database

sys.path.append(str(Path(__file__).parents[1] / "support"))

import databases
import psycopg

_opened = ExitStack()
atexit.register(_opened.close)

New = Callable[[], Database]
"""Makes a new database with the record's tables and no rows, which lasts as long as the program."""


def sqlite() -> Database:
    """A file of its own."""
    folder = _opened.enter_context(TemporaryDirectory(prefix="tradepit-bench-"))
    return _until_the_end(f"sqlite:///{folder}/ladder.db")


def postgresql() -> Database:
    """A database of its own on the server that the tests use. Raises PeerMissing where there is none."""
    return _until_the_end(_opened.enter_context(_server().database(prepared=True)))


def _until_the_end(url: str) -> Database:
    database = Database(url)
    _opened.callback(database.close)
    return database


@cache
def _server() -> databases.Server:
    try:
        server = databases.Server()
    except psycopg.OperationalError as error:
        raise PeerMissing(databases.INSTALL) from error
    _opened.callback(server.close)
    return server
