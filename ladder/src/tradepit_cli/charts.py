"""Charts for terminals: bars of block elements, one row of panels a series."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

_EIGHTHS = " ▁▂▃▄▅▆▇█"
"""Bars that fill so many eighths of a cell."""

_LEFT_EIGHTHS = " ▏▎▍▌▋▊▉"
"""Bars that fill so many eighths of a cell from the left."""

_ROWS = 3
"""Of a panel: each holds eight steps."""

_LEAST_WIDTH = 10
"""Columns for the bars, however narrow the terminal."""


class Series(NamedTuple):
    """Values of one thing over time."""

    name: str
    values: Sequence[int | None]
    """One a moment; None: there was none."""


def panels(series: Sequence[Series], width: int) -> Iterator[str]:
    """The *series* as lines of at most *width* columns, one panel below the other, all on one scale.

    The scale stands at the left of a panel; the last value stands behind its bars.
    """
    known = [value for each in series for value in each.values if value is not None]
    if not known:
        return
    low, high = min(known), max(known)
    scale = max(len(f"{low:,}"), len(f"{high:,}"))
    names = max(len(each.name) for each in series)
    room = max(_LEAST_WIDTH, width - names - 2 * scale - 6)
    for each in series:
        columns = _fitted(each.values, room)
        last = next((value for value in reversed(each.values) if value is not None), None)
        labels = [f"{high:,}", *[""] * (_ROWS - 2), f"{low:,}"]
        for row, label in enumerate(labels):
            bars = "".join(_cell(value, low, high, _ROWS - 1 - row) for value in columns)
            name = each.name if row == _ROWS - 1 else ""
            ending = f" {last:,}" if row == _ROWS - 1 and last is not None else ""
            yield f"{name:<{names}}  {label:>{scale}} |{bars}|{ending}"


def spark(values: Sequence[int | None], low: int, high: int) -> str:
    """The *values* as one line of bars, on a scale from *low* to *high*."""
    steps = max(1, high - low)
    return "".join(" " if value is None else _EIGHTHS[1 + (value - low) * 7 // steps] for value in values)


def bar(value: int, most: int, width: int) -> str:
    """*value*, 0 or more, as a bar that is *width* columns long when it is *most*; one above 0 still shows."""
    eighths = value * 8 * width // max(1, most)
    full, part = divmod(max(eighths, value > 0), 8)
    return f"{'█' * full}{_LEFT_EIGHTHS[part]}".rstrip()


def _fitted(values: Sequence[int | None], columns: int) -> list[int | None]:
    """The *values* in at most so many *columns*: of those that share one, the last."""
    if len(values) <= columns:
        repeats = columns // len(values)
        return [value for value in values for _ in range(repeats)]
    return [values[(column + 1) * len(values) // columns - 1] for column in range(columns)]


def _cell(value: int | None, low: int, high: int, row: int) -> str:
    """What *value* fills of *row*, counted from the bottom; the least value still shows."""
    if value is None:
        return " "
    steps = _ROWS * 8
    filled = steps if high == low else 1 + (value - low) * (steps - 1) // (high - low)
    return _EIGHTHS[max(0, min(8, filled - 8 * row))]
