"""What the referee asks of a game's codec: the game's state and actions as messages and as JSON."""

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol

from tradepit_server.games.base import Edition

JsonObject = dict[str, Any]
"""A JSON object, as ``json.loads`` gives it."""


class MalformedAction(ValueError):
    """Bytes or JSON that are not an action message at all; the message quotes what is wrong."""


class Codec(Protocol):
    """Translates one game; holds no state but caches."""

    @property
    def observation_type(self) -> str:
        """Full name of the observation message, for example "tradepit.long_short.v1.Observation"."""

    @property
    def action_type(self) -> str:
        """Full name of the action message."""

    def observation(self, state: Any, seat: int) -> bytes:
        """The observation message of an awaited *seat*, serialised: ``{public = 1, private = 2}``."""

    def public(self, state: Any) -> bytes:
        """The public part alone, serialised; the same for every seat and for spectators."""

    def decode_action(self, state: Any, data: bytes) -> Any:
        """The action in a serialised message, for ``state.validate``. Raises MalformedAction or IllegalAction."""

    def encode_action(self, action: Any) -> bytes:
        """*action* as a serialised action message."""

    def action_to_json(self, action: Any) -> JsonObject:
        """*action* as in a replay's JSON, without seat and kind."""

    def action_from_json(self, kind: str, entry: Mapping[str, Any]) -> Any:
        """The action of a replay's JSON entry of that *kind*. Raises MalformedAction."""

    def sample_state(self, observation: bytes, rng: Random, edition: Edition | None = None) -> Any:
        """A full state that agrees with what a seat knows, hidden parts drawn anew from *rng*.

        The public record, the seat's own hand, its events and their numbers are restored, so that
        ``observation(sample, seat)`` gives the very same bytes.
        """
