"""The schedule of a round robin."""

from dataclasses import dataclass

from tradepit_ladder.scheduling.seatings import cyclic_orders
from tradepit_ladder.scheduling.tables import tables


@dataclass(frozen=True, slots=True)
class ScheduledBlock:
    """A block that is to be played."""

    index: int
    """Its place in the tournament, from 0."""
    entrants: tuple[int, ...]
    """The bots at the table, by position in the tournament's order; in match k entrant e has seat (e + k) mod n."""


def round_robin(bots: int, table_size: int, blocks: int) -> list[ScheduledBlock]:
    """*blocks* blocks for each table of *table_size* out of *bots* bots, in playing order.

    All tables play their first block before any plays its second, so a tournament that is stopped early
    is as balanced as its tables are (see ``tables``).
    """
    one_of_each = tables(bots, table_size)
    entrants = (
        tuple(table[position] for position in order)
        for order in cyclic_orders(table_size, blocks)
        for table in one_of_each
    )
    return [ScheduledBlock(index, at_table) for index, at_table in enumerate(entrants)]
