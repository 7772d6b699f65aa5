"""Worker processes, for real."""

import os
import signal
from functools import partial
from pathlib import Path

import fake_worker

from tradepit_ladder.pool import WorkerPool


def test_stopping_at_once_ends_what_runs(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "started")
    pool = WorkerPool()
    future = pool.submit(partial(fake_worker.hang, str(tmp_path / "started")), b"")
    (tmp_path / "started").read_bytes()  # returns when the worker has begun
    pool.shutdown(cancel_futures=True)
    assert isinstance(future.exception(timeout=0), SystemExit)


def test_a_worker_leaves_ctrl_c_to_its_parent() -> None:
    with WorkerPool() as pool:
        pid = pool.submit(os.getpid).result()
        os.kill(pid, signal.SIGINT)
        assert pool.submit(os.getpid).result() == pid


def test_a_pool_that_never_worked_can_be_stopped() -> None:
    WorkerPool().shutdown(cancel_futures=True)
