"""What a bot can answer in Long Short. Everything is checked when it is made, so a slip shows where it happened."""

from collections.abc import Iterable, Sequence
from operator import index
from typing import Literal, NamedTuple, SupportsIndex

from tradepit.long_short.edition import PriceCard
from tradepit.long_short.events import SIDE_WORDS
from tradepit.long_short.v1 import long_short_pb2 as pb

Side = Literal["long", "short"]
"""Which way a contract bets: "long" gains when the price rises, "short" when it falls."""

MAX_ORDERS = 64
"""Orders in a turn, and sales in a day trade, at the most."""

_SIDES = {"long": pb.SIDE_LONG, "short": pb.SIDE_SHORT}
_LARGEST = 2**63 - 1


class Buy(NamedTuple):
    """An order to buy contracts at the current level; made by ``buy``."""

    good: str
    side: Side
    contracts: int

    def __str__(self) -> str:
        return f"buy {self.contracts} {self.good} {self.side}"


class Sale(NamedTuple):
    """An order to sell contracts of one position at the current level; made by ``sell``."""

    good: str
    side: Side
    entry_level: int
    """The level at which they were bought, in points."""
    contracts: int

    def __str__(self) -> str:
        return f"sell {self.contracts} {self.good} {self.side} @{self.entry_level}"


Order = Buy | Sale


def buy(good: str, side: Side, contracts: int) -> Buy:
    """Buy so many contracts of *good* at the current level. Raises ValueError quoting what is wrong."""
    return Buy(check_good(good), check_side(side), check_count("contracts", contracts))


def sell(good: str, side: Side, entry_level: int, contracts: int) -> Sale:
    """Sell so many of the contracts bought at *entry_level*. Raises ValueError quoting what is wrong."""
    level = check_count("entry_level", entry_level)
    return Sale(check_good(good), check_side(side), level, check_count("contracts", contracts))


class Turn:
    """A whole turn: orders, carried out one after another; then the price change card; then the dice."""

    __slots__ = ("orders", "pile", "price_card")

    orders: tuple[Order, ...]
    price_card: str
    """The card's id."""
    pile: int
    """The action card pile to draw from if the die says so: 1, 2 or 3."""

    def __init__(self, orders: Iterable[Order] = (), *, price_card: PriceCard | str, pile: int = 1) -> None:
        """Raises TypeError or ValueError quoting what is wrong; whether an order is legal is the referee's to judge."""
        self.orders = tuple(orders)
        for order in self.orders:
            if not isinstance(order, Buy | Sale):
                raise TypeError(f"{order!r} is no order; buy(...) and sell(...) make them")
        if len(self.orders) > MAX_ORDERS:
            raise ValueError(f"a turn has at most {MAX_ORDERS} orders, not {len(self.orders)}")
        self.price_card = _card_id(price_card)
        self.pile = pile
        if isinstance(pile, bool) or pile not in (1, 2, 3):
            raise ValueError(f"pile is {pile!r}; it must be 1, 2 or 3")

    def __repr__(self) -> str:
        return f"Turn({list(self.orders)!r}, price_card={self.price_card!r}, pile={self.pile})"

    def __str__(self) -> str:
        return ", ".join([*map(str, self.orders), f"play {self.price_card}", f"pile {self.pile}"])


def turn_message(turn: Turn) -> pb.Action:
    """*turn* as the message that the referee reads."""
    orders = [_order_message(order) for order in turn.orders]
    return pb.Action(turn=pb.Turn(orders=orders, price_card=turn.price_card, pile=turn.pile))


def day_trade_message(sales: Sequence[Sale]) -> pb.Action:
    """*sales* of a day trade as the message that the referee reads."""
    return pb.Action(day_trade=pb.DayTrade(sales=[_sale_message(sale) for sale in sales]))


def end_of_game_message(cancel: bool) -> pb.Action:
    """The answer to the end-of-game card as the message that the referee reads."""
    return pb.Action(end_of_game=pb.EndOfGame(cancel=cancel))


def check_good(good: object) -> str:
    """*good*, if it can be a name at all. Raises ValueError."""
    if not isinstance(good, str) or not good:
        raise ValueError(f"good is {good!r}; it must be the name of a good")
    return good


def check_side(side: object) -> Side:
    """*side*, if it is one. Raises ValueError."""
    if side == "long":
        return "long"
    if side == "short":
        return "short"
    raise ValueError(f'side is {side!r}; it must be "long" or "short"')


def check_count(what: str, number: SupportsIndex) -> int:
    """*number*, if it is whole and 1 or more. Raises ValueError."""
    try:
        whole = 0 if isinstance(number, bool) else index(number)  # an array library's integers are welcome
    except TypeError:
        whole = 0
    if not 1 <= whole <= _LARGEST:
        raise ValueError(f"{what} is {number!r}; it must be a whole number, 1 or more")
    return whole


def read_action(action: pb.Action) -> Turn | tuple[Sale, ...] | bool:
    """*action* as an author would give it: a turn, the sales of a day trade, whether to pay and go on."""
    kind = action.WhichOneof("kind")
    if kind == "end_of_game":
        return action.end_of_game.cancel
    if kind == "day_trade":
        return tuple(map(_read_sale, action.day_trade.sales))
    turn = action.turn
    orders = (_read_buy(order.buy) if order.HasField("buy") else _read_sale(order.sell) for order in turn.orders)
    return Turn(orders, price_card=turn.price_card, pile=turn.pile or 1)


def action_text(action: pb.Action) -> str:
    """*action* in words, as ``Turn`` prints itself."""
    kind = action.WhichOneof("kind")
    if kind == "end_of_game":
        return "pay and go on" if action.end_of_game.cancel else "let the game end"
    if kind == "day_trade":
        return ", ".join(map(_sale_text, action.day_trade.sales)) or "no day trade"
    turn = action.turn
    orders = (_buy_text(order.buy) if order.HasField("buy") else _sale_text(order.sell) for order in turn.orders)
    return ", ".join([*orders, f"play {turn.price_card}", f"pile {turn.pile or 1}"])


def _card_id(card: object) -> str:
    if isinstance(card, PriceCard):
        return card.id
    if isinstance(card, str):
        return card
    raise TypeError(f"price_card is {card!r}; it must be a card of the hand or its id")


def _order_message(order: Order) -> pb.Order:
    if isinstance(order, Buy):
        return pb.Order(buy=pb.Buy(good=order.good, side=_SIDES[order.side], contracts=order.contracts))
    return pb.Order(sell=_sale_message(order))


def _sale_message(sale: Sale) -> pb.Sale:
    return pb.Sale(good=sale.good, side=_SIDES[sale.side], entry_level=sale.entry_level, contracts=sale.contracts)


def _read_buy(m: pb.Buy) -> Buy:
    return buy(m.good, check_side(SIDE_WORDS[m.side]), m.contracts)


def _read_sale(m: pb.Sale) -> Sale:
    return sell(m.good, check_side(SIDE_WORDS[m.side]), m.entry_level, m.contracts)


def _buy_text(buy: pb.Buy) -> str:
    return f"buy {buy.contracts} {buy.good} {SIDE_WORDS[buy.side]}"


def _sale_text(sale: pb.Sale) -> str:
    return f"sell {sale.contracts} {sale.good} {SIDE_WORDS[sale.side]} @{sale.entry_level}"
