"""Leaderboards: ratings and tallies of what counts of a record. Pure."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import permutations

from tradepit_ladder.client import Leaderboard, PairCount, Standing, VoidBlock
from tradepit_ladder.ratings import Place, Rating, fold
from tradepit_ladder.record import Record, SeatRecord


@dataclass(slots=True)
class _Tally:
    matches: Counter[str] = field(default_factory=Counter)
    placements: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    above: Counter[tuple[str, str]] = field(default_factory=Counter)
    ties: Counter[tuple[str, str]] = field(default_factory=Counter)
    met: set[tuple[str, str]] = field(default_factory=set)

    def add(self, match: list[SeatRecord]) -> None:
        for seat in match:
            self.matches[seat.bot] += 1
            self.placements[seat.bot] += seat.placement
            self.faults[seat.bot] += seat.faults
        for one, other in permutations(match, 2):
            pair = (one.bot, other.bot)
            self.met.add(pair)
            self.above[pair] += one.placement < other.placement
            self.ties[pair] += one.placement == other.placement


def leaderboard(game: str, record: Record) -> Leaderboard:
    """The table of *record*, every bot starting from the prior."""
    ratings = fold([Place(seat.placement, seat.bot) for seat in match] for match in record.matches)
    tally = _Tally()
    for match in record.matches:
        tally.add(match)
    standings = _standings(ratings, tally)
    complete = [block for block in record.counted if not block.is_void]
    return Leaderboard(
        game=game,
        standings=standings,
        pairs=_pairs([standing.bot for standing in standings], tally),
        blocks_counted=len(complete),
        blocks_reproducible=sum(block.reproducible for block in complete),
        blocks_waiting=len(record.waiting),
        void=void_blocks(record),
    )


def void_blocks(record: Record) -> tuple[VoidBlock, ...]:
    """The void blocks of *record*, counted and waiting ones, in order."""
    finished = (*record.counted, *record.waiting)
    return tuple(VoidBlock(str(block.public_id), block.reason) for block in finished if block.is_void)


def _standings(ratings: dict[str, Rating], tally: _Tally) -> tuple[Standing, ...]:
    falling = sorted(ratings, key=lambda bot: (-ratings[bot].conservative, bot))
    rank = {bot: 1 + sum(r.conservative > ratings[bot].conservative for r in ratings.values()) for bot in falling}
    return tuple(
        Standing(
            rank=rank[bot],
            bot=bot,
            mu=ratings[bot].mu,
            sigma=ratings[bot].sigma,
            conservative=ratings[bot].conservative,
            matches=tally.matches[bot],
            mean_placement=tally.placements[bot] / tally.matches[bot],
            faults=tally.faults[bot],
        )
        for bot in falling
    )


def _pairs(bots: list[str], tally: _Tally) -> tuple[PairCount, ...]:
    met = [pair for pair in permutations(bots, 2) if pair in tally.met]
    return tuple(PairCount(*pair, above=tally.above[pair], ties=tally.ties[pair]) for pair in met)
