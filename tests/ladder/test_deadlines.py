"""How long a shard may take."""

from datetime import timedelta

from tradepit.v1 import block_pb2
from tradepit_ladder.deadlines import deadline_seconds


def clocks(**seconds: float) -> block_pb2.BlockSpecification:
    control = block_pb2.TimeControl()
    for field, value in seconds.items():
        getattr(control, field).FromTimedelta(timedelta(seconds=value))
    return block_pb2.BlockSpecification(entrants=[block_pb2.Entrant()] * 3, time_control=control)


def test_the_deadline_allows_for_every_clock_one_after_another() -> None:
    block = clocks(startup=10, bank=60, increment=0.1, decision=2)
    assert deadline_seconds([block, block]) == 60 + 2 * (10 + 9 * (60 + 200 * 0.1))
    assert deadline_seconds([clocks(startup=10, decision=0.1)]) == 60 + 10 + 9 * 200 * 0.1
    assert deadline_seconds([clocks(startup=10, bank=1e9)]) == 7 * 24 * 3600


def test_without_limits_there_is_no_deadline() -> None:
    assert deadline_seconds([clocks()]) is None
    assert deadline_seconds([clocks(startup=10)]) is None
    assert deadline_seconds([clocks(decision=1)]) is None
