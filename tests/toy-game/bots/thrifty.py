# bots/thrifty.py
from sealed_bids.bot import SealedBidsBot
from sealed_bids.v1.sealed_bids_pb2 import Observation


class Thrifty(SealedBidsBot):
    """Bids half of what the lot is worth."""

    def bid(self, seen: Observation) -> int:
        return min(seen.public.value // 2, seen.public.coins[seen.private.seat])


if __name__ == "__main__":
    Thrifty().run()
