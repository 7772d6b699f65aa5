"""Time in which nothing sleeps: it goes on when somebody waits."""

from collections.abc import Callable, Collection
from concurrent.futures import Future

from tradepit_ladder.timing import Timing

MOST_WAITS = 500
"""More are an endless loop."""


class FakeTime:
    """Both clocks show the same seconds."""

    def __init__(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        """*meanwhile* is called whenever somebody has waited in vain."""
        self.seconds = 1_000_000.0
        self.waits = 0
        self.meanwhile = meanwhile
        self.timing = Timing(clock=lambda: self.seconds, now=lambda: self.seconds, wait=self._wait)

    def _wait(self, calls: Collection[Future[bytes]], seconds: float) -> None:
        self.waits += 1
        assert self.waits < MOST_WAITS, "it waits for ever"
        if not any(call.done() for call in calls):
            self.seconds += seconds
            self.meanwhile()
