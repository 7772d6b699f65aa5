"""Search looks ahead: it plays on in its head, many times over, and does what turned out best.

What a seat cannot see (the other hands, the piles, the dice to come) is drawn anew for every playout: *determinised*
Monte Carlo. A game must say little to be searched: which actions are worth a try, what a seat would do without much
thought, and how rich each seat is. All else is here, the same for every game.
"""

import math
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar

from tradepit.bot import Bot
from tradepit.match import TimeControl
from tradepit.view import View
from tradepit_server.codecs.base import Codec
from tradepit_server.games.base import Edition, Game, State

S = TypeVar("S", bound=State)

MOST_PLAYOUTS = 128
"""For one decision, however much time there is: more hardly helps."""

PLAYOUT_SECONDS = 0.004
"""What a playout is reckoned at. It takes a fourth of that on an ordinary machine, but a bot is not alone on it."""

DECISIONS = 40
"""The time bank is to last for so many."""

LATE = 0.25
"""The part of the time left at which a search stops, whatever it still had in mind."""

BLUR = 0.15
"""How far two seats must be apart, as a part of what both own, until it is all but certain who ends above whom."""


class Candidate:
    """An action that may be the best."""

    __slots__ = ("action", "value")

    def __init__(self, action: Any) -> None:
        """*action* before any playout."""
        self.action = action
        self.value = 0.0
        """The sum over its playouts."""


class Searcher(Bot, Generic[S]):
    """What a search bot does in any game; it also derives from the game's class for authors."""

    game: ClassVar[Game]
    codec: ClassVar[Codec]

    @abstractmethod
    def candidates(self, state: S, seat: int) -> Sequence[Any]:
        """Actions of *seat* that are worth a try, all of them legal: one at least, and better ten than a hundred."""

    @abstractmethod
    def guess(self, state: S, seat: int) -> Any:
        """What *seat* does in a playout, this bot's or another: legal, sensible, and above all found quickly."""

    @abstractmethod
    def wealth(self, state: S, seat: int) -> float:
        """What *seat* owns where a playout stops, in dollars."""

    def far_enough(self, start: S, state: S) -> bool:
        """Whether a playout from *start* may stop at *state*. It always stops where the match ends."""
        return False

    def search(self, view: View) -> Any:
        """The best candidate, as an action of the engine's.

        The number of playouts follows from the time control and all chance from the view's, so equal seeds give equal
        play, unless the time is about to run out.
        """
        stop = time.monotonic() + LATE * _seconds(view.time_left)
        left = [Candidate(action) for action in self.candidates(self.sample(view), view.seat)]
        share = playouts(view.match.time_control) / math.log2(max(2, len(left)))
        # Sequential halving: every candidate gets an equal part of a share, then the worse half drops out, and the
        # next share is for the better half. So most playouts go where the decision is close.
        while len(left) > 1 and time.monotonic() < stop:
            for _ in range(max(1, round(share / len(left)))):
                self._try(left, view)
                if time.monotonic() >= stop:
                    break
            left.sort(key=lambda candidate: -candidate.value)
            del left[(len(left) + 1) // 2 :]
        return left[0].action

    def _try(self, candidates: Sequence[Candidate], view: View) -> None:
        """One playout of each of *candidates*.

        All meet the same hidden cards and, as chance is keyed, the same dice: what differs in the end is their own
        doing, and not luck. That saves more playouts than any other trick.
        """
        start = self.sample(view)
        for candidate in candidates:
            candidate.value += self._playout(start, view.seat, candidate.action)

    def sample(self, view: View) -> S:
        """A state as it may be, for all that this seat knows."""
        edition = _edition(self.game.load_edition, view.match.edition.toml)
        state: S = self.codec.sample_state(view.match.observations[-1], view.rng, edition)
        return state

    def _playout(self, start: S, seat: int, action: Any) -> float:
        """What becomes of *seat* if it does *action* at *start* and everybody then plays as guessed."""
        state = start.clone()
        actions = {other: action if other == seat else self.guess(state, other) for other in state.awaiting}
        state.apply(actions)
        while state.awaiting and not self.far_enough(start, state):
            state.apply({other: self.guess(state, other) for other in state.awaiting})
        return self._seats_behind(state, seat)

    def _seats_behind(self, state: S, seat: int) -> float:
        """How many of the others *seat* can expect to end above: what counts is the placement, not the money."""
        others = [other for other in range(len(state.scores())) if other != seat]
        own = self.wealth(state, seat)
        return sum(chance_above(own, self.wealth(state, other)) for other in others)


def chance_above(own: float, other: float) -> float:
    """The chance that a seat with so many dollars ends above one with *other* dollars: a half if they are equal."""
    return (1 + math.tanh((own - other) / (2 * BLUR * (abs(own) + abs(other) + 1)))) / 2


def playouts(control: TimeControl) -> int:
    """How many playouts *control* leaves time for in one decision: of half of what may be spent on it."""
    pace = min(_seconds(control.decision), _seconds(control.bank) / DECISIONS + _increment(control))
    return round(max(1, min(MOST_PLAYOUTS, pace / 2 / PLAYOUT_SECONDS)))


def _seconds(limit: timedelta | None) -> float:
    return math.inf if limit is None else limit.total_seconds()


def _increment(control: TimeControl) -> float:
    return control.increment.total_seconds() if control.increment is not None else 0.0


@lru_cache(maxsize=16)
def _edition(load: Callable[[bytes], Edition], toml: bytes) -> Edition:
    return load(toml)
