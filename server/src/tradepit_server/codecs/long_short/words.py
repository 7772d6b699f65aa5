"""The engine's words as enum numbers of the messages, and back."""

from collections.abc import Iterable

from tradepit.long_short.v1 import long_short_pb2 as pb


def _numbers(prefix: str, items: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The words of an enum: "long" for SIDE_LONG, and so on; what is unspecified has none."""
    return {name.removeprefix(prefix).lower(): number for name, number in items if number}


SIDES = _numbers("SIDE_", pb.Side.items())
DECISIONS = _numbers("DECISION_KIND_", pb.DecisionKind.items())
END_OF_GAME_CARD = _numbers("END_OF_GAME_CARD_", pb.EndOfGameCard.items())
DAY_TRADE_FACE = _numbers("DAY_TRADE_FACE_", pb.DayTradeFace.items())
BANKRUPTCY = _numbers("BANKRUPTCY_", pb.Bankruptcy.items())
SALE_REASONS = _numbers("SALE_REASON_", pb.SaleReason.items())
CASH_REASONS = _numbers("CASH_REASON_", pb.CashReason.items())
MOVE_CAUSES = _numbers("MOVE_CAUSE_", pb.MoveCause.items())
CARD_SOURCES = _numbers("CARD_SOURCE_", pb.CardSource.items())
END_REASONS = _numbers("END_REASON_", pb.EndReason.items())


def backwards(numbers: dict[str, int]) -> dict[int, str]:
    """Words by number."""
    return {number: word for word, number in numbers.items()}


SIDE_WORDS = backwards(SIDES)
DECISION_WORDS = backwards(DECISIONS)

OPTION_WORDS = {
    "end_of_game_card": END_OF_GAME_CARD,
    "day_trade_face": DAY_TRADE_FACE,
    "bankruptcy": BANKRUPTCY,
}
"""The options that are words; the others are numbers in the messages too."""
