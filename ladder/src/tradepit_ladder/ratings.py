"""Ratings: a pure fold of results by TrueSkill, the only place that knows it.

Each match is one free-for-all update. Where the library (trueskill 0.4.5) has pitfalls, this is what we do:

* It rates tied bots by their place in the list. We sort them by name and average the update over
  rotations of the list, so that a rating depends on results alone, never on seats.
* With a draw probability of 0 a tie would raise the uncertainty instead of lowering it. Ours is above 0.
* Where bots are so far apart that a probability rounds to 0 or 1, it raises FloatingPointError. We then bring
  the means of all bots at the table nearer to their average, half the distance at a time, until the update
  can be computed, and apply what it changes. So the expected changes nearly nothing, and the
  unexpected as much as can be computed. If nothing helps, the match changes nothing.
* It makes an object of every message of its factor graph. We pass the same messages as numbers (see
  free_for_all.py); every bit of a rating is as its ``rate`` has it (a test).
"""

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, groupby
from typing import Literal, NamedTuple, get_args

with warnings.catch_warnings():
    # Its docstrings hold escapes that are none; Python warns when it compiles them, on the user's screen.
    warnings.filterwarnings("ignore", "invalid escape sequence|.*is an invalid escape sequence")
    import trueskill  # type: ignore[import-untyped]  # trueskill ships no types

from tradepit_ladder.free_for_all import Model, rate


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
"""How likely it is that two equal bots tie, as long as a game has not been measured: the library's own default."""

FIRST_CHECKPOINT = 100
"""After so many matches of a game its draw probability is measured for the first time, then at every tenfold."""

_BETA, _TAU = 25.0 / 6, 25.0 / 300
"""How much performances vary round a skill, and how much a skill may change from one match to the next."""

_PRIOR_PAIRS = 20
"""So many pairs of bots with the default draw probability are added to those that were seen."""

_DRAW_PROBABILITIES = (0.001, 0.9)
"""Outside, the margin of a draw is so small or so large that the library's arithmetic loses its digits."""

OnNewVersion = Literal["keep", "widen", "reset"]
"""What a bot's rating becomes with a new version of its program: it stays; mu stays, but sigma is the prior's
again; or the bot begins anew."""

ON_NEW_VERSION: tuple[OnNewVersion, ...] = get_args(OnNewVersion)


class Policy(NamedTuple):
    """By what a fold goes."""

    draw_probability: float = DRAW_PROBABILITY
    """How likely it is that two equal bots tie; above 0, below 1."""
    on_new_version: OnNewVersion = "widen"


class Place(NamedTuple):
    """Where one bot finished in a match."""

    placement: int
    """1 is best, ties share."""
    bot: str
    version: int = 1
    """Of the bot's program."""


class Fold:
    """Ratings as they stand after some matches."""

    def __init__(
        self,
        policy: Policy | None = None,
        ratings: Mapping[str, Rating] | None = None,
        versions: Mapping[str, int] | None = None,
    ) -> None:
        """Goes on from *ratings*, of bots that last played in these *versions*; other bots start from ``PRIOR``."""
        self.policy = policy or Policy()
        self.ratings = dict(ratings or {})
        """By bot."""
        self.versions = dict(versions or {})
        """In which each bot played last."""

    def add(self, match: Sequence[Place]) -> dict[str, Rating]:
        """Fold in one *match*, of two or more different bots in any order. Returns their new ratings."""
        for _, bot, version in match:
            if self.versions.get(bot, version) != version:
                self.ratings[bot] = _of_new_version(self.ratings[bot], self.policy.on_new_version)
            self.versions[bot] = version
        after = update(self.ratings, match, self.policy.draw_probability)
        self.ratings.update(after)
        return after


def fold(matches: Iterable[Sequence[Place]], policy: Policy | None = None) -> dict[str, Rating]:
    """The ratings after *matches*, in order, every bot starting from ``PRIOR``."""
    folded = Fold(policy)
    for match in matches:
        folded.add(match)
    return folded.ratings


def _of_new_version(rating: Rating, policy: OnNewVersion) -> Rating:
    if policy == "keep":
        return rating
    return PRIOR if policy == "reset" else Rating(rating.mu, PRIOR.sigma)


def next_checkpoint(measured: int) -> int:
    """After how many matches the draw probability is estimated again, where it rests on *measured* ones."""
    return max(FIRST_CHECKPOINT, 10 * measured)


def estimated_draw_probability(matches: Iterable[Sequence[int]]) -> float:
    """How likely it is that two equal bots tie, from the placements in *matches*; between 0.001 and 0.9.

    TrueSkill's draw probability is that of a tie between two equally skilled players (Herbrich, Minka and
    Graepel, "TrueSkill: A Bayesian Skill Rating System", 2006, section 3). The estimate is the fraction of ties among
    all pairs of bots that met in a match, with 20 pairs of the default probability added, as a beta prior would
    have it. Bots that are not equal tie less often, so it is rather too small than too large.
    """
    pairs, ties = _PRIOR_PAIRS, _PRIOR_PAIRS * DRAW_PROBABILITY
    for placements in matches:
        for one, other in combinations(placements, 2):
            pairs += 1
            ties += one == other
    least, most = _DRAW_PROBABILITIES
    return min(max(ties / pairs, least), most)


def update(
    ratings: Mapping[str, Rating], match: Sequence[Place], draw_probability: float = DRAW_PROBABILITY
) -> dict[str, Rating]:
    """The new ratings of the bots in *match*: two or more different ones, in any order."""
    model = _model(draw_probability)
    places = sorted(match)
    before = {place.bot: ratings.get(place.bot, PRIOR) for place in places}
    rotations = _rotations(places)
    if len(rotations) == 1:
        return _rate(model, places, before)
    after = [_rate(model, order, before) for order in rotations]
    return {bot: _average([rating[bot] for rating in after]) for bot in before}


def _rotations(places: Sequence[Place]) -> list[Sequence[Place]]:
    """The sorted *places* with all groups of tied bots rotated, each group equally often to each of its orders."""
    groups = [list(group) for _, group in groupby(places, key=lambda place: place.placement)]
    if len(groups) == len(places):
        return [places]
    turns = math.lcm(*map(len, groups))
    return [[group[(i + turn) % len(group)] for group in groups for i in range(len(group))] for turn in range(turns)]


def _average(ratings: Sequence[Rating]) -> Rating:
    return Rating(*(math.fsum(values) / len(ratings) for values in zip(*ratings, strict=True)))


@cache
def _model(draw_probability: float) -> Model:
    """The values of the paper; tau keeps ratings from freezing. The library's plain Python, equal everywhere."""
    environment = trueskill.TrueSkill(PRIOR.mu, PRIOR.sigma, _BETA, _TAU, draw_probability, backend=None)
    margin = trueskill.calc_draw_margin(draw_probability, 2, environment)
    won, drawn = (environment.v_win, environment.w_win), (environment.v_draw, environment.w_draw)
    return Model(_BETA, _TAU, margin, *won, *drawn)


def _rate(model: Model, order: Sequence[Place], before: Mapping[str, Rating]) -> dict[str, Rating]:
    """The update for bots in this *order*, sorted by placement."""
    ratings = [before[place.bot] for place in order]
    placements = [place.placement for place in order]
    rated = _computed(model, ratings, placements) or _rated_nearer(model, ratings, placements)
    return dict(zip((place.bot for place in order), rated, strict=True))


def _rated_nearer(model: Model, ratings: Sequence[Rating], placements: Sequence[int]) -> Sequence[Rating]:
    """The update of ratings that lie too far apart to be computed."""
    centre = math.fsum(rating.mu for rating in ratings) / len(ratings)
    for factor in (*(0.5**halvings for halvings in range(1, 64)), 0.0):
        nearer = [Rating(centre + (r.mu - centre) * factor, r.sigma) for r in ratings]
        rated = _computed(model, nearer, placements)
        if rated is not None:
            return [
                Rating(r.mu + (new.mu - old.mu), new.sigma) for r, old, new in zip(ratings, nearer, rated, strict=True)
            ]
    return ratings


def _computed(model: Model, ratings: Sequence[Rating], placements: Sequence[int]) -> list[Rating] | None:
    """The update, or None where there is none that could be true. *placements* rise."""
    try:
        rated = [Rating(*rating) for rating in rate(ratings, placements, model)]
    except (ArithmeticError, ValueError):  # ValueError: the root of a variance that came out negative
        return None
    return rated if all(map(_is_sound, ratings, rated)) else None


def _is_sound(before: Rating, after: Rating) -> bool:
    """Finite, and no match teaches less than nothing, but for the little that tau adds."""
    most = math.hypot(before.sigma, _TAU) * (1 + 1e-6)
    return math.isfinite(after.mu) and 0 < after.sigma <= most
