"""Views as text, for authors who print them."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from tradepit.text import clock_lines, counted, event_lines, table_row

if TYPE_CHECKING:
    from tradepit.buy_low_sell_high.edition import Card
    from tradepit.buy_low_sell_high.view import BuyLowSellHighView

_row = partial(table_row, column=12)


def view_text(view: "BuyLowSellHighView") -> str:
    """What *view* shows, as a table and some lines."""
    return "\n".join(_lines(view))


def _lines(view: "BuyLowSellHighView") -> Iterator[str]:
    yield (
        f"Buy Low Sell High, year {view.year} of {view.edition.years}, turn {view.turn}; "
        f"you are seat {view.seat}, asked for: {view.decision}"
    )
    yield from clock_lines(view)
    yield _row("industry", *view.industries)
    yield _row("buy $", *("-" if price is None else price for price in view.buy_prices.values()))
    yield _row("sell $", *view.sell_prices.values())
    yield _row("top share $", *(chart.top for chart in view.charts.values()))
    yield _row("in the bank", *(chart.shares for chart in view.charts.values()))
    yield _row("will move", *(f"{standing.points:+d}" for standing in view.standing.values()))
    yield _row("dividend $", *(standing.dividend for standing in view.standing.values()))
    yield "your hand:" if view.hand else "your hand is empty"
    yield from (f"  {_card(view, card)}" for card in view.hand)
    yield from (f"{'*' if seat.seat == view.seat else ' '} {seat}" for seat in view.seats)
    spaces = ", ".join(map(str, view.spaces)) or "none"
    yield f"card spaces taken, {len(view.spaces)} of {view.card_spaces}: {spaces}"
    aside = f", {counted(view.discards, 'discard')} set aside" if view.discards else ""
    yield f"draw pile of {counted(view.draw_pile, 'card')}{aside}"
    yield from event_lines(view.events)


def _card(view: "BuyLowSellHighView", card: "Card") -> str:
    """*card*, and what news can cover."""
    targets = ", ".join(target.id for target in view.desk().targets(card)) if view.decision == "turn" else ""
    return f"{card} over {targets}" if targets else str(card)
