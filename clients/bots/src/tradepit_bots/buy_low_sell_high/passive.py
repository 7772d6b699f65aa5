"""Passive never trades: it keeps the three shares that it began with, and what they pay. Who trades badly, loses to it.

It is also the shortest bot there can be. A turn must play cards, and a desk chooses the first that it may.
"""

from tradepit.buy_low_sell_high import BuyLowSellHighBot, BuyLowSellHighView, Turn


class Passive(BuyLowSellHighBot):
    """Plays the first card that it can, and trades nothing."""

    # A bot that keeps nothing between two decisions can play any number of matches at once.
    max_concurrent_matches = 64

    def take_turn(self, view: BuyLowSellHighView) -> Turn:
        """Nothing but the cards that are due."""
        return view.desk().turn()


BOT = Passive
