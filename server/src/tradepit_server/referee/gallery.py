"""What spectators are shown: what everybody may see of matches, some decisions late.

A spectator is a number of the shell's. Nobody watches most matches; these have no show, and cost nothing here.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from tradepit.v1 import referee_pb2
from tradepit_server.referee.block import Block, Void
from tradepit_server.referee.effects import Effects
from tradepit_server.referee.match import Match

DEFAULT_DELAY = 6
"""Decisions. At a full table of the built-in games every seat has, as a rule, decided once more by then: a bot learns
nothing from a spectator that it has not been told itself."""

MOST_EVENTS = 64
"""That a snapshot tells; of what happened before somebody came to watch, or while defaults were played, the last."""

Message = referee_pb2.WatchMatchResponse


class UnknownMatch(LookupError):
    """No such match or block is being played; the message quotes its id."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What somebody wants to watch; with neither matches nor blocks, everything."""

    match_ids: frozenset[str] = frozenset()
    block_ids: frozenset[str] = frozenset()

    @property
    def everything(self) -> bool:
        """All matches in play, and those that begin later."""
        return not self.match_ids and not self.block_ids

    def includes(self, block: Block, match: Match) -> bool:
        """*match* of *block* is wanted."""
        return self.everything or match.id in self.match_ids or block.spec.block_id in self.block_ids


class Show:
    """One match as its spectators see it."""

    __slots__ = ("_block", "_delay", "_events", "_seen", "_withheld", "match", "shown", "spectators")

    def __init__(self, block: Block, match: Match, delay: int) -> None:
        self.match = match
        self.spectators: set[int] = set()
        self.shown: Message | None = None
        """The last snapshot that was released."""
        self._block = block
        self._delay = delay
        self._seen = -1
        """The number of decisions carried out at the last look."""
        self._events = 0
        self._withheld: deque[referee_pb2.MatchSnapshot] = deque()

    def look(self) -> Iterator[Message]:
        """Look at the match, and release what may be shown by now."""
        decisions = len(self.match.decisions)
        if decisions != self._seen:
            self._seen = decisions
            self._withheld.append(self._snapshot(decisions))
        while self._withheld and self._withheld[0].decisions + self._delay <= decisions:
            yield self._release()

    def release_all(self) -> Iterator[Message]:
        """Release the rest, as the match is over."""
        while self._withheld:
            yield self._release()

    def _release(self) -> Message:
        self.shown = Message(snapshot=self._withheld.popleft())
        return self.shown

    def leave(self, spectator: int) -> bool:
        """A spectator goes. Whether nobody is left."""
        self.spectators.discard(spectator)
        return not self.spectators

    def _snapshot(self, decisions: int) -> referee_pb2.MatchSnapshot:
        plugin, state = self._block.plugin, self.match.state
        happened = state.events_since(self._events)
        self._events += len(happened)
        events = [event for event in happened if state.audience(event) is None]
        return referee_pb2.MatchSnapshot(
            match_id=self.match.id,
            decisions=decisions,
            public=plugin.codec.public(state),
            events=map(self._event, events[-MOST_EVENTS:]),
        )

    def _event(self, event: object) -> referee_pb2.PublicEvent:
        narration = self._block.plugin.narration
        return referee_pb2.PublicEvent(
            sentence=self.match.state.describe(event),
            remark="" if narration is None else narration.remark(event, self._block.spec.edition),
        )


class Gallery:
    """All spectators, and the shows that they have."""

    def __init__(self, delay: int = DEFAULT_DELAY) -> None:
        """*delay* is how many decisions of a match must follow until a moment of it is shown."""
        self._news: list[tuple[int, Message]] = []
        self._satisfied: list[int] = []
        self._delay = delay
        self._selections: dict[int, Selection] = {}
        self._outstanding: dict[int, set[str]] = {}
        """What must still end until a spectator has seen everything; empty for those who watch everything."""

    def describe(self, block: Block, match: Match) -> referee_pb2.WatchedMatch:
        """*match* as everybody may know it."""
        spec = block.spec
        return referee_pb2.WatchedMatch(
            match_id=match.id,
            block_id=spec.block_id,
            game=spec.game,
            edition=spec.edition_reference(),
            options=block.options(),
            bots=[block.name(spec.entrant(seat, match.index)) for seat in range(len(match.seats))],
            delay=self._delay,
        )

    def admit(self, spectator: int, selection: Selection) -> None:
        """Somebody comes to watch."""
        self._selections[spectator] = selection
        self._outstanding[spectator] = {*selection.match_ids, *selection.block_ids}

    def leave(self, spectator: int) -> None:
        """A spectator watches no longer, and is shown nothing more."""
        self._selections.pop(spectator, None)
        self._outstanding.pop(spectator, None)
        self._news = [(there, message) for there, message in self._news if there != spectator]
        self._satisfied = [there for there in self._satisfied if there != spectator]

    def open(self, block: Block, match: Match) -> Show | None:
        """A show of a match that begins, if somebody wants to see it."""
        if not self._selections:
            return None
        show = None
        for spectator, selection in self._selections.items():
            if selection.includes(block, match):
                show = self.join(show, spectator, block, match)
        return show

    def join(self, show: Show | None, spectator: int, block: Block, match: Match) -> Show:
        """Let *spectator* see a match, whose *show* it may have already."""
        show = show or Show(block, match, self._delay)
        if spectator not in show.spectators:
            show.spectators.add(spectator)
            self._news.append((spectator, Message(match=self.describe(block, match))))
            if show.shown is not None:
                self._news.append((spectator, show.shown))
        return show

    def look(self, show: Show) -> None:
        """Something may have changed in a match."""
        for message in show.look():
            self._tell(show, message)

    def over(self, show: Show, over: referee_pb2.WatchedMatchOver) -> None:
        """A match has ended, and its show with it."""
        for message in show.release_all():
            self._tell(show, message)
        self._tell(show, Message(over=over))
        for spectator in show.spectators:
            self._strike_off(spectator, {over.match_id})

    def block_over(self, block: Block, void: Void | None) -> None:
        """A block has ended; *void* says why it does not count."""
        if not self._outstanding:
            return
        ids = {block.spec.block_id, *block.match_ids()}
        for spectator, outstanding in self._outstanding.items():
            for match_id in sorted(ids & outstanding & self._selections[spectator].match_ids):
                over = referee_pb2.WatchedMatchOver(match_id=match_id, void_reason=void.reason if void else "")
                self._news.append((spectator, Message(over=over)))
            self._strike_off(spectator, ids)

    def hand_over(self, effects: Effects) -> None:
        """Add to *effects* what there is to see since the last time."""
        if self._news or self._satisfied:
            effects.shown, self._news = self._news, []
            effects.satisfied, self._satisfied = self._satisfied, []

    def _tell(self, show: Show, message: Message) -> None:
        self._news += [(spectator, message) for spectator in show.spectators]

    def _strike_off(self, spectator: int, ended: set[str]) -> None:
        outstanding = self._outstanding[spectator]
        if outstanding & ended:
            outstanding -= ended
            if not outstanding:
                self._satisfied.append(spectator)
