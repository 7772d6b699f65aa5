"""A match of Long Short in progress."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tradepit_server.games.base import IllegalAction, rank
from tradepit_server.games.long_short.actions import Action, Buy, DayTrade, EndOfGame, Sell, Turn
from tradepit_server.games.long_short.board import Board
from tradepit_server.games.long_short.describing import sentence
from tradepit_server.games.long_short.events import Dealt, Event
from tradepit_server.games.long_short.orders import judge, judge_buy, judge_sale
from tradepit_server.games.long_short.turn import (
    answer_end_of_game,
    day_trades,
    judge_end_of_game,
    judge_turn,
    take_turn,
)
from tradepit_server.games.quoting import quote


def _legal(judged: Callable[[], object]) -> bool:
    try:
        judged()
    except IllegalAction:
        return False
    return True


class State(Board):
    """The board and the rules of the turn: what ``games.base.State`` asks for."""

    __slots__ = ()

    def validate(self, seat: int, action: Any) -> None:
        """Raises IllegalAction if *seat* may not do this now. Changes nothing."""
        if seat not in self.awaiting:
            raise IllegalAction(f"seat {seat} is not asked; asked are: {list(self.awaiting)}")
        if self.decision == "turn" and isinstance(action, Turn):
            judge_turn(self, seat, action)
        elif self.decision == "day_trade" and isinstance(action, DayTrade):
            judge(self, seat, action.sales, (Sell,))
        elif self.decision == "end_of_game" and isinstance(action, EndOfGame):
            judge_end_of_game(action)
        else:
            raise IllegalAction(f"{quote(action)} does not answer a {self.decision}")

    def apply(self, actions: Mapping[int, Any]) -> None:
        """Carry out the validated actions of all awaited seats."""
        count = self.event_count
        # Before anything is carried out: who trades at the same moment shall see the others' trades next time.
        for seat in self.awaiting:
            self.seen[seat] = count
        if self.decision == "turn":
            take_turn(self, actions[self.active])
        elif self.decision == "day_trade":
            day_trades(self, actions)
        else:
            answer_end_of_game(self, actions[self.active])

    def default_action(self, seat: int) -> Action:
        """No orders, the first card of the hand, pile 1; no day trade; the end-of-game card is not cancelled."""
        if self.decision == "turn":
            return Turn((), self.edition.price_cards[self.hands[seat][0]].id)
        return DayTrade() if self.decision == "day_trade" else EndOfGame()

    def can_buy(self, seat: int, good: str, side: str, contracts: int) -> bool:
        """Whether *seat*, in its turn, could give this as its first order."""
        return _legal(lambda: judge_buy(self, self.cash[seat], self.positions[seat], Buy(good, side, contracts)))

    def max_contracts(self, seat: int, good: str, side: str) -> int:
        """The most contracts that *seat* could buy by one order; fewer may lack the single chips that five do not."""
        chips = self.edition.single_chips + 5 * self.edition.five_chips
        most = min(chips, max(self.cash[seat], 0) // self.edition.margins[self.edition.line_of[good, side]])
        return next((n for n in range(most, 0, -1) if self.can_buy(seat, good, side, n)), 0)

    def can_sell(self, seat: int, good: str, side: str, entry_level: int, contracts: int) -> bool:
        """Whether *seat* could give this as its first order or first sale of a day trade."""
        sale = Sell(good, side, entry_level, contracts)
        return _legal(lambda: judge_sale(self, self.cash[seat], self.positions[seat], sale))

    def events_since(self, number: int) -> Sequence[Event]:
        """What has happened since event *number*."""
        return self.events[max(number - self.first_event, 0) :]

    def audience(self, event: Event) -> tuple[int] | None:
        """The seats that may see *event*; None: everybody."""
        return (event.seat,) if type(event) is Dealt else None

    def describe(self, event: Event) -> str:
        """*event* as a sentence for people."""
        return sentence(event)

    def scores(self) -> list[int]:
        """Each seat's cash, in dollars; when the match is over that is its capital."""
        return self.cash.copy()

    def placements(self) -> list[int]:
        """By cash: 1 is best, ties share."""
        return rank(self.cash)
