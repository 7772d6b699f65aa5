"""The wire format by hand, against protobuf's own."""

import pytest
from google.protobuf.wrappers_pb2 import StringValue, UInt64Value

from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit_server.codecs import wire

EDGES = [0, 1, 127, 128, 255, 300, 2**14 - 1, 2**14, 2**32 - 1, 2**32, 2**63 - 1, 2**64 - 1]


@pytest.mark.parametrize("value", EDGES)
def test_unsigned_numbers_are_written_as_protobuf_writes_them(value: int) -> None:
    assert wire.number(b"\x08", value) == UInt64Value(value=value).SerializeToString()


@pytest.mark.parametrize("value", [0, 1, -1, 63, -64, 64, -65, 10_000, -(10**9), 2**63 - 1, -(2**63)])
def test_signed_numbers_are_written_as_protobuf_writes_them(value: int) -> None:
    assert wire.signed(b"\x08", value) == pb.SeatState(cash=value).SerializeToString()


@pytest.mark.parametrize("length", [1, 127, 128, 20_000])
def test_nested_bytes_carry_their_length(length: int) -> None:
    text = "x" * length
    assert wire.nested(b"\x0a", text.encode()) == StringValue(value=text).SerializeToString()


@pytest.mark.parametrize("values", [[], [0], [3, 200, 17], EDGES[:10]])
def test_packed_numbers_are_written_as_protobuf_writes_them(values: list[int]) -> None:
    numbers = [value for value in values if value < 2**32]
    assert wire.packed(b"\x42", numbers) == pb.PublicState(levels=numbers).SerializeToString()
