"""Worker processes, each of which can be ended and replaced without the others.

``WorkerPool`` is the executor; each of its processes is a ``_Process``, an executor of one, since Python's own pool
breaks as a whole when one of its processes dies.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from multiprocessing import connection, get_context, resource_tracker
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from types import FrameType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_END_SECONDS = 10
"""How long a worker may take to end its bots and itself."""

_ASK_SECONDS = 3
"""After how long a worker that has lost its parent asks itself again to leave."""


class ProcessDied(Exception):
    """The process that ran this call died; no other did."""


class WorkerPool(Executor):
    """So many processes started afresh (spawn), not copies of this one with its threads and connections.

    One that dies or fails is replaced, and takes no other's work with it. ``cancel()`` on a call's future ends the
    call even while it runs, and ``shutdown(cancel_futures=True)`` ends all that do.
    """

    def __init__(self, workers: int = 1) -> None:
        _track_resources()
        self._places = [_Place() for _ in range(workers)]

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have the process with the fewest calls make this one, rather one that has been started."""
        return min(self._places, key=lambda place: (place.busy(), place.is_empty())).submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers; with *cancel_futures* without finishing what they have begun."""
        for place in self._places:
            if cancel_futures:
                place.end_process()
            else:
                place.close(wait)
        if wait:
            for place in self._places:
                place.join()


class _Place:
    """The place of one process and of its successors."""

    def __init__(self) -> None:
        self._process: _Process | None = None
        self._calls: list[_Call[Any]] = []
        self._ending: list[threading.Thread] = []

    def is_empty(self) -> bool:
        """Whether a process would have to be started."""
        return self._process is None

    def busy(self) -> int:
        """How many calls have not ended."""
        self._calls = [call for call in self._calls if not call.done()]
        return len(self._calls)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        if self._process is not None and self._process.failed:
            # Whatever failed, a fresh process is the state of which we know most.
            self.end_process()
        if self._process is None:
            self._process = _Process()
        process, call = self._process, _Call[T](self._process, self._give_up)
        self._calls.append(call)
        process.submit(fn, *args, **kwargs).add_done_callback(call.take)
        return call

    def _give_up(self, process: "_Process") -> None:
        if self._process is process:
            self.end_process()

    def end_process(self) -> None:
        """End it at once, without waiting until it has ended: the others have work to do."""
        if self._process is not None:
            ended, self._process = self._process, None
            ending = threading.Thread(target=ended.shutdown, kwargs={"cancel_futures": True}, name="ladder-ending")
            ending.start()
            self._ending = [*(thread for thread in self._ending if thread.is_alive()), ending]

    def close(self, wait: bool) -> None:
        """Let the process finish what it has begun, and end."""
        if self._process is not None:
            self._process.shutdown(wait)

    def join(self) -> None:
        """Wait for every process that was to end at once."""
        for thread in self._ending:
            thread.join()


class _Call(Future[T]):
    """A call in a process of its own, which ends with it where it is cancelled."""

    def __init__(self, process: "_Process", give_up: Callable[["_Process"], None]) -> None:
        super().__init__()
        self._process = process
        self._give_up = give_up

    def cancel(self) -> bool:
        """Give the call up, also while it runs. False: it has ended."""
        if not super().cancel():
            return False
        self._give_up(self._process)
        return True

    def take(self, done: Future[T]) -> None:
        """Take over what came of the call in the process."""
        try:
            error = done.exception()
        except CancelledError:
            super().cancel()
            error = None
        self._process.failed |= error is not None
        if not self.set_running_or_notify_cancel():
            return
        if isinstance(error, BrokenExecutor):
            error = ProcessDied(str(error))
        if error is None:
            self.set_result(done.result())
        else:
            self.set_exception(error)


class _Process(ProcessPoolExecutor):
    """One process. ``shutdown(cancel_futures=True)`` also ends what runs."""

    def __init__(self) -> None:
        super().__init__(1, mp_context=get_context("spawn"), initializer=_prepare)
        self.failed = False
        """A call raised, or the process died."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the process; with *cancel_futures* without finishing what it has begun."""
        # The executor forgets these when it shuts down. It has no public way to end workers before Python 3.14.
        processes = list((self._processes or {}).values())
        manager = self._executor_manager_thread
        super().shutdown(wait=wait and not cancel_futures, cancel_futures=cancel_futures)
        if cancel_futures:
            _end(processes)
            if wait and manager is not None:
                manager.join()  # type: ignore[attr-defined]  # typeshed takes the thread for its wake-up pipe


def _track_resources() -> None:
    """Start the process in which Python tracks semaphores, such that it outlives the terminal, as it does Ctrl-C.

    Who started it would otherwise find it gone, and semaphores left behind.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])  # the new process inherits it
    try:
        resource_tracker.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(processes: Sequence[BaseProcess]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(_END_SECONDS)
        if process.is_alive():
            process.kill()


def _prepare() -> None:
    # Ctrl-C and the end of a terminal reach every process of it. The parent alone decides, and asks with SIGTERM.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    # A worker that is leaving already must not be told again while it cleans up: that would end in a traceback.
    Finalize(None, signal.signal, args=(signal.SIGTERM, signal.SIG_IGN), exitpriority=0)
    threading.Thread(target=_outlive_nobody, name="ladder-parent", daemon=True).start()


def _outlive_nobody() -> None:
    """A parent that was killed asks nobody to leave, and a worker that waits for work would do so for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        while True:
            # More than once: the executor takes what is raised while it sends a result for another result.
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(_ASK_SECONDS)


def _leave(number: int, _: FrameType | None) -> None:
    # Not the signal's own effect, which would leave no time to end bots and remove sockets.
    sys.exit(128 + number)
