"""Events as messages, for any game whose events bear the names of their messages' fields."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from google.protobuf.message import Message

from tradepit_server.codecs.enums import backwards
from tradepit_server.codecs.wire import number

_NUMBER_TAG = b"\x08"
_MOST_EVENTS = 1 << 14
"""That are kept encoded, and decoded."""

_E = TypeVar("_E")


class Kind(NamedTuple):
    """How one kind of event is written: the names of its fields are those of the message."""

    field: str
    """Its field in the oneof ``kind``."""
    event: type[Any]
    message: type[Message]
    words: Mapping[str, dict[str, int]] = {}
    """By field: the numbers of its words."""


class EventMessages(Generic[_E]):
    """The events of one game; their message is ``{uint32 number = 1, oneof kind}``."""

    def __init__(self, message: type[Message], kinds: Sequence[Kind]) -> None:
        self._message = message
        self._by_event = {kind.event: kind for kind in kinds}
        self._by_field = {kind.field: kind for kind in kinds}
        # Few events are new: most are the same cards and moves again and again. Tuples of different kinds may be
        # equal: their types belong to the key.
        self._without_number = lru_cache(_MOST_EVENTS, typed=True)(self._encode)
        self._content = lru_cache(_MOST_EVENTS)(self._decode)

    def encode(self, index: int, event: _E) -> bytes:
        """The message of *event*, the one numbered *index*, serialised."""
        return number(_NUMBER_TAG, index) + self._without_number(event)

    def decode(self, message: Any) -> _E:
        """The event of a message. Raises ValueError when it is of no known kind."""
        field = message.WhichOneof("kind")
        if field is None:
            raise ValueError(f"event {message.number} is of an unknown kind")
        return self._content(field, getattr(message, field).SerializeToString())

    def _encode(self, event: _E) -> bytes:
        kind = self._by_event[type(event)]
        values: dict[str, Any] = event._asdict()  # type: ignore[attr-defined]  # events are NamedTuples
        for field, known in kind.words.items():
            values[field] = known[values[field]]
        return self._message(**{kind.field: kind.message(**values)}).SerializeToString(deterministic=True)

    def _decode(self, field: str, data: bytes) -> _E:
        kind = self._by_field[field]
        content = kind.message.FromString(data)
        values = {name: getattr(content, name) for name in kind.event._fields}
        for name, known in kind.words.items():
            values[name] = backwards(known)[values[name]]
        event: _E = kind.event(**{name: _plain(value) for name, value in values.items()})
        return event


def _plain(value: Any) -> Any:
    """Repeated fields are tuples in events."""
    return value if isinstance(value, (str, int)) else tuple(value)
