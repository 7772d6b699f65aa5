"""Worker processes, for real."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import fake_worker
import pytest

from tradepit_ladder.pool import ProcessDied, WorkerPool

MANY_SECONDS = 60


@contextmanager
def ended(pool: WorkerPool) -> Iterator[WorkerPool]:
    """The pool, which is ended at once afterwards, whatever still runs in it."""
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def hanging(pool: WorkerPool, folder: Path, name: str = "started") -> Future[bytes]:
    """A call that has begun and never ends by itself."""
    os.mkfifo(folder / name)
    future = pool.submit(partial(fake_worker.hang, str(folder / name)), b"")
    (folder / name).read_bytes()  # returns when the worker has begun
    return future


def test_stopping_at_once_ends_what_runs(tmp_path: Path) -> None:
    pool = WorkerPool()
    future = hanging(pool, tmp_path)
    pool.shutdown(cancel_futures=True)
    assert isinstance(future.exception(timeout=0), SystemExit)


def test_a_call_that_is_cancelled_while_it_runs_ends_and_takes_no_other_with_it(tmp_path: Path) -> None:
    with ended(WorkerPool(2)) as pool:
        stuck = hanging(pool, tmp_path)
        other = pool.submit(os.getpid).result(MANY_SECONDS)
        assert stuck.cancel()
        assert stuck.cancelled()
        assert pool.submit(os.getpid).result(MANY_SECONDS) == other


def test_a_call_that_has_ended_cannot_be_cancelled_and_its_process_stays() -> None:
    with WorkerPool() as pool:
        call = pool.submit(os.getpid)
        pid = call.result(MANY_SECONDS)
        assert not call.cancel()
        assert pool.submit(os.getpid).result(MANY_SECONDS) == pid


def test_a_process_that_is_killed_fails_its_own_call_alone_and_is_replaced(tmp_path: Path) -> None:
    with ended(WorkerPool(2)) as pool:
        beside = hanging(pool, tmp_path)
        killed = pool.submit(os.kill, pool.submit(os.getpid).result(MANY_SECONDS), signal.SIGKILL)
        assert isinstance(killed.exception(MANY_SECONDS), ProcessDied)
        assert isinstance(pool.submit(os.getpid).result(MANY_SECONDS), int)
        assert not beside.done()


def test_after_a_call_that_failed_the_next_has_a_fresh_process() -> None:
    with WorkerPool() as pool:
        pid = pool.submit(os.getpid).result(MANY_SECONDS)
        assert isinstance(pool.submit(os.kill, -1, -1).exception(MANY_SECONDS), OSError)
        assert pool.submit(os.getpid).result(MANY_SECONDS) != pid


def test_calls_go_to_different_processes_as_long_as_there_are_any(tmp_path: Path) -> None:
    with ended(WorkerPool(3)) as pool:
        stuck = [hanging(pool, tmp_path, name) for name in ("one", "two", "three")]
        assert not any(call.done() for call in stuck)
        pool.shutdown(cancel_futures=True)
        assert all(isinstance(call.exception(timeout=0), SystemExit) for call in stuck)


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
