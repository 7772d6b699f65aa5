"""Leaderboards."""

import json
from collections.abc import Callable
from dataclasses import asdict

import pytest

from tradepit_ladder.application import Ladder
from tradepit_ladder.client import LadderClient, Leaderboard, PairCount, TournamentOrder, VoidBlock
from tradepit_ladder.ratings import Place, fold
from tradepit_ladder.record import BlockRecord, Record, SeatRecord
from tradepit_ladder.standings import Rated, leaderboard, ranked

MATCHES = [
    [SeatRecord("ann", 1, 0), SeatRecord("bob", 2, 0), SeatRecord("cid", 3, 2)],
    [SeatRecord("bob", 1, 0), SeatRecord("cid", 1, 1), SeatRecord("ann", 3, 0)],
]


@pytest.fixture
def board() -> Leaderboard:
    return leaderboard("toy", Record([], [], MATCHES))


def test_ratings_are_the_fold_of_the_matches(board: Leaderboard) -> None:
    expected = fold([Place(seat.placement, seat.bot) for seat in match] for match in MATCHES)
    assert {row.bot: (row.mu, row.sigma) for row in board.standings} == expected
    assert all(row.conservative == row.mu - 3 * row.sigma for row in board.standings)


def test_tallies_are_of_each_bot(board: Leaderboard) -> None:
    tallies = {row.bot: (row.matches, row.mean_placement, row.faults) for row in board.standings}
    assert tallies == {"ann": (2, 2.0, 0), "bob": (2, 1.5, 0), "cid": (2, 2.0, 3)}


def test_pairs_say_who_finished_above_whom_and_who_shared(board: Leaderboard) -> None:
    assert set(board.pairs) == {
        PairCount("ann", "bob", above=1, ties=0),
        PairCount("bob", "ann", above=1, ties=0),
        PairCount("ann", "cid", above=1, ties=0),
        PairCount("cid", "ann", above=1, ties=0),
        PairCount("bob", "cid", above=1, ties=1),
        PairCount("cid", "bob", above=0, ties=1),
    }


def test_bots_that_never_met_have_no_pair() -> None:
    apart = [MATCHES[0][:2], [SeatRecord("cid", 1, 0), SeatRecord("dot", 2, 0)]]
    pairs = {(pair.bot, pair.other) for pair in leaderboard("toy", Record([], [], apart)).pairs}
    assert pairs == {("ann", "bob"), ("bob", "ann"), ("cid", "dot"), ("dot", "cid")}


def test_ranks_are_by_conservative_rating_and_equals_share() -> None:
    tied = [[SeatRecord("dot", 1, 0), SeatRecord("cid", 2, 0), SeatRecord("bob", 2, 0)]]
    rows = leaderboard("toy", Record([], [], tied)).standings
    assert [(row.rank, row.bot) for row in rows] == [(1, "dot"), (2, "bob"), (2, "cid")]


def test_one_lucky_match_does_not_lead_the_table() -> None:
    proven = [[SeatRecord("ann", 1, 0), SeatRecord("bob", 2, 0)]] * 8
    lucky = [[SeatRecord("dot", 1, 0), SeatRecord("ann", 2, 0)]]
    rows = leaderboard("toy", Record([], [], proven + lucky)).standings
    assert max(rows, key=lambda row: row.mu).bot == "dot"
    assert [(row.rank, row.bot) for row in rows] == [(1, "ann"), (2, "dot"), (3, "bob")]


def row(bot: str, mu: float, sigma: float) -> Rated:
    return Rated(bot, mu, sigma, mu - 3 * sigma, matches=1, placements=1, faults=0)


def test_a_rank_is_separable_from_the_next_when_two_sigmas_of_each_do_not_meet() -> None:
    rows = ranked([row("ann", 40.0, 1.0), row("bob", 35.9, 1.0), row("cid", 32.0, 1.0), row("dot", 25.0, 3.0)])
    assert [(each.bot, each.separable) for each in rows] == [
        ("ann", True),
        ("bob", False),
        ("cid", False),
        ("dot", None),
    ]


def test_a_bot_that_is_surer_of_less_is_not_separable_from_one_behind_it_that_may_be_better() -> None:
    first, second = ranked([row("sure", 30.0, 0.5), row("new", 36.0, 5.0)])
    assert (first.bot, first.separable, second.rank) == ("sure", False, 2)


def test_a_tournaments_own_table_goes_by_the_default_parameters(board: Leaderboard) -> None:
    assert (board.fold_version, board.draw_probability, board.draw_measured, board.bots) == (0, 0.1, 0, 3)


def test_a_bot_that_was_changed_during_a_tournament_is_uncertain_again() -> None:
    changed = [*MATCHES, [SeatRecord("bob", 1, 0), SeatRecord("ann", 2, 0, version=2)]]
    expected = fold([Place(seat.placement, seat.bot, seat.version) for seat in match] for match in changed)
    rows = leaderboard("toy", Record([], [], changed)).standings
    assert {each.bot: (each.mu, each.sigma) for each in rows} == expected
    assert max(rows, key=lambda each: each.sigma).bot == "ann"


def test_void_and_waiting_blocks_are_visible() -> None:
    blocks = [
        BlockRecord("cup/0/1", "complete", "", reproducible=False),
        BlockRecord("cup/1/3", "void", "the roof fell in", reproducible=False),
        BlockRecord("seed/0", "complete", "", reproducible=True),
        BlockRecord("cup/3/1", "complete", "", reproducible=False),
        BlockRecord("cup/4/3", "void", "again", reproducible=False),
    ]
    board = leaderboard("toy", Record(blocks[:3], blocks[3:], []))
    assert (board.blocks_counted, board.blocks_reproducible, board.blocks_waiting) == (2, 1, 1)
    assert board.void == (VoidBlock("cup/1/3", "the roof fell in"), VoidBlock("cup/4/3", "again"))


def test_what_a_ladder_answers_is_plain_json(ladder: Ladder, make_order: Callable[..., TournamentOrder]) -> None:
    client: LadderClient = ladder
    report = client.run_tournament(make_order(), lambda _: None)
    for answer in (report, client.leaderboard("toy"), client.add_bot("zed", ["x"], "")):
        assert json.loads(json.dumps(asdict(answer)))


def test_a_game_that_nobody_played_has_an_empty_board(ladder: Ladder) -> None:
    assert ladder.leaderboard("go").standings == ()
