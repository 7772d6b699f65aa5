"""The base of Long Short bots."""

from abc import abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from tradepit.chance import Chance
from tradepit.game_bot import GameBot, Kind
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


_KINDS = {
    "turn": Kind("take_turn", _turn),
    "day_trade": Kind("day_trade", _day_trade),
    "end_of_game": Kind("cancel_end_of_game", _end_of_game),
}


class LongShortBot(GameBot[LongShortView, Action]):
    """A bot that plays Long Short: derive, write ``take_turn``, call ``run``."""

    games: ClassVar = ("long-short",)
    decision_kinds: ClassVar = _KINDS

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

    def make_view(self, request: Request) -> LongShortView:
        """What *request* shows."""
        return LongShortView(request, read_edition(request.match.edition.toml))

    def prepare(self, game: str, edition: Edition) -> None:
        """Read *edition* before any clock runs. Raises EditionError."""
        read_edition(edition.toml)

    def check_fairness(self, match: Match, chance: Chance) -> None:
        """Compare the own hand, starting seat, dice and action cards with *chance*. Raises FairnessError."""
        check_match(match, chance)

    def describe_action(self, game: str, action: bytes) -> str:
        """A serialised action in words."""
        return action_text(pb.Action.FromString(action))
