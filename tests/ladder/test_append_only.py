"""What the database itself refuses, even to somebody who speaks to it past the program."""

from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest
from raw_database import raw
from recording import begin, finish
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from tradepit_ladder import leases, store
from tradepit_ladder.database import Database
from tradepit_ladder.owners import Owner


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a record with three blocks: one complete, one void, one that is leased for the second time."""
    with ExitStack() as opened:
        url = f"sqlite:///{tmp_path_factory.mktemp('record') / 'ladder.db'}"
        if request.param == "postgresql":
            url = opened.enter_context(request.getfixturevalue("postgresql").database(prepared=True))
        with closing(Database(url)) as database, database.writing() as session:
            play(session)
        yield url


def play(session: Session) -> None:
    cup = begin(session, "cup", 3)
    finish(session, cup, 0)
    void, left = leases.take(session, store.key(cup), Owner("here"), 0.0, 10.0, 2)
    leases.fail(session, void, "cup/1/1", "the roof fell in", final=True)
    leases.release(session, [left])
    leases.take(session, store.key(cup), Owner("there"), 0.0, 10.0, 1)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE seats SET placement = 1",
        "UPDATE seats SET bot_version = 1 WHERE seat = 0",
        "DELETE FROM seats",
        "UPDATE matches SET replay_sha256 = ''",
        "UPDATE matches SET overhead_ns = 0",
        "DELETE FROM matches",
        "UPDATE blocks SET outcome = 'void' WHERE id = 1",
        "UPDATE blocks SET outcome = NULL, public_id = NULL WHERE id = 1",
        "UPDATE blocks SET reason = 'we lost' WHERE id = 2",
        "UPDATE blocks SET entrants = '[]' WHERE id = 2",
        "UPDATE blocks SET game = game WHERE id = 1",
        "DELETE FROM blocks WHERE id = 1",
        "UPDATE attempts SET ended = NULL WHERE block_id = 1",
        "UPDATE attempts SET ended = 'complete' WHERE ended = 'released'",
        "UPDATE attempts SET until = 99 WHERE ended = 'void'",
        "UPDATE attempts SET owner = 'me' WHERE ended IS NULL",
        "UPDATE attempts SET number = 9 WHERE ended IS NULL",
        "DELETE FROM attempts WHERE ended IS NULL",
    ],
)
def test_results_and_attempts_can_neither_be_changed_nor_deleted(url: str, statement: str) -> None:
    with pytest.raises(IntegrityError, match="append-only"), raw(url) as connection:
        connection.execute(statement)


@pytest.mark.parametrize("table", ["seats", "matches", "blocks", "attempts"])
def test_nor_can_a_table_be_emptied_at_once(url: str, table: str) -> None:
    """SQLite has no such command."""
    if url.startswith("postgresql"):
        with pytest.raises(IntegrityError, match="append-only"), raw(url) as connection:
            connection.execute(f"TRUNCATE {table} CASCADE")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE blocks SET number = NULL WHERE id = 1",
        "UPDATE blocks SET attempts = 9 WHERE id = 3",
        "UPDATE attempts SET until = 99 WHERE ended IS NULL",
        "UPDATE attempts SET ended = 'expired' WHERE ended IS NULL",
    ],
)
def test_what_is_no_result_can_be_changed(url: str, statement: str) -> None:
    with raw(url) as connection:
        connection.execute(statement)
        connection.connection.rollback()


BLOCK = (
    "INSERT INTO blocks (id, tournament_id, game, block_index, number, entrants, attempts, public_id, outcome, reason)"
)
MATCH = "INSERT INTO matches (id, block_id, match_index, public_id, replay_sha256)"
SEAT = "INSERT INTO seats (match_id, seat, bot_id, score, placement, termination, faults, bot_version)"
ATTEMPT = "INSERT INTO attempts (id, block_id, number, owner, taken_at, until, ended, reason)"


@pytest.mark.parametrize(
    ("statement", "refused"),
    [
        (f"{MATCH} VALUES (99, 1, 0, 'x', '')", "matches.block_id|uq_matches_block_id"),
        (f"{MATCH} VALUES (99, 1, 9, 'cup/0/1/0', '')", "public_id"),
        (f"{SEAT} VALUES (1, 7, 1, 0, 1, 'completed', 0, 1)", "seats.match_id|uq_seats_match_id"),
        (f"{SEAT} VALUES (1, 7, 9, 0, 1, 'completed', 0, 1)", "FOREIGN KEY|bot_versions"),
        (f"{BLOCK} VALUES (99, 1, 'toy', 0, NULL, '[]', 0, NULL, NULL, '')", "block_index|uq_blocks_tournament_id"),
        (f"{BLOCK} VALUES (99, 1, 'toy', 9, 1, '[]', 0, NULL, NULL, '')", "number|uq_blocks_game"),
        (f"{BLOCK} VALUES (99, 1, 'toy', 9, NULL, '[]', 0, 'cup/0/1', 'void', '')", "public_id"),
        (f"{BLOCK} VALUES (99, 1, 'toy', 9, NULL, '[]', 0, 'x', 'drawn', '')", "ck_blocks_outcome"),
        (f"{BLOCK} VALUES (99, 1, 'toy', 9, NULL, '[]', 0, NULL, 'void', '')", "ck_blocks_recorded"),
        (f"{BLOCK} VALUES (99, 9, 'toy', 9, NULL, '[]', 0, NULL, NULL, '')", "FOREIGN KEY|fk_blocks_tournament_id"),
        (f"{BLOCK} VALUES (99, 1, 'other', 9, NULL, '[]', 0, NULL, NULL, '')", "FOREIGN KEY|fk_blocks_tournament_id"),
        (f"{ATTEMPT} VALUES (99, 3, 9, 'me', 0, 9, NULL, '')", "attempts.block_id|ix_attempts_open"),
        (f"{ATTEMPT} VALUES (99, 3, 1, 'me', 0, 9, 'void', '')", "number|uq_attempts_block_id"),
        (f"{ATTEMPT} VALUES (99, 3, 9, 'me', 0, 9, 'lost', '')", "ck_attempts_ended"),
    ],
)
def test_a_second_result_or_one_without_sense_cannot_be_inserted(url: str, statement: str, refused: str) -> None:
    with pytest.raises(IntegrityError, match=refused), raw(url) as connection:
        connection.execute(statement)
