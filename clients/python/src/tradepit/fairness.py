"""Checks a block's revealed chance, whatever the game: commitment, nonces, seats and seeds.

What the cards and dice of a game must have been is the game's own to check: ``Bot.check_fairness``.
"""

from collections.abc import Sequence

from tradepit import chance
from tradepit.errors import FairnessError
from tradepit.match import Block, Match


def match_chance(block: Block, matches: Sequence[Match], secret: bytes, nonces: Sequence[bytes]) -> list[chance.Chance]:
    """The chance of each of *matches*, recomputed from what was revealed. Raises FairnessError naming what differs."""
    _check_revealed(block, secret, nonces)
    _check_seats(block, matches)
    seed = chance.block_seed(secret, block.block_id, nonces)
    return [chance.Chance(_match_seed(match, seed)) for match in matches]


def _check_revealed(block: Block, secret: bytes, nonces: Sequence[bytes]) -> None:
    if len(secret) != chance.SEED_BYTES:
        raise FairnessError(f"block {block.block_id}: the secret has {len(secret)} bytes, not {chance.SEED_BYTES}")
    digest = chance.commitment(secret)
    if digest != block.commitment:
        announced = block.commitment.hex()
        raise FairnessError(f"block {block.block_id}: the commitment was {announced}, the digest is {digest.hex()}")
    if len(nonces) != len(block.entrants):
        raise FairnessError(f"block {block.block_id}: {len(nonces)} nonces for {len(block.entrants)} entrants")
    if nonces[block.entrant] != block.nonce:
        raise FairnessError(
            f"block {block.block_id}: the own nonce was {block.nonce.hex() or 'empty'}, "
            f"revealed is {nonces[block.entrant].hex() or 'none'}"
        )


def _check_seats(block: Block, matches: Sequence[Match]) -> None:
    seen: set[int] = set()
    for match in matches:
        if match.index in seen or match.index >= block.matches:
            raise FairnessError(
                f"match {match.match_id}: index {match.index} of {block.matches} is repeated or too large"
            )
        seen.add(match.index)
        seat = (block.entrant + match.index) % len(block.entrants)
        if match.seat != seat or match.seats != len(block.entrants):
            was = f"{match.seat} of {match.seats}"
            raise FairnessError(f"match {match.match_id}: the own seat was {was}, not {seat} of {len(block.entrants)}")


def _match_seed(match: Match, block_seed: bytes) -> bytes:
    seed = chance.match_seed(block_seed, match.index, duplicate=match.block.duplicate)
    expected = chance.bot_seed(seed, match.seat)
    if match.bot_seed != expected:
        raise FairnessError(f"match {match.match_id}: the bot seed was not the one that the match's seed gives")
    return seed
