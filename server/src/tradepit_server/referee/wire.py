"""Frames and decision requests, encoded from pieces that are already bytes.

Protobuf's own encoder would copy every observation three times on its way into a frame. The tests
hold each function here against it, byte for byte.
"""

from collections.abc import Iterable

from google.protobuf.any_pb2 import Any

from tradepit_server.codecs.wire import nested, number, varint

FRAME_BYTES = 256 * 1024
"""A frame of the referee is split over this; a single larger message travels alone."""

TYPE_URL = "type.googleapis.com/"
"""What stands before a message's full name in an ``Any``."""

_SECOND = 1_000_000_000


def duration(nanoseconds: int) -> bytes:
    """An encoded ``google.protobuf.Duration``, 0 or more."""
    seconds, nanos = divmod(nanoseconds, _SECOND)
    return number(b"\x08", seconds) + number(b"\x10", nanos)


def any_of(type_name: str) -> bytes:
    """What stands before the value in an encoded ``Any`` of this type."""
    return nested(b"\x0a", (TYPE_URL + type_name).encode()) + b"\x12"


def observed(any_head: bytes, observation: bytes) -> bytes:
    """A DecisionRequest's encoded field ``observation``; *any_head* is what ``any_of`` gives."""
    size = varint(len(observation))
    return b"".join((b"\x2a", varint(len(any_head) + len(size) + len(observation)), any_head, size, observation))


def bank_left(nanoseconds: int) -> bytes:
    """A DecisionRequest's encoded field ``bank_left``."""
    return nested(b"\x22", duration(nanoseconds))


def request_head(match_id: str, decision_id: int) -> bytes:
    """A DecisionRequest's encoded fields before ``time_left``."""
    return nested(b"\x0a", match_id.encode()) + number(b"\x10", decision_id)


def pack(type_name: str, value: bytes) -> Any:
    """An ``Any`` that holds the encoded *value*."""
    return Any(type_url=TYPE_URL + type_name, value=value)


def decision_request(head: bytes, time_left: int | None, tail: bytes) -> bytes:
    """An encoded RefereeMessage with a DecisionRequest; *head* and *tail* are its fields before and after time_left."""
    clock = nested(b"\x1a", duration(time_left)) if time_left is not None else b""
    return b"".join((b"\x22", varint(len(head) + len(clock) + len(tail)), head, clock, tail))


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
    pieces = [number(b"\x08", sequence), number(b"\x10", acknowledged)]
    for message in messages:
        pieces += (b"\x1a", varint(len(message)), message)
    return b"".join(pieces)
