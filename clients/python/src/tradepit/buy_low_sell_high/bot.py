"""The base of Buy Low Sell High bots."""

from abc import abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from tradepit.buy_low_sell_high.actions import (
    Turn,
    answer_text,
    check_industry,
    discard_message,
    final_sale_message,
    listed,
    read_action,
    turn_message,
)
from tradepit.buy_low_sell_high.edition import Card, read_edition
from tradepit.buy_low_sell_high.fairness import check_match
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit.buy_low_sell_high.view import BuyLowSellHighView
from tradepit.chance import Chance
from tradepit.game_bot import GameBot, Kind
from tradepit.match import Edition, Match, Request

Action = Turn | Iterable[Card | str] | str
"""What a decision is answered with: a turn, the cards to discard, the industry to sell."""


def _turn(turn: object, method: str) -> pb.Action:
    if not isinstance(turn, Turn):
        raise TypeError(f"{method} returned {turn!r}; it must return a Turn")
    return turn_message(turn)


def _discard(returned: object, method: str) -> pb.Action:
    try:
        return discard_message(listed("cards", returned))
    except (TypeError, ValueError):
        message = f"{method} returned {returned!r}; it must return a list of cards of the hand, which may be empty"
        raise TypeError(message) from None


def _final_sale(industry: object, method: str) -> pb.Action:
    try:
        return final_sale_message(check_industry(industry))
    except ValueError:
        raise TypeError(f"{method} returned {industry!r}; it must return the name of an industry") from None


_KINDS = {
    "turn": Kind("take_turn", _turn),
    "discard": Kind("discard", _discard),
    "final_sale": Kind("final_sale", _final_sale),
}


class BuyLowSellHighBot(GameBot[BuyLowSellHighView, Action]):
    """A bot that plays Buy Low Sell High: derive, write ``take_turn``, call ``run``."""

    games: ClassVar = ("buy-low-sell-high",)
    decision_kinds: ClassVar = _KINDS

    @abstractmethod
    def take_turn(self, view: BuyLowSellHighView) -> Turn:
        """Trades, then cards; while a fee is owed, an order of industries to sell instead of trades."""

    def discard(self, view: BuyLowSellHighView) -> Iterable[Card | str]:
        """Which cards of the hand to exchange. Asked at the end of every year but the last."""
        return ()

    def final_sale(self, view: BuyLowSellHighView) -> str:
        """The industry to sell a share of. Asked when the game is over, again and again, while there is a choice."""
        return max(view.legal_final_sales(), key=view.sell_prices.__getitem__)

    def make_view(self, request: Request) -> BuyLowSellHighView:
        """What *request* shows."""
        return BuyLowSellHighView(request, read_edition(request.match.edition.toml))

    def prepare(self, game: str, edition: Edition) -> None:
        """Read *edition* before any clock runs. Raises EditionError."""
        read_edition(edition.toml)

    def check_fairness(self, match: Match, chance: Chance) -> None:
        """Compare the starting seat and all cards that were drawn with *chance*. Raises FairnessError."""
        check_match(match, chance)

    def describe_action(self, game: str, action: bytes) -> str:
        """A serialised action in words."""
        return answer_text(read_action(pb.Action.FromString(action)))
