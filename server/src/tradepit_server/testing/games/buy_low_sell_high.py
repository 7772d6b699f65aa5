"""The trials of Buy Low Sell High: trades of every kind, news over anything, many discards; money as events move it."""

from collections.abc import Mapping
from random import Random
from typing import TypeVar

from tradepit_server.games.base import IllegalAction
from tradepit_server.games.buy_low_sell_high.actions import Action, Buy, CardPlay, Discard, FinalSale, Sell, Turn
from tradepit_server.games.buy_low_sell_high.board import NONE
from tradepit_server.games.buy_low_sell_high.events import Bought, DividendPaid, Event, FeeCharged, Sold
from tradepit_server.games.buy_low_sell_high.playing import Play
from tradepit_server.games.buy_low_sell_high.state import State
from tradepit_server.testing.trials import Trials

_T = TypeVar("_T")


class BuyLowSellHighTrials(Trials):
    """Legal actions at random, in which much happens."""

    def random_action(self, state: State, seat: int, rng: Random) -> Action:
        """A turn with up to two trades or an order of sales for a fee, an exchange of cards, or a final sale."""
        edition = state.edition
        if state.decision == "final_sale":
            held = [name for name, shares in zip(edition.industries, state.shares[seat], strict=True) if shares]
            return FinalSale(rng.choice(held))
        if state.decision == "discard":
            discarded = _some(rng, state.hands[seat])
            return Discard(tuple(edition.cards[card].id for card in discarded))
        cards = _cards(state, seat, rng)
        if state.cash[seat] < 0:
            return Turn((), cards, tuple(_some(rng, edition.industries)))
        return Turn(_trades(state, seat, rng, cards), cards)

    def score_changes(self, event: Event) -> Mapping[int, int]:
        """Dollars: a score is at every moment a seat's cash less the fees that it owes."""
        if isinstance(event, (Bought, FeeCharged)):
            return {event.seat: -event.paid}
        return {event.seat: event.received} if isinstance(event, (Sold, DividendPaid)) else {}


def _some(rng: Random, things: tuple[_T, ...]) -> list[_T]:
    """Some of *things*, perhaps none, in any order."""
    return rng.sample(things, rng.randint(0, len(things)))


def _cards(state: State, seat: int, rng: Random) -> tuple[CardPlay, ...]:
    """Cards until no further is due; where news can cover something, any of it."""
    cards = state.edition.cards
    play = Play(state, seat)
    entries = []
    while play.due:
        card = rng.choice(play.playable())
        targets = play.targets(card) if state.edition.is_news[card] else []
        target = rng.choice(targets) if targets else NONE
        entries.append(CardPlay(cards[card].id, cards[target].id if targets else ""))
        play.lay(card, target)
    return tuple(entries)


def _trades(state: State, seat: int, rng: Random, cards: tuple[CardPlay, ...]) -> tuple[Buy | Sell, ...]:
    """Propose trades one at a time and keep those that stay legal."""
    trades: tuple[Buy | Sell, ...] = ()
    for _ in range(rng.choice((0, 1, 2, 3, 4))):
        kind = rng.choice((Buy, Buy, Sell))
        proposal = (*trades, kind(rng.choice(state.edition.industries)))
        try:
            state.validate(seat, Turn(proposal, cards))
        except IllegalAction:
            continue
        trades = proposal
    return trades


TRIALS = BuyLowSellHighTrials()
