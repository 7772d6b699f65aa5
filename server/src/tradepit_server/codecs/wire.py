"""Protobuf's wire format by hand, for messages that are joined from pieces encoded before.

Encoding guide: https://protobuf.dev/programming-guides/encoding. A *tag* is the encoded field number and wire type.
Fields are written in rising order and zeros left out, so that the bytes are those of protobuf's own deterministic
serialisation.
"""

from collections.abc import Sequence

_ONE_BYTE = tuple(bytes([value]) for value in range(0x80))


def varint(value: int) -> bytes:
    """*value*, 0 or more, in groups of seven bits."""
    if value < 0x80:
        return _ONE_BYTE[value]
    if value < 0x4000:
        return bytes((value & 0x7F | 0x80, value >> 7))
    groups = bytearray()
    while value >= 0x80:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def number(tag: bytes, value: int) -> bytes:
    """An unsigned field; nothing when it is 0."""
    return tag + varint(value) if value else b""


def signed(tag: bytes, value: int) -> bytes:
    """A field of type sint64; nothing when it is 0."""
    return number(tag, 2 * value if value >= 0 else -2 * value - 1)


def nested(tag: bytes, body: bytes) -> bytes:
    """A message or text; written even when it is empty, as in a repeated field."""
    return tag + varint(len(body)) + body


def packed(tag: bytes, values: Sequence[int]) -> bytes:
    """A repeated unsigned field; nothing when there are no values."""
    if not values:
        return b""
    small = max(values) < 0x80
    return nested(tag, bytes(values) if small else b"".join([varint(value) for value in values]))
