"""Puts a ladder together from its parts: database, worker, referee."""

import multiprocessing
import signal
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from tradepit_cli.errors import CommandError
from tradepit_cli.home import home, prepared_home
from tradepit_cli.targets import Target

if TYPE_CHECKING:
    from tradepit_ladder.client import LadderClient

DATABASE_FILE = "ladder.db"
"""In the home folder."""


def open_ladder(database_url: str | None) -> "LadderClient":
    """The ladder in *database_url*; None: the user's own, created where it was missing. Raises CommandError."""
    from tradepit_ladder.application import Ladder
    from tradepit_ladder.client import LadderError
    from tradepit_server.node import run_shard

    url = sqlite_url(prepared_home() / DATABASE_FILE) if database_url is None else database_url
    try:
        return Ladder(url, run_shard, worker)
    except LadderError as error:
        raise CommandError(str(error)) from error


def sqlite_url(path: Path) -> str:
    """The URL of the SQLite database in the file *path*."""
    return f"sqlite:///{path}"


def worker() -> Executor:
    """One process that plays shards. Ctrl-C is the parent's to handle: it then ends the worker."""
    return ProcessPoolExecutor(
        max_workers=1,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_IGN),
    )


def added_targets() -> Sequence[Target]:
    """The bots that the user has added; none where no ladder has been opened yet."""
    if not (home() / DATABASE_FILE).exists():
        return []
    return targets_of(open_ladder(None))


def targets_of(ladder: "LadderClient") -> list[Target]:
    """The bots that were added to *ladder*."""
    return [Target(bot.name, bot.command, bot.working_directory) for bot in ladder.bots()]
