"""What the referee took for itself, added up."""

from tradepit_ladder.client import Overhead
from tradepit_ladder.overheads import overhead, percentile_99
from tradepit_ladder.results import PlayedTiming


def test_a_percentile_is_the_bound_of_its_bucket() -> None:
    assert percentile_99([99, 0, 1]) == 0.0001
    assert percentile_99([98, 1, 1, 0]) == 0.0002
    assert percentile_99([98, 0, 2, 0]) == 0.0004
    assert percentile_99([0, 0, 0, 7]) == float("inf")


def test_no_request_is_no_overhead_and_the_longest_bounds_the_percentile() -> None:
    assert overhead([]) is None
    assert overhead([PlayedTiming(0, 0, 0, (0, 0), (0, 0))]) is None
    assert overhead([PlayedTiming(1, 9, 9, (0, 1), (0, 0))]) == Overhead(1, 9e-9, 9e-9, 9e-9)
