"""A ledger kept from the public events alone. It knows the figures of the rules page and no code of the engine."""

from typing import Any

import pytest
from buy_low_sell_high_play import moments, random_match

MATCHES_A_SIZE = 200
"""Of each of three sizes."""

INDUSTRIES = ("oil", "technology", "retail")
CHART = [2, 3, 4, 5, 6, 8, *range(10, 31, 2)]
DIVIDENDS = (0, 1, 2, 4, 8, 12)


class Recorder(list[Any]):
    """The event list of a match; notes everybody's score at each event."""

    def __init__(self, state: Any) -> None:
        super().__init__(state.events)
        self.state = state
        self.scores: list[list[int]] = [[50] * state.seats for _ in self]

    def append(self, event: Any) -> None:
        """Note the scores as the engine has them."""
        super().append(event)
        self.scores.append(self.state.scores())


class Ledger:
    """Cash, fees owed, shares, charts and card spaces, from events."""

    def __init__(self, seats: int) -> None:
        self.cash = [50] * seats
        self.owed = [0] * seats
        self.shares = [dict.fromkeys(INDUSTRIES, 1) for _ in range(seats)]
        self.charts = {name: [13 - place for place in range(12 - seats)] for name in INDUSTRIES}
        """By industry: the field of each share on the chart."""
        self.standing: list[str] = []

    @property
    def scores(self) -> list[int]:
        """Cash less fees."""
        return [cash - owed for cash, owed in zip(self.cash, self.owed, strict=True)]

    def follow(self, event: Any) -> None:
        """Enter one public event."""
        getattr(self, f"_{type(event).__name__.lower()}", lambda event: None)(event)

    def _receive(self, seat: int, dollars: int) -> None:
        """Income pays a fee that is owed first."""
        settled = min(self.owed[seat], dollars)
        self.owed[seat] -= settled
        self.cash[seat] += dollars - settled

    def _bought(self, event: Any) -> None:
        fields = self.charts[event.industry]
        assert len(fields) > 1
        assert event.paid == CHART[min(fields)]
        fields.remove(min(fields))
        assert self.owed[event.seat] == 0
        self.cash[event.seat] -= event.paid
        assert self.cash[event.seat] >= 0
        self.shares[event.seat][event.industry] += 1

    def _sold(self, event: Any) -> None:
        fields = self.charts[event.industry]
        fields.append(max(min(fields) - 1, 0))
        assert event.received == CHART[fields[-1]]
        assert (self.owed[event.seat] > 0) >= (event.reason == "fee")
        assert event.reason != "trade" or not self.owed[event.seat]
        self.shares[event.seat][event.industry] -= 1
        assert self.shares[event.seat][event.industry] >= 0
        self._receive(event.seat, event.received)

    def _cardplayed(self, event: Any) -> None:
        if event.over:
            assert event.over.split("-")[0] == event.card.split("-")[0]
            self.standing.remove(event.over)
        else:
            self.standing.append(event.card)

    def _feecharged(self, event: Any) -> None:
        assert event.shares == self.shares[event.seat][event.industry] >= 1
        assert event.paid == 2 * event.shares
        paid = min(event.paid, self.cash[event.seat])
        self.cash[event.seat] -= paid
        self.owed[event.seat] += event.paid - paid
        assert event.owed == self.owed[event.seat]

    def _chartmoved(self, event: Any) -> None:
        fields = self.charts[event.industry]
        assert event.from_top == CHART[max(fields)]
        for _ in range(abs(event.points)):
            if event.points > 0 and max(fields) < len(CHART) - 1:
                fields.append(max(fields) + 1)
                fields.remove(min(fields))
            elif event.points < 0 and min(fields) > 0:
                fields.append(min(fields) - 1)
                fields.remove(max(fields))
        assert event.to_top == CHART[max(fields)]

    def _dividendpaid(self, event: Any) -> None:
        assert event.shares == self.shares[event.seat][event.industry] >= 1
        dollars, rest = divmod(event.received, event.shares)
        assert (dollars in DIVIDENDS[1:], rest) == (True, 0)
        self._receive(event.seat, event.received)

    def _discarded(self, event: Any) -> None:
        self.standing = []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ledger_of_public_events_gives_every_seats_score_after_every_event(seats: int) -> None:
    kinds = set()
    owed = False
    for number in range(MATCHES_A_SIZE):
        state, player = random_match(seats, number)
        state.events = recorder = Recorder(state)
        for _ in moments(state, player):
            pass
        ledger = Ledger(seats)
        for event, scores in zip(recorder, recorder.scores, strict=True):
            if state.audience(event) is None:
                ledger.follow(event)
                kinds.add((type(event).__name__, getattr(event, "reason", "")))
            assert ledger.scores == scores, f"{event} of match {number}"
            assert not any(cash and fee for cash, fee in zip(ledger.cash, ledger.owed, strict=True))
            owed |= any(ledger.owed)
        assert ledger.scores == state.scores()
        assert {number for shares in ledger.shares for number in shares.values()} == {0}
        assert {len(fields) for fields in ledger.charts.values()} == {12}
    # A ledger of matches in which nothing happened would prove nothing.
    sales = {("Sold", reason) for reason in ("trade", "fee", "final")}
    assert sales | {(kind, "") for kind in ("Bought", "FeeCharged", "ChartMoved", "DividendPaid", "Ended")} <= kinds
    assert owed
