"""A line for the log about a block that is over."""

from collections.abc import Sequence

from tradepit.v1 import block_pb2
from tradepit_server.referee.timing import BUCKETS

_SHORTEST_MS = 0.1
"""What the overhead's first bucket holds at most; each of the others holds up to twice as much."""

_SHARE = 0.99


def describe(result: block_pb2.BlockResult) -> str:
    """What came of it, and of a complete one what the referee itself took: how organisers know which clocks suit."""
    if result.outcome != block_pb2.BLOCK_OUTCOME_COMPLETE:
        return f"block {result.block_id}: void: {result.reason}"
    late = sum(sum(timing.late_answers) for timing in result.timings)
    said = [f"block {result.block_id}: complete, {_count(len(result.replays), 'match', 'matches')}"]
    said.append(_overhead(result.timings))
    if late:
        said.append(_count(late, "late answer", "late answers"))
    return "; ".join(said)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _overhead(timings: Sequence[block_pb2.MatchTiming]) -> str:
    requests = sum(timing.requests for timing in timings)
    if not requests:
        return "no request followed an answer"
    mean = sum(timing.overhead_total.ToNanoseconds() for timing in timings) / requests / 1e6
    longest = max(timing.overhead_longest.ToNanoseconds() for timing in timings) / 1e6
    buckets = [sum(numbers) for numbers in zip(*(timing.overhead_buckets for timing in timings), strict=True)]
    return f"from answer to next request: mean {mean:.1f} ms, {_percentile(buckets)}, longest {longest:.1f} ms"


def _percentile(buckets: Sequence[int]) -> str:
    """Within which time most left, as the bound of their bucket."""
    bucket, seen = 0, buckets[0]
    while seen < _SHARE * sum(buckets):
        bucket += 1
        seen += buckets[bucket]
    longest = bucket == BUCKETS - 1
    bound = _SHORTEST_MS * 2 ** (bucket - longest)
    return f"{_SHARE:.0%} {'more than' if longest else 'within'} {bound:g} ms"
