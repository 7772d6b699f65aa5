# src/sealed_bids/trials.py
"""What the suite must be told to try this game: a random player, and how to read events as a ledger."""

from collections.abc import Mapping
from random import Random

from sealed_bids.rules import Bid, Event, Sold, State
from tradepit_server.testing import Trials


class SealedBidsTrials(Trials):
    """Bids at random."""

    def random_action(self, state: State, seat: int, rng: Random) -> Bid:
        """Anything from nothing to all."""
        return Bid(rng.randint(0, state.coins[seat]))

    def score_changes(self, event: Event) -> Mapping[int, int]:
        """Scores are coins, and only a sale moves any."""
        return {event.seat: event.value - event.price} if isinstance(event, Sold) else {}


TRIALS = SealedBidsTrials()
