"""Being told to stop: by Ctrl-C, by SIGTERM, by a terminal that is closed. All end a command in good order."""

import signal
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)

_caught: list[int] = []


def listen() -> None:
    """From now on SIGTERM and SIGHUP raise KeyboardInterrupt, as Ctrl-C does."""
    for number in _SIGNALS:
        if signal.getsignal(number) == signal.SIG_DFL:  # under nohup SIGHUP is to be ignored, and stays so
            signal.signal(number, _stop)


def exit_status() -> int:
    """128 and the number of the signal, as shells have it."""
    return 128 + (_caught or [signal.SIGINT])[0]


def _stop(number: int, _: FrameType | None) -> None:
    # A closing terminal says it more than once, and the cleaning up must not be interrupted.
    for each in _SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    _caught.append(number)
    raise KeyboardInterrupt
