"""Random does anything that the rules allow: the yardstick that every bot should clear.

All its chance comes from ``view.rng``, which follows from the match's bot seed. So a match that is played again from
the same seed is the same match, which makes bots much easier to debug and to compare.
"""

from tradepit.buy_low_sell_high import BuyLowSellHighBot, BuyLowSellHighView, Card, Desk, Turn


class Random(BuyLowSellHighBot):
    """Trades at random, plays at random, exchanges some cards, and sells whatever comes first to its mind."""

    max_concurrent_matches = 64

    def take_turn(self, view: BuyLowSellHighView) -> Turn:
        """Any trades, any cards."""
        rng = view.rng
        # A desk works out a turn step by step. Its cards follow one another: after an expense another is due.
        desk = view.desk()
        if view.fee_owed:
            desk.sell_for_fee(*rng.sample(view.industries, rng.randint(0, len(view.industries))))
        for trade in rng.choice(desk.all_trades()):
            desk.trade(trade)
        play_some(view, desk)
        return desk.turn()

    def discard(self, view: BuyLowSellHighView) -> list[Card]:
        """Each card with one chance in five."""
        return [card for card in view.hand if view.rng.random() < 0.2]

    def final_sale(self, view: BuyLowSellHighView) -> str:
        """A share of anything that is left."""
        return view.rng.choice(view.legal_final_sales())


def play_some(view: BuyLowSellHighView, desk: Desk) -> None:
    """Play cards until no further is due; news over any card that it can cover."""
    while desk.due:
        desk.play(*view.rng.choice(desk.next_plays()))


BOT = Random
