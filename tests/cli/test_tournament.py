"""Tournaments, ratings and bots of the user's, for real."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

Shell = Callable[..., "subprocess.CompletedProcess[str]"]

MINE = """
from tradepit.long_short import LongShortBot, Turn

class Mine(LongShortBot):
    def take_turn(self, view):
        return Turn(orders=[], price_card=view.hand[0])

if __name__ == "__main__":
    Mine().run()
"""


def boards(shell: Shell, *args: str) -> list[dict[str, Any]]:
    done = shell("ratings", "--json", *args)
    assert (done.returncode, done.stderr) == (0, "")
    parsed: list[dict[str, Any]] = json.loads(done.stdout)
    return parsed


def test_a_bot_of_the_users_is_added_listed_rated_and_plays_by_its_name(shell: Shell, folder: Path) -> None:
    (folder / "mine.py").write_text(MINE)
    added = shell("bot", "add", "mine", "./mine.py")
    assert (added.returncode, added.stderr) == (0, "")
    listed = shell("bot", "list").stdout
    assert "mine.py" in "".join(listed.split())  # a long path is folded
    assert "house bot for long-short" in listed
    run = shell("tournament", "run", "long-short", "mine", "greedy", "random", "--table-size", "2", "--blocks", "2")
    assert (run.returncode, run.stderr) == (0, "")
    assert "6 of 6 blocks complete" in run.stdout
    (board,) = boards(shell, "--game", "long-short")
    assert board["game"] == "long-short"
    assert {row["bot"]: row["matches"] for row in board["standings"]} == {"mine": 8, "greedy": 8, "random": 8}
    pairs = {(pair["bot"], pair["other"]): pair["above"] + pair["ties"] for pair in board["pairs"]}
    assert pairs["mine", "greedy"] + pairs["greedy", "mine"] >= 4
    assert "mine" in shell("ratings").stdout
    played = shell("play", "long-short", "mine", "random")
    assert played.returncode == 0
    assert boards(shell)[0]["standings"] == board["standings"]


def test_a_database_may_be_named(shell: Shell, folder: Path) -> None:
    url = f"sqlite:///{folder / 'other.db'}"
    run = shell("tournament", "run", "long-short", "passive", "random", "--db", url)
    assert run.returncode == 0
    assert len(boards(shell, "--db", url)[0]["standings"]) == 2
    assert boards(shell)[0]["standings"] == []


def test_the_same_seed_twice_gives_the_same_table(shell: Shell, folder: Path) -> None:
    tables = []
    for name in ("one", "two"):
        url = f"sqlite:///{folder / name}.db"
        done = shell("tournament", "run", "long-short", "greedy", "random", "--seed", "ab" * 32, "--db", url)
        assert done.returncode == 0
        assert "reproducible" in done.stdout
        tables.append(boards(shell, "--db", url)[0]["standings"])
    assert tables[0] == tables[1]


def test_duplicate_deals_are_refused_with_the_reason(shell: Shell) -> None:
    done = shell("tournament", "run", "long-short", "greedy", "random", "--deal", "duplicate")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "duplicate" in done.stderr


def test_a_bot_whose_process_dies_is_told_with_its_last_output(shell: Shell, folder: Path) -> None:
    (folder / "mine.py").write_text("print('my licence has run out')\nraise SystemExit(4)\n")
    shell("bot", "add", "mine", "./mine.py")
    done = shell("tournament", "run", "long-short", "mine", "random")
    assert "its process ended with status 4" in done.stdout
    assert "    my licence has run out" in done.stdout


def test_without_results_ratings_say_how_to_get_some(shell: Shell) -> None:
    done = shell("ratings")
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing has been rated yet" in done.stdout
    assert "tradepit tournament run" in done.stdout
    assert boards(shell)[0]["standings"] == []


def test_a_name_is_added_once(shell: Shell, folder: Path) -> None:
    (folder / "mine.py").write_text(MINE)
    shell("bot", "add", "mine", "./mine.py")
    done = shell("bot", "add", "mine", "python3 mine.py")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "'mine'" in done.stderr
