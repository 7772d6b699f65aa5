"""Keys that are pressed in a terminal, without Enter."""

import os
import select
import sys
import termios
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_ARROWS = {"\x1b[D": "left", "\x1b[C": "right", "\x1bOD": "left", "\x1bOC": "right"}


def names(typed: str) -> Iterator[str]:
    """The keys in what a terminal sends: letters and digits as they are, "left" and "right"; others are left out."""
    while typed:
        arrow = typed[:3]
        if typed[0] == "\x1b":
            if arrow in _ARROWS:
                yield _ARROWS[arrow]
            typed = typed[3:]
        else:
            yield typed[0].lower()
            typed = typed[1:]


@contextmanager
def pressed(press: Callable[[str], None]) -> Iterator[bool]:
    """Inside the block, ``press(name)`` is called for each key, in a thread. Gives whether there are any keys."""
    if not sys.stdin.isatty():
        yield False
        return
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    waking, wake = os.pipe()
    reader = threading.Thread(target=_read, args=(keyboard, waking, press), name="keys", daemon=True)
    tty.setcbreak(keyboard)
    reader.start()
    try:
        yield True
    finally:
        os.close(wake)
        reader.join()
        os.close(waking)
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


def _read(keyboard: int, waking: int, press: Callable[[str], None]) -> None:
    """Until the other end of *waking* is closed, or the keyboard is gone."""
    while waking not in (ready := select.select([keyboard, waking], [], [])[0]):
        typed = os.read(ready[0], 64)
        if not typed:
            return
        for name in names(typed.decode(errors="ignore")):
            press(name)
