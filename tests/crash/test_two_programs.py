"""Several programs on one record at the same time."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from crash_plans import PARENT, Strike
from crash_processes import Done, Running, tradepit
from crash_records import places
from crash_run import SEED, Expected, check_nothing_left, check_record, live, words


def table(done: Done) -> list[str]:
    """What a tournament prints, without what only one run of it knows."""
    return [line.rstrip() for line in done.output.splitlines() if not line.startswith("It was complete already")]


@pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
def test_the_same_tournament_in_two_programs(folder: Path, database: str, expected: Expected) -> None:
    """Whatever each of them plays, both end well and tell the same."""
    both = [Running(folder, words("threes", database), {}) for _ in range(2)]
    first, second = (running.end() for running in both)
    assert (first.status, second.status) == (0, 0), first.errors + second.errors
    assert table(first) == table(second)
    check_record("threes", expected, folder, database)
    check_nothing_left(folder)


@pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
def test_two_tournaments_of_a_game_at_once(folder: Path, database: str) -> None:
    game = ("tournament", "run", "buy-low-sell-high", "--time-control", "training", "--db", database)
    bots = [("random", "passive"), ("value", "random")]
    both = [Running(folder, [*game, *pair, "--blocks", "5", "--seed", SEED], {}) for pair in bots]
    first, second = (running.end() for running in both)
    assert (first.status, second.status) == (0, 0), first.errors + second.errors
    assert places(database).total() == 2 * 5 * 2 * 2
    board = tradepit(folder, "ratings", "--json", "--db", database)
    assert '"blocks_counted": 10,' in board.output
    assert '"blocks_waiting": 0,' in board.output
    check_nothing_left(folder)


@pytest.mark.parametrize("strike", [None, Strike("submit: after", 1, PARENT)], ids=["new", "killed"])
def test_a_file_that_another_program_holds_is_waited_for(
    strike: Strike | None, folder: Path, url: str, expected: Expected
) -> None:
    live(folder, words("threes", url), strike or Strike("before commit: application.Ladder.__init__", 1, PARENT))
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        running = Running(folder, words("threes", url), {})
        assert running.until(lambda: "is held by another program; waiting" in running.errors())
        other.execute("ROLLBACK")
    done = running.end()
    assert (done.status, done.errors.count("\n")) == (0, 1), done.errors
    check_record("threes", expected, folder, url)
