# bots/eager.py
from sealed_bids.bot import SealedBidsBot
from sealed_bids.v1.sealed_bids_pb2 import Observation


class Eager(SealedBidsBot):
    """Bids one coin less than the lot is worth."""

    def bid(self, seen: Observation) -> int:
        return min(seen.public.value - 1, seen.public.coins[seen.private.seat])


if __name__ == "__main__":
    Eager().run()
