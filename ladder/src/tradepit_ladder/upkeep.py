"""Looking after the record's database: what it holds, and bringing it up to date."""

from dataclasses import dataclass

from sqlalchemy import Connection, text

from tradepit_ladder import schema
from tradepit_ladder.client import RecordError
from tradepit_ladder.database import Database

_COUNTED = {"bot": "bots", "tournament": "tournaments", "block": "blocks", "match": "matches"}
"""What tells how much there is, and the table of it, which every schema has."""


@dataclass(frozen=True, slots=True)
class Status:
    """What a database is and holds."""

    shown: str
    """Its URL, without password."""
    revision: str | None
    """Its schema; None: it holds nothing."""
    counts: dict[str, int]
    """Of bots, tournaments, blocks and matches, by the singular; none where there is no schema."""

    @property
    def is_current(self) -> bool:
        """Its schema is this program's."""
        return self.revision == schema.head()


def status(database: Database) -> Status:
    """What *database* is and holds. Raises RecordError."""
    revision = database.revision()
    if revision is None:
        return Status(database.shown, None, {})
    with database.reading() as session:
        connection = session.connection()
        counts = {
            each: int(connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one())  # noqa: S608  # ours
            for each, table in _COUNTED.items()
        }
    return Status(database.shown, revision, counts)


def upgrade(database: Database) -> tuple[str, str]:
    """Bring the tables of *database* up to date, in one transaction. Returns its schema before and after.

    Raises RecordError, also for a database that is empty, newer, or another program's.
    """

    def step(connection: Connection) -> tuple[str, str]:
        before = schema.revision_of(connection, database.shown)
        if before is None:
            raise RecordError(f"database {database.shown} is empty: there is nothing to upgrade")
        schema.check_not_newer(before, f"database {database.shown}")
        schema.migrate(connection)
        return before, schema.head()

    return database.migrating(step)
