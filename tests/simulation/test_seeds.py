"""Many seeds, all of which must hold; and the same seed is the same world, wherever it runs."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from simulation import seeds
from simulation.kinds import KINDS

RUN = Path(__file__).with_name("run.py")
SEEDS = int(os.environ.get("TRADEPIT_SEEDS", "3000"))
"""How many worlds the tests run."""

PARTS = 6
"""So that no test takes long, however busy the machine."""

EVERY_FAULT = {"timeout", "illegal_action", "malformed", "bot_error", "disconnected", "no_show", "crashed"}


def run(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """The simulator's program."""
    command = [sys.executable, str(RUN), *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


@cache
def part(number: int) -> seeds.Report:
    """What came of one part of the seeds, by all processors."""
    return seeds.run_all(range(number * SEEDS // PARTS, (number + 1) * SEEDS // PARTS))


@pytest.mark.parametrize("number", range(PARTS))
def test_every_seed_holds(number: int) -> None:
    failures = part(number).failures
    assert not failures, "\n".join(f"make simulate SEED={failure.seed:#x}: {failure.message}" for failure in failures)


@pytest.mark.skipif(SEEDS < 3000, reason="fewer seeds need not show everything")
def test_everything_happens() -> None:
    total = seeds.Report()
    for number in range(PARTS // 2):
        total.add(part(number))
    honest = {"instant", "steady", "batching"}
    assert set(total.injected) >= set(KINDS) - honest
    assert set(total.charges) == EVERY_FAULT
    assert all(total.tally[what] for what in ("restarts", "drops", "resumes", "spectators"))


def test_a_seed_is_the_same_world_again(digest: Callable[[int], str]) -> None:
    digests = [digest(seed) for seed in range(300)]
    assert [digest(seed) for seed in range(100)] == digests[:100]
    assert digest(1) != digest(2)


def test_a_seed_is_the_same_world_in_another_process() -> None:
    """Whatever order sets and dictionaries have there."""
    told = {run("--seed", "0x11", PYTHONHASHSEED=hash_seed).stdout for hash_seed in ("1", "2", "3")}
    assert len(told) == 1
    assert "seed 0x11 holds" in told.pop()


def test_a_trace_can_be_read() -> None:
    printed = run("--seed", "3", "--trace").stdout
    assert "block begins" in printed
    assert "decision_request" in printed


def test_the_program_prints_a_table() -> None:
    done = run("--seeds", "20", "--jobs", "1")
    assert done.returncode == 0, done.stdout
    assert "20 of 20 seeds" in done.stderr
    assert "faults charged" in done.stdout


def test_a_seed_that_fails_tells_how_to_run_it_again(tmp_path: Path) -> None:
    broken = tmp_path / "sitecustomize.py"
    broken.write_text(
        "from simulation import results\n"
        "def check(*_): results.require(False, 'a rule', 'as a test wants it')\n"
        "results.check = check\n"
    )
    library = RUN.with_name("lib")
    support = RUN.parents[1] / "support"
    done = run("--seeds", "20", "--jobs", "1", PYTHONPATH=f"{tmp_path}:{library}:{support}")
    assert done.returncode == 1
    assert "breaks: a rule: as a test wants it\nreplay it: make simulate SEED=0x" in done.stdout
