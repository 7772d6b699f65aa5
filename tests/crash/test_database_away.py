"""A database that goes away for a while: the tournament waits, says so, and ends right."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import crash_records
import pytest
from crash_line import DatabaseLine
from crash_processes import Running
from crash_run import Expected, check_nothing_left, check_record, words
from databases import INSTALL

SECONDS = float(os.environ.get("CRASH_AWAY_SECONDS", "2"))
"""How long the database is away."""

COMMITS = 12
"""As many as the tournament has at the least, once the tables are there."""

MOMENTS = list(zip(Random(7).sample(range(2, COMMITS), 2), (True, False), strict=True))


@pytest.fixture
def url(folder: Path, require: Any) -> Iterator[str]:
    require(crash_records.is_reachable(), INSTALL)
    with crash_records.database("postgresql", folder) as url:
        yield url


@pytest.mark.parametrize(("commit", "before"), MOMENTS)
def test_a_tournament_outlasts_a_database_that_goes_away(
    commit: int, before: bool, folder: Path, url: str, expected: Expected
) -> None:
    """Cut before a COMMIT gets there, or between it and its answer."""
    cut = threading.Event()
    with DatabaseLine(url, commit, before=before, told=cut.set) as line:
        running = Running(folder, words("threes", line.url), {})
        assert running.until(cut.is_set), running.end().errors
        mending = threading.Timer(SECONDS, line.mend)
        mending.start()
        assert running.until(lambda: "waiting up to" in running.errors())
        done = running.end()
        mending.join()
    assert (done.status, line.refused > 0) == (0, True), done.errors
    assert done.errors.count("\n") == 1, done.errors
    check_record("threes", expected, folder, url)
    check_nothing_left(folder)


def test_a_database_that_stays_away_is_told_in_one_line(folder: Path) -> None:
    done = Running(folder, words("threes", "postgresql://nobody:hidden@127.0.0.1:1/test"), {}).end()
    assert done.status == 1
    assert done.errors.startswith("tradepit: database postgresql://nobody:***@127.0.0.1:1/test: ")
    assert done.errors.count("\n") == 1
    assert "hidden" not in done.errors + done.output
