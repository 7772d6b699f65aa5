"""What all modules of replays share."""

from collections.abc import Sequence
from typing import Any, Literal

FORMAT = "tradepit-replay/1"

TYPE_URL = "type.googleapis.com/"
"""What stands before a message's full name in an ``Any``."""

NANOSECONDS = 1_000_000_000
"""In a second."""

Clock = Literal["startup", "decision", "bank", "increment", "resume_window"]
CLOCKS: Sequence[Clock] = ("startup", "decision", "bank", "increment", "resume_window")
"""The durations of a time control."""


class ReplayError(ValueError):
    """A replay that is not one, or that the rules do not bear out; the message names key or decision."""


def word(enum: Any, number: int) -> str:
    """An enum's value without its prefix, in lower case; the prefix is what the unspecified value begins with.

    Raises ReplayError for a number that the enum does not have.
    """
    if number not in enum.values():
        raise ReplayError(f"{enum.DESCRIPTOR.name} has no value {number}")
    prefix = enum.Name(0).removesuffix("UNSPECIFIED")
    return str(enum.Name(number).removeprefix(prefix).lower())
