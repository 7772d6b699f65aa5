"""A bot that costs next to nothing, for benchmarks: ``idle_bot.py MATCHES_AT_ONCE``."""

import sys

from tradepit.long_short import LongShortBot, LongShortView, Turn


class Idle(LongShortBot):
    """Plays its first card."""

    def take_turn(self, view: LongShortView) -> Turn:
        """The least that the rules ask for."""
        return Turn(orders=[], price_card=view.hand[0])


if __name__ == "__main__":
    bot = Idle()
    bot.max_concurrent_matches = int(sys.argv[1])
    bot.run([])
