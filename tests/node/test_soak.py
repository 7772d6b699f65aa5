"""The soak works, and fails when it must."""

import subprocess
import sys

import pytest
import soak
from soak_gauge import MEBIBYTE, Sample, growth
from soak_organiser import Tally

from tradepit.v1 import block_pb2

TINY = ["--minutes", "0.1", "--bots", "12", "--in-flight", "8", "--drops", "1500", "--think", "0.05"]


def run(*words: str) -> tuple[int, str]:
    """The exit status and what it printed."""
    words = (sys.executable, soak.__file__, *TINY, *words)
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def test_honest_bots_whose_lines_break_play_every_block() -> None:
    status, printed = run("--hosted", "2")
    assert status == 0, printed
    assert printed.startswith("12 bots are connected after ")
    assert printed.count(" 0 lost, ") >= 3
    assert "'came back': " in printed


def test_bots_that_may_not_come_back_are_charged_and_that_fails() -> None:
    status, printed = run("--time-control", "decision=30s,startup=30s,resume_window=0s")
    assert status == 1, printed
    assert "does not hold: honest bots charged " in printed
    assert "FAULT_KIND_DISCONNECTED" in printed


def period(mebibytes: int, descriptors: int = 10, threads: int = 5) -> list[Sample]:
    return [Sample(mebibytes * MEBIBYTE, descriptors, threads)] * 3


@pytest.mark.parametrize(
    ("last", "complaints"),
    [
        (period(58), []),
        (period(59), ["memory grew from 50.0 to 59.0 MiB"]),
        (period(50, descriptors=27), ["descriptors grew from 10 to 27"]),
        (period(50, threads=10), ["threads grew from 5 to 10"]),
        (period(40, 1, 1), []),
    ],
)
def test_what_grows_after_the_first_period_is_told(last: list[Sample], complaints: list[str]) -> None:
    assert growth([period(1), period(50), period(50), last]) == complaints


def test_of_much_memory_a_share_may_be_added() -> None:
    assert growth([period(1), period(1000), period(1050)]) == []
    assert growth([period(1), period(1000), period(1051)]) == ["memory grew from 1000.0 to 1051.0 MiB"]


def test_a_run_that_is_too_short_is_no_proof() -> None:
    assert growth([period(1), period(1)]) == ["2 periods are too few to tell whether anything grows"]


def test_void_blocks_are_lost_and_faults_are_charges() -> None:
    tally = Tally()
    tally.add(block_pb2.BlockResult(outcome=block_pb2.BLOCK_OUTCOME_VOID, reason="why"))
    fault = block_pb2.Fault(kind=block_pb2.FAULT_KIND_TIMEOUT, message="late")
    replay = block_pb2.Replay(result=block_pb2.MatchResult(faults=[fault]))
    tally.add_whole(block_pb2.BlockResult(outcome=block_pb2.BLOCK_OUTCOME_COMPLETE, replays=[replay]))
    assert (tally.done, tally.lost, tally.charged) == (1, {"why": 1}, {"FAULT_KIND_TIMEOUT: late": 1})


@pytest.mark.parametrize(
    ("buckets", "said"),
    [
        ([0] * 16, "not known"),
        ([99, 0, 1] + [0] * 13, "at most 0.1 ms"),
        ([98, 0, 2] + [0] * 13, "at most 0.4 ms"),
        ([0] * 15 + [1], "more than 1638.4 ms"),
    ],
)
def test_the_percentile_of_the_overhead_is_its_buckets_bound(buckets: list[int], said: str) -> None:
    tally = Tally()
    timing = block_pb2.MatchTiming(overhead_buckets=buckets)
    tally.add(block_pb2.BlockResult(outcome=block_pb2.BLOCK_OUTCOME_COMPLETE, timings=[timing]))
    assert tally.overhead_percentile(0.99) == said
