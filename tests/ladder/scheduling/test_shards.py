"""Which blocks are handed out together."""

import pytest

from tradepit_ladder.scheduling.round_robin import ScheduledBlock, round_robin
from tradepit_ladder.scheduling.shards import FIRST_BLOCKS, MAX_BLOCKS, MAX_BOTS, SECONDS, Pace, Suspicion, shards


def most(_: ScheduledBlock) -> int:
    """None has ever failed."""
    return MAX_BLOCKS


def test_shards_keep_the_order_and_lose_nothing() -> None:
    schedule = round_robin(30, 3, 1)
    assert [block for shard in shards(schedule, most) for block in shard] == schedule


def test_a_shard_has_a_bounded_number_of_blocks_and_of_processes() -> None:
    cut = list(shards(round_robin(30, 3, 1), most))
    assert max(len(shard) for shard in cut) <= MAX_BLOCKS
    assert max(len({bot for block in shard for bot in block.entrants}) for shard in cut) <= MAX_BOTS
    assert [len(shard) for shard in shards(round_robin(2, 2, 40), most)] == [16, 16, 8]


def test_a_table_of_more_bots_than_a_shard_should_have_is_a_shard_of_its_own() -> None:
    large = [ScheduledBlock(index, tuple(range(MAX_BOTS + 1))) for index in range(2)]
    assert list(shards(large, most)) == [large[:1], large[1:]]


@pytest.mark.parametrize(
    ("limits", "sizes"),
    [
        ({}, [12]),
        ({0: 1}, [1, 11]),
        ({3: 1}, [3, 1, 8]),
        ({3: 4}, [4, 8]),
        ({4: 2, 5: 2}, [4, 2, 6]),
        (dict.fromkeys(range(12), 3), [3, 3, 3, 3]),
    ],
)
def test_no_block_is_with_more_than_it_may_be(limits: dict[int, int], sizes: list[int]) -> None:
    cut = shards(round_robin(2, 2, 12), lambda block: limits.get(block.index, MAX_BLOCKS))
    assert [len(shard) for shard in cut] == sizes


def test_the_shards_of_blocks_that_were_lost_are_halved_until_each_is_alone_in_its_own() -> None:
    suspicion = Suspicion()
    for size, half in ((16, 8), (8, 4), (5, 2), (2, 1), (1, 1)):
        suspicion.lost(range(size), suspect=True)
        assert {suspicion.most(block) for block in range(size)} == {half}
    assert suspicion.most(99) == MAX_BLOCKS
    assert not suspicion.alone(0)


def test_one_that_was_lost_alone_in_its_shard_but_not_alone_is_to_be_alone() -> None:
    suspicion = Suspicion()
    suspicion.lost([7], suspect=False)
    suspicion.lost([8, 9], suspect=False)
    assert [suspicion.alone(block) for block in (7, 8, 9)] == [True, False, False]


def test_one_that_has_failed_is_in_a_shard_of_its_own() -> None:
    suspicion = Suspicion()
    suspicion.failed(7)
    assert (suspicion.most(7), suspicion.alone(7)) == (1, False)


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
    pace, cut, left = Pace(), list[int](), 40
    while left:
        cut.append(min(left, pace.blocks))
        left -= cut[-1]
        pace.took(cut[-1], cut[-1] * seconds_a_block)
    assert cut[: len(sizes)] == sizes


def test_a_pace_never_leaves_its_bounds() -> None:
    pace = Pace()
    pace.took(1, 3 * SECONDS)
    assert (FIRST_BLOCKS, pace.blocks) == (2, 1)
    pace.took(MAX_BLOCKS, 0)
    assert pace.blocks == MAX_BLOCKS
