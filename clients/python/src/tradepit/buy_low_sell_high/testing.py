"""For an author's tests of a Buy Low Sell High bot: situations written by hand, and a referee that asks about them::

    referee = BuyLowSellHighReferee(MyBot())
    turn = referee.turn(Situation(hand=["oil-03"], cash=30))
    assert turn.trades == (buy("oil"),)

An answer that the rules forbid is an AssertionError that says why. Neither grpc nor the server is imported.
"""

from dataclasses import replace
from typing import ClassVar, cast

from tradepit.buy_low_sell_high.actions import Turn, answer_text, read_action
from tradepit.buy_low_sell_high.edition import read_edition
from tradepit.buy_low_sell_high.situation import Seat, Situation, Taken
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit.buy_low_sell_high.view import BuyLowSellHighView
from tradepit.match import Request
from tradepit.situations import SituationReferee

__all__ = ["BuyLowSellHighReferee", "Seat", "Situation", "Taken", "view_of"]

Answer = Turn | tuple[str, ...] | str
"""To a turn, to a discard the ids of the cards, to a final sale the industry."""


class BuyLowSellHighReferee(SituationReferee[Situation, Answer, BuyLowSellHighView]):
    """Asks one bot about situations. Each question goes on with the match before, if the seats agree."""

    game: ClassVar = "buy-low-sell-high"
    packaged: ClassVar = "games/buy_low_sell_high/reconstructed-1.toml"

    def turn(self, situation: Situation) -> Turn:
        """What the bot does with its turn. AssertionError if it raises, or the rules forbid what it answers."""
        (answer,) = self.ask([replace(situation, decision="turn")])
        return cast(Turn, answer)

    def discard(self, situation: Situation) -> tuple[str, ...]:
        """The ids of the cards that the bot exchanges. AssertionError as for a turn."""
        (answer,) = self.ask([replace(situation, decision="discard")])
        return cast(tuple[str, ...], answer)

    def final_sale(self, situation: Situation) -> str:
        """The industry of which the bot sells a share. AssertionError as for a turn."""
        (answer,) = self.ask([replace(situation, decision="final_sale")])
        return cast(str, answer)

    def observation(self, situation: Situation) -> pb.Observation:
        """What a referee would send. Raises ValueError quoting what cannot be."""
        return situation.observation(read_edition(self.edition))

    @classmethod
    def read_view(cls, request: Request) -> BuyLowSellHighView:
        """What *request* shows."""
        return BuyLowSellHighView(request, read_edition(request.match.edition.toml))

    def read_answer(self, action: bytes) -> Answer:
        """A serialised action as an author would give it."""
        return read_action(pb.Action.FromString(action))

    def problem(self, answer: Answer, view: BuyLowSellHighView) -> str:
        """Why a referee would not take *answer*; empty if it would."""
        if isinstance(answer, str):
            held = view.legal_final_sales()
            return "" if answer in held else f"no share of {answer!r} is held, but of {', '.join(held)}"
        if isinstance(answer, Turn):
            return _turn_problem(answer, view)
        hand = [card.id for card in view.hand]
        for card in answer:
            if card not in hand:
                return f"the card {card!r} is not in the hand, or named twice"
            hand.remove(card)
        return ""

    def text(self, answer: Answer) -> str:
        """*answer* in words."""
        return answer_text(answer)


def view_of(situation: Situation, *, edition: bytes | None = None) -> BuyLowSellHighView:
    """What a bot would be given to look at: for tests of functions that take a view, and to print."""
    return BuyLowSellHighReferee.view_of(situation, edition=edition)


def _turn_problem(turn: Turn, view: BuyLowSellHighView) -> str:
    desk = view.desk()
    try:
        for trade in turn.trades:
            desk.trade(trade)
        desk.sell_for_fee(*turn.fee_sales)
        for play in turn.cards:
            desk.play(*play)
    except ValueError as error:
        return f"the turn is illegal: {error}"
    after = f"after {turn.cards[-1].card}" if turn.cards else "in a turn"
    return f"the turn is illegal: another card must be played {after}" if desk.due else ""
