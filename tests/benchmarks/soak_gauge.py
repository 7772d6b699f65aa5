"""What a process holds while the soak runs, and whether that grows."""

import os
import resource
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

MEBIBYTE = 2**20

MEMORY_SLACK = 8 * MEBIBYTE
"""What the resident memory may grow by in any case: the allocator's pages are never all in use."""

MEMORY_SHARE = 0.05
"""What it may grow by as a share of what it was."""

DESCRIPTORS_SLACK = 16
THREADS_SLACK = 4
"""gRPC starts threads when it is busy and lets them go when it is not."""


class Sample(NamedTuple):
    """What a process held at one moment."""

    memory: int
    """Resident, in bytes."""
    descriptors: int
    threads: int


Period = list[Sample]


class Gauge:
    """Samples of one process, by period."""

    def __init__(self, name: str, pid: int) -> None:
        self.name = name
        self.periods: list[Period] = [[]]
        self._process = Path(f"/proc/{pid}")
        self._page = resource.getpagesize()

    def read(self) -> None:
        """Take a sample. Raises OSError if the process is gone."""
        memory = int((self._process / "statm").read_text().split()[1]) * self._page
        descriptors, threads = (len(os.listdir(self._process / kind)) for kind in ("fd", "task"))
        self.periods[-1].append(Sample(memory, descriptors, threads))

    def end_period(self) -> str:
        """Begin with the next; the last one in half a line."""
        ended = self.periods[-1]
        self.periods.append([])
        most = Sample(*map(max, zip(*ended, strict=True)))
        memory = median_memory(ended) / MEBIBYTE
        return f"{self.name}: {memory:.1f} MiB, {most.descriptors} descriptors, {most.threads} threads"


def growth(periods: Sequence[Period]) -> list[str]:
    """What grew from the second of *periods* to the last, a sentence each; in the first everything is new.

    Memory is compared by the medians, so that one garbage collection more or less does not matter; descriptors and
    threads by the most.
    """
    if len(periods) < 3:
        return [f"{len(periods)} periods are too few to tell whether anything grows"]
    before, after = periods[1], periods[-1]
    complaints = []
    early, late = median_memory(before), median_memory(after)
    if late - early > max(MEMORY_SLACK, MEMORY_SHARE * early):
        complaints.append(f"memory grew from {early / MEBIBYTE:.1f} to {late / MEBIBYTE:.1f} MiB")
    counted: list[tuple[str, Callable[[Sample], int], int]] = [
        ("descriptors", lambda one: one.descriptors, DESCRIPTORS_SLACK),
        ("threads", lambda one: one.threads, THREADS_SLACK),
    ]
    for name, get, slack in counted:
        most, later = max(map(get, before)), max(map(get, after))
        if later - most > slack:
            complaints.append(f"{name} grew from {most} to {later}")
    return complaints


def median_memory(period: Period) -> float:
    """Bytes."""
    return statistics.median(one.memory for one in period)
