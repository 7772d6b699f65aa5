"""What is encoded by hand is what protobuf would have written."""

from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from hypothesis import given
from hypothesis import strategies as st

from tradepit.v1 import play_pb2
from tradepit_server.referee import wire

SIZES = st.integers(0, 2**63 - 1)


@given(SIZES, SIZES, st.lists(st.text(max_size=300), max_size=5))
def test_a_frame_is_a_play_response(sequence: int, acknowledged: int, texts: list[str]) -> None:
    messages = [play_pb2.RefereeMessage(notice=play_pb2.Notice(text=text)) for text in texts]
    expected = play_pb2.PlayResponse(sequence=sequence, acknowledged_sequence=acknowledged, messages=messages)
    encoded = wire.frame(sequence, acknowledged, [message.SerializeToString() for message in messages])
    assert encoded == expected.SerializeToString(deterministic=True)


@given(
    st.text(min_size=1, max_size=200),
    st.integers(1, 2**63 - 1),
    st.none() | st.integers(0, 10**18),
    st.none() | st.integers(0, 10**18),
    st.binary(min_size=1, max_size=30_000),
)
def test_a_request_is_a_decision_request(
    match_id: str, decision_id: int, left: int | None, bank: int | None, observation: bytes
) -> None:
    head = wire.request_head(match_id, decision_id)
    clock = b"" if bank is None else wire.bank_left(bank)
    tail = clock + wire.observed(wire.any_of("a.B"), observation)
    request = play_pb2.DecisionRequest(
        match_id=match_id,
        decision_id=decision_id,
        time_left=None if left is None else nanoseconds(left),
        bank_left=None if bank is None else nanoseconds(bank),
        observation=Any(type_url="type.googleapis.com/a.B", value=observation),
    )
    expected = play_pb2.RefereeMessage(decision_request=request).SerializeToString(deterministic=True)
    assert wire.decision_request(head, left, tail) == expected


def nanoseconds(value: int) -> Duration:
    duration = Duration()
    duration.FromNanoseconds(value)
    return duration


@given(st.lists(st.integers(1, wire.FRAME_BYTES * 2), max_size=8))
def test_frames_are_split_and_nothing_is_lost(sizes: list[int]) -> None:
    messages = [bytes(size) for size in sizes]
    groups = wire.frames(messages)
    assert [message for group in groups for message in group] == messages
    assert all(len(group) == 1 or sum(map(len, group)) <= wire.FRAME_BYTES for group in groups)
