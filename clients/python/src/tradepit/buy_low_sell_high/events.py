"""What happens in Buy Low Sell High, as a seat sees it. Printed, each event is a sentence."""

from typing import NamedTuple, get_args

from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit.events import EventKinds
from tradepit.text import counted


class Dealt(NamedTuple):
    """The own cards, dealt at the start or drawn."""

    seat: int
    cards: tuple[str, ...]

    def __str__(self) -> str:
        return f"seat {self.seat} is dealt {', '.join(self.cards)}"


class Started(NamedTuple):
    """The starting player is known."""

    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} begins"


class Bought(NamedTuple):
    """A seat bought a share."""

    seat: int
    industry: str
    paid: int
    """Whole dollars."""

    def __str__(self) -> str:
        return f"seat {self.seat} buys {self.industry} for {self.paid} $"


class Sold(NamedTuple):
    """A seat sold a share."""

    seat: int
    industry: str
    received: int
    """Whole dollars; a fee that the seat owed was paid from them first."""
    reason: str
    """"trade", "fee" or "final"."""

    def __str__(self) -> str:
        return f"seat {self.seat} sells {self.industry} for {self.received} $ ({self.reason})"


class CardPlayed(NamedTuple):
    """A card was played."""

    seat: int
    card: str
    over: str
    """The card that news was laid over; else empty."""

    def __str__(self) -> str:
        return f"seat {self.seat} plays {self.card}{f' over {self.over}' if self.over else ''}"


class FeeCharged(NamedTuple):
    """An expense card charged a seat for its shares."""

    seat: int
    industry: str
    shares: int
    paid: int
    """The whole fee in dollars, paid from the cash as far as that went."""
    owed: int
    """What the seat owes afterwards in all, in dollars."""

    def __str__(self) -> str:
        owed = f"; it owes {self.owed} $" if self.owed else ""
        return f"seat {self.seat} is charged {self.paid} $ for {self.shares} {self.industry}{owed}"


class CardsDrawn(NamedTuple):
    """A seat drew so many cards."""

    seat: int
    cards: int

    def __str__(self) -> str:
        return f"seat {self.seat} draws {counted(self.cards, 'card')}"


class YearEnded(NamedTuple):
    """All card spaces were full at the end of a turn."""

    year: int

    def __str__(self) -> str:
        return f"year {self.year} ends"


class ChartMoved(NamedTuple):
    """A chart moved by its standing market cards."""

    industry: str
    points: int
    """Their sum, in fields."""
    from_top: int
    """The top share's field before, in dollars."""
    to_top: int
    """The top share's field after, in dollars: less far than the sum at an end of the chart."""

    def __str__(self) -> str:
        return f"{self.industry} moves by {self.points:+d}: the top share from {self.from_top} $ to {self.to_top} $"


class DividendPaid(NamedTuple):
    """An industry paid a seat for its shares."""

    seat: int
    industry: str
    shares: int
    received: int
    """Whole dollars; a fee that the seat owed was paid from them first."""

    def __str__(self) -> str:
        return f"seat {self.seat} gets a dividend of {self.received} $ for {self.shares} {self.industry}"


class Discarded(NamedTuple):
    """A seat set aside so many cards of its hand, perhaps none."""

    seat: int
    cards: int

    def __str__(self) -> str:
        return f"seat {self.seat} discards {counted(self.cards, 'card')}"


class Ended(NamedTuple):
    """The last share was sold."""

    def __str__(self) -> str:
        return "the last share is sold"


Event = (
    Dealt | Started | Bought | Sold | CardPlayed | FeeCharged | CardsDrawn
    | YearEnded | ChartMoved | DividendPaid | Discarded | Ended
)  # fmt: skip
"""Anything that can happen."""

KINDS: EventKinds[Event] = EventKinds(pb.Event, get_args(Event))
