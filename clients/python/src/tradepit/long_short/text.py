"""Views as text, for authors who print them."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tradepit.long_short.view import LongShortView

_LABEL = 11
_COLUMN = 8


def view_text(view: "LongShortView") -> str:
    """What *view* shows, as a table and some lines."""
    return "\n".join(_lines(view))


def _lines(view: "LongShortView") -> Iterator[str]:
    yield (
        f"Long Short, round {view.round} of {view.edition.rounds}, turn of seat {view.active_seat}; "
        f"you are seat {view.seat}, asked for: {view.decision}"
    )
    yield from _clock(view)
    yield _row("good", *view.levels)
    yield _row("level", *view.levels.values())
    yield _row("price $", *(f"{price:,}" for price in view.prices.values()))
    yield "your hand, and the points by which it moves them:" if view.hand else "your hand is empty"
    yield from (_row(card.id, *_points(view, card.moves)) for card in view.hand)
    yield from (f"{'*' if seat.seat == view.seat else ' '} {seat}" for seat in view.seats)
    yield _stock(view)
    if view.last_roll:
        yield f"last roll: {view.last_roll.red}, {view.last_roll.green} (seat {view.last_roll.seat})"
    yield "since your last decision:" if view.events else "nothing has happened since your last decision"
    yield from (f"  {event}" for event in view.events)


def counted(number: int, thing: str) -> str:
    """How many of a *thing*: "1 card", "2 cards"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _clock(view: "LongShortView") -> Iterator[str]:
    if view.time_left is not None:
        bank = "" if view.bank_left is None else f", {view.bank_left.total_seconds():g} s in the bank"
        yield f"time left: {view.time_left.total_seconds():g} s{bank}"


def _points(view: "LongShortView", moves: Mapping[str, int]) -> Iterator[str]:
    return (f"{moves[good]:+d}" if good in moves else "" for good in view.levels)


def _stock(view: "LongShortView") -> str:
    sizes = ", ".join(str(pile.size) for pile in view.piles)
    drawn = ", ".join(str(len(pile.drawn)) for pile in view.piles)
    bank = counted(view.bank_day_trade_cards, "day-trade card")
    return f"piles of {sizes} action cards, drawn so far {drawn}; the bank has {bank}"


def _row(label: str, *cells: object) -> str:
    return (label.ljust(_LABEL) + "".join(str(cell).rjust(_COLUMN) for cell in cells)).rstrip()
