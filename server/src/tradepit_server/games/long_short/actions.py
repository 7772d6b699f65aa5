"""What a seat can do in Long Short. Goods, sides and cards by name, as in the edition."""

from typing import NamedTuple


class Buy(NamedTuple):
    """Buy contracts at the current level."""

    good: str
    side: str
    """"long" or "short"."""
    contracts: int


class Sell(NamedTuple):
    """Sell contracts of one position at the current level."""

    good: str
    side: str
    entry_level: int
    """The level at which they were bought, in points."""
    contracts: int


class Turn(NamedTuple):
    """Orders, carried out in this order; the price change card; the action card pile, 1 to 3."""

    orders: tuple[Buy | Sell, ...]
    price_card: str
    pile: int = 1


class DayTrade(NamedTuple):
    """Sales for one day-trade card; none keeps the card."""

    sales: tuple[Sell, ...] = ()


class EndOfGame(NamedTuple):
    """Whether to pay and go on after the end-of-game card."""

    cancel: bool = False


Action = Turn | DayTrade | EndOfGame
