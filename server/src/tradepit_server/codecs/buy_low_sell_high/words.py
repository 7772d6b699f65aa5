"""The engine's words as enum numbers of the messages, and back."""

from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit_server.codecs.enums import backwards, numbers

DECISIONS = numbers("DECISION_KIND_", pb.DecisionKind.items())
SALE_REASONS = numbers("SALE_REASON_", pb.SaleReason.items())

DECISION_WORDS = backwards(DECISIONS)
