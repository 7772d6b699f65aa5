"""Leaderboards and histories from stored ratings."""

from functools import partial
from random import Random

import pytest
from bulk_record import Sat, add_bots, add_results, name, random_matches
from query_plans import scans
from rating_tables import board
from sqlalchemy import text

from tradepit_ladder import folding, leaderboards
from tradepit_ladder.client import LadderError
from tradepit_ladder.database import Database
from tradepit_ladder.rating_reports import RatingHistory
from tradepit_ladder.ratings import Fold, Place

BOTS = 12
MATCHES = list(random_matches(Random(4), 90, BOTS, (2, 3, 4), ties=0.2))


@pytest.fixture
def record(database: Database) -> Database:
    """A record with results, of which the first 60 are stored in the ratings."""
    add_bots(database, BOTS + 130, versions=2)
    add_results(database, MATCHES[:60])
    folding.advance(database, "toy")
    add_results(database, MATCHES[60:])
    return database


def history(database: Database, bot: str, game: str = "toy") -> RatingHistory:
    return database.read(partial(leaderboards.history, game=game, bot=bot))


def test_pages_make_the_whole_table(record: Database) -> None:
    whole = board(record)
    assert whole.bots == len(whole.standings) == BOTS
    for size in (1, 3, 5):
        pages = [board(record, limit=size, skip=skip) for skip in range(0, BOTS, size)]
        assert tuple(row for page in pages for row in page.standings) == whole.standings
        assert {page.bots for page in pages} == {BOTS}
    assert board(record, skip=BOTS).standings == ()


def test_a_page_is_right_though_many_have_fallen_since_they_were_stored(record: Database) -> None:
    """Those who follow must not be missed in the places of those who fell."""
    folding.advance(record, "toy")
    top = [row.bot for row in board(record, limit=4).standings]
    losers = [bot for bot in range(1, BOTS + 1) if name(bot) in top]
    new = range(BOTS + 2, BOTS + 2 + 30 * len(losers))
    add_results(record, [[Sat(winner, 1), Sat(loser, 2)] for winner, loser in zip(new, losers * 30, strict=True)])
    whole = board(record)
    assert len({*top} & {row.bot for row in whole.standings[:4]}) < 2
    assert board(record, limit=4).standings == whole.standings[:4]


def test_the_pairs_are_those_of_the_bots_that_are_shown(record: Database) -> None:
    whole, page = board(record), board(record, limit=4, skip=2)
    bots = [row.bot for row in page.standings]
    assert page.pairs == tuple(pair for pair in whole.pairs if pair.bot in bots and pair.other in bots)
    assert page.pairs


def test_a_page_of_a_tie_shares_the_rank_of_those_before_it(database: Database) -> None:
    add_bots(database, 4)
    add_results(database, [[Sat(1, 1), Sat(2, 2)], [Sat(3, 1), Sat(4, 2)]])
    for _ in range(2):
        ranks = [(row.rank, row.bot) for row in board(database).standings]
        assert ranks == [(1, name(1)), (1, name(3)), (3, name(2)), (3, name(4))]
        assert [row.rank for row in board(database, skip=1).standings] == [1, 3, 3]
        folding.advance(database, "toy")


def test_the_last_of_a_page_is_compared_with_the_next(record: Database) -> None:
    whole = board(record).standings
    assert [board(record, limit=1, skip=skip).standings[0].separable for skip in range(BOTS)] == [
        row.separable for row in whole
    ]
    assert whole[-1].separable is None


def test_a_history_is_every_step_of_the_fold(record: Database) -> None:
    fold, steps = Fold(), []
    for match in MATCHES:
        after = fold.add([Place(sat.placement, name(sat.bot), sat.version) for sat in match])
        steps += [(sat.placement, *after[name(1)]) for sat in match if sat.bot == 1]
    for _ in range(2):
        points = history(record, name(1)).points
        assert [(point.placement, point.mu, point.sigma) for point in points] == steps
        folding.advance(record, "toy")


def test_a_history_names_matches_and_versions(database: Database) -> None:
    add_bots(database, 2, versions=2)
    add_results(database, [[Sat(1, 1, version), Sat(2, 2)] for version in (1, 1, 2)], per_block=2)
    for _ in range(2):
        points = history(database, name(1)).points
        assert [(point.match_id, point.version) for point in points] == [
            ("bulk-toy-0/1/0", 1),
            ("bulk-toy-0/1/1", 1),
            ("bulk-toy-0/2/0", 2),
        ]
        assert [point.match_id for point in history(database, name(2)).points] == [point.match_id for point in points]
        folding.advance(database, "toy")


def test_a_bot_that_has_not_played_has_an_empty_history(record: Database) -> None:
    assert history(record, name(BOTS + 1)).points == ()
    assert history(record, name(1), "go").points == ()


def test_a_name_that_nobody_has_is_told_with_those_that_are_near(record: Database) -> None:
    with pytest.raises(LadderError, match=r"there is no bot 'bot-0000'; near: bot-\d+, bot-\d+, bot-\d+$"):
        history(record, "bot-0000")
    with pytest.raises(LadderError, match=r"there is no bot 'zzz'; those that play are in: tradepit ratings$"):
        history(record, "zzz")


def test_no_table_is_looked_through(record: Database) -> None:
    """The benchmark shows the same of many rows, where PostgreSQL decides by itself."""
    shown = partial(leaderboards.of_game, game="toy", limit=5, skip=2)
    assert scans(record, shown, if_it_can_help_it=True) == []
    assert scans(record, partial(leaderboards.history, game="toy", bot=name(1)), if_it_can_help_it=True) == []


def test_looking_through_a_table_is_seen(record: Database) -> None:
    ask = text("SELECT count(*) FROM seats WHERE placement = 2")
    assert len(scans(record, lambda session: session.connection().execute(ask).all(), if_it_can_help_it=True)) == 1
