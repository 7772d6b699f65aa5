"""Time controls as the simulator knows them, in nanoseconds, worked out apart from the referee's own."""

from random import Random
from typing import NamedTuple

from tradepit.v1 import block_pb2

MILLISECOND = 1_000_000
SECOND = 1_000_000_000


class Clocks(NamedTuple):
    """The clocks of a block; None sets no limit."""

    startup: int | None
    decision: int | None
    bank: int | None
    increment: int
    strikes: int
    window: int

    def allowed(self, bank: int | None) -> int | None:
        """Time for a decision with so much left in the *bank*."""
        limits = [
            limit for limit in (self.decision, None if bank is None else bank + self.increment) if limit is not None
        ]
        return min(limits, default=None)

    def message(self) -> block_pb2.TimeControl:
        """The same as a message."""
        message = block_pb2.TimeControl(strikes=self.strikes)
        message.resume_window.FromNanoseconds(self.window)
        if self.startup is not None:
            message.startup.FromNanoseconds(self.startup)
        if self.decision is not None:
            message.decision.FromNanoseconds(self.decision)
        if self.bank is not None:
            message.bank.FromNanoseconds(self.bank)
        message.increment.FromNanoseconds(self.increment)
        return message

    @property
    def bounded(self) -> bool:
        """A block ends by these clocks alone, whatever its bots do."""
        return self.startup is not None and (self.decision is not None or self.bank is not None)

    def longest(self, decisions: int) -> int:
        """Nanoseconds that a match of so many *decisions* can take, when it is bounded."""
        if self.decision is not None:
            return decisions * self.decision
        return decisions * ((self.bank or 0) + self.increment)


def draw(rng: Random) -> Clocks:
    """A time control: mostly tight, now and then without any limit."""
    roll = rng.random()
    strikes = rng.choice((1, 2, 3, 3, 3, 5))
    window = rng.choice((50, 200, 1000, 4000)) * MILLISECOND
    if roll < 0.06:
        return Clocks(None, None, None, 0, strikes, window)
    startup = rng.choice((200, 1000, 5000)) * MILLISECOND
    decision = rng.choice((50, 200, 1000, 2000)) * MILLISECOND
    bank = rng.choice((100, 500, 3000, 10_000)) * MILLISECOND
    increment = rng.choice((0, 10, 100)) * MILLISECOND
    if roll < 0.4:
        return Clocks(startup, decision, None, 0, strikes, window)
    if roll < 0.55:
        return Clocks(startup, None, bank, increment, strikes, window)
    return Clocks(startup, decision, bank, increment, strikes, window)
