"""Pieces of which views make their text, whatever the game."""

from collections.abc import Iterable, Iterator
from typing import Any

from tradepit.view import View

_LABEL = 11


def counted(number: int, thing: str) -> str:
    """How many of a *thing*: "1 card", "2 cards"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def clock_lines(view: View) -> Iterator[str]:
    """What the clock of *view* shows; nothing without a limit."""
    if view.time_left is not None:
        bank = "" if view.bank_left is None else f", {view.bank_left.total_seconds():g} s in the bank"
        yield f"time left: {view.time_left.total_seconds():g} s{bank}"


def event_lines(events: Iterable[Any]) -> Iterator[str]:
    """What has happened, a line each."""
    told = [f"  {event}" for event in events]
    yield "since your last decision:" if told else "nothing has happened since your last decision"
    yield from told


def table_row(label: str, *cells: object, column: int) -> str:
    """A row of a table whose columns are *column* characters wide."""
    return (label.ljust(_LABEL) + "".join(str(cell).rjust(column) for cell in cells)).rstrip()
