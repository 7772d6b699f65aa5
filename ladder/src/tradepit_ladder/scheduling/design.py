"""A balanced choice of tables where there are too many sets of bots to play them all.

A cyclic design: from a few base tables all others follow by moving every bot one place round the circle.
Two bots at distance d then meet once for each time that d occurs between two bots of a base table, so
the base tables are chosen such that every distance occurs about equally often (a *difference family*
when exactly).
"""

from itertools import permutations

Table = tuple[int, ...]
"""The bots at a table, by position in the tournament's order, rising."""

_MORE_BASES = 8
"""How many base tables beyond the fewest possible are tried."""


def distances(table: Table, bots: int) -> list[int]:
    """The distances 1..bots-1 from each bot of *table* to each other one, round a circle of *bots*."""
    return [(other - one) % bots for one, other in permutations(table, 2)]


def base_tables(bots: int, size: int) -> list[Table]:
    """The fewest base tables by which every two bots meet, equally often or with a difference of one.

    Where the search finds none, the most even ones that it saw.
    """
    fewest = -(-(bots - 1) // (size * (size - 1)))
    found = []
    for number in range(fewest, fewest + _MORE_BASES):
        bases, met = _search(bots, size, number)
        gap = max(met) - min(met)
        if gap <= 1 and min(met) > 0:
            return bases
        found.append((min(met) == 0, gap, number, bases))
    return min(found)[-1]


def _search(bots: int, size: int, number: int) -> tuple[list[Table], list[int]]:
    """*number* base tables, grown greedily and then improved bot by bot, and how often each distance 1.. occurs."""
    met = [0] * bots
    bases: list[Table] = []
    for _ in range(number):
        table: Table = (0,)
        while len(table) < size:
            table = _with_best(table, bots, met)
        bases.append(table)
    while any(_improve(bases, index, bots, met) for index in range(number)):
        pass
    return [tuple(sorted(base)) for base in bases], met[1:]


def _improve(bases: list[Table], index: int, bots: int, met: list[int]) -> bool:
    """Exchange bots of one base table wherever that makes *met* more even. Says whether it did."""
    before = _unevenness(met)
    for bot in bases[index][1:]:
        rest = tuple(other for other in bases[index] if other != bot)
        _count(rest, bot, bots, met, -1)
        bases[index] = _with_best(rest, bots, met)
    return _unevenness(met) < before


def _with_best(table: Table, bots: int, met: list[int]) -> Table:
    """*table* and the one more bot that keeps *met*, which is brought up to date, most even."""
    best = min((bot for bot in range(bots) if bot not in table), key=lambda bot: (_cost(table, bot, bots, met), bot))
    _count(table, best, bots, met, 1)
    return (*table, best)


def _cost(table: Table, bot: int, bots: int, met: list[int]) -> int:
    _count(table, bot, bots, met, 1)
    cost = _unevenness(met)
    _count(table, bot, bots, met, -1)
    return cost


def _count(table: Table, bot: int, bots: int, met: list[int], step: int) -> None:
    for other in table:
        met[(bot - other) % bots] += step
        met[(other - bot) % bots] += step


def _unevenness(met: list[int]) -> int:
    # The sum of all is fixed, so the sum of squares is least when they are even.
    return sum(times * times for times in met)
