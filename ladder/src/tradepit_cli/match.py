"""``tradepit match list`` and ``tradepit match show``."""

from typing import Annotated

import typer

from tradepit_cli.arguments import DatabaseOption, examples, whole_number

LIST_EXAMPLES = examples(
    "tradepit match list",
    "tradepit match list --bot greedy --tournament friday --limit 50",
    "tradepit match list --json",
)
SHOW_EXAMPLES = examples("tradepit match show friday/0/1/2", "tradepit match show friday/0/1/2 --json")

MOST_LISTED = 1_000

BotOption = Annotated[str | None, typer.Option("--bot", metavar="BOT", help="Only those in which BOT sat.")]
TournamentOption = Annotated[
    str | None, typer.Option("--tournament", metavar="NAME", help="Only those of this tournament.")
]
LimitOption = Annotated[
    int,
    typer.Option("--limit", metavar="N", parser=whole_number("--limit", MOST_LISTED), help="At most so many."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print a JSON list.")]
MatchArgument = Annotated[str, typer.Argument(metavar="MATCH", help="The match's id, as 'match list' tells it.")]


def list_matches(
    bot: BotOption = None,
    tournament: TournamentOption = None,
    limit: LimitOption = 20,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """List the matches that count, the latest first, each with its bots by seat and their placements."""
    from tradepit_cli.ladders import open_ladder
    from tradepit_cli.match_rendering import show_matches
    from tradepit_cli.rendering import console, print_json

    with open_ladder(database, read_only=True) as ladder:
        found = ladder.matches(bot=bot, tournament=tournament, limit=limit)
    if as_json:
        print_json(found)
    else:
        show_matches(found, console())


def show(match: MatchArgument, as_json: JsonOption = False, database: DatabaseOption = None) -> None:
    """Show who sat where in a match, what came of it, and how to see it again."""
    from tradepit_cli.ladders import open_ladder
    from tradepit_cli.match_rendering import show_match
    from tradepit_cli.rendering import console, print_json

    with open_ladder(database, read_only=True) as ladder:
        found = ladder.match(match)
    if as_json:
        print_json([found])
    else:
        show_match(found, console())
