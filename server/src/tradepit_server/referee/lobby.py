"""Streams that are open and have not said Hello."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from tradepit_server.referee.alarms import Alarm, Alarms
from tradepit_server.referee.limits import HELLO_WITHIN, STREAMS_BEFORE_HELLO


class Identity(NamedTuple):
    """Who a stream's token says it is."""

    bot: str
    session_id: str | None = None
    """The reserved session that the token belongs to; None: the token opens sessions of its own."""


class Lobby:
    """The streams before their Hello. Each has so long to say it, and of each identity there are only so many."""

    def __init__(self, alarms: Alarms) -> None:
        self._alarms = alarms
        self._streams: dict[int, tuple[Identity, Alarm]] = {}
        self._counts: Counter[Identity] = Counter()

    def is_full(self, identity: Identity) -> bool:
        """There is no room for one more stream of *identity*."""
        return self._counts[identity] >= STREAMS_BEFORE_HELLO

    def enter(self, connection: int, identity: Identity, now: int, expired: Callable[[int], None]) -> None:
        """A stream of *identity* has been opened; ``expired(now)`` is called if its time is up before it left."""
        self._streams[connection] = identity, self._alarms.set(now + HELLO_WITHIN, expired)
        self._counts[identity] += 1

    def identity(self, connection: int) -> Identity | None:
        """Whose stream it is; None: it is not here."""
        entry = self._streams.get(connection)
        return None if entry is None else entry[0]

    def leave(self, connection: int) -> None:
        """The stream has said Hello, or is gone; nothing happens if it is not here."""
        if connection not in self._streams:
            return
        identity, alarm = self._streams.pop(connection)
        self._alarms.cancel(alarm)
        self._counts[identity] -= 1
        if not self._counts[identity]:
            del self._counts[identity]
