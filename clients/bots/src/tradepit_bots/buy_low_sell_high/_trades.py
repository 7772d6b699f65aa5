"""Trades for search in Buy Low Sell High, on the engine's own state.

Industries and cards are the small integers of the engine's edition: playouts must be quick.
"""

from itertools import combinations_with_replacement

from tradepit_server.games.base import IllegalAction
from tradepit_server.games.buy_low_sell_high.actions import Buy, Sell
from tradepit_server.games.buy_low_sell_high.charts import below, lowest, moved
from tradepit_server.games.buy_low_sell_high.state import State
from tradepit_server.games.buy_low_sell_high.trading import MAX_TRADES, judge_trades
from tradepit_server.games.buy_low_sell_high.years import standing_cards

TRUST = 0.3
"""What a card of the hand counts against one that stands: there may be no time to play it."""

Trades = tuple[Buy | Sell, ...]


def worths(state: State, seat: int) -> list[float]:
    """What a share of each industry will bring, in dollars, for all that *seat* knows: price and dividend."""
    points = [0.0] * len(state.edition.industries)
    for card in standing_cards(state):
        points[card.industry] += card.points
    for held in state.hands[seat]:
        card = state.edition.cards[held]
        points[card.industry] += TRUST * card.points
    dividends = [state.edition.dividends[number] for number in dividend_cards(state)]
    return [price(state, industry, round(points[industry])) + dividends[industry] for industry in range(len(points))]


def price(state: State, industry: int, points: int) -> float:
    """What a share will fetch in the end, when all sell: each less than the one before, so the average of all."""
    chart, stock = state.edition.chart, state.stock[industry]
    top = moved(chart, state.tops[industry], stock, points)
    out = max(1, sum(shares[industry] for shares in state.shares))
    return sum(chart[below(top, stock + sold)] for sold in range(out)) / out


def dividend_cards(state: State) -> list[int]:
    """How many stand, by industry."""
    paying = [card.industry for card in standing_cards(state) if card.kind == "dividend"]
    return [paying.count(industry) for industry in range(len(state.edition.industries))]


def gain(state: State, trades: Trades, worth: list[float]) -> float:
    """Dollars by which *trades* make a seat richer if a share of each industry has that *worth*."""
    edition, stock, gained = state.edition, state.stock.copy(), 0.0
    for trade in trades:
        industry = edition.industry_of[trade.industry]
        top, left = state.tops[industry], stock[industry]
        if type(trade) is Buy:
            gained += worth[industry] - edition.chart[lowest(top, left)]
            stock[industry] -= 1
        else:
            gained += edition.chart[below(top, left)] - worth[industry]
            stock[industry] += 1
    return gained


def legal_trades(state: State, seat: int) -> list[Trades]:
    """All that the rules allow, none among them."""
    singles = _singles(state)
    every: list[Trades] = [(), *((one,) for one in singles), *combinations_with_replacement(singles, MAX_TRADES)]
    return [trades for trades in every if _legal(state, seat, trades)]


def quick_trades(state: State, seat: int, worth: list[float]) -> Trades:
    """The trade that gains most, and the next one after it."""
    best: Trades = ()
    while len(best) < MAX_TRADES:
        least = gain(state, best, worth)
        longer = [(*best, one) for one in _singles(state)]
        better = [each for each in longer if gain(state, each, worth) > least and _legal(state, seat, each)]
        if not better:
            break
        best = max(better, key=lambda trades: gain(state, trades, worth))
    return best


def _singles(state: State) -> list[Buy | Sell]:
    # Sales first: what one brings may pay for the other trade.
    names = state.edition.industries
    return [*map(Sell, names), *map(Buy, names)]


def _legal(state: State, seat: int, trades: Trades) -> bool:
    try:
        judge_trades(state, seat, trades)
    except IllegalAction:
        return False
    return True
