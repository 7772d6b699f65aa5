"""A ledger kept from the public events alone. It knows the rulebook's figures and no code of the engine."""

from collections import defaultdict
from typing import Any

import pytest
from long_short_play import moments, random_match

MATCHES_A_SIZE = 200
"""Of each of five sizes: 1,000 matches."""

POINT_VALUES = {"wheat": 500, "copper": 500, "sugar": 1000, "soya": 1000, "gold": 2000, "coffee": 2000}


class Recorder(list[Any]):
    """The event list of a match; notes everybody's cash at each event."""

    def __init__(self, state: Any) -> None:
        super().__init__(state.events)
        self.state = state
        self.cash: list[list[int]] = [[10_000] * state.seats for _ in self]

    def append(self, event: Any) -> None:
        """Note the cash as the engine has it."""
        super().append(event)
        self.cash.append(self.state.cash.copy())


class Ledger:
    """Levels, contracts and cash, from events."""

    def __init__(self, seats: int) -> None:
        self.levels = dict.fromkeys(POINT_VALUES, 10)
        self.cash = [10_000] * seats
        self.stacks: list[dict[tuple[str, str, int], int]] = [defaultdict(int) for _ in range(seats)]

    def follow(self, event: Any) -> None:
        """Enter one public event."""
        getattr(self, f"_{type(event).__name__.lower()}", lambda event: None)(event)

    def _pricemoved(self, event: Any) -> None:
        assert event.from_level == self.levels[event.good]
        self.levels[event.good] = event.to_level

    def _pricereset(self, event: Any) -> None:
        assert event.level == 10
        assert self.levels[event.good] in (3, 17)
        assert not any(good == event.good for stacks in self.stacks for good, _, _ in stacks)
        self.levels[event.good] = 10

    def _bought(self, event: Any) -> None:
        assert event.contracts >= 1
        assert event.level == self.levels[event.good]
        self.cash[event.seat] -= 3 * POINT_VALUES[event.good] * event.contracts
        assert self.cash[event.seat] >= 0
        self.stacks[event.seat][event.good, event.side, event.level] += event.contracts
        assert chips_suffice(list(self.stacks[event.seat].values()))

    def _sold(self, event: Any) -> None:
        assert event.contracts >= 1
        assert event.level == self.levels[event.good]
        gained = event.level - event.entry_level if event.side == "long" else event.entry_level - event.level
        self.cash[event.seat] += event.contracts * POINT_VALUES[event.good] * (3 + gained)
        stack = (event.good, event.side, event.entry_level)
        self.stacks[event.seat][stack] -= event.contracts
        assert self.stacks[event.seat][stack] >= 0
        if not self.stacks[event.seat][stack]:
            del self.stacks[event.seat][stack]

    def _cashmoved(self, event: Any) -> None:
        if event.reason == "restart":
            assert self.cash[event.seat] < 0
            self.cash[event.seat] = 10_000
        else:
            assert event.received in {"action_card": (2000, -2000), "cancellation": (-10_000,)}[event.reason]
            self.cash[event.seat] += event.received


def chips_suffice(stacks: list[int]) -> bool:
    """Whether 15 singles and 3 fives can mark the stacks, whatever they are put on."""
    most = min(3, sum(contracts // 5 for contracts in stacks))
    return any(sum(stacks) - 5 * fives <= 15 for fives in range(most + 1))


@pytest.mark.parametrize("seats", range(2, 7))
def test_ledger_of_public_events_gives_every_seats_cash_after_every_event(seats: int) -> None:
    """1,000 random matches with 2 to 6 seats and all options; also: chips never exceed their number after a buy."""
    kinds = set()
    for number in range(MATCHES_A_SIZE):
        state, player = random_match(seats, number)
        state.events = recorder = Recorder(state)
        for _ in moments(state, player):
            pass
        ledger = Ledger(seats)
        for event, cash in zip(recorder, recorder.cash, strict=True):
            if state.audience(event) is None:
                ledger.follow(event)
                kinds.add((type(event).__name__, getattr(event, "reason", "")))
            assert ledger.cash == cash, f"{event} of match {number}"
        assert ledger.cash == state.scores()
        assert not any(ledger.stacks)
    # A ledger of matches in which nothing happened would prove nothing.
    sales = {("Sold", reason) for reason in ("order", "day_trade", "settlement", "cover", "final")}
    payments = {("CashMoved", reason) for reason in ("action_card", "cancellation", "restart")}
    assert sales | payments | {("Bought", ""), ("Ended", "card"), ("Ended", "rounds")} <= kinds
