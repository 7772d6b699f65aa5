"""Changes of replays at random, in the message and in the file."""

from collections.abc import Iterator
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from tradepit.v1 import block_pb2

Place = tuple[Message, FieldDescriptor]


def tampered(replay: block_pb2.Replay, rng: Random) -> tuple[str, block_pb2.Replay]:
    """A copy of *replay* with one field changed at random, and the field's name."""
    while True:
        copy = block_pb2.Replay()
        copy.CopyFrom(replay)
        message, field = rng.choice(list(_places(copy)))
        if field.is_repeated:
            _change_list(message, field, rng)
        elif field.message_type is not None:
            message.ClearField(field.name)
        else:
            setattr(message, field.name, _changed(getattr(message, field.name), field, rng))
        if copy != replay:
            return field.full_name, copy


def _places(message: Message) -> Iterator[Place]:
    """Every field of *message* and of the messages in it that holds something, or could."""
    for field in message.DESCRIPTOR.fields:
        if field.is_repeated or field.message_type is None or message.HasField(field.name):
            yield message, field
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        if field.is_repeated:
            for each in getattr(message, field.name):
                yield from _places(each)
        elif message.HasField(field.name):
            yield from _places(getattr(message, field.name))


def _change_list(message: Message, field: FieldDescriptor, rng: Random) -> None:
    entries = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        entries[rng.choice([*entries, "surplus"])] = rng.choice(["", "1", "in"])
    elif entries and rng.random() < 0.4:
        del entries[rng.randrange(len(entries))]
    elif len(entries) > 1 and rng.random() < 0.7:
        _swap(entries, *rng.sample(range(len(entries)), 2))
    elif field.message_type is not None:
        entries.add()
    else:
        entries.append(_changed(entries[0], field, rng) if entries else _changed(field.default_value or 0, field, rng))


def _swap(entries: Any, one: int, other: int) -> None:
    order = list(range(len(entries)))
    order[one], order[other] = order[other], order[one]
    swapped = (
        [type(entries[index]).FromString(entries[index].SerializeToString()) for index in order]
        if (isinstance(entries[0], Message))
        else [entries[index] for index in order]
    )
    del entries[:]
    entries.extend(swapped)


def _changed(value: Any, field: FieldDescriptor, rng: Random) -> Any:
    """Another value of the same type."""
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return not value
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        text = value if isinstance(value, (str, bytes)) else ""
        if isinstance(text, bytes) or field.type == FieldDescriptor.TYPE_BYTES:
            return _changed_bytes(text or b"", rng)
        return rng.choice([f"{text}x", text[:-1], "", "turn"])
    if field.enum_type is not None:
        return rng.choice(field.enum_type.values).number
    return max(0, int(value or 0) + rng.choice([-1, 1, 7]))


def _changed_bytes(value: Any, rng: Random) -> bytes:
    data = bytearray(value or b"")
    if data and rng.random() < 0.8:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return bytes(data)
    return rng.choice([b"", bytes(data[:-1]), bytes(data) + b"\0"])


def damaged(file: bytes, rng: Random) -> bytes:
    """*file* cut short, or with a bit flipped."""
    if rng.random() < 0.5:
        return file[: rng.randrange(len(file))]
    data = bytearray(file)
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)
