"""Views as text, for authors who print them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tradepit.long_short.view import LongShortView

_COLUMN = 9


def view_text(view: "LongShortView") -> str:
    """All that *view* knows, as a table and some lines."""
    return "\n".join(_lines(view))


def _lines(view: "LongShortView") -> Iterator[str]:
    yield (
        f"Long Short, round {view.round} of {view.edition.rounds}, turn {view.turn} of seat {view.active_seat}: "
        f"seat {view.seat} is asked for: {view.decision}"
    )
    yield _row("good", *view.levels)
    yield _row("level", *view.levels.values())
    yield _row("price $", *(f"{price:,}" for price in view.prices.values()))
    yield from (f"{'*' if seat.seat == view.seat else ' '} {seat}" for seat in view.seats)
    yield f"hand: {'; '.join(map(str, view.hand)) or 'empty'}"
    yield f"piles: {', '.join(f'{pile.size} cards, {len(pile.drawn)} drawn' for pile in view.piles)}"
    if view.last_roll:
        yield f"last: {view.last_roll}"
    yield "since the last decision:" if view.events else "nothing happened since the last decision"
    yield from (f"  {event}" for event in view.events)


def _row(name: str, *cells: object) -> str:
    return name.ljust(_COLUMN) + "".join(str(cell).rjust(_COLUMN) for cell in cells)
