"""Instants at which something is to be looked at."""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count

_DEAD_MOST = 64
"""Alarms taken back that may stay in the heap, however few others there are."""


class Alarm:
    """What is to be called, and when."""

    __slots__ = ("ring", "when")

    def __init__(self, when: int, ring: Callable[[int], None]) -> None:
        self.when = when
        self.ring: Callable[[int], None] | None = ring
        """None: it has rung, or was taken back."""


class Alarms:
    """A heap of alarms. Those taken back stay in it until they are the half of it, and keep nothing alive meanwhile."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Alarm]] = []
        self._serial = count()
        self._dead = 0

    def __len__(self) -> int:
        """How many the heap holds, those taken back included."""
        return len(self._heap)

    def set(self, when: int, ring: Callable[[int], None]) -> Alarm:
        """Have ``ring(now)`` called by the first ``due(now)`` at or after *when*."""
        alarm = Alarm(when, ring)
        heappush(self._heap, (when, next(self._serial), alarm))
        return alarm

    def cancel(self, alarm: Alarm | None) -> None:
        """Take an alarm back; nothing happens if there is none, or it has rung."""
        if alarm is None or alarm.ring is None:
            return
        alarm.ring = None
        self._dead += 1
        if self._dead > _DEAD_MOST and 2 * self._dead > len(self._heap):
            self._heap = [entry for entry in self._heap if entry[2].ring is not None]
            heapify(self._heap)
            self._dead = 0

    def next(self) -> int | None:
        """The earliest instant; None: there is none."""
        while self._heap and self._heap[0][2].ring is None:
            heappop(self._heap)
            self._dead -= 1
        return self._heap[0][0] if self._heap else None

    def due(self, now: int) -> None:
        """Ring every alarm whose instant has come."""
        while (instant := self.next()) is not None and instant <= now:
            alarm = heappop(self._heap)[2]
            ring, alarm.ring = alarm.ring, None
            if ring is not None:
                ring(now)
