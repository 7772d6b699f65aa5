"""What a client sees of the engine's states of Buy Low Sell High, and what the engine says to a client's turns."""

from collections.abc import Iterable
from typing import ClassVar

from tradepit.bot import Bot
from tradepit.buy_low_sell_high import Buy, BuyLowSellHighView, CardPlay, Trade
from tradepit.buy_low_sell_high.testing import BuyLowSellHighReferee
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit.match import Request
from tradepit.testing import Question
from tradepit_server.codecs.buy_low_sell_high import CODEC
from tradepit_server.games.base import IllegalAction
from tradepit_server.games.buy_low_sell_high import actions as engine
from tradepit_server.games.buy_low_sell_high.state import State


class Eyes(Bot):
    """Looks at a state through the client library, as a bot does."""

    games: ClassVar = ("buy-low-sell-high",)
    seen: BuyLowSellHighView

    def __init__(self) -> None:
        self._referee = BuyLowSellHighReferee(self)

    def answer(self, request: Request) -> pb.Action:
        """Keeps what it is asked."""
        self.seen = self._referee.read_view(request)
        return pb.Action()

    def view(self, state: State, seat: int) -> BuyLowSellHighView:
        """What *seat* is shown of *state*."""
        observation = pb.Observation.FromString(CODEC.observation(state, seat))
        self._referee.ask_all([Question(self._referee.start_match(seat, state.seats, {}), observation)])
        return self.seen


def allows(state: State, action: engine.Action) -> bool:
    """Whether the engine lets the active seat do this."""
    try:
        state.validate(state.active, action)
    except IllegalAction:
        return False
    return True


def engine_trades(trades: Iterable[Trade]) -> tuple[engine.Buy | engine.Sell, ...]:
    """The engine's form of *trades*."""
    return tuple(
        engine.Buy(trade.industry) if isinstance(trade, Buy) else engine.Sell(trade.industry) for trade in trades
    )


def engine_cards(plays: Iterable[CardPlay]) -> tuple[engine.CardPlay, ...]:
    """The engine's form of *plays*."""
    return tuple(engine.CardPlay(*play) for play in plays)
