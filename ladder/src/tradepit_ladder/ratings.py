"""Ratings: a pure fold of results by TrueSkill, the only place that knows it.

Each match is one free-for-all update. Where the library (trueskill 0.4.5) has pitfalls, this is what we do:

* It rates tied bots by their place in the list. We sort them by name and average the update over
  rotations of the list, so that a rating depends on results alone, never on seats.
* With a draw probability of 0 a tie would raise the uncertainty instead of lowering it. Ours is above 0.
* Where bots are so far apart that a probability rounds to 0 or 1, it raises FloatingPointError. We then bring
  the means of all bots at the table nearer to their average, half the distance at a time, until the update
  can be computed, and apply what it changes. So the expected changes nearly nothing, and the
  unexpected as much as can be computed. If nothing helps, the match changes nothing.
"""

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

with warnings.catch_warnings():
    # Its docstrings hold escapes that are none; Python warns when it compiles them, on the user's screen.
    warnings.filterwarnings("ignore", "invalid escape sequence|.*is an invalid escape sequence")
    import trueskill  # type: ignore[import-untyped]  # trueskill ships no types


class Rating(NamedTuple):
    """What is believed of a bot's skill: a normal distribution."""

    mu: float
    """Its mean."""
    sigma: float
    """Its standard deviation, above 0."""

    @property
    def conservative(self) -> float:
        """The skill that the bot has almost certainly: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


PRIOR = Rating(25.0, 25.0 / 3)
"""What is believed of a bot that has not played."""

DRAW_PROBABILITY = 0.1
"""How likely it is that two equal bots tie: the library's own default, as long as games have not been measured."""

_NEARER = (*(0.5**halvings for halvings in range(64)), 0.0)
"""By what the distances of the means are multiplied, one after another, until an update can be computed."""

_ENVIRONMENT = trueskill.TrueSkill(
    mu=PRIOR.mu, sigma=PRIOR.sigma, beta=25.0 / 6, tau=25.0 / 300, draw_probability=DRAW_PROBABILITY, backend=None
)
"""The values of the paper; tau keeps ratings from freezing. No backend: plain Python, equal everywhere."""


class Place(NamedTuple):
    """Where one bot finished in a match."""

    placement: int
    """1 is best, ties share."""
    bot: str


def fold(matches: Iterable[Sequence[Place]], ratings: Mapping[str, Rating] | None = None) -> dict[str, Rating]:
    """The ratings after *matches*, in order, from *ratings* on; a bot that is not in there starts from ``PRIOR``."""
    table = dict(ratings or {})
    for match in matches:
        table.update(update(table, match))
    return table


def update(ratings: Mapping[str, Rating], match: Sequence[Place]) -> dict[str, Rating]:
    """The new ratings of the bots in *match*: two or more different ones, in any order."""
    places = sorted(match)
    before = {place.bot: ratings.get(place.bot, PRIOR) for place in places}
    after = [_rate(order, before) for order in _rotations(places)]
    return {bot: _average([rating[bot] for rating in after]) for bot in before}


def _rotations(places: Sequence[Place]) -> list[list[Place]]:
    """The sorted *places* with all groups of tied bots rotated, each group equally often to each of its orders."""
    groups = [list(group) for _, group in groupby(places, key=lambda place: place.placement)]
    turns = math.lcm(*map(len, groups))
    return [[group[(i + turn) % len(group)] for group in groups for i in range(len(group))] for turn in range(turns)]


def _average(ratings: Sequence[Rating]) -> Rating:
    if len(ratings) == 1:
        return ratings[0]
    return Rating(*(math.fsum(values) / len(ratings) for values in zip(*ratings, strict=True)))


def _rate(order: Sequence[Place], before: Mapping[str, Rating]) -> dict[str, Rating]:
    ratings = [before[place.bot] for place in order]
    centre = math.fsum(rating.mu for rating in ratings) / len(ratings)
    for factor in _NEARER:
        # Not computed at a factor of 1, where it would round.
        nearer = ratings if factor == 1 else [Rating(centre + (r.mu - centre) * factor, r.sigma) for r in ratings]
        rated = _computed(nearer, [place.placement for place in order])
        if rated is not None:
            moved = (
                Rating(r.mu + (new.mu - old.mu), new.sigma) for r, old, new in zip(ratings, nearer, rated, strict=True)
            )
            return dict(zip((place.bot for place in order), moved, strict=True))
    return dict(before)


def _computed(ratings: Sequence[Rating], placements: Sequence[int]) -> list[Rating] | None:
    """The library's answer, or None when it has none that could be true."""
    try:
        groups = _ENVIRONMENT.rate([(_ENVIRONMENT.create_rating(*rating),) for rating in ratings], ranks=placements)
        rated = [Rating(rating.mu, rating.sigma) for (rating,) in groups]
    except (ArithmeticError, ValueError):  # ValueError: the root of a variance that came out negative
        return None
    return rated if all(map(_is_sound, ratings, rated)) else None


def _is_sound(before: Rating, after: Rating) -> bool:
    """Finite, and no match teaches less than nothing, but for the little that tau adds."""
    most = math.hypot(before.sigma, _ENVIRONMENT.tau) * (1 + 1e-6)
    return math.isfinite(after.mu) and 0 < after.sigma <= most
