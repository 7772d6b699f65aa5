"""Events as sentences for people."""

from collections.abc import Callable
from typing import Any

from tradepit_server.games.buy_low_sell_high import events

_SALES = {"trade": "sells", "fee": "must sell for a fee", "final": "sells at the end"}


def sentence(event: events.Event) -> str:
    """*event* as a sentence; seats are called by their number, from 0."""
    return _SENTENCES[type(event)](event)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _sold(event: events.Sold) -> str:
    return f"Seat {event.seat} {_SALES[event.reason]}: a share of {event.industry} for {event.received} $."


def _played(event: events.CardPlayed) -> str:
    over = f" over {event.over}" if event.over else ""
    return f"Seat {event.seat} plays {event.card}{over}."


def _charged(event: events.FeeCharged) -> str:
    owed = f"; it owes {event.owed} $" if event.owed else ""
    shares = f"{_count(event.shares, 'share')} of {event.industry}"
    return f"Seat {event.seat} is charged {event.paid} $ for {shares}{owed}."


def _moved(event: events.ChartMoved) -> str:
    way = f"from {event.from_top} $ to {event.to_top} $"
    return f"{event.industry.capitalize()} changes by {event.points:+}: the top share goes {way}."


def _dividend(event: events.DividendPaid) -> str:
    shares = f"{_count(event.shares, 'share')} of {event.industry}"
    return f"Seat {event.seat} receives a dividend of {event.received} $ for {shares}."


_SENTENCES: dict[type, Callable[[Any], str]] = {
    events.Dealt: lambda e: f"Seat {e.seat} is dealt {', '.join(e.cards)}.",
    events.Started: lambda e: f"Seat {e.seat} begins.",
    events.Bought: lambda e: f"Seat {e.seat} buys a share of {e.industry} for {e.paid} $.",
    events.Sold: _sold,
    events.CardPlayed: _played,
    events.FeeCharged: _charged,
    events.CardsDrawn: lambda e: f"Seat {e.seat} draws {_count(e.cards, 'card')}.",
    events.YearEnded: lambda e: f"Year {e.year} ends.",
    events.ChartMoved: _moved,
    events.DividendPaid: _dividend,
    events.Discarded: lambda e: f"Seat {e.seat} discards {_count(e.cards, 'card')}.",
    events.Ended: lambda e: "The last share is sold.",
}
