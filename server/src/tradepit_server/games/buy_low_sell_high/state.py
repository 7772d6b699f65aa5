"""A match of Buy Low Sell High in progress."""

from collections.abc import Mapping, Sequence
from typing import Any

from tradepit_server.games.base import IllegalAction, rank
from tradepit_server.games.buy_low_sell_high.actions import Action, Discard, FinalSale, Turn
from tradepit_server.games.buy_low_sell_high.board import Board
from tradepit_server.games.buy_low_sell_high.describing import sentence
from tradepit_server.games.buy_low_sell_high.events import Dealt, Event
from tradepit_server.games.buy_low_sell_high.playing import default_cards
from tradepit_server.games.buy_low_sell_high.turn import judge_turn, take_turn
from tradepit_server.games.buy_low_sell_high.years import (
    best_sale,
    discard_cards,
    final_sale,
    judge_discard,
    judge_final_sale,
)
from tradepit_server.games.quoting import quote


class State(Board):
    """The board and the rules of the turn: what ``games.base.State`` asks for."""

    __slots__ = ()

    def validate(self, seat: int, action: Any) -> None:
        """Raises IllegalAction if *seat* may not do this now. Changes nothing."""
        if seat not in self.awaiting:
            raise IllegalAction(f"seat {seat} is not asked; asked are: {list(self.awaiting)}")
        if self.decision == "turn" and isinstance(action, Turn):
            judge_turn(self, seat, action)
        elif self.decision == "discard" and isinstance(action, Discard):
            judge_discard(self, seat, action)
        elif self.decision == "final_sale" and isinstance(action, FinalSale):
            judge_final_sale(self, seat, action)
        else:
            raise IllegalAction(f"{quote(action)} does not answer a {self.decision}")

    def apply(self, actions: Mapping[int, Any]) -> None:
        """Carry out the validated action of the active seat."""
        action = actions[self.active]
        self.seen[self.active] = self.event_count
        if self.decision == "turn":
            take_turn(self, action)
        elif self.decision == "discard":
            discard_cards(self, action)
        else:
            final_sale(self, action)

    def default_action(self, seat: int) -> Action:
        """No trades and the first playable cards; no discards; the sale with the highest price."""
        if self.decision == "turn":
            return Turn((), default_cards(self, seat))
        return Discard() if self.decision == "discard" else best_sale(self, seat)

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
        """Each seat's cash in dollars, the fees that it owes subtracted."""
        return self.cash.copy()

    def placements(self) -> list[int]:
        """By score: 1 is best, ties share."""
        return rank(self.cash)
