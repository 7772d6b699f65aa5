"""Time controls by name and by value, in integer nanoseconds."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from google.protobuf import duration_pb2

from tradepit.v1 import block_pb2

SECOND = 1_000_000_000
"""Nanoseconds in a second."""

_UNITS = {"ms": SECOND // 1000, "s": SECOND, "m": 60 * SECOND, "h": 3600 * SECOND}
_DURATION = re.compile(r"([0-9]+)(ms|s|m|h)")
_LONGEST = 365 * 24 * 3600 * SECOND
_MOST_STRIKES = 1_000_000


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The clocks of a match, in nanoseconds; None sets no limit."""

    startup: int | None = None
    """To accept an invitation."""
    decision: int | None = None
    """The limit for one decision."""
    bank: int | None = None
    """For all decisions of the match together."""
    increment: int = 0
    """Added to the bank after each decision."""
    strikes: int = 3
    """The number of faults that forfeits a seat."""
    resume_window: int = 10 * SECOND
    """How long a dropped stream may be resumed."""
    name: str = ""
    """Empty when given by value."""

    def allowed(self, bank: int | None) -> int | None:
        """Time for the next decision with so much left in the *bank*; None: no limit."""
        from_bank = None if bank is None else bank + self.increment
        if self.decision is None or from_bank is None:
            return from_bank if self.decision is None else self.decision
        return min(self.decision, from_bank)

    def to_message(self) -> block_pb2.TimeControl:
        """The same as a message."""
        message = block_pb2.TimeControl(strikes=self.strikes, name=self.name)
        for field in ("startup", "decision", "bank", "increment", "resume_window"):
            nanoseconds = getattr(self, field)
            if nanoseconds is not None:
                getattr(message, field).FromNanoseconds(nanoseconds)
        return message

    @classmethod
    def from_message(cls, message: block_pb2.TimeControl) -> "TimeControl":
        """The time control in *message*, where a name alone stands for the clocks of that name.

        Raises ValueError, quoting the value.
        """
        if message.name and message == block_pb2.TimeControl(name=message.name):
            return _named(message.name)
        if not 1 <= message.strikes <= _MOST_STRIKES:
            raise ValueError(f"strikes must be from 1 to {_MOST_STRIKES}, not {message.strikes}")
        given = {
            field: _nanoseconds(field, getattr(message, field))
            for field in ("startup", "decision", "bank", "increment", "resume_window")
            if message.HasField(field)
        }
        return _bearable(cls(**given, strikes=message.strikes, name=message.name))


def _bearable(control: TimeControl) -> TimeControl:
    """*control* itself. Raises ValueError for clocks by which every bot forfeits at once, quoting the value."""
    for field, limit in (("startup", control.startup), ("decision", control.decision)):
        if limit == 0:
            raise ValueError(f"{field} cannot be 0: no bot is so fast")
    if control.bank == 0 and control.increment == 0:
        raise ValueError("bank cannot be 0 without an increment: no bot is so fast")
    return control


def _nanoseconds(field: str, duration: duration_pb2.Duration) -> int:
    nanoseconds = duration.seconds * SECOND + duration.nanos
    if not 0 <= nanoseconds <= _LONGEST:
        raise ValueError(f"{field} must be from 0 to a year, not {nanoseconds / SECOND} s")
    return nanoseconds


NAMED: Mapping[str, TimeControl] = MappingProxyType(
    {
        control.name: control
        for control in (
            TimeControl(30 * SECOND, 1 * SECOND, 10 * SECOND, SECOND // 10, name="blitz"),
            TimeControl(30 * SECOND, 10 * SECOND, 60 * SECOND, SECOND // 2, name="standard"),
            TimeControl(name="training"),
        )
    }
)
"""The time controls that have a name."""


def _named(name: str) -> TimeControl:
    if name not in NAMED:
        raise ValueError(f"no time control is called {name!r}; known: {', '.join(NAMED)}")
    return NAMED[name]


_BY_VALUE = TimeControl(startup=30 * SECOND)


def parse(text: str) -> TimeControl:
    """A time control by name ("blitz") or by value ("decision=2s,bank=60s,increment=100ms,startup=10s").

    By value, what is not named sets no limit, but for 30 s of startup, three strikes and a resume window
    of 10 s. Raises ValueError, quoting the offending part.
    """
    if text in NAMED:
        return NAMED[text]
    given: dict[str, int] = {}
    for part in text.split(","):
        key, equals, value = part.strip().partition("=")
        if not equals or key not in ("startup", "decision", "bank", "increment", "strikes", "resume_window"):
            raise ValueError(
                f"{part.strip()!r} is not understood; give one of {', '.join(NAMED)},"
                " or a list like decision=2s,bank=60s,increment=100ms,startup=10s"
            )
        if key in given:
            raise ValueError(f"{key} is given twice, the second time as {value!r}")
        given[key] = _parse_strikes(value) if key == "strikes" else _parse_duration(key, value)
    return _bearable(replace(_BY_VALUE, **given))  # type: ignore[arg-type]  # every key is one of the number fields


def _parse_duration(key: str, value: str) -> int:
    match = _DURATION.fullmatch(value)
    if match is None or int(match[1]) * _UNITS[match[2]] > _LONGEST:
        raise ValueError(f"{key} cannot be {value!r}; write a whole number and ms, s, m or h, like 500ms or 2s")
    return int(match[1]) * _UNITS[match[2]]


def _parse_strikes(value: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,5}", value):
        raise ValueError(f"strikes cannot be {value!r}; write a whole number from 1 to 999999")
    return int(value)
