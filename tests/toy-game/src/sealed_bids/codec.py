# src/sealed_bids/codec.py
"""Sealed Bids as messages and as JSON, and the game as Tradepit finds it."""

from collections.abc import Mapping
from random import Random
from typing import Any

from google.protobuf.message import DecodeError

from sealed_bids.rules import GAME, Bid, State
from sealed_bids.v1 import sealed_bids_pb2 as pb
from tradepit_server.codecs.base import JsonObject, MalformedAction
from tradepit_server.games.base import Edition
from tradepit_server.registry import Plugin


class SealedBidsCodec:
    """What is written here is all that may be seen."""

    observation_type = pb.Observation.DESCRIPTOR.full_name
    action_type = pb.Bid.DESCRIPTOR.full_name

    def observation(self, state: State, seat: int) -> bytes:
        """The observation of *seat*, serialised."""
        lot, value = state.tip(seat)
        private = pb.PrivateState(seat=seat, tip_lot=lot, tip_value=value)
        return pb.Observation(public=_public(state), private=private).SerializeToString(deterministic=True)

    def public(self, state: State) -> bytes:
        """The public part alone, serialised."""
        return _public(state).SerializeToString(deterministic=True)

    def decode_action(self, state: State, data: bytes) -> Bid:
        """The action in a serialised message. Raises MalformedAction."""
        try:
            return Bid(pb.Bid.FromString(data).coins)
        except DecodeError as error:
            raise MalformedAction(f"{len(data)} bytes are no {self.action_type}") from error

    def encode_action(self, action: Bid) -> bytes:
        """*action* as a serialised message."""
        return pb.Bid(coins=action.coins).SerializeToString(deterministic=True)

    def action_to_json(self, action: Bid) -> JsonObject:
        """*action* as in a replay's JSON."""
        return {"coins": action.coins}

    def action_from_json(self, kind: str, entry: Mapping[str, Any]) -> Bid:
        """The action of a replay's JSON entry. Raises MalformedAction."""
        coins = entry.get("coins")
        if type(coins) is not int:
            raise MalformedAction(f"coins {coins!r} is no whole number")
        return Bid(coins)

    def sample_state(self, observation: bytes, rng: Random, edition: Edition | None = None) -> State:
        """A match that agrees with what a seat knows: lots that it cannot know are drawn, then all bids are made."""
        seen = pb.Observation.FromString(observation)
        box = GAME.edition(edition)
        known = dict(enumerate([*(auction.value for auction in seen.public.auctions), seen.public.value]))
        known[seen.private.tip_lot] = seen.private.tip_value
        unknown = [value for value in box.values if value not in known.values()]
        rng.shuffle(unknown)
        values = [known[lot] if lot in known else unknown.pop() for lot in range(seen.public.lots)]
        state = State(box, len(seen.public.coins), values)
        for auction in seen.public.auctions:
            state.apply({seat: Bid(coins) for seat, coins in enumerate(auction.bids)})
        return state


def _public(state: State) -> pb.PublicState:
    auctions = [pb.Auction(value=value, bids=bids) for value, bids in zip(state.values, state.bids, strict=False)]
    return pb.PublicState(lots=len(state.values), value=state.value, coins=state.coins, auctions=auctions)


PLUGIN = Plugin(GAME, SealedBidsCodec())
