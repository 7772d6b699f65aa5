"""Where replays are kept: files named by their content."""

import hashlib
import os
import tempfile
from pathlib import Path

from tradepit.replay_file import SUFFIX, ReplayFileError, pack, unpack
from tradepit_ladder.client import RecordError
from tradepit_ladder.files import sync_folder


class ReplayStore:
    """Replays in a folder, by the SHA-256 of their bytes, each packed as a file that ``tradepit replay`` reads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, replay: bytes) -> str:
        """Store *replay* and return its digest in hex. Storing it again changes nothing. Raises RecordError.

        When it returns, the replay survives a loss of power: only then may a row of the record name it.
        """
        digest = hashlib.sha256(replay).hexdigest()
        path = self._path(digest)
        try:
            if not path.exists():
                _make_folder(path.parent)
                _write(path, pack(replay))
            # Also if it was there: whoever wrote it may have been killed before this.
            sync_folder(path.parent)
        except OSError as error:
            raise RecordError(f"replay {path} cannot be stored: {error.strerror}") from error
        return digest

    def read(self, digest: str) -> bytes:
        """The replay with this *digest*. Raises RecordError if it is missing or damaged."""
        path = self._path(digest)
        try:
            replay = unpack(path.read_bytes())
        except FileNotFoundError:
            raise RecordError(f"replay {path} is missing") from None
        except OSError as error:
            raise RecordError(f"replay {path} cannot be read: {error.strerror}") from error
        except ReplayFileError as error:
            raise RecordError(f"replay {path} is damaged: {error}") from error
        if hashlib.sha256(replay).hexdigest() != digest:
            raise RecordError(f"replay {path} is not what its name says")
        return replay

    def _path(self, digest: str) -> Path:
        # Two levels, since a folder with a million files is slow to list.
        return self._folder / digest[:2] / f"{digest}{SUFFIX}"


def _make_folder(folder: Path) -> None:
    if not folder.exists():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def _write(path: Path, content: bytes) -> None:
    # Under a name of its own first: whoever is killed in between leaves no half replay under the digest.
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
