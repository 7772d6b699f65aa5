"""The engine's words as enum numbers of the messages, and back."""

from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit_server.codecs.enums import backwards, numbers

SIDES = numbers("SIDE_", pb.Side.items())
DECISIONS = numbers("DECISION_KIND_", pb.DecisionKind.items())
END_OF_GAME_CARD = numbers("END_OF_GAME_CARD_", pb.EndOfGameCard.items())
DAY_TRADE_FACE = numbers("DAY_TRADE_FACE_", pb.DayTradeFace.items())
BANKRUPTCY = numbers("BANKRUPTCY_", pb.Bankruptcy.items())
SALE_REASONS = numbers("SALE_REASON_", pb.SaleReason.items())
CASH_REASONS = numbers("CASH_REASON_", pb.CashReason.items())
MOVE_CAUSES = numbers("MOVE_CAUSE_", pb.MoveCause.items())
CARD_SOURCES = numbers("CARD_SOURCE_", pb.CardSource.items())
END_REASONS = numbers("END_REASON_", pb.EndReason.items())

SIDE_WORDS = backwards(SIDES)
DECISION_WORDS = backwards(DECISIONS)

OPTION_WORDS = {
    "end_of_game_card": END_OF_GAME_CARD,
    "day_trade_face": DAY_TRADE_FACE,
    "bankruptcy": BANKRUPTCY,
}
"""The options that are words; the others are numbers in the messages too."""
