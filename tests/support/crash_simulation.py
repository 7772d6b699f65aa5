"""Many disturbed runs, and what is told of them."""

import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random

import crash_plans
from crash_plans import BOT, PARENT, WORKER
from crash_run import TOURNAMENTS, Expected, Outcome, carry_out, undisturbed

AT_ONCE = 2
"""Runs at the same time."""

DATABASES = ("sqlite", "postgresql")


def expectations(database: str, tournaments: Collection[str]) -> dict[str, Expected]:
    """What comes of each of *tournaments* on *database* if nobody disturbs it."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(tournaments, pool.map(lambda name: undisturbed(database, name), tournaments), strict=True))


def simulate(
    database: str, runs: int, seed: int, *, tournaments: Collection[str] = tuple(TOURNAMENTS), jobs: int = AT_ONCE
) -> Iterator[Outcome]:
    """Carry out *runs* plans on *database*, so many *jobs* at the same time; equal seeds make equal plans."""
    expected = expectations(database, tournaments)
    points = {name: each.points for name, each in expected.items()}
    plans = crash_plans.draw(database, points, runs, Random(f"{seed}/{database}"))
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda plan: carry_out(plan, expected[plan.tournament]), plans)


def histogram(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Where somebody was killed, who, and how it went on."""
    struck = Counter((strike.kind, strike.victim) for outcome in outcomes for strike in outcome.struck)
    kinds = sorted({kind for kind, _ in struck})
    width = max(map(len, kinds), default=0)
    yield f"{'killed':<{width}} {PARENT:>7} {WORKER:>7} {BOT:>7}"
    for kind in kinds:
        yield f"{kind:<{width}} " + " ".join(f"{struck[kind, who] or '':>7}" for who in (PARENT, WORKER, BOT))
    yield f"{'in all':<{width}} " + " ".join(
        f"{sum(n for (_, victim), n in struck.items() if victim == who):>7}" for who in (PARENT, WORKER, BOT)
    )
    for recovery, times in sorted(Counter(outcome.recovery for outcome in outcomes).items()):
        yield f"went on by {recovery or 'nothing'}: {times}"


def complaints(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """What must not be: runs that went wrong, each with the command that repeats it, and kinds that nobody met."""
    for outcome in outcomes:
        if outcome.problem:
            again = f"make simulate-crash RUN={shlex.quote(outcome.plan.to_text())}"
            yield f"WRONG: {outcome.problem}\n  again: {again}\n  folder: {outcome.folder}"
    met = {strike.kind for outcome in outcomes for strike in outcome.struck}
    for kind in crash_plans.never_struck([outcome.plan for outcome in outcomes], met):
        yield f"WRONG: nobody was killed at {kind!r}"
