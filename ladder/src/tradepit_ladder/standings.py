"""Leaderboards: ratings and tallies of what counts of a record. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, permutations
from typing import NamedTuple

from tradepit_ladder.client import Leaderboard, PairCount, Standing, VoidBlock
from tradepit_ladder.ratings import Place, Policy, Rating, fold
from tradepit_ladder.record import Record, SeatRecord

_SEPARATING_SIGMAS = 2
"""Bots whose intervals mu +- so many sigma overlap may be equally strong, for all that is known."""


class Rated(NamedTuple):
    """A row of a leaderboard that has no rank yet."""

    bot: str
    mu: float
    sigma: float
    conservative: float
    matches: int
    placements: int
    """Their sum."""
    faults: int


@dataclass(slots=True)
class Tally:
    """What adds up over matches."""

    matches: Counter[str] = field(default_factory=Counter)
    placements: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    above: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often the first was placed better than the second."""
    ties: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often both shared a placement; the first is the one whose name comes first."""

    def add(self, match: Sequence[SeatRecord]) -> None:
        """Count a match."""
        for seat in match:
            self.matches[seat.bot] += 1
            self.placements[seat.bot] += seat.placement
            self.faults[seat.bot] += seat.faults
        for one, other in combinations(match, 2):
            if one.placement == other.placement:
                self.ties[_sorted(one.bot, other.bot)] += 1
            elif one.placement < other.placement:
                self.above[one.bot, other.bot] += 1
            else:
                self.above[other.bot, one.bot] += 1

    def add_pair(self, one: str, other: str, above: int, below: int, ties: int) -> None:
        """Count the matches of two bots."""
        self.above[one, other] += above
        self.above[other, one] += below
        self.ties[_sorted(one, other)] += ties

    def pairs(self) -> Iterator[tuple[str, str, int, int, int]]:
        """Each pair that met: one, the other, how often the one was above, below, and level."""
        for one, other in {_sorted(*pair) for pair in (*self.above, *self.ties)}:
            yield one, other, self.above[one, other], self.above[other, one], self.ties[one, other]


def _sorted(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def leaderboard(game: str, record: Record) -> Leaderboard:
    """The table of *record*, every bot starting from the prior."""
    policy = Policy()
    matches = ([Place(seat.placement, seat.bot, seat.version) for seat in match] for match in record.matches)
    ratings = fold(matches, policy)
    tally = Tally()
    for match in record.matches:
        tally.add(match)
    standings = ranked([rated(bot, rating, tally) for bot, rating in ratings.items()])
    complete = [block for block in record.counted if not block.is_void]
    return Leaderboard(
        game=game,
        standings=tuple(standings),
        pairs=pair_counts([standing.bot for standing in standings], tally),
        blocks_counted=len(complete),
        blocks_reproducible=sum(block.reproducible for block in complete),
        blocks_waiting=sum(not block.is_void for block in record.waiting),
        void=void_blocks(record),
        bots=len(standings),
        fold_version=0,
        draw_probability=policy.draw_probability,
        draw_measured=0,
    )


def void_blocks(record: Record) -> tuple[VoidBlock, ...]:
    """The void blocks of *record*, counted and waiting ones, in order."""
    finished = (*record.counted, *record.waiting)
    return tuple(VoidBlock(str(block.public_id), block.reason) for block in finished if block.is_void)


def rated(bot: str, rating: Rating, tally: Tally, before: Rated | None = None) -> Rated:
    """The row of *bot*, whose matches are those in *tally* and those *before*."""
    _, _, _, _, *counts = before or (0,) * len(Rated._fields)
    matches, placements, faults = counts
    return Rated(
        bot,
        *rating,
        rating.conservative,
        matches + tally.matches[bot],
        placements + tally.placements[bot],
        faults + tally.faults[bot],
    )


def ranked(rows: Iterable[Rated]) -> list[Standing]:
    """The *rows*, which are all from the first rank on, by rank; the last is not compared with any."""
    falling = sorted(rows, key=lambda row: (-row.conservative, row.bot))
    separable: list[bool | None] = [_are_separable(one, other) for one, other in pairwise(falling)]
    ranks: list[int] = []
    for index, row in enumerate(falling):
        level = index > 0 and falling[index - 1].conservative == row.conservative
        ranks.append(ranks[-1] if level else index + 1)
    return list(map(_standing, ranks, falling, (*separable, None)))


def _are_separable(one: Rated, other: Rated) -> bool:
    return abs(one.mu - other.mu) > _SEPARATING_SIGMAS * (one.sigma + other.sigma)


def _standing(rank: int, row: Rated, separable: bool | None) -> Standing:
    return Standing(
        rank=rank,
        bot=row.bot,
        mu=row.mu,
        sigma=row.sigma,
        conservative=row.conservative,
        matches=row.matches,
        mean_placement=row.placements / row.matches,
        faults=row.faults,
        separable=separable,
    )


def pair_counts(bots: Sequence[str], tally: Tally) -> tuple[PairCount, ...]:
    """Every ordered pair of *bots* that met, in their order."""
    return tuple(
        PairCount(one, other, above=tally.above[one, other], ties=tally.ties[_sorted(one, other)])
        for one, other in permutations(bots, 2)
        if tally.above[one, other] or tally.above[other, one] or tally.ties[_sorted(one, other)]
    )
