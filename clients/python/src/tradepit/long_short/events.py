"""What happens in Long Short, as a seat sees it. Printed, each event is a sentence."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.words import Words


class Started(NamedTuple):
    """The starting player is known, after so many rolls of the green die."""

    seat: int
    rolls: int

    def __str__(self) -> str:
        return f"seat {self.seat} begins"


class Dealt(NamedTuple):
    """The own price change cards."""

    seat: int
    cards: tuple[str, ...]

    def __str__(self) -> str:
        return f"seat {self.seat} is dealt {', '.join(self.cards)}"


class Bought(NamedTuple):
    """A seat bought contracts and paid the margin."""

    seat: int
    good: str
    side: str
    level: int
    contracts: int
    paid: int
    """Whole dollars."""

    def __str__(self) -> str:
        return f"seat {self.seat} buys {self.contracts} {self.good} {self.side} @{self.level} for {self.paid:,} $"


class Sold(NamedTuple):
    """Contracts of a seat were sold or settled."""

    seat: int
    good: str
    side: str
    entry_level: int
    level: int
    contracts: int
    received: int
    """Whole dollars; below zero when the seat paid."""
    reason: str
    """"order", "day_trade", "settlement", "cover" or "final"."""

    def __str__(self) -> str:
        what = f"{self.contracts} {self.good} {self.side} @{self.entry_level} at {self.level}"
        return f"seat {self.seat} sells {what} for {self.received:,} $ ({self.reason})"


class CardPlayed(NamedTuple):
    """A price change card was played."""

    seat: int
    card: str

    def __str__(self) -> str:
        return f"seat {self.seat} plays {self.card}"


class Rolled(NamedTuple):
    """Both dice were rolled."""

    seat: int
    red: str
    """A good."""
    green: str
    """"day_trade", "action_card", "limit_up" or "limit_down"."""

    def __str__(self) -> str:
        return f"seat {self.seat} rolls {self.red}, {self.green}"


class PriceMoved(NamedTuple):
    """A good moved; *to_level* is the last field of the table when it left the table."""

    good: str
    from_level: int
    to_level: int
    cause: str
    """"price_card", "limit" or "action_card"."""

    def __str__(self) -> str:
        return f"{self.good} moves from {self.from_level} to {self.to_level} ({self.cause})"


class PriceReset(NamedTuple):
    """A good that left the table went back to the start; its contracts were settled."""

    good: str
    level: int

    def __str__(self) -> str:
        return f"{self.good} left the table and is back at {self.level}"


class ActionCardDrawn(NamedTuple):
    """An action card was drawn and put back under its pile."""

    seat: int
    pile: int
    card: str

    def __str__(self) -> str:
        return f"seat {self.seat} draws {self.card} from pile {self.pile}"


class DayTradeCardTaken(NamedTuple):
    """A seat took a day-trade card from the bank."""

    seat: int
    source: str
    """"initial", "start", "die" or "action_card"."""

    def __str__(self) -> str:
        return f"seat {self.seat} takes a day-trade card ({self.source})"


class DayTradeCardReturned(NamedTuple):
    """A seat gave a day-trade card back to the bank: it makes a day trade."""

    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} gives back a day-trade card"


class CashMoved(NamedTuple):
    """Cash changed hands other than by a contract."""

    seat: int
    received: int
    """Whole dollars; below zero when the seat paid."""
    reason: str
    """"action_card", "cancellation" or "restart"."""

    def __str__(self) -> str:
        return f"seat {self.seat} gets {self.received:+,} $ ({self.reason})"


class Ended(NamedTuple):
    """The game ended."""

    reason: str
    """"rounds" or "card"."""

    def __str__(self) -> str:
        return f"the game ends ({self.reason})"


Event = (
    Started | Dealt | Bought | Sold | CardPlayed | Rolled | PriceMoved | PriceReset
    | ActionCardDrawn | DayTradeCardTaken | DayTradeCardReturned | CashMoved | Ended
)  # fmt: skip
"""Anything that can happen."""

SIDE_WORDS = Words(pb.Side, "SIDE_")
_SALE_REASONS = Words(pb.SaleReason, "SALE_REASON_")
_CASH_REASONS = Words(pb.CashReason, "CASH_REASON_")
_CAUSES = Words(pb.MoveCause, "MOVE_CAUSE_")
_SOURCES = Words(pb.CardSource, "CARD_SOURCE_")
_END_REASONS = Words(pb.EndReason, "END_REASON_")


def read_events(messages: Iterable[pb.Event]) -> list[Event]:
    """The events in *messages*, in order; kinds that this version of the library does not know are left out."""
    events: list[Event] = []
    for message in messages:
        kind = message.WhichOneof("kind")
        if kind is not None:
            events.append(_READERS[kind](getattr(message, kind)))
    return events


def _bought(m: pb.Bought) -> Bought:
    return Bought(m.seat, m.good, SIDE_WORDS[m.side], m.level, m.contracts, m.paid)


def _sold(m: pb.Sold) -> Sold:
    side, reason = SIDE_WORDS[m.side], _SALE_REASONS[m.reason]
    return Sold(m.seat, m.good, side, m.entry_level, m.level, m.contracts, m.received, reason)


_READERS: dict[str, Any] = {
    "started": lambda m: Started(m.seat, m.rolls),
    "dealt": lambda m: Dealt(m.seat, tuple(m.cards)),
    "bought": _bought,
    "sold": _sold,
    "card_played": lambda m: CardPlayed(m.seat, m.card),
    "rolled": lambda m: Rolled(m.seat, m.red, m.green),
    "price_moved": lambda m: PriceMoved(m.good, m.from_level, m.to_level, _CAUSES[m.cause]),
    "price_reset": lambda m: PriceReset(m.good, m.level),
    "action_card_drawn": lambda m: ActionCardDrawn(m.seat, m.pile, m.card),
    "day_trade_card_taken": lambda m: DayTradeCardTaken(m.seat, _SOURCES[m.source]),
    "day_trade_card_returned": lambda m: DayTradeCardReturned(m.seat),
    "cash_moved": lambda m: CashMoved(m.seat, m.received, _CASH_REASONS[m.reason]),
    "ended": lambda m: Ended(_END_REASONS[m.reason]),
}
