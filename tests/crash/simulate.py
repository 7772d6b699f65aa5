"""Kill tournaments all over the place; they shall end as if nothing had been: ``make simulate-crash RUNS=200``."""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from crash_plans import Plan
from crash_run import Outcome, carry_out, undisturbed
from crash_simulation import AT_ONCE, DATABASES, complaints, histogram, simulate


def repeat(text: str) -> list[Outcome]:
    """Carry out the one plan that *text* writes."""
    plan = Plan.from_text(text)
    return [carry_out(plan, undisturbed(plan.database, plan.tournament))]


def main() -> int:
    """Run the simulation. The exit status."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=200, help="of all databases together")
    options.add_argument("--seed", type=int, default=0, help="equal seeds make equal plans")
    options.add_argument("--run", help="one plan, as a failure tells it")
    options.add_argument("--database", action="append", choices=DATABASES, help="default: all")
    options.add_argument("--jobs", type=int, default=AT_ONCE, help="runs at the same time")
    chosen = options.parse_args()
    begun = time.monotonic()
    if chosen.run:
        outcomes = repeat(chosen.run)
    else:
        databases = chosen.database or DATABASES
        outcomes = []
        for database in databases:
            outcomes += _told(simulate(database, chosen.runs // len(databases), chosen.seed, jobs=chosen.jobs))
    print("\n".join(histogram(outcomes)))
    wrong = list(complaints(outcomes))
    print("\n".join([*wrong, f"{len(outcomes)} runs, {len(wrong)} complaints, {time.monotonic() - begun:.0f} s"]))
    return 1 if wrong else 0


def _told(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    """The same, each with a line as it comes."""
    for outcome in outcomes:
        first = outcome.plan.strikes[0]
        where = f"{outcome.plan.database} {first.kind} {first.count} ({first.victim})"
        print(f"{outcome.seconds:5.1f} s  {where}: {outcome.problem or outcome.recovery}", flush=True)
        yield outcome


if __name__ == "__main__":
    sys.exit(main())
