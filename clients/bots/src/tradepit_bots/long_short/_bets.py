"""Bets for search in Long Short: orders on the engine's own state, as a card is about to be played.

Goods, lines, fields and cards are the small integers of the engine's edition: playouts must be quick.
"""

from collections.abc import Collection

from tradepit_server.games.long_short.actions import Buy, Sell, Turn
from tradepit_server.games.long_short.contracts import current_value
from tradepit_server.games.long_short.orders import chips_suffice
from tradepit_server.games.long_short.state import State

Move = tuple[int, int]
"""A good, and by how many points it moves."""


class Book:
    """A seat's cash and contracts, changed by each order that is noted."""

    def __init__(self, state: State, seat: int) -> None:
        """Nothing is noted yet."""
        self.cash = state.cash[seat]
        self.sales: list[Sell] = []
        self.buys: list[Buy] = []
        self._state = state
        self._held = state.positions[seat].copy()

    def sell_all(self, keep: Collection[int] = ()) -> None:
        """Sell all contracts but those of the lines in *keep*; the best first, for it pays for what is worth less."""
        edition = self._state.edition
        for field in sorted(self._held, key=lambda field: -current_value(self._state, field)):
            cash = self.cash + self._held[field] * current_value(self._state, field)
            if cash >= 0 and field // edition.span not in keep:
                self.cash = cash
                self.sales.append(Sell(*edition.name_field(field), self._held.pop(field)))

    def buy_most(self, good: int, points: int, reserve: float) -> None:
        """Bet on *good* to move by *points* with all cash above *reserve*, as far as the chips go."""
        edition = self._state.edition
        line = 2 * good + (points < 0)
        field = edition.field(line, self._state.levels[good])
        number = int(affordable(self._state, good, self.cash - reserve))
        while number > 0 and not chips_suffice(edition, self._held, field, number):
            number -= 1
        if number > 0:
            self.cash -= number * edition.margins[line]
            self._held[field] = self._held.get(field, 0) + number
            self.buys.append(Buy(edition.goods[good], "short" if points < 0 else "long", number))


def bet(state: State, seat: int, card: int, reserve: float) -> Turn:
    """*card*, and before it: everything sold, and what the card moves bought but for the *reserve*, a part of the cash.

    In the last round, when nothing can be bought, who keeps less than all keeps the contracts that gain.
    """
    moves = certain(state, card)
    book = Book(state, seat)
    if state.round == state.edition.rounds:
        book.sell_all([2 * good + (points < 0) for good, points in moves] if reserve < 1 else ())
    else:
        book.sell_all()
        kept = reserve * book.cash
        stake = book.cash - kept
        for good, points in sorted(moves, key=lambda move: -gain(state, move, stake)):
            book.buy_most(good, points, kept)
    return Turn((*book.sales, *book.buys), state.edition.price_cards[card].id)


def certain(state: State, card: int) -> list[Move]:
    """All that *card* will move; what leaves the table is settled at its edge."""
    edition, levels = state.edition, state.levels
    least, most = edition.min_level, edition.max_level
    moves = edition.price_cards[card].moves
    clipped = [(good, min(max(levels[good] + points, least), most) - levels[good]) for good, points in moves]
    return [move for move in clipped if move[1]]


def promise(state: State, seat: int, card: int, stake: float) -> float:
    """What *card* can gain, in dollars, with *stake* dollars on one good; in the last round, with what is held."""
    moves = certain(state, card)
    if state.round < state.edition.rounds:
        return max((gain(state, move, stake) for move in moves), default=0)
    points = dict(moves)
    lines = [(field // state.edition.span, number) for field, number in state.positions[seat].items()]
    return sum(number * state.edition.slopes[line] * points.get(line // 2, 0) for line, number in lines)


def gain(state: State, move: Move, stake: float) -> float:
    """Dollars that *stake* dollars gain, put on a good before it makes *move*."""
    good, points = move
    return affordable(state, good, stake) * abs(points) * state.edition.point_values[good]


def affordable(state: State, good: int, stake: float) -> float:
    """How many contracts of *good* so much cash buys; no seat has chips for more than these."""
    edition = state.edition
    return max(0, min(stake // edition.margins[2 * good], edition.single_chips + 5 * edition.five_chips))


def worth(state: State, seat: int) -> int:
    """Cash, and contracts at what they are worth now, in dollars."""
    contracts = state.positions[seat].items()
    return state.cash[seat] + sum(number * current_value(state, field) for field, number in contracts)
