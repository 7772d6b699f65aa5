"""Whatever is changed in a replay, it no longer verifies; and nothing raises but a ReplayError."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import zstandard
from faulty_play import replay_of
from tampering import damaged, tampered

from tradepit import replay_file
from tradepit.v1 import block_pb2
from tradepit_server.replay import ReplayError, to_json
from tradepit_server.replay.files import packed, parse
from tradepit_server.replay.verification import verify

GAMES = [("long-short", 3), ("buy-low-sell-high", 3)]


@pytest.fixture(params=GAMES, ids=lambda game: str(game[0]), scope="module")
def original(request: pytest.FixtureRequest) -> block_pb2.Replay:
    """A match with faults and a forfeit."""
    game, seats = request.param
    replay = replay_of(game, seats, number=1, trouble=0.3)
    assert any(each != block_pb2.TERMINATION_COMPLETED for each in replay.result.terminations)
    return replay


def refusal(data: bytes) -> str:
    """Why a file is refused."""
    with pytest.raises(ReplayError) as caught:
        verify(*parse(data))
    assert str(caught.value).strip()
    return str(caught.value)


def test_untouched_it_verifies(original: block_pb2.Replay) -> None:
    assert verify(*parse(packed(original))) == []
    assert verify(*parse(json.dumps(to_json(original)).encode())) == []


def test_250_tamperings_of_the_message_are_refused(original: block_pb2.Replay) -> None:
    rng = Random(1)
    fields = set()
    for _ in range(250):
        field, changed = tampered(original, rng)
        refusal(packed(changed))
        fields.add(field)
    assert len(fields) > 20, "the tampering reaches all parts of a replay"


def test_1000_truncations_and_bit_flips_of_the_file_are_refused(original: block_pb2.Replay) -> None:
    rng = Random(2)
    file = packed(original)
    for _ in range(1000):
        refusal(damaged(file, rng))


def test_every_bit_of_the_compressed_frames_header_counts(original: block_pb2.Replay) -> None:
    """Decoders pass over one of them."""
    file = packed(original)
    for bit in range(8 * 12):
        changed = bytearray(file)
        changed[bit // 8] ^= 1 << bit % 8
        refusal(bytes(changed))


def changed_json(value: Any, rng: Random) -> Iterator[Any]:
    """Every value that differs from *value* by one change somewhere in it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: other} for other in changed_json(inner, rng))
            yield {name: kept for name, kept in value.items() if name != key}
        yield {**value, "surplus": 1}
    elif isinstance(value, list):
        yield [*value, 1]
        for index, inner in enumerate(value):
            yield from ([*value[:index], other, *value[index + 1 :]] for other in changed_json(inner, rng))
            yield [*value[:index], *value[index + 1 :]]
    elif isinstance(value, bool) or value is None:
        yield not value
    elif isinstance(value, str):
        yield rng.choice([f"{value}0", value[:-1] or "x", value.upper() if value.upper() != value else f" {value}", 5])
    else:
        yield value + rng.choice([-1, 1])


def test_250_tamperings_of_the_json_are_refused(original: block_pb2.Replay) -> None:
    rng = Random(3)
    entry = json.loads(json.dumps(to_json(original)))
    # Without its digest it would be a replay that carries none.
    candidates = [changed for changed in changed_json(entry, rng) if "content_sha256" in changed]
    for changed in rng.sample(candidates, 250):
        refusal(json.dumps(changed).encode())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no replay file: it begins with nothing"),
        ("\x00", "no replay file: it begins with 00"),
        ("{", "no JSON"),
        ("[" * 10_000, "no replay file"),
        ('{"a":' * 10_000, "no JSON"),
        ('{"format": NaN}', "NaN is no number"),
        ('{"format": 1, "format": 1}', "key 'format' stands twice"),
        ('{"format": ' + "9" * 5000 + "}", "no JSON"),
        ("{}", "format is missing"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_what_is_no_replay_at_all_is_refused_and_said(text: str, words: str) -> None:
    assert words in refusal(text.encode())


def sealed(frame: bytes) -> bytes:
    """A file with this *frame*, whose seal is right whatever the frame holds."""
    return frame + replay_file._seal(frame)


@pytest.fixture
def frame(original: block_pb2.Replay) -> bytes:
    """The compressed frame of a good file, without its seal."""
    file = packed(original)
    frame = file[: -len(replay_file._seal(b""))]
    assert sealed(frame) == file
    return frame


def test_a_damaged_frame_under_a_seal_that_fits_is_refused(frame: bytes) -> None:
    for position in (len(frame) // 2, -5, -1):  # the last 4 bytes are the frame's own checksum
        flipped = bytearray(frame)
        flipped[position] ^= 1
        assert "not compressed as a replay file is" in refusal(sealed(bytes(flipped)))
    for length in (4, 5, len(frame) // 2, len(frame) - 4, len(frame) - 1):
        assert "not compressed as a replay file is" in refusal(sealed(frame[:length]))


def test_a_second_frame_under_a_seal_that_fits_is_refused(frame: bytes) -> None:
    for more in (frame, zstandard.ZstdCompressor().compress(b""), replay_file._seal(frame), b"\0"):
        assert "not compressed as a replay file is" in refusal(sealed(frame + more))


def test_a_frame_that_claims_to_be_huge_is_not_unpacked() -> None:
    bomb = zstandard.ZstdCompressor().compress(bytes(replay_file.LARGEST + 1))
    assert len(bomb) < 100_000
    assert "67,108,864 bytes or fewer" in refusal(sealed(bomb))
