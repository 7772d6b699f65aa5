"""For an author's tests of a Long Short bot: situations written by hand, and a referee that asks about them::

    referee = LongShortReferee(MyBot())
    turn = referee.turn(Situation(hand=["green-09"], cash=7_000))
    assert turn.orders == (buy("gold", "long", 1),)

An answer that the rules forbid is an AssertionError that says why. Neither grpc nor the server is imported.
"""

from dataclasses import replace
from typing import ClassVar, cast

from tradepit.long_short.actions import Sale, Turn, read_action
from tradepit.long_short.edition import read_edition
from tradepit.long_short.situation import Contracts, Seat, Situation
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.long_short.view import LongShortView
from tradepit.match import Request
from tradepit.situations import SituationReferee

__all__ = ["Contracts", "LongShortReferee", "Seat", "Situation", "view_of"]

Answer = Turn | tuple[Sale, ...] | bool
"""To a turn, to a day trade, to whether to pay and go on."""


class LongShortReferee(SituationReferee[Situation, Answer, LongShortView]):
    """Asks one bot about situations. Each question goes on with the match before, if seat, seats and options agree."""

    game: ClassVar = "long-short"
    packaged: ClassVar = "games/long_short/reconstructed-1.toml"

    def turn(self, situation: Situation) -> Turn:
        """What the bot does with its turn. AssertionError if it raises, or the rules forbid what it answers."""
        (answer,) = self.ask([replace(situation, decision="turn")])
        return cast(Turn, answer)

    def day_trade(self, situation: Situation) -> tuple[Sale, ...]:
        """What the bot sells in a day trade. AssertionError as for a turn."""
        (answer,) = self.ask([replace(situation, decision="day_trade")])
        return cast(tuple[Sale, ...], answer)

    def cancel_end_of_game(self, situation: Situation) -> bool:
        """Whether the bot pays and goes on. AssertionError as for a turn."""
        (answer,) = self.ask([replace(situation, decision="end_of_game")])
        return cast(bool, answer)

    def observation(self, situation: Situation) -> pb.Observation:
        """What a referee would send. Raises ValueError quoting what cannot be."""
        return situation.observation(read_edition(self.edition))

    @classmethod
    def read_view(cls, request: Request) -> LongShortView:
        """What *request* shows."""
        return LongShortView(request, read_edition(request.match.edition.toml))

    def read_answer(self, action: bytes) -> Answer:
        """A serialised action as an author would give it."""
        return read_action(pb.Action.FromString(action))

    def problem(self, answer: Answer, view: LongShortView) -> str:
        """Why a referee would not take *answer*; empty if it would."""
        if isinstance(answer, bool):
            return ""
        desk = view.desk()
        for number, order in enumerate(answer.orders if isinstance(answer, Turn) else answer, start=1):
            try:
                desk.note(order)
            except ValueError as error:
                return f"order {number} is illegal: {error}"
        if isinstance(answer, Turn) and answer.price_card not in (card.id for card in view.hand):
            return f"the card {answer.price_card!r} is not in the hand"
        return ""

    def text(self, answer: Answer) -> str:
        """*answer* in words."""
        return ", ".join(map(str, answer)) or "no day trade" if isinstance(answer, tuple) else str(answer)


def view_of(situation: Situation, *, edition: bytes | None = None) -> LongShortView:
    """What a bot would be given to look at: for tests of functions that take a view, and to print."""
    return LongShortReferee.view_of(situation, edition=edition)
