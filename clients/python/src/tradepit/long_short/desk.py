"""Working out orders: what is still possible after the orders so far, since they are carried out one after another."""

from collections.abc import Iterable, Mapping

from tradepit.long_short.actions import (
    MAX_ORDERS,
    Order,
    Sale,
    Side,
    buy,
    check_count,
    check_side,
    sell,
)
from tradepit.long_short.edition import LongShortEdition
from tradepit.long_short.table import Position


class Desk:
    """A seat's cash and contracts, changed by each order that is noted on it. Nothing is sent."""

    __slots__ = ("_buying", "_contracts", "_edition", "_levels", "cash", "orders")

    cash: int
    """Whole dollars, after the orders so far."""
    orders: list[Order]
    """The orders so far, for ``Turn(orders=...)``."""

    def __init__(
        self,
        edition: LongShortEdition,
        levels: Mapping[str, int],
        cash: int,
        positions: Iterable[Position],
        buying: bool,
    ) -> None:
        """A desk with nothing ordered yet; *buying* says whether contracts may be bought at all."""
        self.cash = cash
        self.orders = []
        self._edition = edition
        self._levels = levels
        self._buying = buying
        self._contracts = {(p.good, p.side, p.entry_level): p.contracts for p in positions}

    def held(self, good: str, side: Side, entry_level: int) -> int:
        """Contracts of that position, after the orders so far."""
        return self._contracts.get((good, side, entry_level), 0)

    def can_buy(self, good: str, side: Side, contracts: int = 1) -> bool:
        """Whether *contracts* can be bought now. Raises ValueError for what is no good, side or number."""
        margin = self._edition.good(good).margin
        field = (good, check_side(side), self._levels[good])
        number = check_count("contracts", contracts)
        # The bound comes first: no seat ever has chips for more, and the number may be anything.
        return self._buying and number * margin <= self.cash and self._chips_suffice(field, number) and self._room()

    def max_contracts(self, good: str, side: Side, reserve: int = 0) -> int:
        """The most contracts that one order can buy now and leave *reserve* dollars of cash; 0: none.

        Fewer may be impossible, for want of single chips.
        """
        edition = self._edition
        chips = edition.single_chips + 5 * edition.five_chips - sum(self._contracts.values())
        most = min(chips, (self.cash - reserve) // edition.good(good).margin)
        return next((n for n in range(most, 0, -1) if self.can_buy(good, side, n)), 0)

    def buy(self, good: str, side: Side, contracts: int = 1) -> None:
        """Note the order to buy. Raises ValueError if it is not possible."""
        if not self.can_buy(good, side, contracts):
            raise ValueError(f"{contracts} {good} {side} cannot be bought now: {self._why_not_buy(good, contracts)}")
        self.orders.append(buy(good, side, contracts))
        self.cash -= contracts * self._edition.goods[good].margin
        field = (good, side, self._levels[good])
        self._contracts[field] = self._contracts.get(field, 0) + contracts

    def can_sell(self, good: str, side: Side, entry_level: int, contracts: int = 1) -> bool:
        """Whether *contracts* of that position can be sold now. Raises ValueError as ``can_buy`` does."""
        received = contracts * self._value(good, side, entry_level)
        held = self.held(good, side, check_count("entry_level", entry_level))
        return check_count("contracts", contracts) <= held and self.cash + received >= 0 and self._room()

    def sell(self, good: str, side: Side, entry_level: int, contracts: int) -> None:
        """Note the order to sell. Raises ValueError if it is not possible."""
        if not self.can_sell(good, side, entry_level, contracts):
            reason = self._why_not_sell(good, side, entry_level, contracts)
            raise ValueError(f"{contracts} {good} {side} @{entry_level} cannot be sold now: {reason}")
        self.orders.append(sell(good, side, entry_level, contracts))
        self.cash += contracts * self._value(good, side, entry_level)
        self._contracts[good, side, entry_level] -= contracts

    def note(self, order: Order) -> None:
        """Note *order*. Raises ValueError if it is not possible."""
        if isinstance(order, Sale):
            self.sell(*order)
        else:
            self.buy(*order)

    @property
    def sales(self) -> list[Sale]:
        """The sales among the orders so far, for a day trade."""
        return [order for order in self.orders if isinstance(order, Sale)]

    def _why_not_buy(self, good: str, contracts: int) -> str:
        margin = contracts * self._edition.goods[good].margin
        if not self._buying:
            return "nothing can be bought in a day trade or in the last round"
        if margin > self.cash:
            return f"the margin is {margin:,} $, the cash {self.cash:,} $"
        return "the chips do not suffice" if self._room() else f"{MAX_ORDERS} orders are the most"

    def _why_not_sell(self, good: str, side: Side, entry_level: int, contracts: int) -> str:
        held = self.held(good, side, entry_level)
        if contracts > held:
            return f"{held} are held"
        cash = self.cash + contracts * self._value(good, side, entry_level)
        return f"it would leave a cash of {cash:,} $" if self._room() else f"{MAX_ORDERS} orders are the most"

    def _value(self, good: str, side: Side, entry_level: int) -> int:
        kind = self._edition.good(good)
        points = self._levels[good] - entry_level
        return kind.margin + kind.point_value * (points if check_side(side) == "long" else -points)

    def _room(self) -> bool:
        return len(self.orders) < MAX_ORDERS

    def _chips_suffice(self, field: tuple[str, Side, int], contracts: int) -> bool:
        """Whether the chips mark all contracts when *contracts* more stand on *field*."""
        stacks = {**self._contracts, field: self._contracts.get(field, 0) + contracts}
        fives = min(self._edition.five_chips, sum(stack // 5 for stack in stacks.values()))
        return sum(stacks.values()) - 5 * fives <= self._edition.single_chips
