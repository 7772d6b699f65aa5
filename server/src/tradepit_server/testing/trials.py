"""What a game brings along so that a suite that does not know it can try it, and how that is found."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib.metadata import entry_points
from random import Random
from typing import Any, ClassVar, NamedTuple

from tradepit_server import registry
from tradepit_server.codecs.base import Codec
from tradepit_server.games.base import Game

GROUP = "tradepit.trials"
"""The entry point group; the name of an entry is the game's, its value a Trials."""


class Trials(ABC):
    """A game's part in its own tests: how to play it at random, and how to read its events as a ledger."""

    hidden_data: ClassVar[bool] = True
    """Whether anything of a match is hidden from a seat: cards, dice to come."""
    secrets: ClassVar[bool] = True
    """Whether of any two seats each knows, when it is first asked, something that the other does not: its cards."""

    @abstractmethod
    def random_action(self, state: Any, seat: int, rng: Random) -> Any:
        """A legal action for an awaited *seat*, in time of every kind, drawn from *rng* and what the seat knows."""

    @abstractmethod
    def score_changes(self, event: Any) -> Mapping[int, int]:
        """By seat: what *event* adds to its score; seats whose score it leaves alone may be left out."""


class Subject(NamedTuple):
    """A game under test."""

    name: str
    """As it is registered."""
    game: Game
    codec: Codec
    trials: Trials


class NoTrials(LookupError):
    """The game brings no trials; the message says how it can."""


def find(name: str) -> Subject:
    """The installed game *name* with its trials. Raises UnknownGame or NoTrials."""
    plugin = registry.get(name)
    for point in entry_points(group=GROUP):
        if point.name == name:
            trials = point.load()
            if not isinstance(trials, Trials):
                raise TypeError(f"entry point {point.value!r} is {trials!r}, not a tradepit_server.testing.Trials")
            return Subject(name, plugin.game, plugin.codec, trials)
    raise NoTrials(f"{name} brings no trials: give it an entry point {name!r} in the group {GROUP!r}")
