"""Buying and selling: the predicates that offer an order are those that judge it. Source: rules page, "Orders"."""

from collections.abc import Sequence

from tradepit_server.games.base import IllegalAction
from tradepit_server.games.long_short.actions import Buy, Sell
from tradepit_server.games.long_short.board import Board
from tradepit_server.games.long_short.contracts import current_value, remove, sell
from tradepit_server.games.long_short.edition import SIDES, LongShortEdition
from tradepit_server.games.long_short.events import Bought
from tradepit_server.games.quoting import quote

MAX_ORDERS = 64
"""Ruling: a bound on the message."""


def judge_number(orders: int) -> None:
    """Raises IllegalAction when one message holds more *orders* than allowed."""
    if orders > MAX_ORDERS:
        raise IllegalAction(f"{orders} orders are more than {MAX_ORDERS}")


def singles_in_use(edition: LongShortEdition, positions: dict[int, int]) -> int:
    """Single chips that mark these contracts. Ruling: the five-contract chips are used as well as they can be."""
    fives = sum(contracts // 5 for contracts in positions.values())
    return sum(positions.values()) - 5 * min(edition.five_chips, fives)


def chips_suffice(edition: LongShortEdition, positions: dict[int, int], field: int, contracts: int) -> bool:
    """Whether the chips still mark every stack when *contracts* are added on *field*."""
    after = {**positions, field: positions.get(field, 0) + contracts}
    return singles_in_use(edition, after) <= edition.single_chips


def judge_buy(board: Board, cash: int, positions: dict[int, int], buy: Buy) -> tuple[int, int]:
    """The field of a legal *buy* and its cost in dollars. Raises IllegalAction."""
    line = _line(board.edition, buy.good, buy.side)
    contracts = _whole(buy.contracts, "contracts", 1)
    if board.round == board.edition.rounds:
        raise IllegalAction(f"{_name(buy)}: nothing can be bought in the last round")
    margin = contracts * board.edition.margins[line]
    if margin > cash:
        raise IllegalAction(f"{_name(buy)}: margin {margin} exceeds cash {cash}")
    field = board.edition.field(line, board.levels[line >> 1])
    if not chips_suffice(board.edition, positions, field, contracts):
        raise IllegalAction(f"{_name(buy)}: the chips do not suffice")
    return field, margin


def judge_sale(board: Board, cash: int, positions: dict[int, int], sale: Sell) -> tuple[int, int]:
    """The field of a legal *sale* and what the bank pays, perhaps below zero. Raises IllegalAction."""
    edition = board.edition
    line = _line(edition, sale.good, sale.side)
    contracts = _whole(sale.contracts, "contracts", 1)
    entry_level = _whole(sale.entry_level, "entry level", 0)
    on_table = edition.min_level <= entry_level <= edition.max_level
    field = edition.field(line, entry_level) if on_table else -1
    held = positions.get(field, 0)
    if contracts > held:
        raise IllegalAction(f"{_name(sale)}: {held} are held")
    received = contracts * current_value(board, field)
    if cash + received < 0:
        raise IllegalAction(f"{_name(sale)}: it would leave a cash of {cash + received}")
    return field, received


def judge(board: Board, seat: int, orders: Sequence[Buy | Sell], allowed: tuple[type, ...]) -> None:
    """Raises IllegalAction unless *orders*, of the *allowed* kinds, can be carried out one after another."""
    if not isinstance(orders, (tuple, list)):
        raise IllegalAction(f"{quote(orders)} is no list of orders")
    judge_number(len(orders))
    cash = board.cash[seat]
    positions = board.positions[seat].copy()
    for order in orders:
        if type(order) not in allowed:
            raise IllegalAction(f"{quote(order)} is no order that can be given now")
        if isinstance(order, Buy):
            field, cost = judge_buy(board, cash, positions, order)
            positions[field] = positions.get(field, 0) + order.contracts
            cash -= cost
        else:
            field, received = judge_sale(board, cash, positions, order)
            remove(positions, field, order.contracts)
            cash += received


def carry_out(board: Board, seat: int, orders: Sequence[Buy | Sell], reason: str) -> None:
    """Carry out *orders* that have been judged; sales bear *reason*."""
    edition = board.edition
    for order in orders:
        line = edition.line_of[order.good, order.side]
        if isinstance(order, Buy):
            _buy(board, seat, line, order)
        else:
            sell(board, seat, edition.field(line, order.entry_level), order.contracts, reason)


def _buy(board: Board, seat: int, line: int, buy: Buy) -> None:
    positions = board.positions[seat]
    level = board.levels[line >> 1]
    field = board.edition.field(line, level)
    margin = buy.contracts * board.edition.margins[line]
    positions[field] = positions.get(field, 0) + buy.contracts
    board.cash[seat] -= margin
    board.events.append(Bought(seat, buy.good, buy.side, level, buy.contracts, margin))


def _name(order: Buy | Sell) -> str:
    if isinstance(order, Buy):
        return f"buy of {order.contracts} {order.good} {order.side}"
    return f"sale of {order.contracts} {order.good} {order.side} bought at {order.entry_level}"


def _line(edition: LongShortEdition, good: str, side: str) -> int:
    if type(good) is not str or good not in edition.good_of:
        raise IllegalAction(f"good {quote(good)} is none of: {', '.join(edition.goods)}")
    if type(side) is not str or side not in SIDES:
        raise IllegalAction(f"side {quote(side)} is none of: {', '.join(SIDES)}")
    return edition.line_of[good, side]


def _whole(value: int, name: str, least: int) -> int:
    # A bool is an int, and JSON knows fractions: neither counts anything.
    if type(value) is not int or value < least:
        raise IllegalAction(f"{name} {quote(value)} is no whole number of {least} or more")
    return value
