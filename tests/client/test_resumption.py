"""What follows the end of a stream, and how long a bot waits before it tries again."""

import random

import grpc
import pytest

from tradepit.resumption import Next, Retries, after


def pauses(window: float, chance: float) -> list[float]:
    """All waits of a bot that tries again and again in vain, which takes no time."""
    now, waited = 100.0, []
    retries = Retries(now, window, lambda: chance)
    while retries.left(now) > 1e-9:
        waited.append(retries.pause(now))
        now += waited[-1]
    return [round(seconds, 6) for seconds in waited]


def test_waits_double_from_a_tenth_of_a_second_to_one_second() -> None:
    assert pauses(5, chance=1) == [0.2, 0.4, 0.8, 1, 1, 1, 0.6]


def test_waits_are_spread_down_to_a_tenth_of_a_second() -> None:
    assert pauses(0.35, chance=0) == [0.1, 0.1, 0.1, 0.05]
    assert pauses(1.5, chance=0.5) == [0.15, 0.25, 0.45, 0.55, 0.1]


def test_the_authors_chance_is_left_alone() -> None:
    random.seed(1)
    before = random.getstate()
    Retries(0, 10).pause(0)
    assert random.getstate() == before


def test_without_a_window_there_is_nothing_to_wait_for() -> None:
    retries = Retries(5, 0)
    assert (retries.left(5), retries.pause(5)) == (0, 0)


@pytest.mark.parametrize(
    ("codes", "follows"),
    [
        ("OK", Next.LEAVE),
        ("UNAVAILABLE UNKNOWN CANCELLED INTERNAL DEADLINE_EXCEEDED", Next.RESUME),
        ("NOT_FOUND", Next.BEGIN_ANEW),
        ("ABORTED RESOURCE_EXHAUSTED INVALID_ARGUMENT FAILED_PRECONDITION", Next.GIVE_UP),
        ("UNAUTHENTICATED PERMISSION_DENIED UNIMPLEMENTED", Next.GIVE_UP),
    ],
)
def test_the_status_of_a_stream_says_what_follows(codes: str, follows: Next) -> None:
    assert {after(grpc.StatusCode[code].name) for code in codes.split()} == {follows}
