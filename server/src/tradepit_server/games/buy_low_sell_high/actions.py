"""What a seat can do in Buy Low Sell High. Industries and cards by name, as in the edition."""

from typing import NamedTuple


class Buy(NamedTuple):
    """Buy a share from the bank."""

    industry: str


class Sell(NamedTuple):
    """Sell a share to the bank."""

    industry: str


class CardPlay(NamedTuple):
    """Play a card of the hand."""

    card: str
    over: str = ""
    """For news: the card that it is laid over; empty when there is none to cover, and for all other cards."""


class Turn(NamedTuple):
    """Trades, then cards, each carried out in this order."""

    trades: tuple[Buy | Sell, ...]
    cards: tuple[CardPlay, ...]
    fee_sales: tuple[str, ...] = ()
    """While a fee is owed, in place of trades: the industries whose shares to sell for it, first to last."""


class Discard(NamedTuple):
    """Cards of the hand to exchange at the end of a year."""

    cards: tuple[str, ...] = ()


class FinalSale(NamedTuple):
    """The industry to sell a share of when the game is over."""

    industry: str


Action = Turn | Discard | FinalSale
