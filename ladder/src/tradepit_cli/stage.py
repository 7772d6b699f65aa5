"""What a spectator has been shown of matches so far, and which of them is looked at."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tradepit.v1.referee_pb2 import MatchSnapshot, PublicEvent, WatchedMatch, WatchedMatchOver, WatchMatchResponse

if TYPE_CHECKING:
    from tradepit_server.codecs.narration import Look, Narration
    from tradepit_server.games.base import Edition

MATCHES = 60
"""That are kept: of those that are over, the oldest give way."""

EVENTS = 200
"""Of a match that are kept: more than any terminal shows."""

MOMENTS = 400
"""Of a match whose prices are kept for its small charts."""


class Playbill(NamedTuple):
    """What it takes to follow a match of one game and edition."""

    title: str
    """The game as people write it."""
    edition: "Edition | None"
    narration: "Narration | None"
    """None: a match is told by its events alone."""


Programme = Callable[[WatchedMatch], Playbill]
"""Finds what it takes to follow a match."""


@dataclass
class Watched:
    """One match, as far as it has been shown."""

    match: WatchedMatch
    playbill: Playbill
    decisions: int | None = None
    """How many had been played at the moment that is shown; None: nothing is shown yet."""
    before: "Look | None" = None
    look: "Look | None" = None
    looks: "deque[Look]" = field(default_factory=lambda: deque(maxlen=MOMENTS))
    events: deque[PublicEvent] = field(default_factory=lambda: deque(maxlen=EVENTS))
    skipped: int = 0
    """Snapshots that this spectator was too slow for."""
    over: WatchedMatchOver | None = None

    def take(self, snapshot: MatchSnapshot) -> None:
        """Another moment."""
        self.decisions = snapshot.decisions
        self.skipped += snapshot.skipped
        self.events.extend(snapshot.events)
        narration = self.playbill.narration
        if narration is not None:
            self.before, self.look = self.look, narration.look(snapshot.public, self.playbill.edition)
            self.looks.append(self.look)

    def seat(self, seat: int) -> str:
        """What a seat is called: ``seat 0 greedy``."""
        return f"seat {seat} {self.match.bots[seat]}"


class Stage:
    """The matches that are watched. Keys choose among them."""

    def __init__(self, programme: Programme) -> None:
        self.matches: dict[str, Watched] = {}
        """By id, first come first."""
        self.selected: Watched | None = None
        self.left = False
        """The spectator wants no more."""
        self.ended = False
        """There will be no more."""
        self.missed = 0
        """Matches that were over before this spectator read of them."""
        self._programme = programme
        self._following = True
        """Until a key is pressed, a match that is over gives way to the next that begins."""

    def take(self, message: WatchMatchResponse) -> Watched:
        """Something to see; the match that it is about."""
        kind = message.WhichOneof("kind")
        if kind == "match":
            return self._begin(message.match)
        match_id = message.over.match_id if kind == "over" else message.snapshot.match_id
        watched = self.matches.get(match_id) or self._begin(WatchedMatch(match_id=match_id))
        if kind == "over":
            watched.over = message.over
        else:
            watched.take(message.snapshot)
        return watched

    def _begin(self, match: WatchedMatch) -> Watched:
        watched = self.matches[match.match_id] = Watched(match, self._programme(match))
        self.missed += match.matches_skipped
        if self.selected is None or (self._following and self.selected.over is not None):
            self.selected = watched
        for match_id, old in list(self.matches.items())[:-1]:
            if len(self.matches) > MATCHES and old.over is not None and old is not self.selected:
                del self.matches[match_id]
        return watched

    def press(self, key: str) -> None:
        """A key: left and right go through the matches, digits choose one, q leaves; others mean nothing."""
        if key == "q":
            self.left = True
        elif key in ("left", "right"):
            self._choose(self.position + (1 if key == "right" else -1))
        elif key.isdecimal() and 1 <= int(key) <= len(self.matches):
            self._choose(int(key) - 1)

    @property
    def position(self) -> int:
        """Where the match that is looked at stands among all; 0 if there is none."""
        return next((i for i, watched in enumerate(self.matches.values()) if watched is self.selected), 0)

    def _choose(self, position: int) -> None:
        self._following = False
        if self.matches:
            self.selected = list(self.matches.values())[position % len(self.matches)]
