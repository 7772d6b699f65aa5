"""Writes replays, in both forms."""

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tradepit.v1 import block_pb2
from tradepit_cli.errors import CommandError, Misuse


def prepared(name: str) -> Path:
    """The folder *name*, created where it was missing, to which files can be written. Raises Misuse."""
    if not name:
        raise Misuse(f"--export {name!r} names no folder")
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Misuse(f"--export {name!r} is no folder that can be written to: {error.strerror}") from error
    return folder


def write(folder: Path, results: Iterable[block_pb2.BlockResult]) -> int:
    """Write each replay packed and as JSON; what is there already is replaced. How many. Raises CommandError."""
    from tradepit.replay_file import SUFFIX
    from tradepit_server.replay.files import packed

    written = 0
    for replay in (replay for result in results for replay in result.replays):
        _replace(folder / file_name(replay, SUFFIX), packed(replay))
        _replace(folder / file_name(replay, ".json"), json_text(replay).encode())
        written += 1
    return written


def json_text(replay: block_pb2.Replay) -> str:
    """*replay* in its published JSON form. Raises ReplayError when it cannot be played again."""
    from tradepit_server.replay import to_json

    return json.dumps(to_json(replay), indent=1, ensure_ascii=False) + "\n"


def file_name(replay: block_pb2.Replay, suffix: str) -> str:
    """``play-1f0c-block-0003-match-2.json``: sorts in the order of play; the match is ``play-1f0c/3/2``."""
    tournament, block = replay.block_id.split("/")[:2]
    return f"{tournament}-block-{int(block):04}-match-{replay.match_index}{suffix}"


def _replace(path: Path, content: bytes) -> None:
    """Write *path* in one step, so that nobody ever reads half a replay."""
    unfinished = path.with_name(f"{path.name}.tmp")
    try:
        unfinished.write_bytes(content)
        os.replace(unfinished, path)
    except OSError as error:
        raise CommandError(f"cannot write the replay {str(path)!r}: {error.strerror}") from error
