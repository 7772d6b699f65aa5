"""``tradepit watch``."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from tradepit_cli import arguments as arg
from tradepit_cli.errors import Misuse
from tradepit_cli.text import visible

if TYPE_CHECKING:
    from tradepit.launch import Target
    from tradepit_cli.stage import Stage
    from tradepit_cli.watching import Messages, Spectator

EXAMPLES = arg.examples(
    "tradepit watch --referee localhost:7070 --token-file token.txt",
    "tradepit watch --list",
    "tradepit watch friday/0/0 friday/0/1",
    "tradepit watch --block friday/0 --plain",
)

MatchesArgument = Annotated[
    list[str] | None, typer.Argument(metavar="MATCH", help="Ids of matches; none: everything that is played.")
]
BlockOption = Annotated[
    list[str] | None,
    typer.Option("--block", metavar="ID", help="All matches of this block; may be given several times."),
]
RefereeOption = Annotated[
    str | None, typer.Option("--referee", metavar="TARGET", help="host:port or unix:/path; default: TRADEPIT_REFEREE.")
]
TokenFileOption = Annotated[
    str | None,
    typer.Option(
        "--token-file",
        metavar="FILE",
        help="Holds a spectator's or organiser's token; default: TRADEPIT_TOKEN itself.",
    ),
]
ListOption = Annotated[bool, typer.Option("--list", help="List the matches that are being played, and leave.")]
PlainOption = Annotated[bool, typer.Option("--plain", help="Plain lines, as in a pipe: no tables, bars or keys.")]


def watch(
    matches: MatchesArgument = None,
    block: BlockOption = None,
    referee: RefereeOption = None,
    token_file: TokenFileOption = None,
    listing: ListOption = False,
    plain: PlainOption = False,
) -> None:
    """Watch matches while they are played: prices, cash, and what happens, as far as everybody may see it.

    The referee shows everything some decisions late. Left and right, or 1 to 9, go from match to match; q leaves.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # before gRPC is there: what goes wrong is ours to tell
    target = _target(referee, token_file)
    from tradepit_cli.watching import connected

    with connected(target) as spectator:
        if listing:
            _list(spectator)
            return
        with spectator.watch(matches or (), block or ()) as messages:
            _show(spectator, messages, plain=plain)


def _target(referee: str | None, token_file: str | None) -> "Target":
    from tradepit.errors import UsageError
    from tradepit.launch import read_target

    given = {"--referee": referee, "--token-file": token_file}
    words = [f"{name}={value}" for name, value in given.items() if value is not None]
    try:
        return read_target("tradepit watch", words, os.environ)
    except UsageError as error:
        raise Misuse(str(error)) from error


def _list(spectator: "Spectator") -> None:
    for match in spectator.matches():
        bots = ", ".join(f"seat {seat} {bot}" for seat, bot in enumerate(match.bots))
        typer.echo(visible(f"{match.match_id}: {match.game} with {bots}"))


def _show(spectator: "Spectator", messages: "Messages", *, plain: bool) -> None:
    from tradepit_cli.rendering import console
    from tradepit_cli.stage import Stage

    stage, screen = Stage(spectator.playbill), console()
    if plain or not screen.is_terminal:
        _tell(stage, messages)
        return
    from rich.live import Live

    from tradepit_cli import keys, live
    from tradepit_cli.stage_rendering import Scene

    inputs = live.Inputs()
    picture = Live(Scene(stage), console=screen, screen=True, auto_refresh=False)
    # Keys outside: the thread that reads them may wait for room until the reading ends.
    with keys.pressed(inputs.put) as there_are_keys, inputs.reading(messages), picture:
        picture.refresh()
        live.play(stage, inputs, picture.refresh, stay=there_are_keys)
    if stage.ended:
        screen.print(Scene(stage))


def _tell(stage: "Stage", messages: "Messages") -> None:
    from tradepit_cli.stage_lines import lines

    for message in messages:
        for line in lines(stage.take(message), message):
            typer.echo(visible(line))
