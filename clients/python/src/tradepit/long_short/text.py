"""Views as text, for authors who print them."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from tradepit.text import clock_lines, counted, event_lines, table_row

if TYPE_CHECKING:
    from tradepit.long_short.view import LongShortView

_row = partial(table_row, column=8)


def view_text(view: "LongShortView") -> str:
    """What *view* shows, as a table and some lines."""
    return "\n".join(_lines(view))


def _lines(view: "LongShortView") -> Iterator[str]:
    yield (
        f"Long Short, round {view.round} of {view.edition.rounds}, turn of seat {view.active_seat}; "
        f"you are seat {view.seat}, asked for: {view.decision}"
    )
    yield from clock_lines(view)
    yield _row("good", *view.levels)
    yield _row("level", *view.levels.values())
    yield _row("price $", *(f"{price:,}" for price in view.prices.values()))
    yield "your hand, and the points by which it moves them:" if view.hand else "your hand is empty"
    yield from (_row(card.id, *_points(view, card.moves)) for card in view.hand)
    yield from (f"{'*' if seat.seat == view.seat else ' '} {seat}" for seat in view.seats)
    yield _stock(view)
    if view.last_roll:
        yield f"last roll: {view.last_roll.red}, {view.last_roll.green} (seat {view.last_roll.seat})"
    yield from event_lines(view.events)


def _points(view: "LongShortView", moves: Mapping[str, int]) -> Iterator[str]:
    return (f"{moves[good]:+d}" if good in moves else "" for good in view.levels)


def _stock(view: "LongShortView") -> str:
    sizes = ", ".join(str(pile.size) for pile in view.piles)
    drawn = ", ".join(str(len(pile.drawn)) for pile in view.piles)
    bank = counted(view.bank_day_trade_cards, "day-trade card")
    return f"piles of {sizes} action cards, drawn so far {drawn}; the bank has {bank}"
