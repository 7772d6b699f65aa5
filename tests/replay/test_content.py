"""content_sha256 is over the canonical encoding that docs/replays.md defines: here by an encoder of its own."""

import hashlib
from typing import Any

import pytest
import zstandard
from faulty_play import replay_of
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from tradepit import replay_file
from tradepit.v1 import block_pb2
from tradepit_server import content
from tradepit_server.replay import ReplayError
from tradepit_server.replay.files import packed, parse

FIXED_TAIL = 2 + 1 + 32
"""Bytes of content_sha256 in a message: tag, length, digest."""


@pytest.fixture(params=["long-short", "buy-low-sell-high"])
def replay(request: pytest.FixtureRequest) -> block_pb2.Replay:
    """A match with faults, notes and every kind of field."""
    return replay_of(request.param, 3, number=1, trouble=0.3)


def varint(value: int) -> bytes:
    groups = [value & 0x7F]
    while value := value >> 7:
        groups.append(value & 0x7F)
    return bytes([group | 0x80 for group in groups[:-1]] + groups[-1:])


def nested(body: bytes) -> bytes:
    return varint(len(body)) + body


def scalar(field: FieldDescriptor, value: Any) -> bytes:
    if field.type == FieldDescriptor.TYPE_STRING:
        return nested(value.encode())
    if field.type == FieldDescriptor.TYPE_BYTES:
        return nested(value)
    if field.type == FieldDescriptor.TYPE_SINT64:
        return varint(2 * value if value >= 0 else -2 * value - 1)
    return varint(int(value) % (1 << 64))


def entries(message: Any, field: FieldDescriptor) -> list[bytes]:
    """The value of a map or of a list of messages or texts, entry by entry."""
    values = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        texts = sorted((key.encode(), value.encode()) for key, value in values.items())
        return [b"\x0a" + nested(key) + b"\x12" + nested(value) for key, value in texts]
    if field.message_type is not None:
        return [encode(each) for each in values]
    return [each if isinstance(each, bytes) else each.encode() for each in values]


def encode(message: Message) -> bytes:
    """*message* as docs/replays.md has it."""
    parts = []
    for field in sorted(message.DESCRIPTOR.fields, key=lambda field: field.number):
        value = getattr(message, field.name)
        numeric = field.message_type is None and field.type not in (
            FieldDescriptor.TYPE_STRING,
            FieldDescriptor.TYPE_BYTES,
        )
        tag = varint(field.number << 3 | (0 if numeric and not field.is_repeated else 2))
        if field.is_repeated and numeric:
            parts += [tag + nested(b"".join(scalar(field, each) for each in value))] if value else []
        elif field.is_repeated:
            parts += [tag + nested(each) for each in entries(message, field)]
        elif field.message_type is not None:
            parts += [tag + nested(encode(value))] if message.HasField(field.name) else []
        elif message.HasField(field.name) if field.has_presence else value:
            parts.append(tag + scalar(field, value))
    return b"".join(parts)


def test_the_canonical_encoding_is_that_of_the_page(replay: block_pb2.Replay) -> None:
    assert content.canonical(replay) == encode(replay)


def test_the_digest_is_over_the_message_without_its_last_35_bytes(replay: block_pb2.Replay) -> None:
    message = replay_file.unpack(packed(replay))
    body, tail = message[:-FIXED_TAIL], message[-FIXED_TAIL:]
    assert tail[:3] == bytes([0xC2, 0x3E, 0x20])
    assert tail[3:] == hashlib.sha256(body).digest() == replay.content_sha256


def test_the_digest_does_not_depend_on_the_digest_and_leaves_the_replay_alone(replay: block_pb2.Replay) -> None:
    before, digest = replay.SerializeToString(deterministic=True), replay.content_sha256
    assert content.content_sha256(replay) == digest
    assert replay.SerializeToString(deterministic=True) == before
    replay.content_sha256 = bytes(32)
    assert content.content_sha256(replay) == digest


def test_sealing_takes_out_what_the_schema_does_not_know(replay: block_pb2.Replay) -> None:
    more = block_pb2.Replay.FromString(replay.SerializeToString() + b"\xba\x3e\x01x")
    assert content.has_unknown(more)
    content.seal(more)
    assert not content.has_unknown(more)
    assert more == replay


def test_a_file_is_one_zstandard_frame_and_a_digest_that_zstd_passes_over(replay: block_pb2.Replay) -> None:
    file = packed(replay)
    frame, seal = file[:-40], file[-40:]
    assert zstandard.ZstdDecompressor().decompress(frame) == content.canonical(replay)
    assert seal == bytes.fromhex("502a4d1820000000") + hashlib.sha256(frame).digest()
    with zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True) as reader:
        assert reader.read() == content.canonical(replay)


def refusal(message: bytes) -> str:
    """Why a file with this *message*, packed as it should be, is refused."""
    with pytest.raises(ReplayError) as caught:
        parse(replay_file.pack(message))
    return str(caught.value)


def test_a_message_that_says_the_same_in_another_way_is_refused(replay: block_pb2.Replay) -> None:
    message = content.canonical(replay)
    assert block_pb2.Replay.FromString(message[-FIXED_TAIL:] + message[:-FIXED_TAIL]) == replay
    assert "not in the canonical encoding" in refusal(message[-FIXED_TAIL:] + message[:-FIXED_TAIL])
    assert "not in the canonical encoding" in refusal(b"\x20\x00" + message)
    assert "a field that this version does not know" in refusal(message + b"\xca\x3e\x01x")
    assert "are no replay message" in refusal(b"\xff" + message)


def test_a_packed_replay_carries_its_digest(replay: block_pb2.Replay) -> None:
    replay.ClearField("content_sha256")
    assert refusal(content.canonical(replay)) == "content_sha256 is missing"
