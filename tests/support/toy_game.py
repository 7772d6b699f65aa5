"""A toy game for tests of everything that must not know a real one.

Each seat names a number from 0 to 9 three times: in turn, all at once, in turn. Its score is their sum
plus a die that it alone saw at the beginning. Observation: a StringValue in JSON in each part. Action: an Int64Value.
"""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError
from google.protobuf.wrappers_pb2 import Int64Value, StringValue

from tradepit.chance import Chance
from tradepit_server.codecs.base import MalformedAction
from tradepit_server.codecs.wire import nested
from tradepit_server.games.base import Edition, EditionError, GameInfo, IllegalAction, Option, OptionValue, rank
from tradepit_server.registry import Plugin

NAME = "toy"
EDITION = Edition("toy-1", b'id = "toy-1"\n')


class Named(NamedTuple):
    """A seat named a number."""

    seat: int
    number: int


class ToyState:
    """Three numbers a seat: in turn, all at once, in turn."""

    def __init__(self, seats: int, limit: int, chance: Chance) -> None:
        self.limit = limit
        self.dice = [chance.pick(f"toy/die/{seat}", 6) for seat in range(seats)]
        self.named: list[Named] = []

    @property
    def awaiting(self) -> Sequence[int]:
        """One seat, or all of them in the second round."""
        done, seats = len(self.named), len(self.dice)
        if done == seats:
            return list(range(seats))
        return [done % seats] if done < 3 * seats else []

    @property
    def decision(self) -> str:
        """Always "number"."""
        return "number" if self.awaiting else ""

    def validate(self, seat: int, action: Any) -> None:
        """A number from 0 to the limit."""
        if not 0 <= action <= self.limit:
            raise IllegalAction(f"a number is 0 to {self.limit}, not {action}")

    def apply(self, actions: Mapping[int, Any]) -> None:
        """Write the numbers down."""
        self.named += [Named(seat, actions[seat]) for seat in self.awaiting]

    def default_action(self, seat: int) -> int:
        """Nothing ventured."""
        return 0

    def events_since(self, number: int) -> Sequence[Named]:
        """Every number named."""
        return self.named[number:]

    def audience(self, event: Any) -> Sequence[int] | None:
        """Everybody."""
        return None

    def describe(self, event: Any) -> str:
        """A sentence."""
        return f"seat {event.seat} names {event.number}"

    def scores(self) -> list[int]:
        """The sum of the numbers, and the die."""
        return [die + sum(n.number for n in self.named if n.seat == seat) for seat, die in enumerate(self.dice)]

    def placements(self) -> list[int]:
        """By score."""
        return rank(self.scores())

    def clone(self) -> "ToyState":
        """A copy."""
        copy = ToyState.__new__(ToyState)
        copy.limit, copy.dice, copy.named = self.limit, list(self.dice), list(self.named)
        return copy


class ToyGame:
    """For 2 to 4 seats."""

    info = GameInfo(
        name=NAME,
        title="Toy",
        min_seats=2,
        max_seats=4,
        options=(Option("limit", "The highest number.", (9, 5), 9),),
        presets={"classic": {}, "low": {"limit": 5}},
    )
    editions = (EDITION,)

    def load_edition(self, toml: bytes) -> Edition:
        """Any text that names itself."""
        if not toml.startswith(b"id = "):
            raise EditionError(f"an edition begins with its id, not {toml[:10]!r}")
        return Edition(toml.split(b'"')[1].decode(), toml)

    def new(
        self, seats: int, options: Mapping[str, OptionValue], chance: Chance, edition: Edition | None = None
    ) -> ToyState:
        """A match about to begin."""
        self.info.check_seats(seats)
        limit = self.info.resolve(options)["limit"]
        assert isinstance(limit, int)
        return ToyState(seats, limit, chance)

    def decision_bound(self, seats: int, edition: Edition | None = None) -> int:
        """Three each."""
        return 3 * seats


class ToyCodec:
    """StringValues with JSON in them."""

    observation_type = "google.protobuf.StringValue"
    action_type = "google.protobuf.Int64Value"

    def observation(self, state: Any, seat: int) -> bytes:
        """The public part and the seat's own die."""
        private = StringValue(value=json.dumps({"seat": seat, "die": state.dice[seat]}))
        return nested(b"\x0a", self.public(state)) + nested(b"\x12", private.SerializeToString())

    def public(self, state: Any) -> bytes:
        """Every number named."""
        return StringValue(value=json.dumps(state.named)).SerializeToString()

    def decode_action(self, state: Any, data: bytes) -> int:
        """The number."""
        try:
            return Int64Value.FromString(data).value
        except DecodeError as error:
            raise MalformedAction(f"{data.hex()} is no Int64Value") from error

    def encode_action(self, action: Any) -> bytes:
        """The number."""
        return Int64Value(value=action).SerializeToString()

    def action_to_json(self, action: Any) -> dict[str, Any]:
        """The number."""
        return {"number": action}

    def action_from_json(self, kind: str, entry: Mapping[str, Any]) -> int:
        """The number."""
        number = entry["number"]
        if not isinstance(number, int):
            raise MalformedAction(f"number cannot be {number!r}")
        return number

    def sample_state(self, observation: bytes, rng: Random, edition: Edition | None = None) -> ToyState:
        """No test samples a toy."""
        raise MalformedAction("a toy state cannot be sampled")


PLUGIN = Plugin(ToyGame(), ToyCodec())
