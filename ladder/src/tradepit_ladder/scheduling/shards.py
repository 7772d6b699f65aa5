"""Which blocks are handed to a worker together.

What is complete is recorded when its shard has ended, so shards are small until they prove quick: whoever stops a
tournament loses seconds of play, not minutes.
"""

from collections.abc import Hashable, Iterator, Sequence
from typing import Protocol, TypeVar

FIRST_BLOCKS = 2
"""Blocks in the first shard: nothing is known yet about how fast its bots are."""

MAX_BLOCKS = 16
"""Blocks in a shard. Starting four bots takes about as long as playing eight blocks (1.1 s on two cores), so much fewer
would mostly start processes; and a progress bar should move every few seconds, so not the 32 that a worker accepts."""

SECONDS = 5.0
"""What a shard may take for the next one to be larger; smaller ones follow one that took twice as long."""

MAX_BOTS = 12
"""Different bots in a shard, each a process of its own: what two cores start within seconds."""


class HasEntrants(Protocol):
    """A block, as far as this module cares."""

    @property
    def entrants(self) -> Sequence[Hashable]:
        """The bots at its table."""


B = TypeVar("B", bound=HasEntrants)


class Pace:
    """How many blocks the next shard may have, from how long the earlier ones took."""

    def __init__(self) -> None:
        self.blocks = FIRST_BLOCKS
        """From 1 to ``MAX_BLOCKS``."""

    def took(self, blocks: int, seconds: float) -> None:
        """A shard of so many *blocks* has ended after *seconds*."""
        if seconds <= SECONDS / 2:
            self.blocks = min(MAX_BLOCKS, max(self.blocks, 4 * blocks))
        elif seconds <= SECONDS:
            self.blocks = min(MAX_BLOCKS, max(self.blocks, 2 * blocks))
        elif seconds > 2 * SECONDS:
            self.blocks = max(1, blocks // 2)


def shards(blocks: Sequence[B], pace: Pace) -> Iterator[list[B]]:
    """*blocks* in order, in runs as long as *pace* allows then; of several blocks with at most ``MAX_BOTS`` bots."""
    shard: list[B] = []
    bots: set[Hashable] = set()
    for block in blocks:
        if shard and (len(shard) >= pace.blocks or len(bots.union(block.entrants)) > MAX_BOTS):
            yield shard
            shard, bots = [], set()
        shard.append(block)
        bots.update(block.entrants)
    if shard:
        yield shard
