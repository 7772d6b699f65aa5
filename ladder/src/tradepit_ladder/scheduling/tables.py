"""Which bots of a tournament meet at a table, and in which order the tables play.

Everything is built from *orbits*: a table and what becomes of it when every bot is replaced by the next
one, the last by the first, as often as there are bots. All bots sit at equally many tables of an orbit,
and how often two of them meet follows from their distance round the circle alone.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

from tradepit_ladder.scheduling.design import Table, base_tables, distances

MAX_SUBSETS = 300
"""Up to so many, every set of bots gets a table: all of 10 bots at tables of 4, or of 13 at tables of 3."""


def tables(bots: int, size: int) -> list[Table]:
    """The tables of a round robin of *bots* bots at tables of *size*, 2 <= size <= bots, in playing order.

    Every set of *size* bots has one table, where that makes at most ``MAX_SUBSETS``, and always when size
    is 2. Otherwise a design in which every bot sits at equally many tables, every two bots meet, and the
    numbers of times that two bots meet differ by at most 1, or 2 for 31 bots at tables of 6.

    The order is interleaved: whenever it is cut short, the numbers of tables that two bots have sat at
    differ by at most 2, in a design by at most 4. (All this is tested for up to 40 bots.)
    """
    if size == 2 or comb(bots, size) <= MAX_SUBSETS:
        orbits = _all_orbits(bots, size)
    else:
        orbits = [_orbit(base, bots) for base in base_tables(bots, size)]
    return list(_interleaved(orbits, bots))


def _shifted(table: Table, shift: int, bots: int) -> Table:
    return tuple(sorted((bot + shift) % bots for bot in table))


def _orbit(table: Table, bots: int) -> list[Table]:
    return [_shifted(table, shift, bots) for shift in range(bots)]


def _all_orbits(bots: int, size: int) -> list[list[Table]]:
    """Every set of *size* bots once. An orbit that repeats itself before all bots have had their turn is cut there."""
    orbits: list[list[Table]] = []
    seen: set[Table] = set()
    for rest in combinations(range(1, bots), size - 1):
        if (0, *rest) not in seen:
            orbits.append(list(dict.fromkeys(_orbit((0, *rest), bots))))
            seen.update(orbits[-1])
    return _by_distance(orbits, bots)


def _by_distance(orbits: list[list[Table]], bots: int) -> list[list[Table]]:
    """*orbits* so ordered that after each of them bots at any distance have met about equally often."""
    met = [0] * bots
    ordered = []
    remaining = {index: distances(orbit[0], bots) for index, orbit in enumerate(orbits)}
    while remaining:
        index = min(remaining, key=lambda i: (sum(met[distance] for distance in remaining[i]), i))
        for distance in remaining.pop(index):
            met[distance] += 1
        ordered.append(orbits[index])
    return ordered


def _interleaved(orbits: Sequence[list[Table]], bots: int) -> Iterator[Table]:
    """The tables of each orbit in turn, next always one whose bots have sat and met least."""
    sat = [0] * bots
    met = [[0] * bots for _ in range(bots)]
    for orbit in orbits:
        remaining = dict(enumerate(orbit))
        while remaining:
            index = min(remaining, key=lambda i: (*_weariness(remaining[i], sat, met), i))
            table = remaining.pop(index)
            for bot in table:
                sat[bot] += 1
            for one, other in combinations(table, 2):
                met[one][other] += 1
            yield table


def _weariness(table: Table, sat: list[int], met: list[list[int]]) -> tuple[int, int]:
    return sum(sat[bot] for bot in table), sum(met[one][other] for one, other in combinations(table, 2))
