"""``tradepit ratings``, ``tradepit ratings history`` and ``tradepit ratings rebuild``."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradepit_cli import arguments as arg
from tradepit_cli.errors import CommandError, Misuse

if TYPE_CHECKING:
    from tradepit_ladder.client import Leaderboard
    from tradepit_ladder.rating_reports import RatingHistory

EXAMPLES = arg.examples(
    "tradepit ratings", "tradepit ratings --game long-short --json", "tradepit ratings --limit 20 --csv"
)
HISTORY_EXAMPLES = arg.examples(
    "tradepit ratings history greedy", "tradepit ratings history greedy --game long-short --csv"
)
REBUILD_EXAMPLES = arg.examples(
    "tradepit ratings rebuild", "tradepit ratings rebuild --game long-short --on-new-version keep"
)

MOST_BOTS = 1_000_000
"""More than any ladder has."""

TABLE_FIELDS = ("rank", "bot", "mu", "sigma", "conservative", "matches", "mean_placement", "faults", "separable")
POINT_FIELDS = ("match_id", "placement", "version", "mu", "sigma")
"""The columns of CSV, by the names that JSON has for them."""


class Policy(StrEnum):
    """The values of ``--on-new-version``."""

    KEEP = "keep"
    WIDEN = "widen"
    RESET = "reset"


GameOption = Annotated[str | None, typer.Option("--game", metavar="GAME", help="One game; default: all.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print a JSON list with the leaderboard of each game.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print comma-separated values, one line a bot.")]
LimitOption = Annotated[
    int,
    typer.Option("--limit", metavar="N", parser=arg.whole_number("--limit", MOST_BOTS), help="At most so many bots."),
]
SkipOption = Annotated[
    int,
    typer.Option(
        "--skip", metavar="N", parser=arg.whole_number("--skip", MOST_BOTS, 0), help="Leave out the first N bots."
    ),
]
BotArgument = Annotated[str, typer.Argument(metavar="BOT", help="The bot's name.")]
JsonHistoryOption = Annotated[bool, typer.Option("--json", help="Print a JSON list with the history in each game.")]
CsvHistoryOption = Annotated[bool, typer.Option("--csv", help="Print comma-separated values, one line a match.")]
PolicyOption = Annotated[
    Policy | None,
    typer.Option(
        "--on-new-version",
        help="What a new version of a bot does to its rating from now on: keep it; keep mu and widen sigma to that of "
        "a new bot, as is the default; or reset both.",
    ),
]


def ratings(
    ctx: typer.Context,
    game: GameOption = None,
    limit: LimitOption = 100,
    skip: SkipOption = 0,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
    database: arg.DatabaseOption = None,
) -> None:
    """Show the ratings of all bots over all tournaments."""
    if ctx.invoked_subcommand is not None:
        _check_no_options(ctx)
        return
    from tradepit_cli.ladders import open_ladder
    from tradepit_cli.rendering import print_json

    _check_one_form(as_json, as_csv)
    names = _games(game)
    with open_ladder(database, read_only=True) as ladder:
        boards = [ladder.leaderboard(name, limit=limit, skip=skip) for name in names]
    if as_json:
        print_json(boards)
    elif as_csv:
        _print_csv(TABLE_FIELDS, ((board.game, row) for board in boards for row in board.standings))
    else:
        _show(boards)


def _check_no_options(ctx: typer.Context) -> None:
    """Raises Misuse for options that would be lost on the command that follows them."""
    for option in ctx.command.params:
        source = ctx.get_parameter_source(str(option.name))
        if source is not None and source.name == "COMMANDLINE":
            raise Misuse(f"{option.opts[0]} stands before {ctx.invoked_subcommand!r}; it belongs behind it")


def history(
    bot: BotArgument,
    game: GameOption = None,
    as_json: JsonHistoryOption = False,
    as_csv: CsvHistoryOption = False,
    database: arg.DatabaseOption = None,
) -> None:
    """Show how a bot's rating came about, match by match."""
    from tradepit_cli.ladders import open_ladder
    from tradepit_cli.rendering import print_json

    _check_one_form(as_json, as_csv)
    names = _games(game)
    with open_ladder(database, read_only=True) as ladder:
        found = [ladder.rating_history(bot, name) for name in names]
    if game is None:
        found = [each for each in found if each.points]
    if as_json:
        print_json(found)
    elif as_csv:
        _print_csv(POINT_FIELDS, ((each.game, point) for each in found for point in each.points))
    else:
        _show_histories(bot, found)


def rebuild(game: GameOption = None, policy: PolicyOption = None, database: arg.DatabaseOption = None) -> None:
    """Make the ratings again from the first result, and say whether those that were shown are the same, bit by bit.

    What was made again takes their place.
    """
    from tradepit_cli.ladders import open_ladder
    from tradepit_cli.rating_rendering import show_rebuilt
    from tradepit_cli.rendering import console

    screen, wrong = console(), []
    names = _games(game)
    with open_ladder(database) as ladder:
        for name in names:
            rebuilt = ladder.rebuild_ratings(name, policy)
            show_rebuilt(rebuilt, screen)
            wrong += [name] * bool(rebuilt.differences)
    if wrong:
        raise CommandError(f"the ratings of {', '.join(wrong)} were not those that the results give; now they are")


def _games(game: str | None) -> Sequence[str]:
    from tradepit_server import registry

    return registry.names() if game is None else [arg.game_info(game).name]


def _check_one_form(as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise Misuse("--json and --csv are two forms of the same; one of them is enough")


def _print_csv(fields: Sequence[str], rows: Iterable[tuple[str, Any]]) -> None:
    """*rows* are of a game each."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("game", *fields))
    writer.writerows((game, *map(_cell, (getattr(row, field) for field in fields))) for game, row in rows)
    typer.echo(text.getvalue(), nl=False)


def _cell(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _show(boards: "list[Leaderboard]") -> None:
    from tradepit_cli.ladder_rendering import show_leaderboard, show_void
    from tradepit_cli.rendering import console

    screen = console()
    for board in boards:
        show_leaderboard(board, f"Ratings: {board.game}", screen)
        show_void(board.void, screen)
    if not any(board.bots for board in boards):
        screen.print("To change that: tradepit tournament run GAME BOT BOT ...")


def _show_histories(bot: str, found: "Sequence[RatingHistory]") -> None:
    from tradepit_cli.rating_rendering import show_history
    from tradepit_cli.rendering import console

    screen = console()
    for each in found:
        show_history(each, screen)
    if not found:
        screen.print(f"No match of {bot} counts yet", soft_wrap=True)
