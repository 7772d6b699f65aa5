"""Search for Buy Low Sell High: the most promising trades with cards, and two rounds of playing on from each.

What a share is worth depends on the cards that everybody still plays and on who sells first. A bot can make rules for
that, as ``value`` does; it can also play it out a hundred times and look.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tradepit.buy_low_sell_high import BuyLowSellHighBot, BuyLowSellHighView, Turn, buy, play, sell
from tradepit_bots.buy_low_sell_high._cards import Step, cards_from, first_steps, harmful
from tradepit_bots.buy_low_sell_high._trades import gain, legal_trades, quick_trades, worths
from tradepit_bots.search import Searcher
from tradepit_server.codecs.buy_low_sell_high import CODEC
from tradepit_server.games.buy_low_sell_high import actions as engine
from tradepit_server.games.buy_low_sell_high.game import GAME
from tradepit_server.games.buy_low_sell_high.playing import play_cards
from tradepit_server.games.buy_low_sell_high.state import State

ROUNDS = 2
"""How far a playout goes. To the end of the match takes three times as long, and is no stronger."""

MOST_TURNS = 8
"""How many of the hundred legal turns are tried: those that promise most."""


class Search(Searcher[State], BuyLowSellHighBot):
    """Tries trades with cards, what to discard, and what to sell first in the end."""

    game = GAME
    codec = CODEC

    def take_turn(self, view: BuyLowSellHighView) -> Turn:
        """The best trades with the best cards."""
        turn = self.search(view)
        trades = [(buy if type(trade) is engine.Buy else sell)(trade.industry) for trade in turn.trades]
        return Turn(trades, cards=[play(entry.card, entry.over) for entry in turn.cards])

    def discard(self, view: BuyLowSellHighView) -> tuple[str, ...]:
        """The best of a few choices."""
        cards: tuple[str, ...] = self.search(view).cards
        return cards

    def final_sale(self, view: BuyLowSellHighView) -> str:
        """The share that should go first."""
        return str(self.search(view).industry)

    def candidates(self, state: State, seat: int) -> list[engine.Action]:
        """Trades with cards; to discard the harmful cards, none, or all; a share of any industry."""
        edition = state.edition
        if state.decision == "final_sale":
            held = zip(edition.industries, state.shares[seat], strict=True)
            return [engine.FinalSale(industry) for industry, number in held if number]
        if state.decision == "discard":
            hand = tuple(edition.cards[card].id for card in state.hands[seat])
            return [engine.Discard(cards) for cards in dict.fromkeys([harmful(state, seat), (), hand])]
        plans = [plan for step in first_steps(state, seat) for plan in plans_from(state, seat, step)]
        plans.sort(key=lambda plan: -plan.promise)
        return [plan.turn for plan in plans[:MOST_TURNS]]

    def guess(self, state: State, seat: int) -> engine.Action:
        """The best trades and cards at first sight; the harmful cards are discarded."""
        if state.decision == "turn":
            cards = cards_from(state, seat)
            return engine.Turn(quick_trades(state, seat, worths(played(state, seat, cards), seat)), cards)
        return engine.Discard(harmful(state, seat)) if state.decision == "discard" else state.default_action(seat)

    def wealth(self, state: State, seat: int) -> float:
        """Cash, and shares at what they will bring."""
        return owned(state, seat, worths(state, seat)) if state.awaiting else state.cash[seat]

    def far_enough(self, start: State, state: State) -> bool:
        """Everybody has had so many turns. The final sales are played to the end, for they decide."""
        return state.decision == "turn" and state.turn >= start.turn + ROUNDS * state.seats


class Plan(NamedTuple):
    """A turn, and by how many dollars it seems to leave the seat ahead of the average of the others."""

    promise: float
    turn: engine.Turn


def plans_from(state: State, seat: int, step: Step) -> list[Plan]:
    """All legal trades with *step* and the cards that must follow: what a share is worth depends on them."""
    cards = cards_from(state, seat, step)
    after = played(state, seat, cards)
    worth = worths(after, seat)
    wealth = [owned(after, each, worth) for each in range(state.seats)]
    lead = wealth[seat] - (sum(wealth) - wealth[seat]) / (state.seats - 1)
    return [Plan(lead + gain(state, trades, worth), engine.Turn(trades, cards)) for trades in legal_trades(state, seat)]


def owned(state: State, seat: int, worth: Sequence[float]) -> float:
    """Cash, and shares at the *worth* of one of each industry, in dollars."""
    return state.cash[seat] + sum(number * each for number, each in zip(state.shares[seat], worth, strict=True))


def played(state: State, seat: int, cards: Sequence[engine.CardPlay]) -> State:
    """*state* with *cards* on the table and their fees paid; nothing is traded or drawn."""
    after = state.clone()
    play_cards(after, seat, cards)
    return after


BOT = Search
