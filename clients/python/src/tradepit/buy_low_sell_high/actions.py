"""What a bot can answer in Buy Low Sell High. Checked when it is made, so a slip shows where it happened."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from tradepit.buy_low_sell_high.edition import Card
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb

MAX_TRADES = 2
"""Trades in a turn, at the most."""


@dataclass(frozen=True, slots=True)
class Buy:  # no tuple: one that holds the same industry would be equal to a sale
    """A trade: buy one share; made by ``buy``."""

    industry: str

    def __str__(self) -> str:
        return f"buy {self.industry}"


@dataclass(frozen=True, slots=True)
class Sale:
    """A trade: sell one share; made by ``sell``."""

    industry: str

    def __str__(self) -> str:
        return f"sell {self.industry}"


Trade = Buy | Sale


class CardPlay(NamedTuple):
    """A card to play; made by ``play``."""

    card: str
    """The card's id."""
    over: str = ""
    """For news: the id of the card that it is laid over; empty: it takes a space."""

    def __str__(self) -> str:
        return f"play {self.card} over {self.over}" if self.over else f"play {self.card}"


def buy(industry: str) -> Buy:
    """Buy a share of *industry*. Raises ValueError quoting what is wrong."""
    return Buy(check_industry(industry))


def sell(industry: str) -> Sale:
    """Sell a share of *industry*. Raises ValueError quoting what is wrong."""
    return Sale(check_industry(industry))


def play(card: Card | str, over: Card | str = "") -> CardPlay:
    """Play *card*; news over a card *over*. Raises ValueError quoting what is wrong."""
    return CardPlay(card_id(card), card_id(over) if over else "")


class Turn:
    """A whole turn: trades, or sales for a fee that is owed; then cards, until no further is due."""

    __slots__ = ("cards", "fee_sales", "trades")

    trades: tuple[Trade, ...]
    cards: tuple[CardPlay, ...]
    fee_sales: tuple[str, ...]
    """While a fee is owed: industries in the order in which shares are sold for it."""

    def __init__(
        self,
        trades: Iterable[Trade] = (),
        *,
        cards: Iterable[CardPlay | Card | str],
        fee_sales: Iterable[str] = (),
    ) -> None:
        """Raises TypeError or ValueError quoting what is wrong; whether a turn is legal is the referee's to judge."""
        self.trades = tuple(trades)
        for trade in self.trades:
            if not isinstance(trade, Buy | Sale):
                raise TypeError(f"{trade!r} is no trade; buy(...) and sell(...) make them")
        if len(self.trades) > MAX_TRADES:
            raise ValueError(f"a turn has at most {MAX_TRADES} trades, not {len(self.trades)}")
        self.cards = tuple(card if isinstance(card, CardPlay) else play(card) for card in listed("cards", cards))
        self.fee_sales = tuple(map(check_industry, listed("fee_sales", fee_sales)))

    def __repr__(self) -> str:
        return f"Turn({list(self.trades)!r}, cards={list(self.cards)!r}, fee_sales={list(self.fee_sales)!r})"

    def __str__(self) -> str:
        sales = [f"sell for the fee: {', then '.join(self.fee_sales)}"] if self.fee_sales else []
        return ", ".join([*map(str, self.trades), *sales, *map(str, self.cards)]) or "nothing"


def turn_message(turn: Turn) -> pb.Action:
    """*turn* as the message that the referee reads."""
    trades = [
        pb.Trade(buy=trade.industry) if isinstance(trade, Buy) else pb.Trade(sell=trade.industry)
        for trade in turn.trades
    ]
    cards = [pb.CardPlay(card=entry.card, over=entry.over) for entry in turn.cards]
    return pb.Action(turn=pb.Turn(trades=trades, cards=cards, fee_sales=turn.fee_sales))


def discard_message(cards: Iterable[Card | str]) -> pb.Action:
    """The cards to discard as the message that the referee reads. Raises ValueError or TypeError."""
    return pb.Action(discard=pb.Discard(cards=map(card_id, cards)))


def final_sale_message(industry: str) -> pb.Action:
    """A final sale as the message that the referee reads."""
    return pb.Action(final_sale=pb.FinalSale(industry=industry))


def read_action(action: pb.Action) -> Turn | tuple[str, ...] | str:
    """*action* as an author would give it: a turn, the ids of the cards to discard, the industry to sell."""
    kind = action.WhichOneof("kind")
    if kind == "final_sale":
        return action.final_sale.industry
    if kind == "discard":
        return tuple(action.discard.cards)
    turn = action.turn
    trades = (buy(trade.buy) if trade.HasField("buy") else sell(trade.sell) for trade in turn.trades)
    return Turn(trades, cards=[CardPlay(entry.card, entry.over) for entry in turn.cards], fee_sales=turn.fee_sales)


def answer_text(answer: Turn | tuple[str, ...] | str) -> str:
    """What ``read_action`` gives, in words."""
    if isinstance(answer, str):
        return f"sell {answer}"
    return str(answer) if isinstance(answer, Turn) else f"discard {', '.join(answer) or 'nothing'}"


def check_industry(industry: object) -> str:
    """*industry*, if it can be a name at all. Raises ValueError."""
    if not isinstance(industry, str) or not industry:
        raise ValueError(f"industry is {industry!r}; it must be the name of an industry")
    return industry


def card_id(card: object) -> str:
    """The id of *card*, a card or its id. Raises ValueError."""
    name = card.id if isinstance(card, Card) else card
    if not isinstance(name, str) or not name:
        raise ValueError(f"card is {card!r}; it must be a card or its id")
    return name


def listed(what: str, things: object) -> list[Any]:
    """*things* as a list. Raises TypeError if they are one thing, or a word, which would be read letter by letter."""
    if isinstance(things, str | CardPlay) or not isinstance(things, Iterable):
        raise TypeError(f"{what} is {things!r}; it must be a list")
    return list(things)
