"""A pool of worker processes that can be stopped at once."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import connection, get_context, resource_tracker
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from types import FrameType

_END_SECONDS = 10
"""How long a worker may take to end its bots and itself."""


_ASK_SECONDS = 3
"""After how long a worker that has lost its parent asks itself again to leave."""


class WorkerPool(ProcessPoolExecutor):
    """Processes started afresh (spawn), not copies of this one with its threads and connections.

    ``shutdown(cancel_futures=True)`` also ends what runs.
    """

    def __init__(self, workers: int = 1) -> None:
        _track_resources()
        super().__init__(workers, mp_context=get_context("spawn"), initializer=_prepare)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers; with *cancel_futures* without finishing what they have begun."""
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
