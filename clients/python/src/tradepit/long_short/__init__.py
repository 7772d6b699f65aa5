"""Everything that the author of a Long Short bot needs::

from tradepit.long_short import LongShortBot, Turn, buy

class Momentum(LongShortBot):
    def take_turn(self, view):
        orders = [buy("gold", "long", 1)] if view.can_buy("gold", "long", 1) else []
        return Turn(orders=orders, price_card=view.hand[0])

if __name__ == "__main__":
    Momentum().run()
"""

from tradepit.long_short.actions import MAX_ORDERS, Buy, Order, Sale, Side, Turn, buy, sell
from tradepit.long_short.bot import Action, LongShortBot
from tradepit.long_short.desk import Desk
from tradepit.long_short.edition import ActionCard, Good, LongShortEdition, PriceCard
from tradepit.long_short.events import (
    ActionCardDrawn,
    Bought,
    CardPlayed,
    CashMoved,
    DayTradeCardReturned,
    DayTradeCardTaken,
    Dealt,
    Ended,
    Event,
    PriceMoved,
    PriceReset,
    Rolled,
    Sold,
    Started,
)
from tradepit.long_short.table import Options, Pile, PlayedCard, Position, SeatView
from tradepit.long_short.view import LongShortView
from tradepit.match import Match, MatchResult

__all__ = [
    "MAX_ORDERS",
    "Action",
    "ActionCard",
    "ActionCardDrawn",
    "Bought",
    "Buy",
    "CardPlayed",
    "CashMoved",
    "DayTradeCardReturned",
    "DayTradeCardTaken",
    "Dealt",
    "Desk",
    "Ended",
    "Event",
    "Good",
    "LongShortBot",
    "LongShortEdition",
    "LongShortView",
    "Match",
    "MatchResult",
    "Options",
    "Order",
    "Pile",
    "PlayedCard",
    "Position",
    "PriceCard",
    "PriceMoved",
    "PriceReset",
    "Rolled",
    "Sale",
    "SeatView",
    "Side",
    "Sold",
    "Started",
    "Turn",
    "buy",
    "sell",
]
