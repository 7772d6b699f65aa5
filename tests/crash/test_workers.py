"""With several workers, one that is killed or stuck delays nobody."""

import os
import signal
from pathlib import Path

from crash_processes import Running, workers
from crash_program import FOLDER, GRACE
from crash_records import read
from crash_run import check_nothing_left

ATTEMPTS = """
SELECT b.block_index, a.number, a.ended FROM attempts a JOIN blocks b ON b.id = a.block_id ORDER BY a.id
"""

BLOCKS = 40


def begin(folder: Path, url: str, clocks: str) -> Running:
    """A tournament that two workers play."""
    game = ("tournament", "run", "buy-low-sell-high", "random", "passive", "--blocks", str(BLOCKS), "--name", "it")
    environment = {FOLDER: str(folder), GRACE: "3"}
    return Running(folder, [*game, "--workers", "2", "--time-control", clocks, "--db", url], environment, probed=True)


def reached(folder: Path, point: str, times: int = 1) -> bool:
    points = folder / "points"
    return points.exists() and points.read_text().count(f" {point}\n") >= times


def ended(url: str) -> dict[str, int]:
    """How many attempts ended in each way."""
    rows = read(url, {"attempts": ATTEMPTS})["attempts"]
    return {str(way): sum(row[2] == way for row in rows) for way in {row[2] for row in rows}}


def test_a_worker_that_is_killed_takes_nothing_of_the_other_with_it(folder: Path, url: str) -> None:
    """As the kernel does it where memory is short."""
    running = begin(folder, url, "training")
    assert running.until(lambda: reached(folder, "shard: begun", 3)), running.errors()
    killed = workers(running.process.pid)[0]
    os.kill(killed, signal.SIGKILL)
    done = running.end()
    assert done.status == 0, done.errors
    assert f"{BLOCKS} of {BLOCKS} blocks complete" in done.output
    check_nothing_left(folder)


def test_a_worker_that_is_stuck_delays_nobody(folder: Path, url: str) -> None:
    """Its blocks are void at the deadline of its shard and are played by others."""
    running = begin(folder, url, "decision=2s,bank=1s,startup=2s")
    assert running.until(lambda: reached(folder, "shard: begun", 2)), running.errors()
    stuck = workers(running.process.pid)[0]
    os.kill(stuck, signal.SIGSTOP)
    others = (folder / "points").read_text().count("shard: begun")
    assert running.until(lambda: reached(folder, "shard: begun", others + 2)), "the other one goes on"
    assert Path(f"/proc/{stuck}/stat").read_text().rpartition(")")[2].split()[0] == "T", "and it is still stuck"
    done = running.end()
    assert done.status == 0, done.errors
    assert f"{BLOCKS} of {BLOCKS} blocks complete" in done.output
    assert ended(url).keys() > {"complete"}, "what it had was given back, or was void"
    check_nothing_left(folder)
