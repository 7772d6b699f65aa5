"""Trades, and sales for a fee. Source: rules page, "The chart" and "Trade"."""

from collections.abc import Sequence

from tradepit_server.games.base import IllegalAction
from tradepit_server.games.buy_low_sell_high.actions import Buy, Sell
from tradepit_server.games.buy_low_sell_high.board import Board
from tradepit_server.games.buy_low_sell_high.charts import below, lowest
from tradepit_server.games.buy_low_sell_high.edition import BuyLowSellHighEdition
from tradepit_server.games.buy_low_sell_high.events import Bought, Sold
from tradepit_server.games.quoting import quote

MAX_TRADES = 2


def buy_price(board: Board, industry: int) -> int:
    """What the next share costs, in dollars."""
    return board.edition.chart[lowest(board.tops[industry], board.stock[industry])]


def sell_price(board: Board, industry: int) -> int:
    """What the bank pays for the next share, in dollars."""
    return board.edition.chart[below(board.tops[industry], board.stock[industry])]


def judge_number(trades: int) -> None:
    """Raises IllegalAction when one turn holds more *trades* than any can."""
    if trades > MAX_TRADES:
        raise IllegalAction(f"{trades} trades are more than {MAX_TRADES}")


def industry_of(edition: BuyLowSellHighEdition, name: object) -> int:
    """The industry called *name*. Raises IllegalAction."""
    if type(name) is not str or name not in edition.industry_of:
        raise IllegalAction(f"industry {quote(name)} is none of: {', '.join(edition.industries)}")
    return edition.industry_of[name]


def judge_trades(board: Board, seat: int, trades: Sequence[Buy | Sell]) -> None:
    """Raises IllegalAction unless *seat* can make these *trades*, one after another, in its turn."""
    if not isinstance(trades, (tuple, list)):
        raise IllegalAction(f"{quote(trades)} is no list of trades")
    judge_number(len(trades))
    for trade in trades:
        if type(trade) not in (Buy, Sell):
            raise IllegalAction(f"{quote(trade)} is neither buy nor sale")
        industry_of(board.edition, trade.industry)
    if trades and board.cash[seat] < 0:
        raise IllegalAction(f"{_name(trades[0])}: no trade while a fee of {-board.cash[seat]} is owed")
    if len(trades) == MAX_TRADES:
        _judge_pair(board, *trades)
    _judge_prices(board, seat, trades)


def _judge_pair(board: Board, first: Buy | Sell, second: Buy | Sell) -> None:
    """Two shares of one industry are both bought or both sold; the first two turns of the game allow less."""
    if board.turn == 0:
        raise IllegalAction("2 trades are more than the 1 that the starting player's first turn allows")
    if first.industry != second.industry:
        return
    if board.turn == 1:
        raise IllegalAction(f"2 trades in {first.industry}: the second player's first turn allows 1 of an industry")
    if type(first) is not type(second):
        raise IllegalAction(f"{_name(first)} and {_name(second)}: in one industry both are buys or both are sales")


def _judge_prices(board: Board, seat: int, trades: Sequence[Buy | Sell]) -> None:
    """A buy needs the cash and another share on the chart, a sale needs a share: at that moment."""
    edition = board.edition
    cash = board.cash[seat]
    shares = board.shares[seat].copy()
    stock = board.stock.copy()
    for trade in trades:
        industry = edition.industry_of[trade.industry]
        if isinstance(trade, Buy):
            price = edition.chart[lowest(board.tops[industry], stock[industry])]
            if stock[industry] == 1:
                raise IllegalAction(f"{_name(trade)}: the last share on the chart cannot be bought")
            if price > cash:
                raise IllegalAction(f"{_name(trade)}: price {price} exceeds cash {cash}")
            change = 1
        else:
            price = -edition.chart[below(board.tops[industry], stock[industry])]
            if not shares[industry]:
                raise IllegalAction(f"{_name(trade)}: no share of it is held")
            change = -1
        cash -= price
        shares[industry] += change
        stock[industry] -= change


def judge_fee_sales(board: Board, seat: int, order: Sequence[str]) -> None:
    """Raises IllegalAction unless *seat* may name this order of industries in its turn."""
    if not isinstance(order, (tuple, list)):
        raise IllegalAction(f"{quote(order)} is no list of industries")
    if order and board.cash[seat] >= 0:
        raise IllegalAction(f"sales for a fee {quote(list(order[:1]))}: no fee is owed")
    if len(order) > len(board.edition.industries):
        raise IllegalAction(f"{len(order)} sales for a fee: there are {len(board.edition.industries)} industries")
    named = set()
    for name in order:
        industry_of(board.edition, name)
        if name in named:
            raise IllegalAction(f"sales for a fee name {quote(name)} twice")
        named.add(name)


def trade(board: Board, seat: int, trades: Sequence[Buy | Sell]) -> None:
    """Carry out *trades* that have been judged."""
    for entry in trades:
        industry = board.edition.industry_of[entry.industry]
        if isinstance(entry, Buy):
            _buy(board, seat, industry)
        else:
            sell(board, seat, industry, "trade")


def _buy(board: Board, seat: int, industry: int) -> None:
    price = buy_price(board, industry)
    board.cash[seat] -= price
    board.shares[seat][industry] += 1
    board.stock[industry] -= 1
    board.events.append(Bought(seat, board.edition.industries[industry], price))


def sell(board: Board, seat: int, industry: int, reason: str) -> None:
    """Sell a share that *seat* holds; what it owes is paid from the price first."""
    price = sell_price(board, industry)
    board.cash[seat] += price
    board.shares[seat][industry] -= 1
    board.stock[industry] += 1
    board.events.append(Sold(seat, board.edition.industries[industry], price, reason))


def sell_for_fee(board: Board, seat: int, order: Sequence[str]) -> None:
    """Ruling: one share at a time in that *order*, then in chart order, until the fee is paid or no share is left."""
    edition = board.edition
    named = [edition.industry_of[name] for name in order]
    for industry in (*named, *(other for other in range(len(edition.industries)) if other not in named)):
        while board.cash[seat] < 0 and board.shares[seat][industry]:
            sell(board, seat, industry, "fee")


def _name(trade: Buy | Sell) -> str:
    return f"{'buy' if isinstance(trade, Buy) else 'sale'} of {trade.industry}"
