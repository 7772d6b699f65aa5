"""Files with a replay: the message compressed by Zstandard, and a digest over the file. ``docs/replays.md`` defines it.

This module needs ``zstandard``, which comes with ``tradepit[server]``; nothing else in this package does.
"""

import hashlib

import zstandard

SUFFIX = ".replay.zst"
"""What the names of such files end with."""

LARGEST = 64 * 1024 * 1024
"""Bytes; no replay, packed or not, may have more."""

_SKIPPABLE = bytes.fromhex("502a4d18") + (32).to_bytes(4, "little")
"""The head of a skippable frame of 32 bytes (RFC 8878, 3.1.2): `zstd` passes over it."""

_SEAL_BYTES = len(_SKIPPABLE) + 32


class ReplayFileError(ValueError):
    """Bytes that are no replay file, or a damaged one; the message says what is wrong."""


def pack(replay: bytes) -> bytes:
    """The content of a file with the serialised *replay*."""
    frame = zstandard.ZstdCompressor(write_checksum=True).compress(replay)
    return frame + _seal(frame)


def unpack(file: bytes) -> bytes:
    """The serialised replay in the content of a *file*. Raises ReplayFileError."""
    frame = file[:-_SEAL_BYTES]
    if not frame.startswith(zstandard.FRAME_HEADER):
        raise ReplayFileError(f"it is no replay file: it begins with {file[:8].hex() or 'nothing'}")
    # Over the file as it is: a decoder passes over some of its bits, so that not every change would show in the replay.
    if file[-_SEAL_BYTES:] != _seal(frame):
        raise ReplayFileError("it is cut short or damaged: its last 40 bytes are not the digest of the others")
    return _decompressed(frame)


def _seal(frame: bytes) -> bytes:
    return _SKIPPABLE + hashlib.sha256(frame).digest()


def _decompressed(frame: bytes) -> bytes:
    try:
        # Asked first: a few bytes can claim to be many, and the decompressor believes them.
        if not 0 <= zstandard.frame_content_size(frame) <= LARGEST:
            raise ReplayFileError(f"it does not say that it holds {LARGEST:,} bytes or fewer")
        return zstandard.ZstdDecompressor().decompress(frame, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise ReplayFileError(f"it is not compressed as a replay file is: {error}") from error
