"""Matches played at random from a fixed seed, and all that can be seen of them."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from tradepit.chance import Chance
from tradepit_server.games.base import OptionValue, State
from tradepit_server.testing.trials import Subject

ENDLESS = 100_000
"""Decisions. A match that takes more is taken for one that never ends."""


_CANDIDATES = 8
"""Matches of a case to choose from."""

Player = Callable[[State, int], Any]
"""Decides for an awaited seat."""


class Nonconformity(AssertionError):
    """A game is not what the referee may rely on; the message says where, and shows the values."""


def require(condition: bool, message: str) -> None:
    """Raises Nonconformity with *message* unless *condition* holds."""
    if not condition:
        raise Nonconformity(message)


class Case(NamedTuple):
    """One way to play a game."""

    seats: int
    choice: str
    """A preset, or one option with its value: "classic", "lots=8"."""

    def __str__(self) -> str:
        return f"{self.seats}p-{self.choice}"

    def options(self, subject: Subject) -> dict[str, OptionValue]:
        """Every option of the game and its value."""
        option, equals, value = self.choice.partition("=")
        info = subject.game.info
        return info.resolve({option: value}) if equals else info.resolve({}, self.choice)


def cases(subject: Subject) -> list[Case]:
    """Every number of seats with every preset."""
    info = subject.game.info
    return [Case(seats, preset) for seats in range(info.min_seats, info.max_seats + 1) for preset in info.presets]


def further_cases(subject: Subject) -> list[Case]:
    """A case for every value of an option that no preset takes; with all seats, so that much is decided."""
    info = subject.game.info
    taken = {item for preset in info.presets for item in info.resolve({}, preset).items()}
    values = [(option.name, value) for option in info.options for value in option.values]
    return [Case(info.max_seats, f"{name}={value}") for name, value in values if (name, value) not in taken]


class Look(NamedTuple):
    """All that can be seen of a state, as a value to compare."""

    awaiting: tuple[int, ...]
    decision: str
    public: bytes
    observations: tuple[bytes, ...]
    """Of the awaited seats."""
    events: tuple[tuple[str, Any], ...]
    """Each with the name of its kind: NamedTuples of different kinds may be equal."""
    scores: tuple[int, ...]
    placements: tuple[int, ...]


class Record(NamedTuple):
    """A match that was played to its end."""

    looks: tuple[Look, ...]
    """Before each moment at which something is decided, and at the end."""
    actions: tuple[Mapping[int, Any], ...]
    """What was done at each moment, by seat."""

    @property
    def decisions(self) -> int:
        """How many there were, each seat's counted."""
        return sum(len(actions) for actions in self.actions)


def look(subject: Subject, state: State) -> Look:
    """What can be seen of *state* now."""
    awaiting = tuple(state.awaiting)
    return Look(
        awaiting,
        state.decision,
        subject.codec.public(state),
        tuple(subject.codec.observation(state, seat) for seat in awaiting),
        tuple((type(event).__name__, event) for event in state.events_since(0)),
        tuple(state.scores()),
        tuple(state.placements()),
    )


def seed(subject: Subject, case: Case) -> bytes:
    """The match seed of *case*: always the same."""
    return _seed(subject, case, _liveliest(subject, case))


def _seed(subject: Subject, case: Case, number: int) -> bytes:
    return sha256(f"{subject.name}/{case}/{number}".encode()).digest()


def begin(subject: Subject, case: Case) -> State:
    """The match of *case*, about to begin."""
    return subject.game.new(case.seats, case.options(subject), Chance(seed(subject, case)))


def _player(subject: Subject, case: Case) -> Player:
    """Plays at random; always the same."""
    rng = Random(f"{subject.name}/{case}")  # noqa: S311  # repeatable play, not secrets
    return lambda state, seat: subject.trials.random_action(state, seat, rng)


@lru_cache(maxsize=256)
def _liveliest(subject: Subject, case: Case) -> int:
    """Of a few matches the one with most kinds of decisions and events: what is rare shall be seen too."""
    return max(range(_CANDIDATES), key=lambda number: _variety(subject, case, number))


def _variety(subject: Subject, case: Case, number: int) -> tuple[int, int]:
    """How many kinds of decisions and events there are in a match."""
    state = subject.game.new(case.seats, case.options(subject), Chance(_seed(subject, case, number)))
    decisions = {state.decision for _ in moments(state, _player(subject, case))}
    return len(decisions), len({type(event) for event in state.events_since(0)})


def moments(state: State, player: Player) -> Iterator[dict[int, Any]]:
    """The actions of *player* for each moment of a match; they are carried out when the next is asked for."""
    decisions = 0
    while awaiting := tuple(state.awaiting):
        actions = {seat: player(state, seat) for seat in awaiting}
        yield actions
        state.apply(actions)
        decisions += len(actions)
        require(decisions <= ENDLESS, f"the match is not over after {ENDLESS} decisions")


def play(subject: Subject, state: State, player: Player) -> Record:
    """Play *state* to its end."""
    looks, actions = [], []
    for done in moments(state, player):
        looks.append(look(subject, state))
        actions.append(done)
    return Record((*looks, look(subject, state)), tuple(actions))


def play_at_random(subject: Subject, case: Case) -> Record:
    """The match of *case*, played by the game's trials: always the same."""
    return play(subject, begin(subject, case), _player(subject, case))


record = lru_cache(maxsize=64)(play_at_random)
"""As play_at_random, played once: the match that most checks disturb and compare with."""


def replay(subject: Subject, case: Case) -> Iterator[tuple[int, State, Look, Mapping[int, Any]]]:
    """The match of *case* again: number, state, recorded look and recorded actions of each moment.

    Whatever is done to the state between two moments, it must come to the recorded end.
    """
    known = record(subject, case)
    state = begin(subject, case)
    for number, actions in enumerate(known.actions):
        yield number, state, known.looks[number], actions
        state.apply(actions)
    compare(look(subject, state), known.looks[-1], "the match came to another end than it did undisturbed")


def compare(found: Look, known: Look, sentence: str) -> None:
    """Raises Nonconformity with *sentence* and the first part that differs, unless the looks are equal."""
    for part, one, other in zip(Look._fields, found, known, strict=True):
        require(one == other, f"{sentence}: {part} is {one!r}, was {other!r}")
