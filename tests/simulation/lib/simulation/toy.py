"""The games of a world: the toy, which may be given large observations, and those that are installed."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import toy_game
from google.protobuf.wrappers_pb2 import StringValue

from tradepit.chance import Chance
from tradepit_server import registry
from tradepit_server.games.base import Edition, Option, OptionValue
from tradepit_server.registry import Plugin
from tradepit_server.testing.trials import find

KIB = 1024


class WideState(toy_game.ToyState):
    """A toy whose observations carry so many KiB of nothing."""

    padding = 0

    def clone(self) -> "WideState":
        """A copy."""
        copy = WideState.__new__(WideState)
        copy.limit, copy.dice, copy.named, copy.padding = self.limit, list(self.dice), list(self.named), self.padding
        return copy


class WideGame(toy_game.ToyGame):
    """The toy game with one option more."""

    info = replace(
        toy_game.ToyGame.info,
        options=(
            *toy_game.ToyGame.info.options,
            Option("padding", "KiB of nothing in an observation.", (0, 100, 300, 900), 0),
        ),
    )

    def new(
        self, seats: int, options: Mapping[str, OptionValue], chance: Chance, edition: Edition | None = None
    ) -> WideState:
        """A match about to begin."""
        self.info.check_seats(seats)
        resolved = self.info.resolve(options)
        limit, padding = resolved["limit"], resolved["padding"]
        assert isinstance(limit, int)
        assert isinstance(padding, int)
        state = WideState(seats, limit, chance)
        state.padding = padding
        return state


class WideCodec(toy_game.ToyCodec):
    """The toy's codec, which pads."""

    def public(self, state: Any) -> bytes:
        """Every number named, and blanks."""
        return StringValue(value=json.dumps(state.named) + " " * (state.padding * KIB)).SerializeToString()


PLUGIN = Plugin(WideGame(), WideCodec())

_installed = registry.get


def _get(name: str) -> Plugin:
    return PLUGIN if name == toy_game.NAME else _installed(name)


def install() -> None:
    """Have the registry know the toy."""
    if registry.get is not _get:
        registry.get = _get  # type: ignore[assignment]  # a cached function and a plain one


@cache
def _trials(game: str) -> Any:
    return find(game).trials


def legal(game: str, state: Any, seat: int, rng: Random) -> Any:
    """A legal action for an awaited *seat*: at random, or the default."""
    if game == toy_game.NAME:
        return rng.randrange(state.limit + 1)
    return _trials(game).random_action(state, seat, rng) if rng.random() < 0.7 else state.default_action(seat)
