"""Tournaments, ratings and bots of the user's: the tournaments for real, in processes of their own."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

Shell = Callable[..., "subprocess.CompletedProcess[str]"]
Cli = Callable[..., Result]

MINE = """
from tradepit.long_short import LongShortBot, Turn

class Mine(LongShortBot):
    def take_turn(self, view):
        return Turn(orders=[], price_card=view.hand[0])

if __name__ == "__main__":
    Mine().run()
"""


@pytest.fixture
def mine(folder: Path, cli: Cli) -> Path:
    """The file of a bot that was added as "mine"."""
    path = folder / "mine.py"
    path.write_text(MINE)
    assert cli("bot", "add", "mine", "./mine.py").exit_code == 0
    return path


def board(cli: Cli, *args: str) -> dict[str, Any]:
    """The ratings of Long Short."""
    done = cli("ratings", "--json", "--game", "long-short", *args)
    assert (done.exit_code, done.stderr) == (0, "")
    parsed: list[dict[str, Any]] = json.loads(done.stdout)
    (board,) = parsed
    return board


@pytest.mark.usefixtures("mine")
def test_an_added_bot_is_listed_after_those_of_the_house(cli: Cli) -> None:
    listed = cli("bot", "list").stdout
    assert "house bot for long-short" in listed
    assert "mine.py" in "".join(listed.split())  # a long path is folded


@pytest.mark.usefixtures("mine")
def test_an_added_bot_is_rated_by_its_name(shell: Shell, cli: Cli) -> None:
    run = shell("tournament", "run", "long-short", "mine", "greedy", "random", "--table-size", "2", "--blocks", "2")
    assert (run.returncode, run.stderr) == (0, "")
    assert "6 of 6 blocks complete" in run.stdout
    rated = board(cli)
    assert rated["game"] == "long-short"
    assert {row["bot"]: row["matches"] for row in rated["standings"]} == {"mine": 8, "greedy": 8, "random": 8}
    pairs = {(pair["bot"], pair["other"]): pair["above"] + pair["ties"] for pair in rated["pairs"]}
    assert pairs["mine", "greedy"] + pairs["greedy", "mine"] >= 4
    assert "mine" in cli("ratings").stdout


@pytest.mark.usefixtures("mine")
def test_an_added_bot_plays_by_its_name_and_unrated(shell: Shell, cli: Cli) -> None:
    played = shell("play", "long-short", "mine", "random")
    assert (played.returncode, played.stderr) == (0, "")
    assert board(cli)["standings"] == []


@pytest.mark.usefixtures("mine")
def test_a_name_is_added_once(cli: Cli) -> None:
    done = cli("bot", "add", "mine", "python3 mine.py")
    assert done.exit_code == 2
    assert done.stderr == "tradepit: there is a bot 'mine' already\n"


def test_the_same_seed_twice_gives_the_same_table_in_any_database(shell: Shell, cli: Cli, folder: Path) -> None:
    tables = []
    for name in ("one", "two"):
        url = f"sqlite:///{folder / name}.db"
        done = shell("tournament", "run", "long-short", "greedy", "random", "--seed", "ab" * 32, "--db", url)
        assert done.returncode == 0
        assert "reproducible" in done.stdout
        tables.append(board(cli, "--db", url)["standings"])
    assert tables[0] == tables[1] != []
    assert board(cli)["standings"] == []


def test_duplicate_deals_are_refused_with_the_reason(cli: Cli) -> None:
    done = cli("tournament", "run", "long-short", "greedy", "random", "--deal", "duplicate")
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "duplicate" in done.stderr


def test_a_bot_whose_process_dies_is_told_with_its_last_output(shell: Shell, mine: Path) -> None:
    mine.write_text("print('my licence has run out')\nraise SystemExit(4)\n")
    done = shell("tournament", "run", "long-short", "mine", "random")
    assert (done.returncode, done.stderr) == (0, "")
    assert "its process ended with status 4" in done.stdout
    assert "    my licence has run out" in done.stdout


def test_without_results_ratings_say_how_to_get_some(cli: Cli) -> None:
    done = cli("ratings")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "nothing has been rated yet" in done.stdout
    assert "tradepit tournament run" in done.stdout
    assert board(cli)["standings"] == []


def test_reading_a_database_that_is_missing_does_not_create_it(cli: Cli, folder: Path) -> None:
    done = cli("ratings", "--db", f"sqlite:///{folder / 'typo.db'}")
    assert done.exit_code == 2
    assert "there is no such file" in done.stderr
    assert not (folder / "typo.db").exists()
