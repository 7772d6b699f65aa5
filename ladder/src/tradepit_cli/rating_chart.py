"""A chart of a rating over matches for terminals: its mean, the range that it is in, and the bot's versions."""

from collections.abc import Iterator, Sequence

from tradepit_ladder.rating_reports import RatingPoint

_ROWS = 13
_LEAST_WIDTH = 20
"""Columns for the matches, however narrow the terminal."""

_SCALE = 8
"""Columns for the numbers at the left."""

_MEAN, _RANGE, _NEW_VERSION = "█", "░", "|"
_SIGMAS = 2


def chart(points: Sequence[RatingPoint], width: int) -> Iterator[str]:
    """The *points*, one or more, as lines of at most *width* columns.

    Of the matches that share a column, the last is shown.
    """
    columns = _fitted(points, max(_LEAST_WIDTH, width - _SCALE - 3))
    low = min(point.mu - _SIGMAS * point.sigma for point in columns)
    high = max(point.mu + _SIGMAS * point.sigma for point in columns)
    step = (high - low) / (_ROWS - 1)
    for row in reversed(range(_ROWS)):
        bars = "".join(_cell(point, low + (row - 0.5) * step, low + (row + 0.5) * step) for point in columns)
        label = f"{low + row * step:.2f}" if row % 3 == 0 else ""
        yield f"{label:>{_SCALE}} |{bars}".rstrip()
    yield f"{'version':>{_SCALE}}  {_versions(columns)}".rstrip()
    yield f"{'match':>{_SCALE}}  {_ends(len(points), len(columns))}"
    yield f"{_MEAN} mu   {_RANGE} mu +- {_SIGMAS} sigma"


def _fitted(points: Sequence[RatingPoint], columns: int) -> list[RatingPoint]:
    if len(points) <= columns:
        return list(points)
    return [points[(column + 1) * len(points) // columns - 1] for column in range(columns)]


def _cell(point: RatingPoint, bottom: float, top: float) -> str:
    """What is seen of *point* between two heights."""
    if bottom <= point.mu < top:
        return _MEAN
    reach = _SIGMAS * point.sigma
    return _RANGE if point.mu - reach < top and point.mu + reach > bottom else " "


def _versions(columns: Sequence[RatingPoint]) -> str:
    """Each version's number where it began."""
    line = ""
    for column, point in enumerate(columns):
        if column == 0 or columns[column - 1].version != point.version:
            # Where versions change quickly, their numbers push each other along.
            line = f"{line:<{column}}{_NEW_VERSION}{point.version} "
    return line[: len(columns)]


def _ends(matches: int, columns: int) -> str:
    last = f"{matches:,}"
    return "1" if matches == 1 else f"1{last:>{max(columns - 1, len(last) + 1)}}"
