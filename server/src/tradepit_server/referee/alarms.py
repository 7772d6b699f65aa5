"""Instants at which something is to be looked at."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count


class Alarms:
    """A heap of instants, each with what to call then. An alarm is never taken back: what it calls looks again."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Callable[[int], None]]] = []
        self._serial = count()

    def set(self, when: int, ring: Callable[[int], None]) -> None:
        """Have ``ring(now)`` called by the first ``due(now)`` at or after *when*."""
        heappush(self._heap, (when, next(self._serial), ring))

    def next(self) -> int | None:
        """The earliest instant; None: there is none."""
        return self._heap[0][0] if self._heap else None

    def due(self, now: int) -> None:
        """Ring every alarm whose instant has come."""
        while self._heap and self._heap[0][0] <= now:
            heappop(self._heap)[2](now)
