"""What the referee asks of a game.

A game is pure: a mutable state with keyed chance that knows nothing of bots, clocks or messages.
Errors::

    GameError(ValueError)
    +-- IllegalAction    an action that the rules forbid
    +-- OptionError      an option that the game does not have, or a value that it cannot take
    +-- EditionError     an edition file that is not one
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from tradepit.chance import Chance

OptionValue = str | int
"""The value of an option: a word or a whole number."""


class GameError(ValueError):
    """Anything wrong with what a game is given; the message quotes the value."""


class IllegalAction(GameError):
    """An action that the rules forbid; the message quotes the offending value."""


class OptionError(GameError):
    """An option that the game does not have, or a value that it cannot take."""


class EditionError(GameError):
    """An edition file that is not one; the message names key and value."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be chosen about a game."""

    name: str
    description: str
    values: tuple[OptionValue, ...]
    """Every value that it can take; all words or all whole numbers."""
    default: OptionValue

    def parse(self, value: OptionValue) -> OptionValue:
        """The member of ``values`` that *value*, perhaps in text form, stands for. Raises OptionError."""
        for known in self.values:
            if str(known) == str(value) and not isinstance(value, bool):
                return known
        allowed = ", ".join(map(str, self.values))
        raise OptionError(f"option {self.name} cannot be {value!r}; it is one of: {allowed}")


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What there is to know about a game before it is played."""

    name: str
    """As in commands and messages: "long-short"."""
    title: str
    """As people write it: "Long Short"."""
    min_seats: int
    max_seats: int
    options: tuple[Option, ...]
    presets: Mapping[str, Mapping[str, OptionValue]]
    """Named choices; each gives the options that differ from the defaults."""

    def resolve(self, given: Mapping[str, OptionValue], preset: str | None = None) -> dict[str, OptionValue]:
        """Every option with its value: the defaults, then the preset's, then *given*. Raises OptionError."""
        if preset is not None and preset not in self.presets:
            raise OptionError(f"{self.name} has no preset {preset!r}; it has: {', '.join(self.presets)}")
        chosen = {**self.presets[preset], **given} if preset is not None else dict(given)
        names = [option.name for option in self.options]
        for name in chosen:
            if name not in names:
                raise OptionError(f"{self.name} has no option {name!r}; it has: {', '.join(names) or 'none'}")
        return {o.name: o.parse(chosen[o.name]) if o.name in chosen else o.default for o in self.options}

    def check_seats(self, seats: int) -> None:
        """Raises GameError unless the game can be played with *seats* seats."""
        if not self.min_seats <= seats <= self.max_seats:
            raise GameError(f"{self.name} is played by {self.min_seats} to {self.max_seats} bots, not {seats}")


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of a game: its lists of cards and other data. Games add fields of their own."""

    id: str
    toml: bytes
    """The exact text it was read from."""

    @property
    def sha256(self) -> bytes:
        """Digest of the exact text; 32 bytes."""
        return hashlib.sha256(self.toml).digest()


class State(Protocol):
    """A match in progress. Mutable; ``clone`` copies it."""

    @property
    def awaiting(self) -> Sequence[int]:
        """The seats whose decision is due, from the active seat clockwise; several decide at once; none: over."""

    @property
    def decision(self) -> str:
        """What is asked of them, in the game's own word; empty when the match is over."""

    def validate(self, seat: int, action: Any) -> None:
        """Raises IllegalAction if *seat* may not do this now. Changes nothing."""

    def apply(self, actions: Mapping[int, Any]) -> None:
        """Carry out the validated actions of all awaited seats."""

    def default_action(self, seat: int) -> Any:
        """What is played for an awaited *seat* that gives no valid answer; always legal."""

    def events_since(self, number: int) -> Sequence[Any]:
        """What has happened since event *number*, each a NamedTuple of the game's own."""

    def audience(self, event: Any) -> Sequence[int] | None:
        """The seats that may see *event*; None: everybody."""

    def describe(self, event: Any) -> str:
        """*event* as a sentence for people."""

    def scores(self) -> list[int]:
        """The score of each seat, in the game's own unit."""

    def placements(self) -> list[int]:
        """The placement of each seat: 1 is best, ties share."""

    def clone(self) -> Self:
        """A copy that shares nothing mutable."""


class Game(Protocol):
    """The rules of one game."""

    @property
    def info(self) -> GameInfo:
        """Its name, seats, options and presets."""

    @property
    def editions(self) -> Sequence[Edition]:
        """The editions that come with it; the first is the default."""

    def load_edition(self, toml: bytes) -> Edition:
        """Read and check an edition file. Raises EditionError."""

    def new(
        self,
        seats: int,
        options: Mapping[str, OptionValue],
        chance: Chance,
        edition: Edition | None = None,
    ) -> State:
        """A match about to begin, set up and dealt. *options* may be partial. Raises GameError."""

    def decision_bound(self, seats: int, edition: Edition | None = None) -> int:
        """No match with so many seats takes more decisions than this, each seat's counted; None: the first edition."""


def rank(scores: Sequence[int]) -> list[int]:
    """Placements by falling score: 1 is best, ties share, and the next placement counts them all."""
    return [1 + sum(other > score for other in scores) for score in scores]
