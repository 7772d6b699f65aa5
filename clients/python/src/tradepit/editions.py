"""Editions as a session needs them: fetched once, checked against their digest, parsed."""

import hashlib
import tomllib
from collections.abc import Callable

from tradepit.errors import EditionError
from tradepit.match import Edition
from tradepit.v1 import block_pb2

EditionSource = Callable[[str, bytes], bytes | None]
"""From a game's name and an edition's sha256 to the exact bytes of its TOML text; None: not here yet.
Raises EditionError.
"""


class EditionAwaited(Exception):
    """The source has not got an edition yet."""


def no_editions(game: str, sha256: bytes) -> bytes:
    """The source of a session that has none. Raises EditionError."""
    raise EditionError(f"nobody gives this session the edition {sha256.hex()} of {game}")


class EditionCache:
    """The editions that a session has seen, by digest."""

    def __init__(self) -> None:
        self._known: dict[bytes, Edition] = {}

    def get(self, game: str, reference: block_pb2.EditionReference, source: EditionSource) -> Edition:
        """The edition that *reference* names, from *source* unless known. Raises EditionError and EditionAwaited."""
        edition = self._known.get(reference.sha256)
        if edition is None:
            toml = source(game, reference.sha256)
            if toml is None:
                raise EditionAwaited
            edition = _read(reference.id, reference.sha256, toml)
            self._known[edition.sha256] = edition
        return edition


def _read(edition_id: str, sha256: bytes, toml: bytes) -> Edition:
    digest = hashlib.sha256(toml).digest()
    if digest != sha256:
        raise EditionError(f"edition {edition_id!r} has the digest {digest.hex()}, announced was {sha256.hex()}")
    try:
        return Edition(edition_id, sha256, toml, tomllib.loads(toml.decode()))
    except ValueError as error:
        raise EditionError(f"edition {edition_id!r} is no TOML: {error}") from error
