"""Puts a ladder together from its parts: database, worker, referee."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tradepit_cli.errors import CommandError, Misuse
from tradepit_cli.home import home, prepared_home
from tradepit_cli.targets import Target, house_names
from tradepit_cli.text import shortened, visible

if TYPE_CHECKING:
    from tradepit_ladder.client import LadderClient

DATABASE_FILE = "ladder.db"
"""In the home folder."""

REPLAY_FOLDER = "replays"
"""In the home folder; of ladders in other databases too, since replays are named by their content."""

_SQLITE = "sqlite:///"

_NOWHERE = "sqlite://"
"""A database in memory: what there is to read where there is none."""


MOST_DEFAULT_WORKERS = 4
"""However many cores there are: each worker has up to 12 bots, which take memory too."""


def default_workers() -> int:
    """One for every two cores that this process may use: a referee fills one, and its bots have the other."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores // 2, MOST_DEFAULT_WORKERS))


@contextmanager
def open_ladder(
    database_url: str | None, *, read_only: bool = False, replays: Path | None = None, workers: int = 1
) -> Iterator["LadderClient"]:
    """The ladder in *database_url*; None: the user's own. One that is missing is created.

    Of a *read_only* one nothing is written or created, and the user's own is empty where it is missing. *workers* is
    the number of processes that play. Raises CommandError, also for what the ladder cannot do while it is open.
    """
    from tradepit_ladder.application import Ladder
    from tradepit_ladder.pool import WorkerPool
    from tradepit_server import registry

    url = _own(read_only) if database_url is None else _checked(database_url, read_only)
    house = {name for game in registry.names() for name in house_names(game)}
    folder = home() / REPLAY_FOLDER if replays is None else replays
    kept = read_only and url != _NOWHERE
    with (
        _cleared(),
        asking(),
        Ladder(
            url,
            run_shard,
            partial(WorkerPool, workers),
            replays=folder,
            house_bots=house,
            workers=workers,
            read_only=kept,
            notice=_tell,
        ) as ladder,
    ):
        yield ladder


@contextmanager
def _cleared() -> Iterator[None]:
    """In the end, what workers that were killed have left behind is cleared away."""
    from tradepit_server.hosting.folder import clear_away

    try:
        yield
    finally:
        clear_away()


@contextmanager
def open_existing(given: str | None, *, workers: int = 1) -> Iterator["LadderClient"]:
    """The ladder that *given* names as for ``open_ladder``, which must be there. Raises CommandError."""
    with open_ladder(database_url(given, existing=True), workers=workers) as ladder:
        yield ladder


def _tell(notice: str) -> None:
    """Say on standard error what is waited for."""
    print(f"tradepit: {shortened(visible(notice))}", file=sys.stderr, flush=True)


def run_shard(request: bytes) -> bytes:
    """As tradepit_server.node.run_shard, which only the worker needs to load."""
    from tradepit_server import node

    return node.run_shard(request)


def sqlite_url(path: Path) -> str:
    """The URL of the SQLite database in the file *path*, whatever characters are in its name."""
    from sqlalchemy import URL

    return URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)


def database_url(given: str | None, *, existing: bool) -> str:
    """The URL of the database that *given* names, None: of the user's own.

    Raises CommandError where it is to be *existing*, and is not.
    """
    url = _own(existing) if given is None else _checked(given, existing)
    if url == _NOWHERE:
        raise CommandError(f"there is no ladder yet: {str(home() / DATABASE_FILE)!r} does not exist")
    return url


def _own(read_only: bool) -> str:
    path = home() / DATABASE_FILE
    if read_only and not path.exists():
        return _NOWHERE
    return sqlite_url(path if read_only else prepared_home() / DATABASE_FILE)


def _checked(url: str, read_only: bool) -> str:
    if "://" not in url and "@" in url:
        # Not quoted: what is wrong with it may be all but the password.
        raise Misuse(
            f"--db is not given a database URL; one is like {_SQLITE}{DATABASE_FILE} or postgresql://HOST/NAME"
        )
    if "://" not in url:
        raise Misuse(f"--db {url!r} is not a database URL; the one of a file is like {_SQLITE}{url or DATABASE_FILE}")
    if read_only and (path := _file_of(url)) and not path.exists():
        raise Misuse(f"--db {url!r}: there is no such file")
    return url


def _file_of(url: str) -> Path | None:
    """The file of a SQLite database; None where *url* names none, or nothing: the ladder says so."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        return None
    return Path(parsed.database) if parsed.get_backend_name() == "sqlite" and parsed.database else None


@contextmanager
def asking() -> Iterator[None]:
    """What the ladder cannot do ends the command, as CommandError or Misuse."""
    from tradepit_ladder.client import LadderError, RecordError

    try:
        yield
    except RecordError as error:
        raise CommandError(str(error)) from error
    except LadderError as error:
        raise Misuse(str(error)) from error


def added_targets() -> Sequence[Target]:
    """The bots that the user has added; none where no ladder has been opened yet."""
    if not (home() / DATABASE_FILE).exists():
        return []  # and it costs no ladder
    with open_ladder(None, read_only=True) as ladder:
        return targets_of(ladder)


def targets_of(ladder: "LadderClient") -> list[Target]:
    """The bots that were added to *ladder*."""
    return [Target(bot.name, bot.command, bot.working_directory) for bot in ladder.bots()]
