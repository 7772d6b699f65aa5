"""How long a shard may take before it is given up. Pure."""

from collections.abc import Sequence

from google.protobuf.duration_pb2 import Duration

from tradepit.v1 import block_pb2

DECISIONS = 200
"""More decisions than one seat takes in one match of any game here; only to set the worker's deadline."""

GRACE_SECONDS = 60
"""What a worker may take beyond all clocks: to start bots, and to notice that its deadline has passed."""

_LONGEST_SECONDS = 7 * 24 * 3600
"""No deadline is further away than a week."""


def deadline_seconds(blocks: Sequence[block_pb2.BlockSpecification]) -> int | None:
    """Longer than *blocks* can take, one after another, if every clock is used up; None if a clock has no limit."""
    total = 0.0
    for block in blocks:
        seat = _seat_seconds(block.time_control)
        if seat is None or not block.time_control.HasField("startup"):
            return None
        seats = len(block.entrants)
        total += _seconds(block.time_control.startup) + seats * seats * seat
    return min(GRACE_SECONDS + int(total), _LONGEST_SECONDS)


def _seat_seconds(control: block_pb2.TimeControl) -> float | None:
    """The most that one seat can take for a match."""
    limits = []
    if control.HasField("bank"):
        limits.append(_seconds(control.bank) + DECISIONS * _seconds(control.increment))
    if control.HasField("decision"):
        limits.append(DECISIONS * _seconds(control.decision))
    return min(limits, default=None)


def _seconds(duration: Duration) -> float:
    return duration.seconds + duration.nanos / 1e9
