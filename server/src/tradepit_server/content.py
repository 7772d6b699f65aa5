"""What a replay says, as one sequence of bytes: its canonical encoding, and the digest over it.

``docs/replays.md`` defines the encoding, for those who check it in another language.
"""

import hashlib

from tradepit.v1 import block_pb2


def seal(replay: block_pb2.Replay) -> None:
    """Give *replay* its ``content_sha256``, and take out what no field of the schema holds."""
    _discard_unknown(replay)
    replay.ClearField("content_sha256")
    replay.content_sha256 = hashlib.sha256(canonical(replay)).digest()


def content_sha256(replay: block_pb2.Replay) -> bytes:
    """SHA-256 over *replay* without what stands in the field of that name; 32 bytes."""
    copy = block_pb2.Replay()
    copy.CopyFrom(replay)
    seal(copy)
    return copy.content_sha256


def canonical(replay: block_pb2.Replay) -> bytes:
    """*replay*, which has no field but those of the schema, in the canonical encoding."""
    return replay.SerializeToString(deterministic=True)


def has_unknown(replay: block_pb2.Replay) -> bool:
    """Whether *replay* has a field that the schema does not know."""
    copy = block_pb2.Replay()
    copy.CopyFrom(replay)
    _discard_unknown(copy)
    return canonical(copy) != canonical(replay)


def _discard_unknown(replay: block_pb2.Replay) -> None:
    replay.DiscardUnknownFields()  # type: ignore[attr-defined]  # the stubs leave it out
