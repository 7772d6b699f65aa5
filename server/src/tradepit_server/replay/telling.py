"""A replay told moment by moment: to somebody who may see everything, or from one seat's knowledge alone."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tradepit.v1 import block_pb2
from tradepit_server import registry
from tradepit_server.codecs.narration import Look
from tradepit_server.games.base import Edition, State
from tradepit_server.replay.base import NANOSECONDS, word
from tradepit_server.replay.execution import Moment, find_edition, find_plugin, moments, start


class Line(NamedTuple):
    """Something that happened."""

    sentence: str
    remark: str
    """For those who do not know the cards by heart; empty: none."""


class Asked(NamedTuple):
    """A seat that decided."""

    seat: int
    kind: str
    """What was asked for, in the game's own word."""
    thought: float | None
    """Seconds; None: nothing was asked, or it is not known."""
    fault: str
    """Why a default was played, in lower case; empty: none was."""
    note: str
    """The bot's."""


class Trouble(NamedTuple):
    """A fault of a seat."""

    seat: int
    kind: str
    """In lower case."""
    message: str


class Scene(NamedTuple):
    """One moment of a match, and what came of it."""

    asked: tuple[Asked, ...]
    """Nobody: the match was set up."""
    troubles: tuple[Trouble, ...]
    lines: tuple[Line, ...]
    before: Look | None
    after: Look | None
    """None: the game has no narration."""


def tell(replay: block_pb2.Replay, seat: int | None = None) -> Iterator[Scene]:
    """The match of *replay* from its set-up to its end; with *seat*, only what that seat could see.

    What others were asked and did is known by the game's own events. How long they thought, what they noted and what
    they did wrong is not. Raises ReplayError where the match cannot be played on.
    """
    plugin = find_plugin(replay.game)
    state = start(plugin.game, replay)
    teller = _Teller(plugin, find_edition(plugin.game, replay), state, seat, _last_asked(replay, seat))
    yield teller.scene(None, ())
    previous: Moment | None = None
    for moment in moments(plugin.codec, state, replay.decisions):
        if previous is not None:
            yield teller.scene(previous, _faults(replay, previous))
        previous = moment
    if previous is not None:
        yield teller.scene(previous, _faults(replay, previous))


def _last_asked(replay: block_pb2.Replay, seat: int | None) -> int:
    """The index of the last decision for which *seat* got an observation; what it alone may see comes with those."""
    asked = (
        index
        for index, decision in enumerate(replay.decisions)
        if decision.seat == seat and (decision.HasField("thought") or not decision.fault)
    )
    return max(asked, default=-1)


def _faults(replay: block_pb2.Replay, moment: Moment) -> list[block_pb2.Fault]:
    indices = range(moment.first, moment.first + len(moment.decisions))
    return [fault for fault in replay.result.faults if fault.decision_index in indices]


class _Teller:
    """Remembers what has been told."""

    def __init__(
        self, plugin: registry.Plugin, edition: Edition, state: State, seat: int | None, last_asked: int
    ) -> None:
        self._plugin = plugin
        self._edition = edition
        self._state = state
        self._seat = seat
        self._last_asked = last_asked
        self._events = 0
        self._look: Look | None = None

    def scene(self, moment: Moment | None, faults: Sequence[block_pb2.Fault]) -> Scene:
        """What has happened since the last scene, by a *moment* with these *faults*; None: by the set-up."""
        before, self._look = self._look, self._see()
        troubles = (
            Trouble(fault.seat, word(block_pb2.FaultKind, fault.kind), fault.message)
            for fault in faults
            if self._knows(fault.seat)
        )
        asked = () if moment is None else tuple(map(self._asked, moment.decisions))
        next_decision = 0 if moment is None else moment.first + len(moment.decisions)
        return Scene(asked, tuple(troubles), tuple(self._lines(next_decision)), before, self._look)

    def _knows(self, seat: int) -> bool:
        """Whether what concerns that *seat* alone may be told."""
        return self._seat in (None, seat)

    def _see(self) -> Look | None:
        narration = self._plugin.narration
        return None if narration is None else narration.look(self._plugin.codec.public(self._state), self._edition)

    def _lines(self, next_decision: int) -> Iterator[Line]:
        events = self._state.events_since(self._events)
        self._events += len(events)
        for event in events:
            audience = self._state.audience(event)
            # A seat that is never asked again never hears of what it alone might see.
            heard = audience is None or (self._seat in audience and next_decision <= self._last_asked)
            if self._seat is None or heard:
                yield Line(self._state.describe(event), self._remark(event))

    def _remark(self, event: Any) -> str:
        narration = self._plugin.narration
        return "" if narration is None else narration.remark(event, self._edition)

    def _asked(self, decision: block_pb2.ReplayDecision) -> Asked:
        if not self._knows(decision.seat):
            return Asked(decision.seat, decision.kind, None, "", "")
        thought = decision.thought.ToNanoseconds() / NANOSECONDS if decision.HasField("thought") else None
        fault = word(block_pb2.FaultKind, decision.fault) if decision.fault else ""
        return Asked(decision.seat, decision.kind, thought, fault, decision.note)
