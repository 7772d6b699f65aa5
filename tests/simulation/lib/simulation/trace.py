"""What happened in a world: its last events for people, and a digest over all of them."""

import hashlib
from collections import deque
from collections.abc import Callable

KEPT = 60
"""Events that a failing world is reported with."""


class Trace:
    """Notes of what happened. They are worded only when somebody reads them."""

    def __init__(self, tell: Callable[[str], object] | None = None, *, digest: bool = False) -> None:
        """*tell* gets every event at once, as a line; *digest* asks for a digest over them."""
        self._tell = tell
        self._digest = hashlib.sha256() if digest else None
        self._last: deque[tuple[int, str, tuple[object, ...]]] = deque(maxlen=KEPT)

    def note(self, now: int, what: str, *details: object) -> None:
        """At *now* happened *what*, a word or two."""
        self._last.append((now, what, details))
        if self._digest is not None:
            self._digest.update(repr((now, what, details)).encode())
        if self._tell is not None:
            self._tell(_line(now, what, details))

    @property
    def digest(self) -> str:
        """A digest over all events, in hex; empty when none was asked for."""
        return self._digest.hexdigest() if self._digest is not None else ""

    def lines(self) -> list[str]:
        """The last events, one a line."""
        return [_line(*event) for event in self._last]


def _line(now: int, what: str, details: tuple[object, ...]) -> str:
    return f"{now / 1e9:14.6f}  {what:<18} {' '.join(map(str, details))}"
