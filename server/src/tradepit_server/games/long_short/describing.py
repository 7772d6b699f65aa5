"""Events as sentences for people."""

from collections.abc import Callable
from typing import Any

from tradepit_server.games.long_short import events

_SOLD = {
    "order": "sells",
    "day_trade": "day-trades",
    "settlement": "has settled as the price left the table",
    "cover": "must cover and sells",
    "final": "has settled at the end",
}

_CAUSES = {"price_card": "by the price change card", "limit": "by the dice", "action_card": "by the action card"}

_SOURCES = {
    "initial": "to begin with",
    "start": "as the starting player",
    "die": "by the green die",
    "action_card": "by an action card",
}

_PAYMENTS = {
    "action_card": "by the action card",
    "cancellation": "to go on after the end-of-game card",
    "restart": "to start again after bankruptcy",
}

_ENDS = {"rounds": "The last round is over.", "card": "The end-of-game card ends the game."}


def sentence(event: events.Event) -> str:
    """*event* as a sentence; seats are called by their number, from 0."""
    return _SENTENCES[type(event)](event)


def _money(dollars: int) -> str:
    return f"{dollars:,} $"


def _flow(dollars: int) -> str:
    return f"receives {_money(dollars)}" if dollars >= 0 else f"pays {_money(-dollars)}"


def _bought(event: events.Bought) -> str:
    stack = f"{event.contracts} {event.good} {event.side} at {event.level}"
    return f"Seat {event.seat} buys {stack} for {_money(event.paid)}."


def _sold(event: events.Sold) -> str:
    stack = f"{event.contracts} {event.good} {event.side} from {event.entry_level} at {event.level}"
    return f"Seat {event.seat} {_SOLD[event.reason]}: {stack}; it {_flow(event.received)}."


def _moved(event: events.PriceMoved) -> str:
    return f"{event.good.capitalize()} moves from {event.from_level} to {event.to_level} {_CAUSES[event.cause]}."


def _cash(event: events.CashMoved) -> str:
    return f"Seat {event.seat} {_flow(event.received)} {_PAYMENTS[event.reason]}."


_SENTENCES: dict[type, Callable[[Any], str]] = {
    events.Started: lambda e: f"Seat {e.seat} begins; rolls of the green die: {e.rolls}.",
    events.Dealt: lambda e: f"Seat {e.seat} is dealt {', '.join(e.cards)}.",
    events.Bought: _bought,
    events.Sold: _sold,
    events.CardPlayed: lambda e: f"Seat {e.seat} plays {e.card}.",
    events.Rolled: lambda e: f"Seat {e.seat} rolls {e.red} and {e.green.replace('_', ' ')}.",
    events.PriceMoved: _moved,
    events.PriceReset: lambda e: f"{e.good.capitalize()} left the table and goes back to {e.level}.",
    events.ActionCardDrawn: lambda e: f"Seat {e.seat} draws {e.card} from pile {e.pile}.",
    events.DayTradeCardTaken: lambda e: f"Seat {e.seat} takes a day-trade card {_SOURCES[e.source]}.",
    events.DayTradeCardReturned: lambda e: f"Seat {e.seat} gives a day-trade card back.",
    events.CashMoved: _cash,
    events.Ended: lambda e: _ENDS[e.reason],
}
