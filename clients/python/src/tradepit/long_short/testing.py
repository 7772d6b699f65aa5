"""For an author's tests of a Long Short bot: situations written by hand, and a referee that asks about them::

    referee = LongShortReferee(MyBot())
    turn = referee.turn(Situation(hand=["green-09"], cash=7_000))
    assert turn.orders == (buy("gold", "long", 1),)

An answer that the rules forbid is an AssertionError that says why. Neither grpc nor the server is imported.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, cast

from tradepit.bot import Bot
from tradepit.long_short.actions import Sale, Turn, read_action
from tradepit.long_short.edition import read_edition
from tradepit.long_short.situation import Contracts, Seat, Situation
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.long_short.view import LongShortView
from tradepit.match import Request
from tradepit.testing import Question, ScriptedReferee, packaged_edition

__all__ = ["Contracts", "LongShortReferee", "Seat", "Situation", "view_of"]

Answer = Turn | tuple[Sale, ...] | bool
"""To a turn, to a day trade, to whether to pay and go on."""


class LongShortReferee(ScriptedReferee):
    """Asks one bot about situations. Each question goes on with the match before, if seat, seats and options agree."""

    notes: list[str]
    """What the bot noted with its last answers."""

    def __init__(self, bot: Bot, *, edition: bytes | None = None) -> None:
        """A referee for *bot*, by the TOML text *edition*; None: the one in the box."""
        toml = packaged_edition("games/long_short/reconstructed-1.toml") if edition is None else edition
        super().__init__(bot, game="long-short", edition=toml)
        self.notes = []
        self._toml = toml
        self._match_ids: dict[object, str] = {}
        self._last = ""

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

    def ask(self, situations: Sequence[Situation]) -> list[Answer]:
        """Ask about all *situations* in one frame, each in a match of its own. AssertionError as for a turn."""
        answers = self.ask_all([self.question(situation, index) for index, situation in enumerate(situations)])
        self.notes = [answer.note for answer in answers]
        return [
            _judged(read_action(pb.Action.FromString(answer.action)), view_of(situation, edition=self._toml))
            for situation, answer in zip(situations, answers, strict=True)
        ]

    def question(self, situation: Situation, index: int = 0) -> Question:
        """*situation* as a question, for the place *index* in its frame. Raises ValueError if it cannot be."""
        observation = situation.observation(read_edition(self._toml))
        return Question(self._match_id(index, situation), observation, situation.time_left)

    def end(self, scores: Sequence[int]) -> None:
        """Tell the bot that the match it was asked about last is over, with *scores* in dollars by seat."""
        self.end_match(self._last, scores)
        self._match_ids = {key: match_id for key, match_id in self._match_ids.items() if match_id != self._last}

    def _match_id(self, index: int, situation: Situation) -> str:
        options = situation.resolved_options()
        key = (index, situation.seat, situation.seats, options)
        if key not in self._match_ids:
            words = {name: str(value) for name, value in options._asdict().items()}
            self._match_ids[key] = self.start_match(situation.seat, situation.seats, words)
        self._last = self._match_ids[key]
        return self._last


def view_of(situation: Situation, *, edition: bytes | None = None) -> LongShortView:
    """What a bot would be given to look at: for tests of functions that take a view, and to print."""
    onlooker = _Onlooker()
    referee = LongShortReferee(onlooker, edition=edition)
    referee.ask_all([referee.question(situation)])
    return onlooker.view


class _Onlooker(Bot):
    """Keeps what it is shown, and answers nothing."""

    games: ClassVar = ("long-short",)
    view: LongShortView

    def answer(self, request: Request) -> pb.Action:
        self.view = LongShortView(request, read_edition(request.match.edition.toml))
        return pb.Action()


def _judged(answer: Answer, view: LongShortView) -> Answer:
    problem = _problem(answer, view)
    if problem:
        raise AssertionError(f"{problem}\nthe bot answered: {_text(answer)}\nto: {view}")
    return answer


def _text(answer: Answer) -> str:
    return ", ".join(map(str, answer)) or "no day trade" if isinstance(answer, tuple) else str(answer)


def _problem(answer: Answer, view: LongShortView) -> str:
    """Why the referee would not take *answer*; empty if it would."""
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
