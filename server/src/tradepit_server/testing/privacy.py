"""A check that seats do not see each other's data: chance is touched at one place, and who notices is looked at.

Drawn samples cannot show this: they agree with all that a seat was sent, be it a word too much. Of a seat that
keeps one thing to itself and shows another, the check says nothing.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import NamedTuple

from tradepit.chance import Chance
from tradepit_server.games.base import IllegalAction
from tradepit_server.testing.records import Case, Record, record, require, seed
from tradepit_server.testing.trials import Subject

_TOUCHES = 2000
"""Tried of a match before a secret is taken for one that is none."""


class _Pair(NamedTuple):
    """Two seats, of which *owner* is to know something that *other* does not."""

    owner: int
    other: int
    asked: int
    """The moment at which the owner is first asked."""
    judged: int
    """The moment at which the other is asked next, perhaps the same one."""


class _Touched(Chance):
    """A match's chance, but for what is drawn with one label."""

    __slots__ = ("_label", "_rng", "labels")

    def __init__(self, seed: bytes, label: str = "", rng: Random | None = None) -> None:
        """*rng* says how what *label* stands for is touched; without it nothing is."""
        super().__init__(seed)
        self._label = label
        self._rng = rng
        self.labels: dict[str, None] = {}
        """All that were used, in order."""

    def draw(self, label: str) -> int:
        """Another number for the touched label."""
        self.labels[label] = None
        return super().draw(label) if self._rng is None or label != self._label else self._rng.getrandbits(256)

    def shuffle(self, name: str, ids: Sequence[str]) -> list[str]:
        """For the touched name two of the *ids* have changed places."""
        self.labels[name] = None
        order = super().shuffle(name, ids)
        if self._rng is not None and name == self._label and len(order) > 1:
            one, other = self._rng.sample(range(len(order)), 2)
            order[one], order[other] = order[other], order[one]
        return order


def secrets(subject: Subject, case: Case) -> None:
    """Of any two seats, each knows something that the other does not: chance can change it and one alone notices."""
    if not (subject.trials.hidden_data and subject.trials.secrets):
        return
    pairs = set(_pairs(record(subject, case), case.seats))
    for noticed in _touches(subject, case, max((pair.judged for pair in pairs), default=0)):
        pairs -= {pair for pair in pairs if _secret(pair, noticed)}
        if not pairs:
            return
    for pair in sorted(pairs):
        require(
            False,
            f"seat {pair.other} sees by moment {pair.judged} all that seat {pair.owner} sees at moment {pair.asked}: "
            f"of {_TOUCHES} changes of chance none is noticed by seat {pair.owner} alone; "
            "if seats know nothing of their own, the trials say so: secrets = False",
        )


def _pairs(known: Record, seats: int) -> Iterator[_Pair]:
    """Every two seats of which one is asked after the other, or with it."""
    asked = [[at for at, look in enumerate(known.looks) if seat in look.awaiting] for seat in range(seats)]
    for owner, other in permutations(range(seats), 2):
        later = [at for at in asked[other] if asked[owner] and at >= asked[owner][0]]
        if later:
            yield _Pair(owner, other, asked[owner][0], later[0])


def _secret(pair: _Pair, noticed: Sequence[set[int]]) -> bool:
    """Whether the owner noticed when it was first asked, and the other had not yet when it was asked next."""
    reached = len(noticed) > pair.judged
    return reached and pair.owner in noticed[pair.asked] and pair.other not in set().union(*noticed[: pair.judged + 1])


def _touches(subject: Subject, case: Case, last: int) -> Iterator[Sequence[set[int]]]:
    """For one change of chance after another: who noticed it, by moment, up to moment *last*."""
    rng = Random(str(case))  # noqa: S311  # repeatable touches, not secrets
    untouched = _Touched(seed(subject, case))
    _noticed(subject, case, untouched, last)
    for _ in range(_TOUCHES if untouched.labels else 0):
        yield _noticed(subject, case, _Touched(untouched.seed, rng.choice(list(untouched.labels)), rng), last)


def _noticed(subject: Subject, case: Case, chance: Chance, last: int) -> list[set[int]]:
    """By moment: the asked seats that see anything else than in the recorded match, as long as that can be followed."""
    known = record(subject, case)
    state = subject.game.new(case.seats, case.options(subject), chance)
    noticed: list[set[int]] = []
    for moment, actions in zip(known.looks[: last + 1], known.actions, strict=False):
        if tuple(state.awaiting) != moment.awaiting:
            break
        seen = zip(moment.awaiting, moment.observations, strict=True)
        noticed.append({seat for seat, data in seen if subject.codec.observation(state, seat) != data})
        try:
            for seat, action in actions.items():
                state.validate(seat, action)
        except IllegalAction:
            break
        state.apply(actions)
    return noticed
