"""Matches played at random from a fixed seed, and all that can be seen of them."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from tradepit.chance import Chance
from tradepit_server.games.base import State
from tradepit_server.testing.trials import Subject

ENDLESS = 100_000
"""Decisions. A match that takes more is taken for one that never ends."""


class Nonconformity(AssertionError):
    """A game is not what the referee may rely on; the message says where, and shows the values."""


def require(condition: bool, message: str) -> None:
    """Raises Nonconformity with *message* unless *condition* holds."""
    if not condition:
        raise Nonconformity(message)


class Case(NamedTuple):
    """One way to play a game."""

    seats: int
    preset: str

    def __str__(self) -> str:
        return f"{self.seats}p-{self.preset}"


def cases(subject: Subject) -> list[Case]:
    """Every number of seats with every preset."""
    info = subject.game.info
    return [Case(seats, preset) for seats in range(info.min_seats, info.max_seats + 1) for preset in info.presets]


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


Player = Callable[[State, int], Any]
"""Decides for an awaited seat."""


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
    return sha256(f"{subject.name}/{case}".encode()).digest()


def begin(subject: Subject, case: Case) -> State:
    """The match of *case*, about to begin."""
    options = subject.game.info.resolve({}, case.preset)
    return subject.game.new(case.seats, options, Chance(seed(subject, case)))


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
    rng = Random(f"{subject.name}/{case}")  # noqa: S311  # repeatable play, not secrets
    return play(subject, begin(subject, case), lambda state, seat: subject.trials.random_action(state, seat, rng))


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
