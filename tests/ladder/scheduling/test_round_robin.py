"""The order of blocks, who sits next to whom, and what is handed out together."""

from collections import Counter
from itertools import permutations

import pytest

from tradepit_ladder.scheduling.round_robin import ScheduledBlock, round_robin
from tradepit_ladder.scheduling.seatings import cyclic_orders
from tradepit_ladder.scheduling.shards import FIRST_BLOCKS, MAX_BLOCKS, MAX_BOTS, SECONDS, Pace, shards


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


def quick() -> Pace:
    """The pace after shards that took no time."""
    pace = Pace()
    pace.took(MAX_BLOCKS, 0)
    return pace


def test_shards_keep_the_order_and_lose_nothing() -> None:
    schedule = round_robin(30, 3, 1)
    assert [block for shard in shards(schedule, quick()) for block in shard] == schedule


def test_a_shard_has_a_bounded_number_of_blocks_and_of_processes() -> None:
    cut = list(shards(round_robin(30, 3, 1), quick()))
    assert max(len(shard) for shard in cut) <= MAX_BLOCKS
    assert max(len({bot for block in shard for bot in block.entrants}) for shard in cut) <= MAX_BOTS
    assert [len(shard) for shard in shards(round_robin(2, 2, 40), quick())] == [16, 16, 8]


def test_a_table_of_more_bots_than_a_shard_should_have_is_a_shard_of_its_own() -> None:
    large = [ScheduledBlock(index, tuple(range(MAX_BOTS + 1))) for index in range(2)]
    assert list(shards(large, quick())) == [large[:1], large[1:]]


@pytest.mark.parametrize(
    ("seconds_a_block", "sizes"),
    [
        (0.1, [2, 8, 16, 14]),
        (1.5, [2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2]),
        (5.5, [2, 1, 1]),
        (60.0, [2, 1, 1]),
    ],
)
def test_shards_grow_while_they_end_quickly_and_shrink_where_they_do_not(
    seconds_a_block: float, sizes: list[int]
) -> None:
    pace, cut = Pace(), []
    for shard in shards(round_robin(2, 2, 40), pace):
        cut.append(len(shard))
        pace.took(len(shard), len(shard) * seconds_a_block)
    assert cut[: len(sizes)] == sizes


def test_a_pace_never_leaves_its_bounds() -> None:
    pace = Pace()
    pace.took(1, 3 * SECONDS)
    assert (FIRST_BLOCKS, pace.blocks) == (2, 1)
    pace.took(MAX_BLOCKS, 0)
    assert pace.blocks == MAX_BLOCKS
