"""Rate calls a second: of the ratings as they are stored, and of the bare trueskill library on the same matches."""

import math
from collections import Counter
from collections.abc import Sequence
from functools import partial
from random import Random
from time import perf_counter
from typing import Any

import ladders
from bulk_record import Sat, add_bots, add_results, name, random_matches

from tradepit_ladder import folding, ratings

BOTS = 50
SEATS = (4,)
TIES = 0.1

FOLDED = 1_000
"""Matches that are folded beforehand: a measurement of the draw probability, which folds again, is not in the way."""

MATCHES = 2_000

trueskill: Any = vars(ratings)["trueskill"]
"""By way of ours, which keeps its warnings from the screen."""


def _matches() -> list[list[Sat]]:
    return list(random_matches(Random(1), FOLDED + MATCHES, BOTS, SEATS, TIES))


def _calls(match: Sequence[Sat]) -> int:
    """How many times a match is rated: tied bots are rotated."""
    return math.lcm(*Counter(sat.placement for sat in match).values())


def _stored(new: ladders.New) -> float:
    database, matches = new(), _matches()
    add_bots(database, BOTS)
    add_results(database, matches[:FOLDED])
    folding.advance(database, "toy")
    add_results(database, matches[FOLDED:])
    begun = perf_counter()
    folding.advance(database, "toy")
    return sum(map(_calls, matches[FOLDED:])) / (perf_counter() - begun)


on_sqlite = partial(_stored, ladders.sqlite)
on_postgresql = partial(_stored, ladders.postgresql)


def bare() -> float:
    """The library alone, with nothing kept but the ratings in memory."""
    environment = trueskill.TrueSkill(25.0, 25.0 / 3, 25.0 / 6, 25.0 / 300, draw_probability=0.1, backend=None)
    table = {name(bot): environment.create_rating() for bot in range(1, BOTS + 1)}
    matches = _matches()[FOLDED:]
    begun = perf_counter()
    for match in matches:
        bots, placements = [name(sat.bot) for sat in match], [sat.placement for sat in match]
        for _ in range(_calls(match)):
            rated = environment.rate([(table[bot],) for bot in bots], ranks=placements)
        table.update(zip(bots, (rating for (rating,) in rated), strict=True))
    return sum(map(_calls, matches)) / (perf_counter() - begun)
