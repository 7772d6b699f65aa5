"""A game's events as authors see them: named tuples, read from the referee's messages, and written for tests.

A tuple's class is called as the kind of its message (``CardPlayed`` is "card_played"), its fields as the message's.
Repeated fields are tuples, enums are words.
"""

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from tradepit.words import Words

_E = TypeVar("_E")


class EventKinds(Generic[_E]):
    """The events of one game; their message is ``{uint32 number, oneof kind}``."""

    def __init__(self, message: type[Message], classes: Iterable[type[Any]]) -> None:
        """Every kind of *message* has one of *classes*. Raises KeyError if not."""
        named = {event.__name__: event for event in classes}
        fields = message.DESCRIPTOR.oneofs_by_name["kind"].fields
        self._message = message
        self._kinds = {field.name: _Kind(named[_class_name(field.name)], field.message_type) for field in fields}
        self._names = {kind.event: name for name, kind in self._kinds.items()}

    def read(self, messages: Iterable[Any]) -> list[_E]:
        """The events in *messages*, in order; kinds that this version of the library does not know are left out."""
        kinds = ((message.WhichOneof("kind"), message) for message in messages)
        return [self._kinds[kind].read(getattr(message, kind)) for kind, message in kinds if kind is not None]

    def message(self, event: _E) -> Any:
        """*event* as a referee sends it, without its number. Raises ValueError for a word that is none."""
        name = self._names[type(event)]
        return self._message(**{name: self._kinds[name].values(event)})


class _Kind:
    """One kind of event."""

    def __init__(self, event: type[Any], descriptor: Descriptor) -> None:
        self.event = event
        self._fields = [descriptor.fields_by_name[name] for name in event._fields]
        self._readers = [(field.name, _reader(field)) for field in self._fields]

    def read(self, message: Message) -> Any:
        return self.event(*[read(getattr(message, name)) for name, read in self._readers])

    def values(self, event: Any) -> dict[str, Any]:
        return {field.name: _written(field, value) for field, value in zip(self._fields, event, strict=True)}


def _class_name(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.split("_"))


def _reader(field: FieldDescriptor) -> Callable[[Any], Any]:
    if field.enum_type:
        return Words({value.name: value.number for value in field.enum_type.values}, _prefix(field)).__getitem__
    return lambda value: value if isinstance(value, str | int) else tuple(value)


def _written(field: FieldDescriptor, value: Any) -> Any:
    return f"{_prefix(field)}{value.upper()}" if field.enum_type else value


def _prefix(field: FieldDescriptor) -> str:
    """What the names of an enum's values begin with; that of 0 is nothing else but UNSPECIFIED."""
    unspecified: str = field.enum_type.values_by_number[0].name
    return unspecified.removesuffix("UNSPECIFIED")
