"""The referee's own part in the time that matches take, added up. Pure."""

import math
from collections.abc import Iterable, Sequence
from itertools import accumulate, zip_longest

from tradepit_ladder.client import Overhead
from tradepit_ladder.results import PlayedTiming

FIRST_BUCKET_SECONDS = 0.0001
"""Bucket 0 counts what took at most so long, each further one what took at most twice as long as the one before."""


def overhead(timings: Iterable[PlayedTiming]) -> Overhead | None:
    """Over all of *timings*; None: nothing was measured."""
    requests, total_ns, longest_ns, buckets = 0, 0, 0, list[int]()
    for timing in timings:
        requests += timing.requests
        total_ns += timing.overhead_ns
        longest_ns = max(longest_ns, timing.overhead_longest_ns)
        buckets = [one + other for one, other in zip_longest(buckets, timing.overhead_buckets, fillvalue=0)]
    if not requests:
        return None
    longest = longest_ns / 1e9
    return Overhead(requests, total_ns / requests / 1e9, min(percentile_99(buckets), longest), longest)


def percentile_99(buckets: Sequence[int]) -> float:
    """A number of seconds that 99 of 100 took at most, by how many are in each bucket; inf: the last has no bound."""
    needed = 0.99 * sum(buckets)
    index = next((index for index, counted in enumerate(accumulate(buckets)) if counted >= needed), 0)
    return math.inf if index == len(buckets) - 1 else FIRST_BUCKET_SECONDS * 2**index
