"""Value says what a share of each industry is worth, and trades where the market says something else.

The cards that stand tell how far each chart will move when the year ends, and what it will pay; the hand tells what
this bot itself may add. So it can know more than the price does. Of its cards it plays what does most for its own
shares and least for those of the others.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tradepit.buy_low_sell_high import (
    BuyLowSellHighBot,
    BuyLowSellHighView,
    Card,
    CardPlay,
    Desk,
    Standing,
    Trade,
    Turn,
)

TRUST = 0.3
"""What a card of the hand counts against one that stands: there may be no time to play it, and news may cover it."""

ENVY = 0.5
"""What a dollar that the others gain, on average, counts against an own one."""


class Value(BuyLowSellHighBot):
    """Looks for the trades and cards that leave it richest, and the others not."""

    max_concurrent_matches = 64

    def take_turn(self, view: BuyLowSellHighView) -> Turn:
        """The best of all trades with all cards, for a card works on the shares that are held by then."""
        # What trades do is the same whatever card follows, and the other way round: each is worked out once.
        desks = [trading(view, trades) for trades in view.legal_trades()]
        every = (plan for plays in view.legal_plays() for plan in plans(view, plays, desks))
        best = max(every, key=lambda plan: plan.gain)
        view.note = f"expects {best.gain:.0f} $"
        for play in best.plays:
            best.desk.play(*play)
        return best.desk.turn()

    def discard(self, view: BuyLowSellHighView) -> list[Card]:
        """The cards that do more for the others than for this bot, as shares are held now."""
        return [card for card in view.hand if lead(view, card.industry) * helps(card) < 0]


class Plan(NamedTuple):
    """Trades and cards, and what they bring."""

    gain: float
    """The own wealth in dollars, less what is envied."""
    desk: Desk
    """The trades."""
    plays: Sequence[CardPlay]


def plans(view: BuyLowSellHighView, plays: Sequence[CardPlay], desks: Sequence[Desk]) -> list[Plan]:
    """Each of *desks* with *plays* behind its trades."""
    worth = worths(view, plays)
    theirs = sum(wealth(other.cash, other.shares, worth) for other in view.others) / len(view.others)
    return [Plan(wealth(desk.cash, desk.shares, worth) - ENVY * theirs, desk, plays) for desk in desks]


def wealth(cash: int, shares: Mapping[str, int], worth: Mapping[str, float]) -> float:
    """Dollars: cash, and shares at what one is worth."""
    return cash + sum(number * worth[industry] for industry, number in shares.items())


def worths(view: BuyLowSellHighView, plays: Sequence[CardPlay]) -> dict[str, float]:
    """What one share of each industry is worth if *plays* follow, in dollars: price and dividend, less fees."""
    desk = view.desk()
    for play in plays:
        desk.play(*play)
    fees = [view.cards[play.card].industry for play in plays if view.cards[play.card].kind == "expense"]
    return {
        name: price(view, standing, desk.hand) + standing.dividend - view.edition.fee_per_share * fees.count(name)
        for name, standing in desk.standing().items()
    }


def price(view: BuyLowSellHighView, standing: Standing, hand: Sequence[Card]) -> float:
    """What a share will fetch, in dollars, when the cards that stand and perhaps those of the hand move the chart.

    In the end everybody sells, and each share for less than the one before: so it is the average of all that are out.
    """
    held = sum(card.points for card in hand if card.industry == standing.industry)
    chart = view.charts[standing.industry].moved(round(standing.points + TRUST * held))
    out = sum(seat.shares[standing.industry] for seat in view.seats)
    return chart.sale_value(out) / out if out else chart.sell_price


def trading(view: BuyLowSellHighView, trades: Iterable[Trade]) -> Desk:
    """A desk with *trades*."""
    desk = view.desk()
    for trade in trades:
        desk.trade(trade)
    return desk


def lead(view: BuyLowSellHighView, industry: str) -> float:
    """How many shares this bot holds more than the average of the others."""
    return view.shares[industry] - sum(other.shares[industry] for other in view.others) / len(view.others)


def helps(card: Card) -> int:
    """Above zero if *card* is good for whoever holds shares of its industry, below if it is bad."""
    return {"market": card.points, "dividend": 1, "expense": -1, "news": 0}[card.kind]


BOT = Value
