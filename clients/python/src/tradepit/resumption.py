"""What a bot does when its stream has ended, without sockets and clocks."""

from collections.abc import Callable
from enum import Enum, auto
from random import SystemRandom


class Next(Enum):
    """What follows the end of a stream."""

    LEAVE = auto()
    """All is said."""
    RESUME = auto()
    """The line broke: go on with the session over another stream."""
    BEGIN_ANEW = auto()
    """The session is over; the referee is there."""
    GIVE_UP = auto()
    """It would happen again, or a newer stream carries the session."""


_NEXT = {
    "OK": Next.LEAVE,
    "UNAVAILABLE": Next.RESUME,
    "UNKNOWN": Next.RESUME,
    "CANCELLED": Next.RESUME,
    "INTERNAL": Next.RESUME,  # a reset stream's, too
    "DEADLINE_EXCEEDED": Next.RESUME,  # by what stands between bot and referee; neither sets one
    "NOT_FOUND": Next.BEGIN_ANEW,
}


def after(status: str) -> Next:
    """What follows a stream that ended with *status*, the name of a gRPC code."""
    return _NEXT.get(status, Next.GIVE_UP)


FIRST_SECONDS = 0.1
"""How long a bot waits at least before it tries again."""

MOST_SECONDS = 1.0
"""How long it waits at most."""

_own_chance = SystemRandom()  # the module's own generator may be the author's


class Retries:
    """When to try again, from the loss of a line on. Instants are seconds of any one clock."""

    def __init__(self, now: float, window: float, chance: Callable[[], float] = _own_chance.random) -> None:
        """The line was lost *now*, and is given up after *window* seconds; *chance* gives numbers from 0 to 1."""
        self.begun = now
        self.window = window
        self._chance = chance
        self._most = FIRST_SECONDS

    def left(self, now: float) -> float:
        """Seconds until it is given up; 0 or less: it is."""
        return self.begun + self.window - now

    def pause(self, now: float) -> float:
        """Seconds to wait before the next attempt: drawn from a range that doubles, within what is left."""
        self._most = min(2 * self._most, MOST_SECONDS)
        drawn = FIRST_SECONDS + self._chance() * (self._most - FIRST_SECONDS)
        return max(0.0, min(drawn, self.left(now)))
