"""The games that are installed, found by the entry point group ``tradepit.games``.

An entry point names a :class:`Plugin`. The built-in games are registered the same way, so a third
party's game needs no change here.
"""

from functools import cache
from importlib.metadata import entry_points
from typing import NamedTuple

from tradepit_server.codecs.base import Codec
from tradepit_server.codecs.narration import Narration
from tradepit_server.games.base import Game

GROUP = "tradepit.games"
"""The entry point group."""


class Plugin(NamedTuple):
    """A game and its codec."""

    game: Game
    codec: Codec
    narration: Narration | None = None
    """How it is told to people; None: by its events alone."""


class UnknownGame(LookupError):
    """No such game is installed; the message lists those that are."""


def names() -> list[str]:
    """The names of the installed games, sorted."""
    return sorted(point.name for point in entry_points(group=GROUP))


@cache
def get(name: str) -> Plugin:
    """The game called *name*. Raises UnknownGame."""
    for point in entry_points(group=GROUP):
        if point.name == name:
            plugin = point.load()
            if not isinstance(plugin, Plugin):
                raise TypeError(f"entry point {point.value!r} is {plugin!r}, not a tradepit_server.registry.Plugin")
            return plugin
    raise UnknownGame(f"no game {name!r} is installed; there are: {', '.join(names()) or 'none'}")
