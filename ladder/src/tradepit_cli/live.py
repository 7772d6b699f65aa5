"""Brings together what a referee shows and what keys are pressed."""

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from tradepit.v1.referee_pb2 import WatchMatchResponse
from tradepit_cli.errors import CommandError
from tradepit_cli.stage import Stage

WAITING = 256
"""Things that may wait to be shown; then nothing more is read, and the referee leaves some out."""

AT_ONCE = 64
"""So many are taken before the terminal is drawn again."""

_PATIENCE_SECONDS = 0.2

Input = WatchMatchResponse | str | CommandError | None
"""Something to see, a key, what went wrong, or that there is no more to see."""


class Inputs:
    """Things to show, in the order in which they came from several threads."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[Input] = queue.Queue(WAITING)
        self._closed = threading.Event()

    def put(self, thing: Input) -> None:
        """Wait for room, and add *thing*."""
        while not self._closed.is_set():
            try:
                return self._waiting.put(thing, timeout=_PATIENCE_SECONDS)
            except queue.Full:
                continue

    def take(self) -> Iterator[Input]:
        """Wait for something, and give what waits."""
        yield self._waiting.get()
        for _ in range(AT_ONCE - 1):
            try:
                yield self._waiting.get_nowait()
            except queue.Empty:
                return

    @contextmanager
    def reading(self, messages: Iterable[WatchMatchResponse]) -> Iterator[None]:
        """Inside the block, *messages* are added by a thread, and last how they ended."""
        reader = threading.Thread(target=self._read, args=(messages,), name="referee", daemon=True)
        reader.start()
        try:
            yield
        finally:
            self._closed.set()

    def _read(self, messages: Iterable[WatchMatchResponse]) -> None:
        try:
            for message in messages:
                self.put(message)
            self.put(None)
        except CommandError as error:
            self.put(error)


def play(stage: Stage, inputs: Inputs, draw: Callable[[], None], *, stay: bool) -> None:
    """Show what comes until the spectator leaves, or, unless they are to *stay*, there is no more.

    Raises CommandError if the show breaks off.
    """
    while not stage.left and (stay or not stage.ended):
        for thing in inputs.take():
            _show(stage, thing)
        draw()


def _show(stage: Stage, thing: Input) -> None:
    if isinstance(thing, CommandError):
        raise thing
    if thing is None:
        stage.ended = True
    elif isinstance(thing, str):
        stage.press(thing)
    else:
        stage.take(thing)
