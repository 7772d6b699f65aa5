"""What is to happen in a run: which points there are, and at which of them somebody is killed. Pure."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from random import Random

PARENT, WORKER, BOT = "parent", "worker", "bot"
"""Who is killed. A bot alone would rightly lose its match: its parent goes before that result can count."""

Counts = Mapping[str, int]
"""How many points of each kind an undisturbed run has; a kind is ``family: place``."""

_IN_WORKERS = {"frame read", "frame sent", "shard"}
"""Families of points that workers have."""


@dataclass(frozen=True, slots=True)
class Strike:
    """Kill *victim* when *kind* is reached for the *count*-th time, from 1, in one process."""

    kind: str
    count: int
    victim: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A run: a tournament that is killed once or more and then goes on."""

    database: str
    """``sqlite`` or ``postgresql``."""
    tournament: str
    """Which of the tournaments that there are to disturb."""
    strikes: tuple[Strike, ...]
    """One a life; the life after the last is left in peace."""
    resume: bool
    """It goes on by ``tournament resume``, else by the same command."""
    at_once: bool
    """It goes on before what the dead left running has ended."""

    def to_text(self) -> str:
        """In one line."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> "Plan":
        """The plan that ``to_text`` wrote. Raises ValueError or TypeError for anything else."""
        fields = json.loads(text)
        return cls(**fields | {"strikes": tuple(Strike(**strike) for strike in fields["strikes"])})


def family(kind: str) -> str:
    """The first part of a *kind*."""
    return kind.partition(": ")[0]


def draw(database: str, points: Mapping[str, Counts], runs: int, chance: Random) -> list[Plan]:
    """*runs* plans on *database*; *points* are those of each tournament.

    Kinds take turns, first one of each family, so that none is left out if there are enough runs; the shots at one
    kind are spread evenly over its range.
    """
    turns = list(_turns({kind for counts in points.values() for kind in counts}, chance))
    shots = [turns[run % len(turns)] for run in range(runs)]
    return [
        _plan(database, points, kind, shots[:run].count(kind), shots.count(kind), chance)
        for run, kind in enumerate(shots)
    ]


def _turns(kinds: Iterable[str], chance: Random) -> Iterator[str]:
    """The *kinds* with those of one family apart."""
    families: dict[str, list[str]] = {}
    for kind in sorted(kinds):
        families.setdefault(family(kind), []).append(kind)
    for members in families.values():
        chance.shuffle(members)
    for round_of_families in zip_longest(*families.values()):
        yield from filter(None, round_of_families)


def _plan(database: str, points: Mapping[str, Counts], kind: str, shot: int, shots: int, chance: Random) -> Plan:
    tournament = chance.choice([name for name, counts in sorted(points.items()) if kind in counts])
    counts = points[tournament]
    count = min(counts[kind], 1 + int((shot + chance.random()) / shots * counts[kind]))
    strikes = [Strike(kind, count, _victim(kind, chance)), *_later(counts, chance)]
    return Plan(database, tournament, tuple(strikes), resume=chance.random() < 0.5, at_once=chance.random() < 0.5)


def _victim(kind: str, chance: Random) -> str:
    choices = (PARENT, WORKER, BOT) if family(kind).startswith("frame") else (PARENT, WORKER)
    return chance.choice(choices) if family(kind) in _IN_WORKERS else PARENT


def _later(counts: Counts, chance: Random) -> Iterator[Strike]:
    """What happens to the lives after the first: to a few of them the same, and then again."""
    for _ in range(2):
        if chance.random() > 0.3:
            return
        kind = chance.choice(sorted(counts))
        yield Strike(kind, chance.randint(1, max(1, counts[kind] // 2)), PARENT)


def never_struck(plans: Sequence[Plan], struck: Iterable[str]) -> list[str]:
    """The kinds that were first aimed at by one of *plans*, but are not among those *struck*."""
    return sorted({plan.strikes[0].kind for plan in plans} - set(struck))
