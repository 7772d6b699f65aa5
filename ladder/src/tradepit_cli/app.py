"""The application: every command, and the way each may end."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tradepit import __version__
from tradepit_cli import bots, db, demo, errors, match, play, ratings, referee, replay, stopping, tournament, watch
from tradepit_cli.arguments import examples


class ToldGroup(TyperGroup):
    """The commands; each ends with an exit status and, unless that is 0, with one line."""

    def main(self, args: Sequence[str] | None = None, *_args: Any, **_kwargs: Any) -> Any:
        """Run the command that *args* name, by default those of the process. Raises SystemExit."""
        with errors.told():
            status = super().main(args, "tradepit", standalone_mode=False)
            if status == errors.Stopped.exit_status:  # what Typer makes of Ctrl-C, wherever it fell
                raise errors.Stopped("stopped")
            sys.stdout.flush()  # here, where a broken pipe is still told quietly
            sys.exit(status)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tradepit {__version__}")
        raise typer.Exit


VersionOption = Annotated[
    bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
]

# Plain help: the same on a terminal and in a pipe, and quick to start.
app = typer.Typer(name="tradepit", cls=ToldGroup, add_completion=False, rich_markup_mode=None)
_tournament = typer.Typer(rich_markup_mode=None)
_match = typer.Typer(rich_markup_mode=None)
_ratings = typer.Typer(rich_markup_mode=None)
_bot = typer.Typer(rich_markup_mode=None)
_replay = typer.Typer(rich_markup_mode=None)
_db = typer.Typer(rich_markup_mode=None)


@app.callback(
    invoke_without_command=True,
    epilog=examples("tradepit demo", "tradepit play long-short random greedy"),
)
def root(ctx: typer.Context, version: VersionOption = False) -> None:
    """Tournaments between bots that play market games."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


@_tournament.callback(epilog=examples("tradepit tournament run long-short random greedy"))
def tournament_group() -> None:
    """Rated tournaments between bots that the ladder knows."""


@_match.callback(epilog=examples("tradepit match list --bot greedy"))
def match_group() -> None:
    """Matches that count: who played, and what came of it."""


@_bot.callback(epilog=examples("tradepit bot list"))
def bot_group() -> None:
    """The bots that can enter tournaments."""


@_replay.callback(epilog=examples("tradepit replay show match.replay.zst"))
def replay_group() -> None:
    """Matches that were played: told, exported, checked."""


@_db.callback(epilog=examples("tradepit db status"))
def db_group() -> None:
    """The ladder's database: its schema, backups."""


app.command(epilog=demo.EXAMPLES)(demo.demo)
app.command(epilog=play.EXAMPLES)(play.play)
app.add_typer(_tournament, name="tournament")
_tournament.command("run", epilog=tournament.RUN_EXAMPLES)(tournament.run)
_tournament.command("resume", epilog=tournament.RESUME_EXAMPLES)(tournament.resume)
_tournament.command("list", epilog=tournament.LIST_EXAMPLES)(tournament.list_tournaments)
_tournament.command("pause", epilog=tournament.PAUSE_EXAMPLES)(tournament.pause)
_tournament.command("cancel", epilog=tournament.CANCEL_EXAMPLES)(tournament.cancel)
app.add_typer(_match, name="match")
_match.command("list", epilog=match.LIST_EXAMPLES)(match.list_matches)
_match.command("show", epilog=match.SHOW_EXAMPLES)(match.show)
app.add_typer(_ratings, name="ratings")
_ratings.callback(invoke_without_command=True, epilog=ratings.EXAMPLES)(ratings.ratings)
_ratings.command("history", epilog=ratings.HISTORY_EXAMPLES)(ratings.history)
_ratings.command("rebuild", epilog=ratings.REBUILD_EXAMPLES)(ratings.rebuild)
app.command(epilog=referee.EXAMPLES)(referee.referee)
app.command(epilog=watch.EXAMPLES)(watch.watch)
app.add_typer(_replay, name="replay")
_replay.command("show", epilog=replay.SHOW_EXAMPLES)(replay.show)
_replay.command("export", epilog=replay.EXPORT_EXAMPLES)(replay.export)
_replay.command("verify", epilog=replay.VERIFY_EXAMPLES)(replay.verify)
app.add_typer(_bot, name="bot")
_bot.command("add", epilog=bots.ADD_EXAMPLES)(bots.add)
_bot.command("set", epilog=bots.SET_EXAMPLES)(bots.set_target)
_bot.command("list", epilog=bots.LIST_EXAMPLES)(bots.list_bots)
_bot.command("withdraw", epilog=bots.WITHDRAW_EXAMPLES)(bots.withdraw)
app.add_typer(_db, name="db")
_db.command("status", epilog=db.STATUS_EXAMPLES)(db.status)
_db.command("upgrade", epilog=db.UPGRADE_EXAMPLES)(db.upgrade)
_db.command("backup", epilog=db.BACKUP_EXAMPLES)(db.backup)
_db.command("restore", epilog=db.RESTORE_EXAMPLES)(db.restore)


def main() -> None:
    """Run the command line. Raises SystemExit."""
    errors.prepare_streams()
    stopping.listen()
    app()
