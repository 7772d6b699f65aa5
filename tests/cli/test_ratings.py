"""Ratings on the screen, as JSON and as CSV; histories; rebuilding."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bulk_record import Sat, add_bots, add_results, name, random_matches
from sqlalchemy import text
from typer.testing import Result

from tradepit_ladder import folding
from tradepit_ladder.database import Database

Cli = Callable[..., Result]

BOTS = 10


@pytest.fixture
def url(folder: Path) -> str:
    """Of a ladder with results in Long Short, all stored in the ratings; bot 1 has had a second version."""
    url = f"sqlite:///{folder / 'ladder.db'}"
    matches = list(random_matches(Random(2), 120, BOTS, (4,), ties=0.2))
    matches += [[Sat(BOTS - 1, 1), Sat(BOTS, 2)]] * 40  # so that the last is clearly the last
    with closing(Database(url)) as database:
        add_bots(database, BOTS + 1, versions=2)
        add_results(database, [[sat._replace(version=1 + i // 80) for sat in m] for i, m in enumerate(matches)], GAME)
        folding.advance(database, GAME)
    return url


GAME = "long-short"


@pytest.fixture
def told(cli: Cli, url: str) -> Callable[..., str]:
    """What a command prints, which must succeed."""

    def told(*words: str) -> str:
        done = cli(*words, "--db", url)
        assert (done.exit_code, done.stderr) == (0, "")
        return done.stdout

    return told


def table(printed: str) -> Iterator[dict[str, str]]:
    return iter(csv.DictReader(io.StringIO(printed)))


def test_a_rank_that_may_as_well_be_the_nexts_is_marked(told: Callable[..., str]) -> None:
    printed = told("ratings", "--game", GAME)
    rows = json.loads(told("ratings", "--game", GAME, "--json"))[0]["standings"]
    for row in rows:
        mark = "~" if row["separable"] is False else ""
        assert f"{mark}{row['rank']}  {row['bot']}" in printed
    assert {row["separable"] for row in rows} == {True, False, None}
    assert "~ not separable from the next" in printed
    assert "measured in the first 100 matches (version 2)" in printed
    assert "among the first 8" in printed


def test_pages_say_of_how_many(told: Callable[..., str]) -> None:
    page = told("ratings", "--game", GAME, "--limit", "3", "--skip", "2")
    assert f"3 of {BOTS} bots; others: --limit N, --skip N" in page
    whole = [row["bot"] for row in table(told("ratings", "--game", GAME, "--csv"))]
    assert [row["bot"] for row in table(told("ratings", "--csv", "--limit", "3", "--skip", "2"))] == whole[2:5]
    assert f"there are no more than {BOTS} bots" in told("ratings", "--skip", "99")


def test_csv_says_what_json_says(told: Callable[..., str]) -> None:
    rows = list(table(told("ratings", "--csv")))
    (board,) = (each for each in json.loads(told("ratings", "--json")) if each["standings"])
    assert len(rows) == len(board["standings"]) == BOTS
    for row, standing in zip(rows, board["standings"], strict=True):
        assert row.pop("game") == board["game"] == GAME
        assert row.pop("separable") == {True: "true", False: "false", None: ""}[standing.pop("separable")]
        assert row == {key: str(value) for key, value in standing.items()}
    assert (board["fold_version"], board["draw_measured"], board["bots"]) == (2, 100, BOTS)


def test_a_history_is_told_with_a_chart_and_the_versions(told: Callable[..., str]) -> None:
    printed = told("ratings", "history", name(1))
    points: list[dict[str, Any]] = json.loads(told("ratings", "history", name(1), "--json"))[0]["points"]
    last = points[-1]
    assert f"mu {last['mu']:.2f}, sigma {last['sigma']:.2f} after {len(points)} matches" in printed
    first = next(index for index, point in enumerate(points) if point["version"] == 2)
    assert f"version 2 from match {first + 1} on ({points[first]['match_id']})" in printed
    assert "█ mu" in printed
    rows = list(table(told("ratings", "history", name(1), "--csv")))
    assert [{"game": GAME, **{key: str(value) for key, value in point.items()}} for point in points] == rows


def test_who_has_not_played_has_no_history(told: Callable[..., str]) -> None:
    assert told("ratings", "history", name(BOTS + 1)) == f"No match of {name(BOTS + 1)} counts yet\n"
    assert "no match counts yet" in told("ratings", "history", name(1), "--game", "buy-low-sell-high")
    assert json.loads(told("ratings", "history", name(BOTS + 1), "--json")) == []


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["ratings", "history", "bot-0001"], "there is no bot 'bot-0001'; near: bot-000"),
        (["ratings", "--json", "--csv"], "--json and --csv are two forms of the same"),
        (["ratings", "history", "x", "--json", "--csv"], "--json and --csv are two forms of the same"),
        (["ratings", "--limit", "0"], "--limit '0' is not a whole number from 1 to 1000000"),
        (["ratings", "--skip", "-1"], "--skip '-1' is not a whole number from 0 to 1000000"),
        (["ratings", "--json", "history", name(1)], "--json stands before 'history'; it belongs behind it"),
        (["ratings", "rebuild", "--on-new-version", "forget"], "'forget' is not one of 'keep', 'widen', 'reset'"),
        (["ratings", "rebuild", "--game", "go"], "no game 'go' is installed"),
    ],
)
def test_wrong_use_is_told_in_one_line(cli: Cli, url: str, words: list[str], line: str) -> None:
    done = cli(*words, "--db", url)
    assert done.exit_code == 2
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


def test_rebuilding_says_identical_or_what_was_not_and_puts_it_right(
    cli: Cli, told: Callable[..., str], url: str
) -> None:
    identical = f"{GAME}: 160 matches folded again, version 2: identical\n"
    assert told("ratings", "rebuild", "--game", GAME) == identical
    with closing(Database(url)) as database:
        change = text("UPDATE ratings SET mu = mu + 1, faults = 7 WHERE bot_id = 3")
        database.write(lambda session: session.connection().execute(change).close())
    done = cli("ratings", "rebuild", "--game", GAME, "--db", url)
    assert done.exit_code == 1
    assert "160 matches folded again, version 2; 2 differences, put right:" in done.stdout
    assert f"  {name(3)}: faults 7 is 0\n" in done.stdout
    assert done.stderr == f"tradepit: the ratings of {GAME} were not those that the results give; now they are\n"
    assert told("ratings", "rebuild", "--game", GAME) == identical


def test_another_policy_makes_another_version(told: Callable[..., str]) -> None:
    before = told("ratings", "--json")
    assert "version 3; new versions of bots: keep" in told("ratings", "rebuild", "--on-new-version", "keep")
    assert told("ratings", "--json") != before
    assert "version 3: identical" in told("ratings", "rebuild")


def test_a_ladder_without_results_has_nothing_to_rebuild(cli: Cli) -> None:
    done = cli("ratings", "rebuild", "--game", GAME)
    assert (done.exit_code, done.stdout) == (0, f"{GAME}: nothing has been rated yet\n")
