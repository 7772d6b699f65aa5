"""Frames and decision requests, encoded from pieces that are already bytes.

Protobuf's own encoder would copy every observation three times on its way into a frame. The tests
hold each function here against it, byte for byte.
"""

from collections.abc import Iterable

from google.protobuf.any_pb2 import Any

FRAME_BYTES = 256 * 1024
"""A frame of the referee is split over this; a single larger message travels alone."""

TYPE_URL = "type.googleapis.com/"
"""What stands before a message's full name in an ``Any``."""

_SECOND = 1_000_000_000


def varint(value: int) -> bytes:
    """*value*, 0 or more, in protobuf's base-128 form."""
    if value < 0x80:
        return _SMALL[value]
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


_SMALL = [bytes([value]) for value in range(0x80)]


def nested(field: int, payload: bytes) -> bytes:
    """A length-delimited *field*: bytes, a string or an encoded message."""
    return varint(field << 3 | 2) + varint(len(payload)) + payload


def number(field: int, value: int) -> bytes:
    """An unsigned integer *field*; nothing for 0, as proto3 has it."""
    return varint(field << 3) + varint(value) if value else b""


def duration(nanoseconds: int) -> bytes:
    """An encoded ``google.protobuf.Duration``, 0 or more."""
    seconds, nanos = divmod(nanoseconds, _SECOND)
    return number(1, seconds) + number(2, nanos)


def any_message(type_name: str, value: bytes) -> bytes:
    """An encoded ``Any`` that holds the encoded *value*."""
    return nested(1, (TYPE_URL + type_name).encode()) + (nested(2, value) if value else b"")


def pack(type_name: str, value: bytes) -> Any:
    """An ``Any`` that holds the encoded *value*."""
    return Any(type_url=TYPE_URL + type_name, value=value)


def decision_request(head: bytes, time_left: int | None, tail: bytes) -> bytes:
    """An encoded RefereeMessage with a DecisionRequest; *head* and *tail* are its fields before and after time_left."""
    clock = nested(3, duration(time_left)) if time_left is not None else b""
    return b"\x22" + varint(len(head) + len(clock) + len(tail)) + head + clock + tail


def frames(messages: Iterable[bytes]) -> list[list[bytes]]:
    """Encoded RefereeMessages, grouped so that no group but one of a single message exceeds FRAME_BYTES."""
    groups: list[list[bytes]] = []
    size = 0
    for message in messages:
        if not groups or size + len(message) > FRAME_BYTES:
            groups.append([])
            size = 0
        groups[-1].append(message)
        size += len(message)
    return groups


def frame(sequence: int, acknowledged: int, messages: Iterable[bytes]) -> bytes:
    """An encoded PlayResponse."""
    head = number(1, sequence) + number(2, acknowledged)
    return head + b"".join([b"\x1a" + varint(len(message)) + message for message in messages])
