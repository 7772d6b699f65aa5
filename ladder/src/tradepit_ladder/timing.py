"""Time, as those see it who wait: tests bring a time of their own, in which nothing sleeps."""

import time
from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass


def _wait(calls: Collection[Future[bytes]], seconds: float) -> None:
    if calls:
        wait(calls, seconds, FIRST_COMPLETED)
    else:
        time.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Timing:
    """Clocks, and how to wait."""

    clock: Callable[[], float] = time.monotonic
    """Seconds from anywhere; never goes back."""
    now: Callable[[], float] = time.time
    """Seconds since the epoch, by which programs agree on how long a lease lasts."""
    wait: Callable[[Collection[Future[bytes]], float], None] = _wait
    """Returns when one of these calls has ended, or after so many seconds."""
