"""Which blocks are handed to a worker together.

What is complete is recorded when its shard has ended, so shards are small until they prove quick: whoever stops a
tournament loses seconds of play, not minutes.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
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


class Suspicion:
    """Which blocks may not be in large shards, since they were in one that was lost: nobody knows which ended it.

    Each time their shards are halved, so that the others are soon rid of the one that ends its worker.
    """

    def __init__(self) -> None:
        self._most: dict[int, int] = {}
        self._alone: set[int] = set()

    def most(self, block: int) -> int:
        """How many blocks may be in a shard with *block*, by its index."""
        return self._most.get(block, MAX_BLOCKS)

    def alone(self, block: int) -> bool:
        """Whether nothing else may be played beside *block*: what was played beside it then has been lost as well."""
        return block in self._alone

    def lost(self, blocks: Sequence[int], *, suspect: bool) -> None:
        """A shard of these *blocks* was lost: by one of them if it is *suspect*, else perhaps by another shard."""
        if len(blocks) == 1 and not suspect:
            self._alone.update(blocks)
        self._most.update({block: max(1, len(blocks) // 2) for block in blocks})

    def failed(self, block: int) -> None:
        """*block* itself has failed: it is tried again with no other in its shard."""
        self._most[block] = 1


def shards(blocks: Iterable[B], most: Callable[[B], int]) -> Iterator[list[B]]:
    """*blocks* in order, in runs in which no block has more with it than *most* says, of at most ``MAX_BOTS`` bots."""
    shard: list[B] = []
    bots: set[Hashable] = set()
    for block in blocks:
        full = len(shard) >= min(map(most, [*shard, block]))
        if shard and (full or len(bots.union(block.entrants)) > MAX_BOTS):
            yield shard
            shard, bots = [], set()
        shard.append(block)
        bots.update(block.entrants)
    if shard:
        yield shard
