"""Events as messages."""

from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit_server.codecs.events import EventMessages, Kind
from tradepit_server.codecs.long_short import words
from tradepit_server.games.long_short import events

_MESSAGES: EventMessages[events.Event] = EventMessages(
    pb.Event,
    (
        Kind("started", events.Started, pb.Started),
        Kind("dealt", events.Dealt, pb.Dealt),
        Kind("bought", events.Bought, pb.Bought, {"side": words.SIDES}),
        Kind("sold", events.Sold, pb.Sold, {"side": words.SIDES, "reason": words.SALE_REASONS}),
        Kind("card_played", events.CardPlayed, pb.PlayedCard),
        Kind("rolled", events.Rolled, pb.Roll),
        Kind("price_moved", events.PriceMoved, pb.PriceMoved, {"cause": words.MOVE_CAUSES}),
        Kind("price_reset", events.PriceReset, pb.PriceReset),
        Kind("action_card_drawn", events.ActionCardDrawn, pb.ActionCardDrawn),
        Kind("day_trade_card_taken", events.DayTradeCardTaken, pb.DayTradeCardTaken, {"source": words.CARD_SOURCES}),
        Kind("day_trade_card_returned", events.DayTradeCardReturned, pb.DayTradeCardReturned),
        Kind("cash_moved", events.CashMoved, pb.CashMoved, {"reason": words.CASH_REASONS}),
        Kind("ended", events.Ended, pb.Ended, {"reason": words.END_REASONS}),
    ),
)

encode = _MESSAGES.encode
decode = _MESSAGES.decode
