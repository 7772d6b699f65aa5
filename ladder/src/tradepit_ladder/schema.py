"""The revisions of the record's tables: which one a database has, and how it gets to another.

A database that holds nothing is prepared by the first command that writes to it. One of an older revision is refused
by every command until ``tradepit db upgrade``; one of a newer revision always.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file, files

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect

from tradepit_ladder.client import RecordError

_TABLES_NAMED = 3
"""So many of a database's tables tell that it is another program's."""

_FIRST_TABLES = {"alembic_version", "bots", "tournaments", "blocks", "matches", "seats"}
"""Those that the record has had from the first revision on."""


def head() -> str:
    """The revision of this program."""
    return revisions()[-1]


@cache
def revisions() -> Sequence[str]:
    """The revisions that this program knows, oldest first."""
    with _configuration() as config:
        steps = ScriptDirectory.from_config(config).walk_revisions()
        return tuple(step.revision for step in steps)[::-1]


def revision_of(connection: Connection, shown: str) -> str | None:
    """The revision of a record; None where there are no tables at all.

    Raises RecordError, naming the database as *shown*, for one that holds something else.
    """
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if not tables >= _FIRST_TABLES:
        raise RecordError(
            f"database {shown} is refused: it holds other tables "
            f"({', '.join(sorted(tables)[:_TABLES_NAMED])}) and is no ladder's"
        )
    return MigrationContext.configure(connection).get_current_revision()


def check_not_newer(revision: str, what: str) -> None:
    """Raises RecordError for a *revision* that this program does not know; *what* has it."""
    if revision not in revisions():
        raise RecordError(
            f"{what} has schema {revision!r}, of a newer version of tradepit; this one knows schemas up to {head()!r}"
        )


def check_current(revision: str, shown: str) -> None:
    """Raises RecordError unless *revision* is this program's."""
    check_not_newer(revision, f"database {shown}")
    if revision != head():
        raise RecordError(
            f"database {shown} has schema {revision!r}, older than this tradepit's {head()!r}; "
            "to bring it up to date: tradepit db upgrade (a copy first: tradepit db backup FILE)"
        )


def tables(revision: str) -> set[str]:
    """The names of the record's tables at *revision*."""
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        migrate(connection, revision)
        names = set(inspect(connection).get_table_names())
    engine.dispose()
    return names - {"alembic_version"}


def migrate(connection: Connection, revision: str = "head") -> None:
    """Make the steps up to *revision*, in the transaction of *connection*."""
    with _configuration() as config:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


@contextmanager
def _configuration() -> Iterator[Config]:
    with as_file(files("tradepit_ladder") / "migrations") as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        yield config
