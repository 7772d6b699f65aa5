"""``tradepit replay``: show, export and verify."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tradepit_cli.arguments import DatabaseOption, examples, whole_number
from tradepit_cli.errors import CommandError, Misuse
from tradepit_cli.text import plural, visible

if TYPE_CHECKING:
    from tradepit_server.replay.files import Loaded

MATCH_ID = re.compile(r"[a-z0-9][a-z0-9_.-]*(/[0-9]+){2,3}")
"""What the id of a match looks like; files may be called so too, and go first."""

MOST_SEAT = 1_000
"""More than any game has."""

SHOW_EXAMPLES = examples(
    "tradepit replay show match.replay.zst",
    "tradepit replay show match.replay.zst --seat 0 --plain",
    "tradepit replay show friday/0/1/2 --plot",
)
EXPORT_EXAMPLES = examples("tradepit replay export match.replay.zst", "tradepit replay export friday/0/1/2")
VERIFY_EXAMPLES = examples("tradepit replay verify match.replay.zst", "tradepit replay verify out/*")

FileArgument = Annotated[
    str, typer.Argument(metavar="FILE", help="A replay, packed or in JSON; or the id of a match of the ladder.")
]
FilesArgument = Annotated[
    list[str], typer.Argument(metavar="FILE", help="Replays, packed or in JSON; or ids of matches of the ladder.")
]
SeatOption = Annotated[
    int | None,
    typer.Option(
        "--seat",
        metavar="N",
        parser=whole_number("--seat", MOST_SEAT, least=0),
        help="Tell only what this seat could see; seats count from 0.",
    ),
]
PlotOption = Annotated[bool, typer.Option("--plot", help="Show prices and cash through the match as charts.")]
PlainOption = Annotated[bool, typer.Option("--plain", help="Plain lines, for pipes: no tables, bars or colours.")]


def show(
    file: FileArgument,
    seat: SeatOption = None,
    plot: PlotOption = False,
    plain: PlainOption = False,
    database: DatabaseOption = None,
) -> None:
    """Tell a match turn by turn: prices, trades, cards, dice, money, faults, thinking times.

    With --seat it is told from that seat's knowledge only: no cards of others, nor their names, times or notes. A
    replay that does not prove what it says is told all the same, with exit status 1.
    """
    from tradepit_cli import replay_rendering as rendering
    from tradepit_cli.rendering import console
    from tradepit_cli.replay_story import Story
    from tradepit_server.replay import ReplayError
    from tradepit_server.replay.telling import tell

    loaded = _load(file, database)
    seats = len(loaded.replay.bots)
    if seat is not None and seat >= seats:
        raise Misuse(f"--seat {seat} is none of the seats 0 to {seats - 1}")
    story, scenes = Story(loaded.replay, seat), tell(loaded.replay, seat)
    try:
        if plain:
            (rendering.plot_plain if plot else rendering.show_plain)(story, scenes)
        else:
            (rendering.plot if plot else rendering.show)(story, scenes, console())
    except ReplayError as error:
        raise CommandError(f"{file}: {error}") from error
    _verified(loaded, file)


def export(file: FileArgument, database: DatabaseOption = None) -> None:
    """Write a replay in its published JSON form to standard output."""
    from tradepit_cli.export import json_text
    from tradepit_server.replay import ReplayError

    loaded = _load(file, database)
    try:
        typer.echo(json_text(loaded.replay), nl=False)
    except ReplayError as error:
        raise CommandError(f"{file}: {error}") from error


def verify(files: FilesArgument, database: DatabaseOption = None) -> None:
    """Play matches again and check that they prove what they say.

    Checked are commitment and seed, every decision and default, clocks, scores, placements with forfeits,
    terminations, and the digest over the content. Of a replay that differs, the first difference is told.
    """
    problems = []
    for file in files:
        try:
            absent = _verified(_load(file, database), file)
        except CommandError as error:
            problems.append(str(error))
            typer.echo(visible(f"DIFFERS  {error}"))
        else:
            typer.echo(visible(f"verified {file}{_lacking(absent)}"))
    if problems:
        raise CommandError(f"{plural(len(problems), 'replay')} of {len(files):,} not verified; {problems[0]}")


def _load(file: str, database: str | None) -> "Loaded":
    """The replay in *file*, or of the match with this id. Raises CommandError, which begins with its name."""
    from tradepit_server.replay import ReplayError
    from tradepit_server.replay.files import load, parse

    try:
        if MATCH_ID.fullmatch(file) and not Path(file).exists():
            return parse(_recorded(file, database))
        return load(Path(file))
    except OSError as error:
        raise CommandError(f"{file}: cannot be read: {error.strerror}") from error
    except ReplayError as error:
        raise CommandError(f"{file}: {error}") from error


def _recorded(match_id: str, database: str | None) -> bytes:
    """The packed replay of a match of the ladder. Raises CommandError."""
    from tradepit.replay_file import pack
    from tradepit_cli.ladders import open_ladder

    with open_ladder(database, read_only=True) as ladder:
        return pack(ladder.replay(match_id))


def _verified(loaded: "Loaded", file: str) -> list[str]:
    """What the replay of *file*, which proves what it says, does not carry. Raises CommandError for any other."""
    from tradepit_server.replay import ReplayError
    from tradepit_server.replay.verification import verify

    try:
        return verify(*loaded)
    except ReplayError as error:
        raise CommandError(f"{file}: {error}") from error


def _lacking(absent: list[str]) -> str:
    return f" (absent: {', '.join(absent)})" if absent else ""
