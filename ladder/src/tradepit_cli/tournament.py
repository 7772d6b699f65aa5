"""``tradepit tournament``: run, resume, list, pause and cancel."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from tradepit_cli import arguments as arg
from tradepit_cli.errors import Misuse
from tradepit_cli.text import plural

if TYPE_CHECKING:
    from tradepit_ladder.client import TournamentSummary
    from tradepit_server.games.base import GameInfo

RUN_EXAMPLES = arg.examples(
    "tradepit tournament run long-short random passive greedy hand_reader --blocks 10",
    "tradepit tournament run long-short momentum greedy --preset ranked --name friday --workers 2",
)
RESUME_EXAMPLES = arg.examples("tradepit tournament resume friday", "tradepit tournament resume friday --workers 4")
LIST_EXAMPLES = arg.examples("tradepit tournament list", "tradepit tournament list --json")
PAUSE_EXAMPLES = arg.examples("tradepit tournament pause friday")
CANCEL_EXAMPLES = arg.examples("tradepit tournament cancel friday")

MOST_WORKERS = 64
"""More is taken for a slip of the finger."""

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


WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        parser=arg.whole_number("--workers", MOST_WORKERS),
        help="Processes that play, each with bots of its own; default: one for every two cores, at most 4.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print a JSON list.")]
KnownArgument = Annotated[str, typer.Argument(metavar="NAME", help="The tournament.")]


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
    workers: WorkersOption = None,
    database: arg.DatabaseOption = None,
) -> None:
    """Play a rated tournament: every table of BOTs plays so many blocks.

    A BOT is the name of a house bot or of a bot that was added with 'tradepit bot add'. Whatever ends the command,
    what is complete is kept, and the same command with the same --name goes on, as does 'tradepit tournament resume'.
    Several may play the same tournament at once.
    """
    from tradepit.v1 import block_pb2
    from tradepit_cli import contest
    from tradepit_cli.ladders import default_workers, open_ladder

    settings = arg.settings(game, preset, option, time_control, seed, edition)
    size = _table_size(settings.info, bots, table_size)
    settings.check_seats(size)
    deal_number = block_pb2.Deal.Value(f"DEAL_{deal.upper()}")
    with open_ladder(database, workers=workers or default_workers()) as ladder:
        entrants = contest.entrants(bots, game, ladder)
        contest.hold(ladder, contest.order(settings, entrants, blocks, size, deal_number, name))


def resume(name: KnownArgument, workers: WorkersOption = None, database: arg.DatabaseOption = None) -> None:
    """Go on with a tournament that was stopped or paused, as it was ordered.

    Its bots are started as they are known now; one whose program has changed is refused.
    """
    from tradepit_cli import contest
    from tradepit_cli.ladders import default_workers, open_existing

    with open_existing(database, workers=workers or default_workers()) as ladder:
        contest.hold(ladder, contest.again(name, ladder))


def list_tournaments(as_json: JsonOption = False, database: arg.DatabaseOption = None) -> None:
    """List all tournaments and how far they are."""
    from tradepit_cli.ladder_rendering import show_tournaments
    from tradepit_cli.ladders import open_ladder
    from tradepit_cli.rendering import console, print_json

    with open_ladder(database, read_only=True) as ladder:
        known = ladder.tournaments()
    if as_json:
        print_json(known)
    else:
        show_tournaments(known, console())


def pause(name: KnownArgument, database: arg.DatabaseOption = None) -> None:
    """Have no further block of a tournament begun, in whichever program plays it.

    Within seconds that program finishes the blocks that it has begun, which count, and ends.
    """
    from tradepit_cli.ladders import open_existing

    with open_existing(database) as ladder:
        now = ladder.pause_tournament(name)
    typer.echo(f"{now.tournament} is paused: {_progress(now)}; to go on: tradepit tournament resume {now.tournament}")


def cancel(name: KnownArgument, database: arg.DatabaseOption = None) -> None:
    """End a tournament for good: what it has played counts, everything else of it is void.

    A program that plays it drops the blocks that it has begun and ends within seconds.
    """
    from tradepit_cli.ladders import open_existing

    with open_existing(database) as ladder:
        now = ladder.cancel_tournament(name)
    typer.echo(f"{now.tournament} is cancelled: {_progress(now)}")


def _progress(now: "TournamentSummary") -> str:
    return f"{now.blocks_complete:,} of {plural(now.blocks, 'block')} complete, {now.blocks_void:,} void"


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
