"""The order of blocks, and who sits next to whom."""

from collections import Counter
from itertools import permutations

import pytest

from tradepit_ladder.scheduling.round_robin import round_robin
from tradepit_ladder.scheduling.seatings import cyclic_orders


def test_all_tables_play_a_block_before_any_plays_its_next() -> None:
    schedule = round_robin(4, 2, 3)
    assert [block.index for block in schedule] == list(range(18))
    for first in (0, 6, 12):
        assert len({frozenset(block.entrants) for block in schedule[first : first + 6]}) == 6


def test_every_table_plays_as_many_blocks_as_ordered() -> None:
    counts = Counter(frozenset(block.entrants) for block in round_robin(5, 3, 7))
    assert set(counts.values()) == {7}
    assert len(counts) == 10


@pytest.mark.parametrize("size", range(2, 7))
def test_every_bot_acts_directly_after_every_other_about_equally_often(size: int) -> None:
    followed = dict.fromkeys(permutations(range(size), 2), 0)
    for order in cyclic_orders(size, 130):
        for pair in zip(order, order[1:] + order[:1], strict=True):
            followed[pair] += 1
        assert max(followed.values()) - min(followed.values()) <= 2
