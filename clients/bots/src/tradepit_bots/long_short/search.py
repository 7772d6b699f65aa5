"""Search for Long Short: for each card of the hand a few ways to bet on it, and two rounds of playing on from each.

It finds by itself what the other bots do not think of: to play a card against what the others hold, to stay out while a
bet could ruin it, to sell before the last dice.
"""

from tradepit.long_short import LongShortBot, LongShortView, Sale, Turn, buy, sell
from tradepit.long_short.actions import check_side
from tradepit_bots.long_short._bets import Book, bet, promise, worth
from tradepit_bots.search import Searcher
from tradepit_server.codecs.long_short import CODEC
from tradepit_server.games.long_short import actions as engine
from tradepit_server.games.long_short.game import GAME
from tradepit_server.games.long_short.state import State

ROUNDS = 2
"""How far a playout goes. Beyond it, guesses about guesses hide what the action itself has done."""

RESERVES = (0.0, 0.25, 0.5, 1.0)
"""The parts of the cash that a candidate keeps; who keeps all of it stays out of the market."""

CAUTION = 0.4
"""The part of the cash that everybody is guessed to keep."""


class Search(Searcher[State], LongShortBot):
    """Tries each card with bets of several sizes, and every day trade."""

    game = GAME
    codec = CODEC

    def take_turn(self, view: LongShortView) -> Turn:
        """The best card with the best bets."""
        turn = self.search(view)
        orders = [
            buy(order.good, check_side(order.side), order.contracts) if type(order) is engine.Buy else sell(*order)
            for order in turn.orders
        ]
        return Turn(orders, price_card=turn.price_card, pile=turn.pile)

    def day_trade(self, view: LongShortView) -> list[Sale]:
        """The best sales, perhaps none."""
        return [sell(*sale) for sale in self.search(view).sales]

    def cancel_end_of_game(self, view: LongShortView) -> bool:
        """Whether going on is worth its price."""
        return bool(self.search(view).cancel)

    def candidates(self, state: State, seat: int) -> list[engine.Action]:
        """Every card with bets of each size, or with the contracts as they are; a day trade of everything, or none."""
        if state.decision == "end_of_game":
            return [engine.EndOfGame(False), engine.EndOfGame(True)]
        if state.decision == "day_trade":
            return day_trades(state, seat)
        cards = state.hands[seat]
        bets = [bet(state, seat, card, reserve) for card in cards for reserve in RESERVES]
        waits = [engine.Turn((), state.edition.price_cards[card].id) for card in cards]
        return list(dict.fromkeys([*bets, *waits]))

    def guess(self, state: State, seat: int) -> engine.Action:
        """The most promising card with a bet of ordinary size; no day trade."""
        if state.decision != "turn":
            return state.default_action(seat)
        stake = (1 - CAUTION) * worth(state, seat)
        card = max(state.hands[seat], key=lambda card: promise(state, seat, card, stake))
        return bet(state, seat, card, CAUTION)

    def wealth(self, state: State, seat: int) -> float:
        """Cash, and contracts at what they are worth now."""
        return worth(state, seat)

    def far_enough(self, start: State, state: State) -> bool:
        """Everybody has had so many turns."""
        return state.turn >= start.turn + ROUNDS * state.seats


def day_trades(state: State, seat: int) -> list[engine.Action]:
    """Everything, or nothing, which keeps the card."""
    book = Book(state, seat)
    book.sell_all()
    return [engine.DayTrade(), engine.DayTrade(tuple(book.sales))] if book.sales else [engine.DayTrade()]


BOT = Search
