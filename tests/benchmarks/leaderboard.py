"""Leaderboards a second: of a large ladder, and of a small one. What is answered by index takes equally long.

That no table is looked through is checked too, by the database's own plans.
"""

from collections.abc import Callable
from functools import cache, partial
from time import perf_counter

import ladders
from bulk_record import add_bots, name
from query_plans import scans
from sqlalchemy import text
from sqlmodel import Session

from tradepit_ladder import leaderboards
from tradepit_ladder.database import Database

LARGE, SMALL = (10_000, 250_000), (100, 2_500)
"""Bots, and matches of four seats."""

SHOWN = 100
QUESTIONS = 20

_UNSTORED = 4
"""Matches at the end that are not in the stored ratings yet."""

_FEW_ROWS = ("folds: ", "tournaments: ")
"""Tables of which PostgreSQL knows that looking through is quickest."""

_STATEMENTS = """
    INSERT INTO tournaments (id, public_id, name, game, arguments, reproducible, root_seed, edition_toml, state)
    VALUES (1, 't', 't', 'toy', '{}', false, '', '', 'open');

    INSERT INTO blocks (id, tournament_id, game, block_index, number, entrants, attempts, public_id, outcome, reason)
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :matches / 4)
    SELECT i + 1, 1, 'toy', i, i + 1, '[]', 1, 't/' || i, 'complete', '' FROM n;

    INSERT INTO matches (id, block_id, match_index, public_id, replay_sha256)
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :matches)
    SELECT i + 1, i / 4 + 1, i % 4, 't/' || i, '' FROM n;

    INSERT INTO seats (match_id, seat, bot_id, bot_version, score, placement, termination, faults)
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :matches * 4)
    SELECT i / 4 + 1, i % 4, 1 + i % 4 * (:bots / 4) + (i / 4 + i / :bots * (i % 4 * i % 4 * 7 + 3)) % (:bots / 4), 1,
        0, 1 + (i + i / 4) % 4, 'completed', 0
    FROM n;

    INSERT INTO folds (id, game, version, state, measured, draw_probability, on_new_version, through, matches, blocks,
        blocks_reproducible, bots)
    VALUES (1, 'toy', 1, 'current', 0, 0.1, 'widen', :stored / 4, :stored, :stored / 4, 0, :bots);

    INSERT INTO ratings (fold_id, bot_id, bot_version, mu, sigma, conservative, matches, placements, faults)
    SELECT 1, id, 1, 25 + id * 0.001, 1, 22 + id * 0.001, 100, 250, 0 FROM bots;

    INSERT INTO rating_steps (fold_id, bot_id, position, match_id, mu, sigma)
    SELECT 1, bot_id, match_id, match_id, 25, 1 FROM seats WHERE match_id <= :stored;

    INSERT INTO rating_pairs (fold_id, bot_id, other_id, above, below, ties)
    SELECT 1, a.bot_id, b.bot_id, count(*), 0, 0
    FROM seats AS a JOIN seats AS b ON b.match_id = a.match_id AND b.bot_id > a.bot_id
    WHERE a.match_id <= :stored GROUP BY a.bot_id, b.bot_id
"""
"""Four matches a block, four different bots a match."""


def _filled(database: Database, bots: int, matches: int) -> Database:
    add_bots(database, bots)
    numbers = {"bots": bots, "matches": matches, "stored": matches - _UNSTORED}

    def step(session: Session) -> None:
        for statement in _STATEMENTS.split(";"):
            session.connection().execute(text(statement), numbers)
        if session.connection().dialect.name == "postgresql":
            session.connection().execute(text("ANALYZE"))

    database.write(step)
    return database


_show = partial(leaderboards.of_game, game="toy", limit=SHOWN, skip=0)


@cache
def _large(new: ladders.New) -> Database:
    database = _filled(new(), *LARGE)
    for question in (_show, partial(leaderboards.history, game="toy", bot=name(1))):
        looked_through = [line for line in scans(database, question) if not line.startswith(_FEW_ROWS)]
        if looked_through:
            raise AssertionError("\n".join(["not by index:", *looked_through]))
    return database


@cache
def _small(new: ladders.New) -> Database:
    return _filled(new(), *SMALL)


def _per_second(make: Callable[[ladders.New], Database], new: ladders.New) -> float:
    database = make(new)
    begun = perf_counter()
    for _ in range(QUESTIONS):
        board = database.read(_show)
    seconds = perf_counter() - begun
    if len(board.standings) != SHOWN:
        raise AssertionError(f"{len(board.standings)} bots are shown")
    return QUESTIONS / seconds


large_on_sqlite = partial(_per_second, _large, ladders.sqlite)
small_on_sqlite = partial(_per_second, _small, ladders.sqlite)
large_on_postgresql = partial(_per_second, _large, ladders.postgresql)
small_on_postgresql = partial(_per_second, _small, ladders.postgresql)
