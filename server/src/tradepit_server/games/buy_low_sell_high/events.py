"""What can happen in Buy Low Sell High. Every change of money is one of these, with its reason."""

from typing import NamedTuple


class Dealt(NamedTuple):
    """A seat got cards, at the start or from the draw pile. Only that seat sees this."""

    seat: int
    cards: tuple[str, ...]


class Started(NamedTuple):
    """The starting player is known."""

    seat: int


class Bought(NamedTuple):
    """A seat bought a share."""

    seat: int
    industry: str
    paid: int
    """Whole dollars."""


class Sold(NamedTuple):
    """A seat sold a share."""

    seat: int
    industry: str
    received: int
    """Whole dollars; a fee that was owed is paid from them first."""
    reason: str
    """"trade", "fee" or "final"."""


class CardPlayed(NamedTuple):
    """A card was played."""

    seat: int
    card: str
    over: str
    """The card that news was laid over; else empty."""


class FeeCharged(NamedTuple):
    """An expense card charged a seat for its shares."""

    seat: int
    industry: str
    shares: int
    paid: int
    """Whole dollars, paid from the cash as far as that went."""
    owed: int
    """What the seat owes afterwards in all, in whole dollars."""


class CardsDrawn(NamedTuple):
    """A seat drew so many cards; a Dealt with the cards follows."""

    seat: int
    cards: int


class YearEnded(NamedTuple):
    """All card spaces were full at the end of a turn."""

    year: int


class ChartMoved(NamedTuple):
    """A chart moved by its standing market cards."""

    industry: str
    points: int
    """Their sum, in fields; never 0."""
    from_top: int
    to_top: int
    """Fields of the top share in dollars; they differ by less than the points at an end of the chart."""


class DividendPaid(NamedTuple):
    """An industry paid a seat for its shares."""

    seat: int
    industry: str
    shares: int
    received: int
    """Whole dollars; a fee that was owed is paid from them first."""


class Discarded(NamedTuple):
    """A seat set aside so many cards of its hand, perhaps none."""

    seat: int
    cards: int


class Ended(NamedTuple):
    """The last share was sold."""


Event = (
    Dealt | Started | Bought | Sold | CardPlayed | FeeCharged | CardsDrawn
    | YearEnded | ChartMoved | DividendPaid | Discarded | Ended
)  # fmt: skip
