"""Worker processes, for real."""

import os
import select
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import fake_worker
import pytest

from tradepit_ladder.pool import WorkerPool


def test_stopping_at_once_ends_what_runs(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "started")
    pool = WorkerPool()
    future = pool.submit(partial(fake_worker.hang, str(tmp_path / "started")), b"")
    (tmp_path / "started").read_bytes()  # returns when the worker has begun
    pool.shutdown(cancel_futures=True)
    assert isinstance(future.exception(timeout=0), SystemExit)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_worker_leaves_ctrl_c_and_a_closed_terminal_to_its_parent(number: signal.Signals) -> None:
    with WorkerPool() as pool:
        pid = pool.submit(os.getpid).result()
        os.kill(pid, number)
        assert pool.submit(os.getpid).result() == pid


def test_a_pool_that_never_worked_can_be_stopped() -> None:
    WorkerPool().shutdown(cancel_futures=True)


OWNER = """
import os, signal
from tradepit_ladder.pool import WorkerPool
if __name__ == "__main__":
    with WorkerPool() as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        signal.pause()
"""


def test_a_worker_that_waits_for_work_does_not_outlive_a_parent_that_was_killed(tmp_path: Path) -> None:
    (tmp_path / "owner.py").write_text(OWNER)
    with subprocess.Popen([sys.executable, str(tmp_path / "owner.py")], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        worker = os.pidfd_open(int(owner.stdout.readline()))
        owner.kill()
        assert select.select([worker], [], [], 30)[0], "readable when the process has ended"
        os.close(worker)
