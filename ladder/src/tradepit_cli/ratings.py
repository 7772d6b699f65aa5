"""``tradepit ratings``."""

from typing import TYPE_CHECKING, Annotated

import typer

from tradepit_cli import arguments as arg

if TYPE_CHECKING:
    from tradepit_ladder.client import Leaderboard

EXAMPLES = arg.examples("tradepit ratings", "tradepit ratings --game long-short --json")

GameOption = Annotated[str | None, typer.Option("--game", metavar="GAME", help="One game; default: all.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print a JSON list with the leaderboard of each game.")]


def ratings(game: GameOption = None, as_json: JsonOption = False, database: arg.DatabaseOption = None) -> None:
    """Show the ratings of all bots over all tournaments."""
    from tradepit_cli.ladders import open_ladder
    from tradepit_server import registry

    games = registry.names() if game is None else [arg.game_info(game).name]
    with open_ladder(database, read_only=True) as ladder:
        boards = [ladder.leaderboard(name) for name in games]
    if as_json:
        typer.echo(_as_json(boards))
    else:
        _show(boards)


def _as_json(boards: "list[Leaderboard]") -> str:
    import json
    from dataclasses import asdict

    return json.dumps([asdict(board) for board in boards], indent=2)


def _show(boards: "list[Leaderboard]") -> None:
    from tradepit_cli.ladder_rendering import show_leaderboard, show_void
    from tradepit_cli.rendering import console

    screen = console()
    for board in boards:
        show_leaderboard(board, f"Ratings: {board.game}", screen)
        show_void(board.void, screen)
    if not any(board.standings for board in boards):
        screen.print("To change that: tradepit tournament run GAME BOT BOT ...")
