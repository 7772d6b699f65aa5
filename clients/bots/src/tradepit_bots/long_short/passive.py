"""Passive buys nothing, so it ends with the cash it began with. A bot that loses to it, loses money.

It is also the shortest bot there can be: a card must be played each turn, and that is all it does.
"""

from tradepit.long_short import LongShortBot, LongShortView, Turn


class Passive(LongShortBot):
    """Plays the first card of its hand and never trades."""

    # A bot that keeps nothing between two decisions can play any number of matches at once.
    max_concurrent_matches = 64

    def take_turn(self, view: LongShortView) -> Turn:
        """No orders; the first card."""
        return Turn(price_card=view.hand[0])


BOT = Passive
