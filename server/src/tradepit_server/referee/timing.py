"""The referee's own share of the time that a match takes, and the answers that came too late for it."""

from tradepit.v1 import block_pb2

BUCKETS = 16
"""Overheads are counted by length: bucket i holds those of at most 0.1 ms * 2^i, the last one all that are longer."""

_SHORTEST = 100_000


class Timing:
    """What is measured of one match; every duration in nanoseconds."""

    __slots__ = ("_buckets", "_late", "_longest", "_missed", "_total")

    def __init__(self, seats: int) -> None:
        self._total = 0
        self._longest = 0
        self._buckets = [0] * BUCKETS
        self._late = [0] * seats
        self._missed: set[tuple[int, int]] = set()
        """Seat and decision id of the requests that were decided without an answer and may still get one."""

    def measure(self, overhead: int) -> None:
        """A request left so long after the answer that made it due was read; 0 or more."""
        self._total += overhead
        if overhead > self._longest:
            self._longest = overhead
        bucket = ((overhead - 1) // _SHORTEST).bit_length() if overhead else 0
        self._buckets[bucket if bucket < BUCKETS else BUCKETS - 1] += 1

    def miss(self, seat: int, decision_id: int) -> None:
        """A request was decided without an answer of its bot."""
        self._missed.add((seat, decision_id))

    def note_late(self, seat: int, decision_id: int) -> bool:
        """An answer came to a request that is decided. Whether it was missed until now, and so is counted as late."""
        if (seat, decision_id) not in self._missed:
            return False
        self._missed.discard((seat, decision_id))
        self._late[seat] += 1
        return True

    def to_message(self, match_id: str) -> block_pb2.MatchTiming:
        """All of it as a message."""
        timing = block_pb2.MatchTiming(
            match_id=match_id, requests=sum(self._buckets), overhead_buckets=self._buckets, late_answers=self._late
        )
        timing.overhead_total.FromNanoseconds(self._total)
        timing.overhead_longest.FromNanoseconds(self._longest)
        return timing
