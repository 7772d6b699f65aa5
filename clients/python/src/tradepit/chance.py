"""Keyed chance: every random event of a match is a function of the match's seed and a label.

Nothing here is "the next number" of a generator, so no bot's behaviour can shift the cards and a
replay needs only the seed. The labels of each game are listed in ``docs/chance.md``.
"""

import hashlib
import hmac
from collections.abc import Sequence

SEED_BYTES = 32
"""Length of secrets, block seeds, match seeds and bot seeds, in bytes."""

NONCE_BYTES = range(16, 33)
"""Lengths that a bot's nonce may have, in bytes; an empty nonce stands for none."""

_INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))
_HASH_BLOCK_BYTES = 64


class Chance:
    """The chance of one match. Immutable, so that copies of a game may share it."""

    __slots__ = ("_inner", "_outer", "seed")

    seed: bytes
    """The match's seed, 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        """Raises ValueError unless *seed* has 32 bytes."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, this one has {len(seed)}")
        self.seed = seed
        # RFC 2104, with both key blocks hashed once: a draw then costs two copies, not four hashes.
        key = seed.ljust(_HASH_BLOCK_BYTES, b"\0")
        self._inner = hashlib.sha256(key.translate(_INNER_PAD))
        self._outer = hashlib.sha256(key.translate(_OUTER_PAD))

    def draw(self, label: str) -> int:
        """HMAC-SHA256 of *label* under the seed, read as a big-endian integer below 2**256."""
        inner = self._inner.copy()
        inner.update(label.encode())
        outer = self._outer.copy()
        outer.update(inner.digest())
        return int.from_bytes(outer.digest(), "big")

    def pick(self, label: str, k: int) -> int:
        """An index below *k*; *k* is tiny against 2**256, so there is no measurable bias."""
        return self.draw(label) % k

    def shuffle(self, name: str, ids: Sequence[str]) -> list[str]:
        """*ids* in rising order of the draw labelled ``name/id``."""
        named = self._inner.copy()
        named.update(f"{name}/".encode())
        copy_named, copy_outer = named.copy, self._outer.copy

        def digest(item: str) -> bytes:
            inner = copy_named()
            inner.update(item.encode())
            outer = copy_outer()
            outer.update(inner.digest())
            # Big-endian integers of equal length stand in the order of their bytes.
            return outer.digest()

        return sorted(ids, key=digest)


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def commitment(secret: bytes) -> bytes:
    """SHA-256 of a block's *secret*: sent with the invitation, checked when the block is over."""
    return hashlib.sha256(secret).digest()


def reproducible_secret(root: bytes, block_index: int) -> bytes:
    """The secret of block *block_index* of a tournament that is played from a published *root*."""
    return _hmac(root, b"block/%d" % block_index)


def block_seed(secret: bytes, block_id: str, nonces: Sequence[bytes]) -> bytes:
    """The seed of a block, from the referee's *secret* and each entrant's nonce in invitation order."""
    joined = b"".join(bytes([len(nonce)]) + nonce for nonce in nonces)
    return _hmac(secret, block_id.encode() + b"\0" + joined)


def match_seed(block: bytes, match_index: int, *, duplicate: bool = False) -> bytes:
    """The seed of match *match_index*; in a *duplicate* block every match has that of match 0."""
    return _hmac(block, b"match/%d" % (0 if duplicate else match_index))


def bot_seed(match: bytes, seat: int) -> bytes:
    """The chance that the bot in *seat* may use, from the match's seed."""
    return _hmac(match, b"bot/%d" % seat)
