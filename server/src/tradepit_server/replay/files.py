"""Files with a replay in either form, packed or JSON."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from google.protobuf.message import DecodeError

from tradepit.replay_file import LARGEST, ReplayFileError, pack, unpack
from tradepit.v1 import block_pb2
from tradepit_server import content
from tradepit_server.replay.base import ReplayError
from tradepit_server.replay.json_reading import from_json


class Loaded(NamedTuple):
    """What a file holds; it is read, not yet played."""

    replay: block_pb2.Replay
    entry: Mapping[str, Any] | None
    """The JSON object that it was read from; None: the file is packed."""


def packed(replay: block_pb2.Replay) -> bytes:
    """The content of a packed file with *replay*."""
    return pack(content.canonical(replay))


def load(path: Path) -> Loaded:
    """The replay in the file *path*, in whichever form. Raises ReplayError or OSError."""
    with path.open("rb") as file:
        # One byte more than it may have, never a whole disk.
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ReplayError(f"it has more than {LARGEST:,} bytes")
    return parse(data)


def parse(data: bytes) -> Loaded:
    """The replay in the content of a file. Raises ReplayError."""
    if data.lstrip()[:1] == b"{":
        entry = _json(data)
        return Loaded(from_json(entry), entry)
    try:
        return Loaded(_message(unpack(data)), None)
    except ReplayFileError as error:
        raise ReplayError(str(error)) from error


def _message(data: bytes) -> block_pb2.Replay:
    try:
        replay = block_pb2.Replay.FromString(data)
    except DecodeError as error:
        raise ReplayError(f"{len(data)} bytes in it are no replay message") from error
    if content.has_unknown(replay):
        raise ReplayError("it holds a field that this version does not know")
    if content.canonical(replay) != data:
        raise ReplayError("its message is not in the canonical encoding")
    if not replay.content_sha256:
        raise ReplayError("content_sha256 is missing")
    return replay


def _json(data: bytes) -> Mapping[str, Any]:
    try:
        entry = json.loads(data.decode(), object_pairs_hook=_object, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ReplayError(f"it is no JSON: {error}") from error
    if not isinstance(entry, dict):
        raise ReplayError("it is no JSON object")
    return entry


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    known = dict(pairs)
    if len(known) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"key {next(name for name in names if names.count(name) > 1)!r} stands twice in one object")
    return known


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")
