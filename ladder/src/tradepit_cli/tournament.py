"""``tradepit tournament run``."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from tradepit_cli import arguments as arg
from tradepit_cli.errors import Misuse

if TYPE_CHECKING:
    from tradepit_server.games.base import GameInfo

EXAMPLES = arg.examples(
    "tradepit tournament run long-short random passive greedy hand_reader --blocks 10",
    "tradepit tournament run long-short momentum greedy --preset ranked --name friday",
)

LARGEST_TABLE = 1_000
"""More than any game seats."""

LARGEST_DEFAULT_TABLE = 6
"""Bots at a table, unless --table-size says otherwise."""


class DealName(StrEnum):
    """The values of ``--deal``."""

    INDEPENDENT = "independent"
    DUPLICATE = "duplicate"


NameOption = Annotated[str | None, typer.Option("--name", metavar="N", help="The tournament's name; default: made up.")]
TableSizeOption = Annotated[
    int | None,
    typer.Option(
        "--table-size",
        metavar="N",
        parser=arg.whole_number("--table-size", LARGEST_TABLE),
        help="Bots at a table; default: all, at most 6 or what the game seats.",
    ),
]
DealOption = Annotated[
    DealName,
    typer.Option(
        "--deal",
        help="Whether the matches of a block share their cards. duplicate is refused for now: bots would know cards.",
    ),
]


def run(
    game: arg.GameArgument,
    bots: arg.BotsArgument,
    name: NameOption = None,
    blocks: arg.BlocksOption = 1,
    table_size: TableSizeOption = None,
    preset: arg.PresetOption = None,
    option: arg.OptionOption = None,
    edition: arg.EditionOption = None,
    time_control: arg.TimeControlOption = "standard",
    deal: DealOption = DealName.INDEPENDENT,
    seed: arg.SeedOption = None,
    database: arg.DatabaseOption = None,
) -> None:
    """Play a rated tournament: every table of BOTs plays so many blocks.

    A BOT is the name of a house bot or of a bot that was added with 'tradepit bot add'.
    """
    from tradepit.v1 import block_pb2
    from tradepit_cli import contest
    from tradepit_cli.ladders import open_ladder

    settings = arg.settings(game, preset, option, time_control, seed, edition)
    size = _table_size(settings.info, bots, table_size)
    settings.check_seats(size)
    deal_number = block_pb2.Deal.Value(f"DEAL_{deal.upper()}")
    with open_ladder(database) as ladder:
        entrants = contest.entrants(bots, game, ladder)
        contest.hold(ladder, contest.order(settings, entrants, blocks, size, deal_number, name))


def _table_size(info: "GameInfo", bots: list[str], wanted: int | None) -> int:
    """How many of *bots* sit at a table. Raises Misuse."""
    if len(bots) < info.min_seats:
        raise Misuse(f"a tournament of {info.name} needs {info.min_seats} bots or more, not {len(bots)}")
    largest = min(len(bots), info.max_seats)
    if wanted is None:
        return min(largest, LARGEST_DEFAULT_TABLE)
    if not info.min_seats <= wanted <= largest:
        raise Misuse(
            f"--table-size {wanted} is not from {info.min_seats} to {largest}: {info.name} seats"
            f" {info.min_seats} to {info.max_seats}, and {len(bots)} bots are named"
        )
    return wanted
