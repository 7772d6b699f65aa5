"""Which blocks are handed to a worker together."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Protocol, TypeVar

MAX_BLOCKS = 16
"""Blocks in a shard. Starting four bots takes about as long as playing eight blocks (1.1 s on two cores), so much fewer
would mostly start processes; and a progress bar should move every few seconds, so not the 32 that a worker accepts."""

MAX_BOTS = 12
"""Different bots in a shard, each a process of its own: what two cores start within seconds."""


class HasEntrants(Protocol):
    """A block, as far as this module cares."""

    @property
    def entrants(self) -> Sequence[Hashable]:
        """The bots at its table."""


B = TypeVar("B", bound=HasEntrants)


def shards(blocks: Sequence[B]) -> Iterator[list[B]]:
    """*blocks* in order, in runs of 1 to ``MAX_BLOCKS`` blocks; of several blocks with at most ``MAX_BOTS`` bots."""
    shard: list[B] = []
    bots: set[Hashable] = set()
    for block in blocks:
        if shard and (len(shard) == MAX_BLOCKS or len(bots.union(block.entrants)) > MAX_BOTS):
            yield shard
            shard, bots = [], set()
        shard.append(block)
        bots.update(block.entrants)
    if shard:
        yield shard
