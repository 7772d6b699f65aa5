"""A bot that costs next to nothing, for benchmarks: ``idle_bot.py MATCHES_AT_ONCE``."""

import sys
from collections.abc import Sequence

from tradepit.long_short import LongShortBot, LongShortView, Turn


class Idle(LongShortBot):
    """Plays its first card."""

    def take_turn(self, view: LongShortView) -> Turn:
        """The least that the rules ask for."""
        return Turn(orders=[], price_card=view.hand[0])


class IdleMany(Idle):
    """The same for a whole frame at once. Who owns no contract is asked for nothing but turns."""

    def decide_many(self, views: Sequence[LongShortView]) -> Sequence[Turn]:
        """A turn for each."""
        return [self.take_turn(view) for view in views]


if __name__ == "__main__":
    matches = int(sys.argv[1])
    bot = IdleMany() if matches > 1 else Idle()
    bot.max_concurrent_matches = matches
    bot.run([])
