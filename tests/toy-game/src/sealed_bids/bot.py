# src/sealed_bids/bot.py
"""The base of Sealed Bids bots: what an author derives from."""

from abc import abstractmethod
from typing import ClassVar

from sealed_bids.v1 import sealed_bids_pb2 as pb
from tradepit.bot import Bot
from tradepit.chance import Chance
from tradepit.errors import FairnessError
from tradepit.match import Match, Request


class SealedBidsBot(Bot):
    """Derive, write ``bid``, call ``run``."""

    games: ClassVar = ("sealed-bids",)

    @abstractmethod
    def bid(self, seen: pb.Observation) -> int:
        """A bid for the lot that is up for sale, in coins: from 0 to what this seat has."""

    def answer(self, request: Request) -> pb.Bid:
        """The bid as a message."""
        return pb.Bid(coins=self.bid(pb.Observation.FromString(request.observation)))

    def check_fairness(self, match: Match, chance: Chance) -> None:
        """Draw the lots again and compare. Raises FairnessError."""
        lots = chance.shuffle("sealed-bids/lots", [str(value) for value in match.edition.data["values"]])
        for data in match.observations:
            seen = pb.Observation.FromString(data)
            known = {len(seen.public.auctions): seen.public.value, seen.private.tip_lot: seen.private.tip_value}
            for lot, value in known.items():
                if lots[lot] != str(value):
                    raise FairnessError(f"match {match.match_id}: lot {lot} was worth {value}, not {lots[lot]}")
