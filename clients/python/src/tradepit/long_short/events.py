"""What happens in Long Short, as a seat sees it. Printed, each event is a sentence."""

from typing import NamedTuple, get_args

from tradepit.events import EventKinds
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

KINDS: EventKinds[Event] = EventKinds(pb.Event, get_args(Event))
