"""Runs the simulator: ``make simulate SEEDS=3000``, or one seed with its whole course, ``--seed 0x2a --trace``."""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "simulation/lib"), str(TESTS / "support")]

from simulation import seeds, toy  # noqa: E402  # the path is set above
from simulation.kinds import KINDS  # noqa: E402
from simulation.trace import Trace  # noqa: E402


def main() -> int:
    """Run what the command line asks for. Returns 1 if a rule was broken."""
    options = _options()
    toy.install()
    if options.seed is not None:
        return _one(int(options.seed, 0), trace=options.trace)
    first = int(options.first, 0)
    if options.search:
        return _search(range(first, first + options.seeds))
    began = time.monotonic()
    report = seeds.run_all(range(first, first + options.seeds), options.jobs, _progress(options.seeds, began))
    print(file=sys.stderr)
    print(table(report, time.monotonic() - began))
    for failure in report.failures:
        print("\n" + told(failure))
    return bool(report.failures)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3000, help="how many worlds to run")
    parser.add_argument("--first", default="0", help="the first seed")
    parser.add_argument("--jobs", type=int, help="processes; by default one a processor")
    parser.add_argument("--seed", help="run this one alone, as 42 or 0x2a")
    parser.add_argument("--search", action="store_true", help="stop at the first seed that fails, and name its rule")
    parser.add_argument("--trace", action="store_true", help="with --seed: print everything that happens")
    return parser.parse_args()


def _one(seed: int, *, trace: bool) -> int:
    note = Trace(print if trace else None, digest=True)
    world, failure = seeds.run_one(seed, note)
    if failure is not None:
        print(told(failure))
        return 1
    print(f"seed {seed:#x} holds: {dict(world.tally)}, trace {note.digest[:16]}")
    return 0


def _search(numbers: range) -> int:
    for seed in numbers:
        _, failure = seeds.run_one(seed)
        if failure is not None:
            print(f"{seed}\t{failure.invariant}\t{failure.message}")
            return 1
    return 0


def _progress(count: int, began: float) -> Callable[[seeds.Report], None]:
    def show(report: seeds.Report) -> None:
        rate = report.seeds / max(time.monotonic() - began, 1e-9)
        left = (count - report.seeds) / rate
        text = f"{report.seeds} of {count} seeds, {rate:.0f} a second, {left:.0f} s left, {len(report.failures)} failed"
        print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)

    return show


def told(failure: seeds.Failure) -> str:
    """A failure for people: the rule, its last events, and on the last line what to type to see it again."""
    events = "\n".join(failure.events)
    again = f"make simulate SEED={failure.seed:#x}"
    return f"{events}\nseed {failure.seed:#x} breaks: {failure.message}\nreplay it: {again}"


def table(report: seeds.Report, seconds: float) -> str:
    """What came of everything."""
    tally = report.tally
    per_seed = 1000 * report.seconds / max(report.seeds, 1)
    rows = [
        ("seeds", f"{report.seeds} in {seconds:.0f} s, {per_seed:.1f} ms of processor time each"),
        ("blocks begun", str(tally["blocks"])),
        ("matches recorded", str(tally["matches"])),
        ("decisions", str(tally["decisions"])),
        ("virtual time", f"{tally['virtual milliseconds'] / 1000:.0f} s"),
        ("restarts", str(tally["restarts"])),
        ("lines lost, resumptions", f"{tally['drops']}, {tally['resumes']}"),
        ("spectators", str(tally["spectators"])),
    ]
    order = {name: place for place, name in enumerate(KINDS)}
    rows += _section("blocks ended", report.outcomes)
    rows += _section("done by bots", report.injected, order)
    rows += _section("faults charged", report.charges)
    return "\n".join(f"{name:<34} {value}" for name, value in rows)


def _section(title: str, counts: Counter[str], order: dict[str, int] | None = None) -> list[tuple[str, str]]:
    names = sorted(counts, key=lambda name: (order or {}).get(name, -counts[name]))
    return [(title, str(counts.total())), *((f"  {name}", str(counts[name])) for name in names)]


if __name__ == "__main__":
    sys.exit(main())
