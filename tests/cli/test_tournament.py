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
    assert done.returncode == 1
    assert done.stderr.startswith("tradepit: mine played no decision of its own: ")
    assert done.stderr.count("\n") == 1
    assert "mine: ended its process 2 times, first in match long-short-" in done.stdout
    assert "its process ended with status 4" in done.stdout
    assert "    my licence has run out" in done.stdout


def test_a_bot_whose_file_has_gone_is_not_rated(cli: Cli, mine: Path, folder: Path) -> None:
    mine.rename(folder / "elsewhere.py")
    done = cli("tournament", "run", "long-short", "mine", "random")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("tradepit: bot 'mine' cannot be started: its file ")
    assert board(cli)["standings"] == []


def test_a_bot_that_was_pointed_elsewhere_goes_on_under_its_name(shell: Shell, cli: Cli, mine: Path) -> None:
    run = "tournament", "run", "long-short", "mine", "random"
    assert shell(*run).returncode == 0
    mine.rename(mine.with_name("elsewhere.py"))
    assert cli("bot", "set", "mine", "elsewhere.py").exit_code == 0
    assert shell(*run).returncode == 0
    assert {row["bot"]: row["matches"] for row in board(cli)["standings"]} == {"mine": 4, "random": 4}


def test_the_same_seed_again_says_that_nothing_was_played_and_refuses_another_program(shell: Shell, mine: Path) -> None:
    run = "tournament", "run", "long-short", "mine", "random", "--seed", "ab" * 32
    assert "nothing was played" not in shell(*run).stdout
    again = shell(*run)
    assert again.returncode == 0
    assert "It was complete already: nothing was played; give another --seed or --name" in again.stdout
    mine.write_text(MINE.replace("hand[0]", "hand[-1]"))
    changed = shell(*run)
    assert (changed.returncode, changed.stdout) == (2, "")
    assert "bot 'mine' has changed since tournament" in changed.stderr


def test_reading_creates_nothing(cli: Cli, folder: Path) -> None:
    for words in (["ratings"], ["bot", "list"], ["play", "long-short", "random", "nobody-at-all"]):
        cli(*words)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["what?", "no#1", "100%25", "a b&c=d"])
def test_the_home_may_be_called_anything(name: str, cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRADEPIT_HOME", str(folder / name))
    (folder / "mine.py").touch()
    assert cli("bot", "add", "mine", "mine.py").exit_code == 0
    assert "mine" in cli("bot", "list").stdout
    assert {path.name for path in folder.iterdir()} == {name, "mine.py"}
    assert (folder / name / "ladder.db").exists()


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
