"""Working out a turn: what is still possible after the trades and cards so far, since they follow one another."""

from collections.abc import Iterable, Mapping, Sequence

from tradepit.buy_low_sell_high.actions import MAX_TRADES, Buy, CardPlay, Sale, Trade, Turn, buy, play, sell
from tradepit.buy_low_sell_high.edition import BuyLowSellHighEdition, Card
from tradepit.buy_low_sell_high.table import Chart, SeatView, Standing, add_up


class Desk:
    """A seat's turn as it grows, trade by trade and card by card. Nothing is sent.

    Trades come before cards, whatever is noted first: the cash that trades need is never that of a fee.
    """

    __slots__ = (
        "_edition", "_standing", "_turn", "cards", "cash", "charts", "due", "fee_owed", "fee_sales", "hand", "room",
        "shares", "trades",
    )  # fmt: skip

    cash: int
    """Whole dollars, after the trades so far; fees that cards charge come later."""
    fee_owed: int
    """Dollars; while a fee is owed there is no trade."""
    shares: dict[str, int]
    """Held of each industry, after the trades so far."""
    charts: dict[str, Chart]
    """After the trades so far."""
    trades: list[Trade]
    """The trades so far."""
    fee_sales: list[str]
    """The industries to sell for the fee, in this order."""
    cards: list[CardPlay]
    """The cards played so far."""
    hand: list[Card]
    """The cards that are left."""
    room: int
    """Card spaces that are still empty."""
    due: bool
    """Whether another card must be played."""

    def __init__(
        self,
        edition: BuyLowSellHighEdition,
        turn: int,
        own: SeatView,
        charts: Mapping[str, Chart],
        standing: Sequence[Card],
        hand: Sequence[Card],
        room: int,
    ) -> None:
        """A desk with nothing noted yet in turn *turn* of the game; *standing* cards are uncovered, oldest first."""
        self._edition = edition
        self._turn = turn
        self._standing = list(standing)
        self.cash = own.cash
        self.fee_owed = own.fee_owed
        self.shares = dict(own.shares)
        self.charts = dict(charts)
        self.trades = []
        self.fee_sales = []
        self.cards = []
        self.hand = list(hand)
        self.room = room
        self.due = bool(hand)

    def copy(self) -> "Desk":
        """The same, to try something out."""
        twin = object.__new__(Desk)
        for name in Desk.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if isinstance(value, list | dict) else value)
        return twin

    # Trades

    def can_buy(self, industry: str) -> bool:
        """Whether a share can be bought now. Raises ValueError for what is no industry."""
        return not self._why_no_trade(buy(industry))

    def can_sell(self, industry: str) -> bool:
        """Whether a share can be sold now. Raises ValueError for what is no industry."""
        return not self._why_no_trade(sell(industry))

    def can_trade(self, trade: Trade) -> bool:
        """Whether *trade* is possible now. Raises ValueError for what is no industry."""
        return not self._why_no_trade(trade)

    def buy(self, industry: str) -> None:
        """Note that a share is bought. Raises ValueError, saying why, if that is not possible."""
        self.trade(buy(industry))

    def sell(self, industry: str) -> None:
        """Note that a share is sold. Raises ValueError, saying why, if that is not possible."""
        self.trade(sell(industry))

    def trade(self, trade: Trade) -> None:
        """Note *trade*. Raises ValueError, saying why, if it is not possible."""
        if reason := self._why_no_trade(trade):
            raise ValueError(f"cannot {trade} now: {reason}")
        chart = self.charts[trade.industry]
        self.trades.append(trade)
        if isinstance(trade, Buy):
            self.cash -= chart.buy_price or 0
            self.shares[trade.industry] += 1
            self.charts[trade.industry] = chart.bought()
        else:
            self.cash += chart.sell_price
            self.shares[trade.industry] -= 1
            self.charts[trade.industry] = chart.sold()

    def all_trades(self) -> list[tuple[Trade, ...]]:
        """All that can be traded from here on: nothing, each single share, each pair in the order carried out."""
        found: list[tuple[Trade, ...]] = [()]
        for first in self._next_trades():
            found.append((first,))
            after = self.copy()
            after.trade(first)
            found += [(first, second) for second in after._next_trades()]
        return found

    def sell_for_fee(self, *industries: str) -> None:
        """Note in which order shares are sold for the fee; the industries left out follow in the order of the charts.

        Raises ValueError, saying why, if that is not possible.
        """
        for industry in industries:
            if not self.fee_owed:
                raise ValueError(f"cannot sell {industry!r} for a fee: none is owed")
            if self._edition.industry(industry) in self.fee_sales:
                raise ValueError(f"cannot sell {industry!r} for a fee: it is named twice")
            self.fee_sales.append(industry)

    def _next_trades(self) -> list[Trade]:
        industries = self._edition.industries
        trades: list[Trade] = [*map(Buy, industries), *map(Sale, industries)]
        return [trade for trade in trades if self.can_trade(trade)]

    def _why_no_trade(self, trade: Trade) -> str:
        """Why *trade* is not possible now; empty if it is."""
        chart = self.charts[self._edition.industry(trade.industry)]
        if limit := self._why_no_more(trade):
            return limit
        if isinstance(trade, Sale):
            return "" if self.shares[trade.industry] else "no share of it is held"
        if chart.buy_price is None:
            return "the last share cannot be bought"
        return f"the price is {chart.buy_price} $, the cash {self.cash} $" if chart.buy_price > self.cash else ""

    def _why_no_more(self, trade: Trade) -> str:
        """Why *trade* cannot follow the trades so far, whatever it costs."""
        if self.fee_owed:
            return f"a fee of {self.fee_owed} $ is owed"
        if len(self.trades) == MAX_TRADES:
            return f"{MAX_TRADES} trades are the most"
        if not self.trades:
            return ""
        if self._turn == 0:
            return "the starting player's first turn allows one trade"
        (first,) = self.trades
        if first.industry == trade.industry and self._turn == 1:
            return "the second player's first turn allows one trade of an industry"
        if first.industry == trade.industry and type(first) is not type(trade):
            return "in one industry both trades are buys or both are sales"
        return ""

    # Cards

    def targets(self, card: Card | str) -> tuple[Card, ...]:
        """The cards that *card*, news, can be laid over now, oldest space first; none for other cards."""
        news = self._edition.card(card)
        if news.kind != "news":
            return ()
        return tuple(card for card in self._standing if card.industry == news.industry and card.kind != "news")

    def playable(self) -> dict[Card, tuple[Card, ...]]:
        """The cards that can be played now, with the cards over which news must be laid: one of them, if any.

        News without anything to cover can be played only if that is so of the whole hand.
        """
        if not self.due:
            return {}
        found = {card: self.targets(card) for card in self.hand}
        return {card: over for card, over in found.items() if card.kind != "news" or over} or found

    def play(self, card: Card | str, over: Card | str = "") -> None:
        """Note that *card* is played, news *over* another card. Raises ValueError, saying why, if it cannot be."""
        entry = play(card, over)
        if reason := self._why_no_play(entry):
            raise ValueError(f"cannot {entry} now: {reason}")
        played = self._edition.cards[entry.card]
        self.cards.append(entry)
        self.hand.remove(played)
        if entry.over:
            self._standing.remove(self._edition.cards[entry.over])
        else:
            self.room -= 1
            self._standing.append(played)
        self.due = played.kind == "expense" and self.room > 0 and bool(self.hand)

    def next_plays(self) -> list[CardPlay]:
        """Each card that can be played now, news once for each card that it can be laid over."""
        return [play(card, target) for card, over in self.playable().items() for target in over or ("",)]

    def all_plays(self) -> list[tuple[CardPlay, ...]]:
        """All ways to play cards from here on until no further is due: several cards where expenses are among them."""
        if not self.due:
            return [()]
        found = []
        for entry in self.next_plays():
            after = self.copy()
            after.play(*entry)
            found += [(entry, *rest) for rest in after.all_plays()]
        return found

    def standing(self) -> dict[str, Standing]:
        """What the cards that stand, those played so far included, add up to."""
        return add_up(self._edition, self._standing)

    def turn(self) -> Turn:
        """The turn so far; cards that are still due are the first ones that can be played, over the oldest target."""
        complete = self.copy()
        while complete.due:
            complete.play(*complete.next_plays()[0])
        return Turn(self.trades, cards=complete.cards, fee_sales=self.fee_sales)

    def _why_no_play(self, entry: CardPlay) -> str:
        """Why *entry* is not possible now; empty if it is."""
        card = self._edition.card(entry.card)
        if card not in self.hand:
            return "it is not in the hand"
        if not self.due:
            return "no further card is due"
        playable = self.playable()
        if card not in playable:
            return f"it is news without a card to cover, while there are to play: {_ids(playable)}"
        if entry.over and card.kind != "news":
            return "only news is laid over a card"
        over = playable[card]
        if entry.over not in (target.id for target in over) and (entry.over or over):
            return f"it can be laid over: {_ids(over) or 'nothing'}"
        return ""


def _ids(cards: Iterable[Card]) -> str:
    return ", ".join(card.id for card in cards)
