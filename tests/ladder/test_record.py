"""What is asked for every block is answered by index, however much has been played."""

from collections.abc import Callable
from random import Random

import pytest
from bulk_record import add_bots, add_results, random_matches
from query_plans import scans
from sqlmodel import Session

from tradepit_ladder import leases, record, store
from tradepit_ladder.database import Database
from tradepit_ladder.owners import Owner

BLOCKS = 1_000


@pytest.fixture
def played(database: Database) -> Database:
    """Two games, of each a tournament that is over but for its last blocks."""
    add_bots(database, 20)
    for game in ("toy", "chess"):
        matches = random_matches(Random(7), 2 * BLOCKS, 20, (2, 3), 0.1)
        add_results(database, matches, game, per_block=2, unfinished=range(BLOCKS - 10, BLOCKS))
    if "postgresql" in database.shown:
        database.write(lambda session: session.connection().exec_driver_sql("ANALYZE"))
    return database


@pytest.mark.parametrize(
    "step",
    [
        lambda session: record.finished_after(session, "toy", BLOCKS // 2, 50),
        lambda session: record.finished_after(session, "toy", BLOCKS, 50),
        lambda session: leases.take(session, 1, Owner("here"), 0.0, 10.0, 0),
        lambda session: leases.held_by_others(session, 1, Owner("here"), 0.0),
        lambda session: store.open_blocks(session, 1),
    ],
    ids=["fold", "fold at the end", "take", "held", "open"],
)
def test_no_table_is_looked_through(played: Database, step: Callable[[Session], object]) -> None:
    # The index of leases that last holds nothing else, so reading all of it is reading none of the others.
    found = [line for line in scans(played, step, if_it_can_help_it=True) if "ix_attempts_open" not in line]
    assert found == []


def test_what_follows_in_one_games_queue_is_read_in_order(played: Database) -> None:
    read = played.read(lambda session: record.finished_after(session, "chess", BLOCKS // 2, 20))
    assert [block.number for block in read] == list(range(BLOCKS // 2 + 1, BLOCKS // 2 + 21))
    keys = [match.key for block in read for match in block.matches]
    assert keys == sorted(keys)
    assert len(keys) == 2 * len(read)
    rest = played.read(lambda session: record.finished_after(session, "chess", BLOCKS // 2, 10_000))
    assert rest[-1].number == BLOCKS - 10
