"""Runs many seeds, on several processes, and gathers what came of them."""

import gc
import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import process_time

from simulation.errors import Violation
from simulation.trace import Trace
from simulation.world import World

LONGEST = 10.0
"""Seconds of processor time after which a world hangs: most take a hundredth of one."""

CHUNK = 50
"""Seeds that a process takes at a time."""


GARBAGE = 100_000
"""New objects between two collections."""


@dataclass
class Failure:
    """A seed that broke a rule."""

    seed: int
    invariant: str
    message: str
    events: list[str]
    """The last of them, one a line."""


@dataclass
class Report:
    """What came of some seeds."""

    seeds: int = 0
    seconds: float = 0.0
    """Of processor time."""
    tally: Counter[str] = field(default_factory=Counter)
    injected: Counter[str] = field(default_factory=Counter)
    charges: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: "Report") -> None:
        """Count what came of more seeds."""
        self.seeds += other.seeds
        self.seconds += other.seconds
        self.tally += other.tally
        self.injected += other.injected
        self.charges += other.charges
        self.outcomes += other.outcomes
        self.failures += other.failures


def run_one(seed: int, trace: Trace | None = None) -> tuple[World, Failure | None]:
    """One seed, and why it failed; None: it did not. A core that raises breaks a rule too."""
    world = World(seed, trace)
    signal.signal(signal.SIGVTALRM, _hangs)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        world.run()
    except Violation as violation:
        return world, Failure(seed, violation.invariant, str(violation), world.trace.lines())
    except Exception as error:  # whatever it is: it is told with its seed
        return world, Failure(seed, "nothing raises", repr(error), world.trace.lines())
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return world, None


def _hangs(_: int, __: object) -> None:
    raise Violation("the referee comes to rest", f"a world takes more than {LONGEST:g} s")


def run_some(seeds: Sequence[int]) -> Report:
    """All of *seeds*, in this process."""
    report = Report()
    began = process_time()
    gc.set_threshold(GARBAGE)  # a world is one large cycle: to look for others in it takes a tenth of the time
    for seed in seeds:
        world, failure = run_one(seed)
        report.seeds += 1
        report.tally += world.tally
        report.injected += world.injected
        report.charges += world.charges
        report.outcomes += world.outcomes
        if failure is not None:
            report.failures.append(failure)
    report.seconds = process_time() - began
    return report


def run_all(
    seeds: range, jobs: int | None = None, progress: Callable[[Report], object] = lambda _: None, most_failures: int = 5
) -> Report:
    """All *seeds* on *jobs* processes, by default one a processor, until so many have failed."""
    total = Report()
    for report in _reports(seeds, jobs or os.cpu_count() or 1):
        total.add(report)
        progress(total)
        if len(total.failures) >= most_failures:
            break
    total.failures.sort(key=lambda failure: failure.seed)
    return total


def _reports(seeds: range, jobs: int) -> Iterator[Report]:
    chunks = [seeds[start : start + CHUNK] for start in range(0, len(seeds), CHUNK)]
    if jobs == 1 or len(chunks) == 1:
        yield from map(run_some, chunks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(run_some, chunks)
