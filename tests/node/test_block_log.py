"""What the log says about a block that is over."""

import pytest

from tradepit.v1 import block_pb2
from tradepit_server.service.block_log import describe


def timing(
    buckets: dict[int, int], total: int = 0, longest: int = 0, late: tuple[int, ...] = ()
) -> block_pb2.MatchTiming:
    """*total* and *longest* in microseconds."""
    message = block_pb2.MatchTiming(
        requests=sum(buckets.values()), overhead_buckets=[buckets.get(i, 0) for i in range(16)], late_answers=late
    )
    message.overhead_total.FromMicroseconds(total)
    message.overhead_longest.FromMicroseconds(longest)
    return message


def block(*timings: block_pb2.MatchTiming) -> block_pb2.BlockResult:
    return block_pb2.BlockResult(
        block_id="friday/0",
        outcome=block_pb2.BLOCK_OUTCOME_COMPLETE,
        timings=timings,
        replays=[block_pb2.Replay()] * len(timings),
    )


def test_of_all_matches_together_mean_percentile_and_longest() -> None:
    two = block(timing({0: 98, 3: 1}, 40_000, 700), timing({5: 1}, 10_000, 2_900))
    overhead = "from answer to next request: mean 0.5 ms, 99% within 0.8 ms, longest 2.9 ms"
    assert describe(two) == f"block friday/0: complete, 2 matches; {overhead}"


@pytest.mark.parametrize(("late", "said"), [((0, 0), ""), ((0, 1), "; 1 late answer"), ((2, 1), "; 3 late answers")])
def test_late_answers_are_counted(late: tuple[int, ...], said: str) -> None:
    assert (
        describe(block(timing({}, late=late)))
        == f"block friday/0: complete, 1 match; no request followed an answer{said}"
    )


def test_what_is_longer_than_the_last_bound_is_said_to_be_longer() -> None:
    assert "99% more than 1638.4 ms, longest 2000.0 ms" in describe(block(timing({15: 1}, 2_000_000, 2_000_000)))


def test_a_void_block_has_its_reason() -> None:
    void = block_pb2.BlockResult(block_id="friday/0", outcome=block_pb2.BLOCK_OUTCOME_VOID, reason="nobody came")
    assert describe(void) == "block friday/0: void: nobody came"
