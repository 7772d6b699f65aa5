"""The base of Long Short bots."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar

from tradepit.bot import Bot
from tradepit.chance import Chance
from tradepit.long_short.actions import (
    MAX_ORDERS,
    Sale,
    Turn,
    action_text,
    day_trade_message,
    end_of_game_message,
    turn_message,
)
from tradepit.long_short.edition import read_edition
from tradepit.long_short.fairness import check_match
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.long_short.view import LongShortView
from tradepit.match import Edition, Match, Request

Action = Turn | Iterable[Sale] | bool
"""What a decision is answered with: a turn, the sales of a day trade, whether to pay and go on."""


class LongShortBot(Bot):
    """A bot that plays Long Short: derive, write ``take_turn``, call ``run``."""

    games: ClassVar = ("long-short",)

    @abstractmethod
    def take_turn(self, view: LongShortView) -> Turn:
        """Orders, a price change card and a pile. Asked once a round."""

    def day_trade(self, view: LongShortView) -> Iterable[Sale]:
        """What to sell now, for one day-trade card; nothing keeps the card.

        Asked after another seat's turn, of each seat that holds a day-trade card and a contract.
        """
        return ()

    def cancel_end_of_game(self, view: LongShortView) -> bool:
        """Whether to pay 10,000 $ and go on. Asked of who drew the end-of-game card, where the options allow it."""
        return False

    def decide(self, view: LongShortView) -> Action:
        """What ``take_turn``, ``day_trade`` or ``cancel_end_of_game`` says, whichever *view* asks."""
        if view.decision == "turn":
            return self.take_turn(view)
        return self.day_trade(view) if view.decision == "day_trade" else self.cancel_end_of_game(view)

    def decide_many(self, views: Sequence[LongShortView]) -> Sequence[Action]:
        """What to answer to each of *views*, in their order.

        For bots that think about many decisions at once, as a neural network does. Override it, and all that the
        referee asks in one frame comes here together: decisions of any kind, in up to ``max_concurrent_matches``
        matches. The answers leave together too, so the first one waits for the last. An exception fails them all.
        """
        return [self.decide(view) for view in views]

    @property
    def decides_many(self) -> bool:
        """Whether ``decide_many`` is the author's."""
        return type(self).decide_many is not LongShortBot.decide_many

    def answer(self, request: Request) -> pb.Action:
        """The action for *request*, by the method for its kind. Raises TypeError if that returns something else."""
        view = _view(request)
        return _MESSAGES[view.decision](self.decide(view), _METHODS[view.decision])

    def answer_many(self, requests: Sequence[Request]) -> list[pb.Action]:
        """The actions for *requests*, by ``decide_many``. Raises TypeError or ValueError if its answers do not fit."""
        views = [_view(request) for request in requests]
        returned = self.decide_many(views)
        if not isinstance(returned, Iterable):
            raise TypeError(f"decide_many returned {returned!r}; it must return a list, one answer for each view")
        answers = list(returned)
        if len(answers) != len(views):
            raise ValueError(f"decide_many returned {len(answers)} answers to {len(views)} views")
        return [
            _MESSAGES[view.decision](answer, f"for views[{index}], a {view.decision}, decide_many")
            for index, (view, answer) in enumerate(zip(views, answers, strict=True))
        ]

    def prepare(self, game: str, edition: Edition) -> None:
        """Read *edition* before any clock runs. Raises EditionError."""
        read_edition(edition.toml)

    def check_fairness(self, match: Match, chance: Chance) -> None:
        """Compare the own hand, starting seat, dice and action cards with *chance*. Raises FairnessError."""
        check_match(match, chance)

    def describe_action(self, game: str, action: bytes) -> str:
        """A serialised action in words."""
        return action_text(pb.Action.FromString(action))


def _view(request: Request) -> LongShortView:
    return LongShortView(request, read_edition(request.match.edition.toml))


def _turn(turn: object, method: str) -> pb.Action:
    if not isinstance(turn, Turn):
        raise TypeError(f"{method} returned {turn!r}; it must return a Turn")
    return turn_message(turn)


def _day_trade(returned: object, method: str) -> pb.Action:
    sales = _sales(returned)
    if sales is None:
        raise TypeError(f"{method} returned {returned!r}; it must return a list of sell(...), which may be empty")
    if len(sales) > MAX_ORDERS:
        raise ValueError(f"a day trade has at most {MAX_ORDERS} sales, not {len(sales)}")
    return day_trade_message(sales)


def _sales(returned: object) -> list[Sale] | None:
    """The sales in what an author's method returned; None if it is not sales."""
    things = list(returned) if isinstance(returned, Iterable) else [None]
    sales = [thing for thing in things if isinstance(thing, Sale)]
    return sales if len(sales) == len(things) else None


def _end_of_game(cancel: object, method: str) -> pb.Action:
    if not isinstance(cancel, bool):
        raise TypeError(f"{method} returned {cancel!r}; it must return True or False")
    return end_of_game_message(cancel)


_MESSAGES = {"turn": _turn, "day_trade": _day_trade, "end_of_game": _end_of_game}
_METHODS = {"turn": "take_turn", "day_trade": "day_trade", "end_of_game": "cancel_end_of_game"}
