"""Round robins over tables of 2 to 6."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from tradepit_ladder.scheduling.design import Table
from tradepit_ladder.scheduling.tables import MAX_SUBSETS, tables

SIZES = [(bots, size) for size in range(2, 7) for bots in range(size, 41)]
ALL_SETS = [(bots, size) for bots, size in SIZES if size == 2 or comb(bots, size) <= MAX_SUBSETS]
DESIGNS = [case for case in SIZES if case not in ALL_SETS]


def meetings(played: list[Table], bots: int) -> list[int]:
    """How often each two bots met."""
    met = Counter(pair for table in played for pair in combinations(table, 2))
    return [met[pair] for pair in combinations(range(bots), 2)]


def widest_gap(played: list[Table], bots: int) -> int:
    """The most by which the numbers of tables of two bots ever differed."""
    sat = [0] * bots
    widest = 0
    for table in played:
        for bot in table:
            sat[bot] += 1
        widest = max(widest, max(sat) - min(sat))
    return widest


def test_every_set_of_bots_has_one_table_where_that_is_feasible() -> None:
    for bots, size in ALL_SETS:
        assert sorted(tables(bots, size)) == list(combinations(range(bots), size))


def test_in_a_design_every_two_bots_meet_and_about_equally_often() -> None:
    assert DESIGNS
    for bots, size in DESIGNS:
        met = meetings(tables(bots, size), bots)
        assert min(met) >= 1
        assert max(met) - min(met) <= (2 if (bots, size) == (31, 6) else 1)


def test_in_a_design_all_bots_sit_at_equally_many_tables_of_different_bots() -> None:
    for bots, size in DESIGNS:
        played = tables(bots, size)
        sat = Counter(bot for table in played for bot in table)
        assert len({sat[bot] for bot in range(bots)}) == 1
        assert all(len(set(table)) == size for table in played)


def test_cut_short_anywhere_no_bot_is_far_ahead() -> None:
    for bots, size in SIZES:
        assert widest_gap(tables(bots, size), bots) <= (2 if (bots, size) in ALL_SETS else 4)


def test_the_order_is_always_the_same() -> None:
    assert tables(5, 3) == tables(5, 3)
    assert tables(4, 2) == [(0, 1), (2, 3), (1, 2), (0, 3), (0, 2), (1, 3)]


@pytest.mark.parametrize(("bots", "size"), [(12, 6), (14, 3)])
def test_a_design_has_far_fewer_tables_than_there_are_sets(bots: int, size: int) -> None:
    assert len(tables(bots, size)) * 4 < comb(bots, size)
