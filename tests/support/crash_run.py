"""A tournament that is killed, goes on, and is compared with the one that nobody disturbed."""

import hashlib
import json
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import takewhile
from pathlib import Path
from signal import SIGKILL
from tempfile import mkdtemp

import crash_records
from crash_plans import Plan, Strike
from crash_processes import Done, Running, living, outlived, sockets
from crash_program import AT, FOLDER
from rating_tables import board

from tradepit.replay_file import unpack
from tradepit_ladder.database import Database
from tradepit_server.replay.files import parse
from tradepit_server.replay.verification import verify

SEED = "5eed" * 16

TOURNAMENTS: dict[str, tuple[str, ...]] = {
    "pairs": ("long-short", "random", "passive", "greedy", "--table-size", "2", "--blocks", "3"),
    "threes": ("buy-low-sell-high", "random", "passive", "value", "--table-size", "3", "--blocks", "6"),
}
"""Small ones of bots that play the same again, by name."""

WORKERS = {"pairs": ("--workers", "2"), "threes": ("--workers", "1")}

NAME = "disturbed"


class Wrong(AssertionError):
    """What a run that was disturbed did wrong; one line."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A tournament that nobody disturbed."""

    points: Counter[str]
    """How many there were of each kind in one process."""
    places: crash_records.Rows
    ratings: str
    """All that is shown of them."""


@dataclass(slots=True)
class Outcome:
    """What came of a plan."""

    plan: Plan
    struck: list[Strike] = field(default_factory=list)
    """The strikes that met."""
    recovery: str = ""
    """How it went on."""
    seconds: float = 0.0
    problem: str = ""
    """What was wrong, empty: nothing."""
    folder: Path | None = None
    """What is kept of a run that went wrong."""


def words(tournament: str, url: str) -> list[str]:
    """The arguments of ``tradepit`` that begin a tournament, or go on with it."""
    return [
        *("tournament", "run", *TOURNAMENTS[tournament], "--name", NAME),
        *("--seed", SEED, "--time-control", "training", *WORKERS[tournament], "--db", url),
    ]


@contextmanager
def run_folder() -> Iterator[Path]:
    """A folder with a short name, as sockets need it; it stays after a failure."""
    folder = Path(mkdtemp(prefix="tp-"))
    yield folder
    shutil.rmtree(folder)


@cache
def undisturbed(database: str, tournament: str) -> Expected:
    """Play *tournament* with nothing but the probes."""
    with run_folder() as folder, crash_records.database(database, folder) as url:
        done = live(folder, words(tournament, url), None)
        if done.status:
            raise Wrong(f"undisturbed, it ended with status {done.status}: {done.errors.strip()}")
        return Expected(_points(folder), crash_records.places(url), _ratings(tournament, url))


def carry_out(plan: Plan, expected: Expected) -> Outcome:
    """Do what *plan* says, in a folder and a database of its own.

    How many points there are of a kind depends on how fast things go: where there are fewer now, at an earlier one.
    """
    begun = time.monotonic()
    outcome = _try(plan, expected)
    while not (outcome.struck or outcome.problem) and (earlier := plan.strikes[0].count // 2):
        plan = replace(plan, strikes=(replace(plan.strikes[0], count=earlier), *plan.strikes[1:]))
        outcome = _try(plan, expected)
    outcome.seconds = time.monotonic() - begun
    return outcome


def _try(plan: Plan, expected: Expected) -> Outcome:
    outcome = Outcome(plan)
    try:
        with run_folder() as folder, crash_records.database(plan.database, folder) as url:
            outcome.folder = folder
            _carry_out(plan, expected, folder, url, outcome)
        outcome.folder = None
    except Exception as error:  # whatever it is, the other runs are to be carried out, and this one told
        outcome.problem = str(error) if isinstance(error, Wrong) else repr(error)
    return outcome


def _carry_out(plan: Plan, expected: Expected, folder: Path, url: str, outcome: Outcome) -> None:
    kept: dict[str, crash_records.Rows] = {}
    ways = []
    for life, strike in enumerate([*plan.strikes, None]):
        way = _way(plan, url) if life else words(plan.tournament, url)
        done = live(folder, way, strike)
        _check_end(done, strike, folder)
        ways.append(way[1] if life else "")
        if strike is not None and (folder / "struck").exists():
            outcome.struck.append(strike)
        if strike is not None and done.status == -SIGKILL:
            kept = _check_kept(kept, url)
            if not plan.at_once and (left := outlived(folder)):
                raise Wrong(f"it outlives who started it: {left}")
        else:
            break
    outcome.recovery = ", ".join(filter(None, ways)) or "by itself"
    _check_kept(kept, url)
    check_nothing_left(folder)
    check_record(plan.tournament, expected, folder, url)


def _way(plan: Plan, url: str) -> list[str]:
    """How to go on. Of a tournament that had not been begun nobody knows the name."""
    begun = crash_records.read(url, {"tournaments": "SELECT name FROM tournaments"})["tournaments"]
    if plan.resume and begun:
        return ["tournament", "resume", NAME, *WORKERS[plan.tournament], "--db", url]
    return words(plan.tournament, url)


def live(folder: Path, arguments: list[str], strike: Strike | None) -> Done:
    """Run the command once. Where it is killed, what it started may still run."""
    for trace in ("points", "struck"):
        (folder / trace).unlink(missing_ok=True)
    at = {} if strike is None else {"kind": strike.kind, "count": strike.count, "victim": strike.victim}
    return Running(folder, arguments, {FOLDER: str(folder), AT: json.dumps(at)}, probed=True).end()


def _check_end(done: Done, strike: Strike | None, folder: Path) -> None:
    killed = strike is not None and (folder / "struck").exists()
    if done.status == 0 or (killed and done.status == -SIGKILL):
        return
    raise Wrong(f"it ended with status {done.status}: {done.errors.strip()}")


def _points(folder: Path) -> Counter[str]:
    """The points that were reached, by kind; of several processes the most."""
    counts = Counter((folder / "points").read_text().splitlines())
    most: Counter[str] = Counter()
    for line, count in counts.items():
        kind = line.partition(" ")[2]
        most[kind] = max(most[kind], count)
    return most


def _ratings(tournament: str, url: str) -> str:
    """The leaderboard, as text in which every bit of a number is."""
    with closing(Database(url, read_only=True)) as record:
        return repr(board(record, TOURNAMENTS[tournament][0]))


def _check_kept(before: dict[str, crash_records.Rows], url: str) -> dict[str, crash_records.Rows]:
    """What is recorded now, among it, unchanged, what was *before*."""
    now = crash_records.results(url)
    for table, rows in before.items():
        if lost := rows - now[table]:
            raise Wrong(f"of {table}, {lost.total()} rows are gone or changed, one is {next(iter(lost))}")
    return now


def check_nothing_left(folder: Path) -> None:
    """No process of the run in *folder* goes on, and no socket is left of it. Raises Wrong."""
    if living(folder) and (left := outlived(folder)):
        raise Wrong(f"it is left running: {left}")
    if left := sockets(folder):
        raise Wrong(f"folders of sockets are left: {left}")


def check_record(tournament: str, expected: Expected, folder: Path, url: str, *, replays: bool = True) -> None:
    """The record at *url* is that of *expected*, with all its *replays* if they are to be there. Raises Wrong."""
    places = crash_records.places(url)
    if strange := (places - expected.places) + (expected.places - places):
        raise Wrong(f"results differ, here or there {strange.total()}, one is {next(iter(strange))}")
    if ratings := _difference(_ratings(tournament, url), expected.ratings):
        raise Wrong(f"ratings differ: {ratings}")
    if replays:
        _check_replays(folder, url)


def _difference(one: str, other: str) -> str:
    """Where they part, with what follows; empty: nowhere."""
    if one == other:
        return ""
    equal = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    at = sum(1 for _ in equal)
    return f"{one[at:][:80]!r}, not {other[at:][:80]!r}"


def _check_replays(folder: Path, url: str) -> None:
    rows = crash_records.read(url, {"matches": "SELECT replay_sha256 FROM matches"})["matches"]
    for digest in sorted(str(row[0]) for row in rows):
        path = folder / "home" / "replays" / digest[:2] / f"{digest}.replay.zst"
        if not path.exists() or hashlib.sha256(unpack(path.read_bytes())).hexdigest() != digest:
            raise Wrong(f"replay {digest} is missing or damaged")
    if wrong := verify(*parse(path.read_bytes())):
        raise Wrong(f"replay {path} does not verify: {', '.join(wrong)}")
