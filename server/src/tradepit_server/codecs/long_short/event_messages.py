"""Events as messages."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from google.protobuf.message import Message

from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit_server.codecs.long_short import words
from tradepit_server.codecs.wire import number
from tradepit_server.games.long_short import events

_NUMBER_TAG = b"\x08"


class _Kind(NamedTuple):
    """How one kind of event is written: the names of its fields are those of the message."""

    field: str
    event: type[Any]
    message: type[Message]
    words: Mapping[str, dict[str, int]] = {}
    """By field: the numbers of its words."""


_KINDS = (
    _Kind("started", events.Started, pb.Started),
    _Kind("dealt", events.Dealt, pb.Dealt),
    _Kind("bought", events.Bought, pb.Bought, {"side": words.SIDES}),
    _Kind("sold", events.Sold, pb.Sold, {"side": words.SIDES, "reason": words.SALE_REASONS}),
    _Kind("card_played", events.CardPlayed, pb.PlayedCard),
    _Kind("rolled", events.Rolled, pb.Roll),
    _Kind("price_moved", events.PriceMoved, pb.PriceMoved, {"cause": words.MOVE_CAUSES}),
    _Kind("price_reset", events.PriceReset, pb.PriceReset),
    _Kind("action_card_drawn", events.ActionCardDrawn, pb.ActionCardDrawn),
    _Kind("day_trade_card_taken", events.DayTradeCardTaken, pb.DayTradeCardTaken, {"source": words.CARD_SOURCES}),
    _Kind("day_trade_card_returned", events.DayTradeCardReturned, pb.DayTradeCardReturned),
    _Kind("cash_moved", events.CashMoved, pb.CashMoved, {"reason": words.CASH_REASONS}),
    _Kind("ended", events.Ended, pb.Ended, {"reason": words.END_REASONS}),
)
_BY_EVENT = {kind.event: kind for kind in _KINDS}
_BY_FIELD = {kind.field: kind for kind in _KINDS}
_WORDS = {
    kind.field: {field: words.backwards(numbers) for field, numbers in kind.words.items()} for kind in _KINDS
}  # fmt: skip


def encode(index: int, event: events.Event) -> bytes:
    """The message of *event*, the one numbered *index*, serialised."""
    return number(_NUMBER_TAG, index) + _without_number(event)


# Tuples of different kinds may be equal: their types belong to the key.
@lru_cache(maxsize=1 << 14, typed=True)
def _without_number(event: events.Event) -> bytes:
    """Few events are new: most are the same cards, rolls and moves again and again."""
    kind = _BY_EVENT[type(event)]
    values = event._asdict()
    for field, numbers in kind.words.items():
        values[field] = numbers[values[field]]
    content: Any = {kind.field: kind.message(**values)}
    return pb.Event(**content).SerializeToString(deterministic=True)


def decode(message: pb.Event) -> events.Event:
    """The event of a message."""
    field = message.WhichOneof("kind")
    if field is None:
        raise ValueError(f"event {message.number} is of an unknown kind")
    return _content(field, getattr(message, field).SerializeToString())


@lru_cache(maxsize=1 << 14)
def _content(field: str, data: bytes) -> events.Event:
    """The event in the message of a field of the oneof, serialised. Samples meet the same few again and again."""
    kind = _BY_FIELD[field]
    content = kind.message.FromString(data)
    values = {name: getattr(content, name) for name in kind.event._fields}
    for name, known in _WORDS[field].items():
        values[name] = known[values[name]]
    if field == "dealt":
        values["cards"] = tuple(values["cards"])
    event: events.Event = kind.event(**values)
    return event
