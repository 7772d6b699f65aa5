"""The charts. Source: rules page, "The chart".

The shares on a chart stand on consecutive fields, from the top share downwards; only the lowest field can hold
several. So all that a chart knows is the top share's field and the number of shares.
"""

from collections.abc import Sequence


def lowest(top: int, stock: int) -> int:
    """The field of the lowest share: the next one to be bought."""
    return max(top - stock + 1, 0)


def below(top: int, stock: int) -> int:
    """The field that a sold share is put on: the highest empty one below the lowest share, or the lowest of all."""
    return max(top - stock, 0)


def moved(chart: Sequence[int], top: int, stock: int, points: int) -> int:
    """The top share's field after a rise by so many fields, or a fall when *points* are below zero.

    A step takes one share from an end of the row to the other. Ruling: with the top share on the last field nothing
    rises, with the lowest share on the first nothing falls.
    """
    if points > 0:
        return min(top + points, len(chart) - 1)
    bottom = min(top, stock - 1)
    return max(top + points, bottom)
