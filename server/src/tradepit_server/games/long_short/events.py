"""What can happen in Long Short. Every change of money is one of these, with its reason."""

from functools import lru_cache
from typing import NamedTuple


class Started(NamedTuple):
    """The starting player is known, after so many rolls of the green die."""

    seat: int
    rolls: int


class Dealt(NamedTuple):
    """A seat got its price change cards. Only that seat sees this."""

    seat: int
    cards: tuple[str, ...]


class Bought(NamedTuple):
    """A seat bought contracts and paid the margin."""

    seat: int
    good: str
    side: str
    level: int
    contracts: int
    paid: int
    """Whole dollars."""


class Sold(NamedTuple):
    """Contracts of a seat were sold or settled."""

    seat: int
    good: str
    side: str
    entry_level: int
    level: int
    contracts: int
    received: int
    """Whole dollars; negative when the seat paid."""
    reason: str
    """"order", "day_trade", "settlement", "cover" or "final"."""


class CardPlayed(NamedTuple):
    """A price change card was played."""

    seat: int
    card: str


class Rolled(NamedTuple):
    """Both dice were rolled."""

    seat: int
    red: str
    green: str


class PriceMoved(NamedTuple):
    """A good moved; *to_level* is the last field of the table when it left the table."""

    good: str
    from_level: int
    to_level: int
    cause: str
    """"price_card", "limit" or "action_card"."""


class PriceReset(NamedTuple):
    """A good that left the table went back to the start."""

    good: str
    level: int


class ActionCardDrawn(NamedTuple):
    """An action card was drawn and put back under its pile."""

    seat: int
    pile: int
    card: str


class DayTradeCardTaken(NamedTuple):
    """A seat took a day-trade card from the bank."""

    seat: int
    source: str
    """"initial", "start", "die" or "action_card"."""


class DayTradeCardReturned(NamedTuple):
    """A seat gave a day-trade card back to the bank."""

    seat: int


class CashMoved(NamedTuple):
    """Cash changed hands other than by a contract."""

    seat: int
    received: int
    """Whole dollars; negative when the seat paid."""
    reason: str
    """"action_card", "cancellation" or "restart"."""


class Ended(NamedTuple):
    """The game ended."""

    reason: str
    """"rounds" or "card"."""


Event = (
    Started | Dealt | Bought | Sold | CardPlayed | Rolled | PriceMoved | PriceReset
    | ActionCardDrawn | DayTradeCardTaken | DayTradeCardReturned | CashMoved | Ended
)  # fmt: skip

# In a match the same few cards, rolls and moves come again and again: one tuple of each does.
card_played = lru_cache(maxsize=1 << 12)(CardPlayed)
rolled = lru_cache(maxsize=1 << 12)(Rolled)
price_moved = lru_cache(maxsize=1 << 12)(PriceMoved)
