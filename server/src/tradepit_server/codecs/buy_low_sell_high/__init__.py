"""The codec of Buy Low Sell High, and the game as the registry finds it."""

from collections.abc import Mapping
from random import Random
from typing import Any

from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit_server.codecs.base import JsonObject
from tradepit_server.codecs.buy_low_sell_high import action_json, action_messages, observations
from tradepit_server.codecs.buy_low_sell_high.narration import NARRATION
from tradepit_server.codecs.buy_low_sell_high.samples import sample
from tradepit_server.games.base import Edition
from tradepit_server.games.buy_low_sell_high.actions import Action
from tradepit_server.games.buy_low_sell_high.game import GAME
from tradepit_server.games.buy_low_sell_high.state import State
from tradepit_server.registry import Plugin


class BuyLowSellHighCodec:
    """What ``codecs.base.Codec`` asks for."""

    observation_type = pb.Observation.DESCRIPTOR.full_name
    action_type = pb.Action.DESCRIPTOR.full_name

    def observation(self, state: State, seat: int) -> bytes:
        """The observation of *seat*, serialised."""
        return observations.observation(state, seat)

    def public(self, state: State) -> bytes:
        """The public part alone, serialised."""
        return observations.public(state)

    def decode_action(self, state: State, data: bytes) -> Action:
        """The action in a serialised message. Raises MalformedAction or IllegalAction."""
        return action_messages.decode(data)

    def encode_action(self, action: Action) -> bytes:
        """*action* as a serialised message. Raises MalformedAction for what no message can hold."""
        return action_messages.encode(action)

    def action_to_json(self, action: Action) -> JsonObject:
        """*action* as in a replay's JSON, without seat and kind."""
        return action_json.to_json(action)

    def action_from_json(self, kind: str, entry: Mapping[str, Any]) -> Action:
        """The action of a replay's JSON entry. Raises MalformedAction."""
        return action_json.from_json(kind, entry)

    def sample_state(self, observation: bytes, rng: Random, edition: Edition | None = None) -> State:
        """A full state that agrees with what a seat knows."""
        return sample(observation, rng, GAME.edition(edition))


CODEC = BuyLowSellHighCodec()

PLUGIN = Plugin(GAME, CODEC, NARRATION)
