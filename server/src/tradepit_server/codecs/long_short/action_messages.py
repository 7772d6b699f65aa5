"""Actions as messages."""

from collections.abc import Iterable

from google.protobuf.message import DecodeError

from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit_server.codecs.base import MalformedAction
from tradepit_server.codecs.long_short.words import SIDE_WORDS, SIDES
from tradepit_server.games.base import IllegalAction
from tradepit_server.games.long_short.actions import Action, Buy, DayTrade, EndOfGame, Sell, Turn
from tradepit_server.games.long_short.orders import judge_number


def decode(data: bytes) -> Action:
    """The action in a serialised message. Raises MalformedAction or IllegalAction."""
    try:
        message = pb.Action.FromString(data)
    except DecodeError as error:
        raise MalformedAction(f"{len(data)} bytes are no {pb.Action.DESCRIPTOR.full_name}") from error
    match message.WhichOneof("kind"):
        case "turn":
            return _turn(message.turn)
        case "day_trade":
            judge_number(len(message.day_trade.sales))
            return DayTrade(tuple(_sale(sale) for sale in message.day_trade.sales))
        case "end_of_game":
            return EndOfGame(message.end_of_game.cancel)
        case _:
            raise MalformedAction("the action is neither turn, day_trade nor end_of_game")


def _turn(turn: pb.Turn) -> Turn:
    # Counted here too, before thousands of them are read.
    judge_number(len(turn.orders))
    return Turn(tuple(_order(order) for order in turn.orders), turn.price_card, turn.pile or 1)


def _order(order: pb.Order) -> Buy | Sell:
    match order.WhichOneof("kind"):
        case "buy":
            return Buy(order.buy.good, _side(order.buy.side), order.buy.contracts)
        case "sell":
            return _sale(order.sell)
        case _:
            raise MalformedAction("an order is neither buy nor sell")


def _sale(sale: pb.Sale) -> Sell:
    return Sell(sale.good, _side(sale.side), sale.entry_level, sale.contracts)


def _side(number: int) -> str:
    if number not in SIDE_WORDS:
        raise IllegalAction(f"side {number} is neither SIDE_LONG = 1 nor SIDE_SHORT = 2")
    return SIDE_WORDS[number]


def encode(action: Action) -> bytes:
    """*action* as a serialised message. Raises MalformedAction for what no message can hold."""
    try:
        return _message(action).SerializeToString(deterministic=True)
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedAction(f"{action!r} fits no message: {error}") from error


def _message(action: Action) -> pb.Action:
    if isinstance(action, Turn):
        orders = [_order_message(order) for order in action.orders]
        return pb.Action(turn=pb.Turn(orders=orders, price_card=action.price_card, pile=action.pile))
    if isinstance(action, DayTrade):
        return pb.Action(day_trade=pb.DayTrade(sales=_sale_messages(action.sales)))
    return pb.Action(end_of_game=pb.EndOfGame(cancel=action.cancel))


def _order_message(order: Buy | Sell) -> pb.Order:
    if isinstance(order, Buy):
        return pb.Order(buy=pb.Buy(good=order.good, side=_number(order.side), contracts=order.contracts))
    return pb.Order(sell=_sale_messages([order])[0])


def _sale_messages(sales: Iterable[Sell]) -> list[pb.Sale]:
    return [pb.Sale(good=s.good, side=_number(s.side), entry_level=s.entry_level, contracts=s.contracts) for s in sales]


def _number(side: str) -> pb.Side.ValueType:
    return pb.Side.ValueType(SIDES[side])
