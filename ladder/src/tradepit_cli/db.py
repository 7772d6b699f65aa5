"""``tradepit db``: looking after the ladder's database."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tradepit_cli.arguments import DatabaseOption, examples
from tradepit_cli.text import plural

if TYPE_CHECKING:
    from tradepit_ladder.database import Database

STATUS_EXAMPLES = examples("tradepit db status", "tradepit db status --db postgresql://ladder@db.example/ladder")
UPGRADE_EXAMPLES = examples("tradepit db upgrade")
BACKUP_EXAMPLES = examples("tradepit db backup friday.backup")
RESTORE_EXAMPLES = examples("tradepit db restore friday.backup --db postgresql://ladder@db.example/ladder")

NewFileArgument = Annotated[str, typer.Argument(metavar="FILE", help="The file to write; it must not exist.")]
FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="A file that 'tradepit db backup' wrote.")]


def status(database: DatabaseOption = None) -> None:
    """Show which database the ladder uses, its schema, and how much it holds."""
    from tradepit_ladder import schema, upkeep

    with _opened(database, read_only=True, existing=True) as opened:
        found = upkeep.status(opened)
    typer.echo(found.shown)
    if found.revision is None:
        typer.echo("empty; the first command that writes to it prepares it")
        return
    newest = "up to date" if found.is_current else f"this tradepit has {schema.head()}: run tradepit db upgrade"
    typer.echo(f"schema {found.revision} ({newest})")
    typer.echo(", ".join(plural(count, singular) for singular, count in found.counts.items()))


def upgrade(database: DatabaseOption = None) -> None:
    """Bring the database of an older tradepit up to date. All of it is done, or nothing.

    Nothing that was played is lost; but older versions of tradepit cannot open it afterwards, so take a copy first:
    tradepit db backup FILE.
    """
    from tradepit_ladder import folding, upkeep

    with _opened(database, existing=True) as opened:
        before, now = upkeep.upgrade(opened)
        folding.advance_all(opened)
        shown = opened.shown
    typer.echo(f"{shown} was up to date: schema {now}" if before == now else f"{shown}: schema {before} is {now} now")


def backup(file: NewFileArgument, database: DatabaseOption = None) -> None:
    """Write one state of the database to FILE, while tournaments go on.

    Replays are not in it: they are files that never change. Copy their folder afterwards.
    """
    from tradepit_ladder import backup as backups

    with _opened(database, read_only=True, existing=True) as opened:
        contents = backups.backup(opened, Path(file))
    typer.echo(f"Wrote {plural(contents.rows, 'row')} (schema {contents.revision}) to {file}")


def restore(file: FileArgument, database: DatabaseOption = None) -> None:
    """Make a database again from FILE. It must be empty; it can be of another kind than the one that was backed up.

    All of it is stored, or nothing.
    """
    from tradepit_ladder import backup as backups

    with _opened(database) as opened:
        contents = backups.restore(opened, Path(file))
        shown = opened.shown
    typer.echo(f"{shown} has the {plural(contents.rows, 'row')} of {file}")


@contextmanager
def _opened(url: str | None, *, read_only: bool = False, existing: bool = False) -> Iterator["Database"]:
    """The database, whatever its schema is; created where it is missing, unless it is to be *existing*.

    Raises CommandError.
    """
    from contextlib import closing

    from tradepit_cli.ladders import asking, database_url
    from tradepit_ladder.database import Database

    chosen = database_url(url, existing=existing)
    with asking(), closing(Database(chosen, read_only=read_only, unchecked=True, on_wait=_tell)) as opened:
        yield opened


def _tell(message: str) -> None:
    typer.echo(f"tradepit: {message}", err=True)
