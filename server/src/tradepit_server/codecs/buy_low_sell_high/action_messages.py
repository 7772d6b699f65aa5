"""Actions as messages."""

from google.protobuf.message import DecodeError

from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit_server.codecs.base import MalformedAction
from tradepit_server.games.buy_low_sell_high.actions import Action, Buy, CardPlay, Discard, FinalSale, Sell, Turn
from tradepit_server.games.buy_low_sell_high.trading import judge_number


def decode(data: bytes) -> Action:
    """The action in a serialised message. Raises MalformedAction or IllegalAction."""
    try:
        message = pb.Action.FromString(data)
    except DecodeError as error:
        raise MalformedAction(f"{len(data)} bytes are no {pb.Action.DESCRIPTOR.full_name}") from error
    match message.WhichOneof("kind"):
        case "turn":
            return _turn(message.turn)
        case "discard":
            return Discard(tuple(message.discard.cards))
        case "final_sale":
            return FinalSale(message.final_sale.industry)
        case _:
            raise MalformedAction("the action is neither turn, discard nor final_sale")


def _turn(turn: pb.Turn) -> Turn:
    # Counted here too, before thousands of them are read.
    judge_number(len(turn.trades))
    cards = tuple(CardPlay(play.card, play.over) for play in turn.cards)
    return Turn(tuple(_trade(trade) for trade in turn.trades), cards, tuple(turn.fee_sales))


def _trade(trade: pb.Trade) -> Buy | Sell:
    match trade.WhichOneof("kind"):
        case "buy":
            return Buy(trade.buy)
        case "sell":
            return Sell(trade.sell)
        case _:
            raise MalformedAction("a trade is neither buy nor sell")


def encode(action: Action) -> bytes:
    """*action* as a serialised message. Raises MalformedAction for what no message can hold."""
    try:
        return _message(action).SerializeToString(deterministic=True)
    except (TypeError, ValueError) as error:
        raise MalformedAction(f"{action!r} fits no message: {error}") from error


def _message(action: Action) -> pb.Action:
    if isinstance(action, Turn):
        trades = [_trade_message(trade) for trade in action.trades]
        cards = [pb.CardPlay(card=play.card, over=play.over) for play in action.cards]
        return pb.Action(turn=pb.Turn(trades=trades, fee_sales=action.fee_sales, cards=cards))
    if isinstance(action, Discard):
        return pb.Action(discard=pb.Discard(cards=action.cards))
    return pb.Action(final_sale=pb.FinalSale(industry=action.industry))


def _trade_message(trade: Buy | Sell) -> pb.Trade:
    return pb.Trade(buy=trade.industry) if isinstance(trade, Buy) else pb.Trade(sell=trade.industry)
