"""Events as messages."""

from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit_server.codecs.buy_low_sell_high.words import SALE_REASONS
from tradepit_server.codecs.events import EventMessages, Kind
from tradepit_server.games.buy_low_sell_high import events

_MESSAGES: EventMessages[events.Event] = EventMessages(
    pb.Event,
    (
        Kind("dealt", events.Dealt, pb.Dealt),
        Kind("started", events.Started, pb.Started),
        Kind("bought", events.Bought, pb.Bought),
        Kind("sold", events.Sold, pb.Sold, {"reason": SALE_REASONS}),
        Kind("card_played", events.CardPlayed, pb.CardPlayed),
        Kind("fee_charged", events.FeeCharged, pb.FeeCharged),
        Kind("cards_drawn", events.CardsDrawn, pb.CardsDrawn),
        Kind("year_ended", events.YearEnded, pb.YearEnded),
        Kind("chart_moved", events.ChartMoved, pb.ChartMoved),
        Kind("dividend_paid", events.DividendPaid, pb.DividendPaid),
        Kind("discarded", events.Discarded, pb.Discarded),
        Kind("ended", events.Ended, pb.Ended),
    ),
)

encode = _MESSAGES.encode
decode = _MESSAGES.decode
