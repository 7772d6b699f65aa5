"""Who may call: tokens and whom they stand for."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from tradepit_server.referee import Identity

_SCHEME = "Bearer "


@dataclass(frozen=True, slots=True)
class Organiser:
    """Whoever may have blocks played."""

    name: str
    """For the logs."""


@dataclass(frozen=True, slots=True)
class Spectator:
    """Whoever may watch matches."""

    name: str
    """For the logs."""


Holder = Identity | Organiser | Spectator
"""A bot, somebody who organises, or somebody who watches."""


class Tokens:
    """The tokens that a referee accepts. Keeps digests only."""

    def __init__(self) -> None:
        self._holders: dict[bytes, Holder] = {}

    def grant(self, token: str, holder: Holder) -> None:
        """From now on *token* stands for *holder*."""
        self._holders[_digest(token)] = holder

    def revoke(self, token: str) -> None:
        """From now on *token* stands for nobody."""
        del self._holders[_digest(token)]

    def holder(self, metadata: Iterable[tuple[str, str | bytes]]) -> Holder | None:
        """Whom the ``authorization: Bearer ...`` in a call's metadata stands for; None: nobody."""
        for key, value in metadata:
            if key == "authorization" and isinstance(value, str) and value.startswith(_SCHEME):
                # How long a look-up takes tells about the digest alone, and from that nobody gets to the token.
                return self._holders.get(_digest(value.removeprefix(_SCHEME)))
        return None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
