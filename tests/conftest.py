"""What every test may use."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

import pytest

if TYPE_CHECKING:
    from databases import Server

T = TypeVar("T")

for _number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    # Ignored, as under nohup or in the background of a shell, they stay so here, but not in what the tests start.
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, lambda *_: None)


class Require(Protocol):
    """``path = require(shutil.which("setpriv"), "setpriv, from util-linux")``."""

    def __call__(self, part: T | None, install: str) -> T:
        """Return *part*, unless it is missing: then the test is skipped, naming what to *install*."""


def _require(part: T | None, install: str) -> T:
    if part:
        return part
    reason = f"needs {install}"
    if os.environ.get("TRADEPIT_REQUIRE") == "all":
        pytest.fail(f"{reason}, and TRADEPIT_REQUIRE=all lets no test be skipped for that")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def require() -> Require:
    """Returns a part of the system that the test needs; a machine without it skips the test.

    With TRADEPIT_REQUIRE=all in the environment, as .ci/run sets it, the test fails instead.
    """
    return _require


@pytest.fixture(scope="session")
def postgresql(require: Require) -> "Iterator[Server]":
    """A PostgreSQL server."""
    import psycopg
    from databases import INSTALL, Server  # here, since most tests need no database

    try:
        server = Server()
    except psycopg.OperationalError:
        server = require(None, INSTALL)
    yield server
    server.close()


@pytest.fixture(scope="session")
def prepared_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with the record's tables, to be copied: that is quicker than to make them."""
    from tradepit_ladder.database import Database

    path = tmp_path_factory.mktemp("prepared") / "ladder.db"
    Database(f"sqlite:///{path}").close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def backend(request: pytest.FixtureRequest) -> str:
    """Of the record's database: a test that uses it runs once for each."""
    return str(request.param)


@pytest.fixture
def new_database(backend: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[..., str]]:
    """Returns the URL of a new database, empty unless it is to be *prepared*; each *name* is another one."""
    urls: dict[str, str] = {}
    with ExitStack() as opened:

        def new_database(name: str = "ladder", *, prepared: bool = False) -> str:
            if name in urls:
                return urls[name]
            if backend == "sqlite":
                path = tmp_path / f"{name}.db"
                urls[name] = f"sqlite:///{path}"
                if prepared:
                    shutil.copy(request.getfixturevalue("prepared_sqlite"), path)
            else:
                server: Server = request.getfixturevalue("postgresql")
                urls[name] = opened.enter_context(server.database(prepared=prepared))
            return urls[name]

        yield new_database


@pytest.fixture
def database_url(new_database: Callable[..., str]) -> str:
    """Of a record without rows."""
    return new_database(prepared=True)
