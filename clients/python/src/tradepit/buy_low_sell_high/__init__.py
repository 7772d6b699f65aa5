"""Everything that the author of a Buy Low Sell High bot needs::

from tradepit.buy_low_sell_high import BuyLowSellHighBot

class Oilman(BuyLowSellHighBot):
    def take_turn(self, view):
        desk = view.desk()
        if desk.can_buy("oil"):
            desk.buy("oil")
        return desk.turn()  # with the first cards that can be played

if __name__ == "__main__":
    Oilman().run()
"""

from tradepit.buy_low_sell_high.actions import MAX_TRADES, Buy, CardPlay, Sale, Trade, Turn, buy, play, sell
from tradepit.buy_low_sell_high.bot import Action, BuyLowSellHighBot
from tradepit.buy_low_sell_high.desk import Desk
from tradepit.buy_low_sell_high.edition import BuyLowSellHighEdition, Card
from tradepit.buy_low_sell_high.events import (
    Bought,
    CardPlayed,
    CardsDrawn,
    ChartMoved,
    Dealt,
    Discarded,
    DividendPaid,
    Ended,
    Event,
    FeeCharged,
    Sold,
    Started,
    YearEnded,
)
from tradepit.buy_low_sell_high.table import Chart, SeatView, Space, Standing
from tradepit.buy_low_sell_high.view import BuyLowSellHighView
from tradepit.match import Match, MatchResult

__all__ = [
    "MAX_TRADES",
    "Action",
    "Bought",
    "Buy",
    "BuyLowSellHighBot",
    "BuyLowSellHighEdition",
    "BuyLowSellHighView",
    "Card",
    "CardPlay",
    "CardPlayed",
    "CardsDrawn",
    "Chart",
    "ChartMoved",
    "Dealt",
    "Desk",
    "Discarded",
    "DividendPaid",
    "Ended",
    "Event",
    "FeeCharged",
    "Match",
    "MatchResult",
    "Sale",
    "SeatView",
    "Sold",
    "Space",
    "Standing",
    "Started",
    "Trade",
    "Turn",
    "YearEnded",
    "buy",
    "play",
    "sell",
]
