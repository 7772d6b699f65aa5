"""Matches of the record, and their replays by id."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cli = Callable[..., Result]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the tournament "cup" was played: one block of three bots."""
    home = tmp_path_factory.mktemp("home")
    order = ["long-short", "random", "greedy", "passive", "--name", "cup"]
    command = [sys.executable, "-m", "tradepit", "tournament", "run", *order]
    environment = {**os.environ, "TRADEPIT_HOME": str(home)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return home


@pytest.fixture(autouse=True)
def home(played: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert folder.exists()  # the fixture that would set another home has done so
    monkeypatch.setenv("TRADEPIT_HOME", str(played))


def test_the_latest_are_listed_first_with_bots_and_placements(cli: Cli) -> None:
    done = cli("match", "list", "--bot", "greedy", "--tournament", "cup")
    assert (done.exit_code, done.stderr) == (0, "")
    lines = [line.split()[0] for line in done.stdout.splitlines() if "greedy: " in line]
    assert lines == ["cup/0/1/2", "cup/0/1/1", "cup/0/1/0"]


def test_the_list_as_json(cli: Cli) -> None:
    (match,) = json.loads(cli("match", "list", "--limit", "1", "--json").stdout)
    assert match["match_id"] == "cup/0/1/2"
    assert {seat["bot"] for seat in match["seats"]} == {"random", "greedy", "passive"}
    assert match["overhead"] is not None, match
    assert match["overhead"]["requests"] > 0


def test_a_match_is_shown_with_seats_and_how_to_see_it(cli: Cli) -> None:
    done = cli("match", "show", "cup/0/1/1")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "cup/0/1/1: long-short, tournament cup" in done.stdout
    assert "The referee's own time before a request: " in done.stdout
    assert done.stdout.endswith("To see it again: tradepit replay show cup/0/1/1\n")
    assert json.loads(cli("match", "show", "cup/0/1/1", "--json").stdout)[0]["seats"][0]["bot"] == "passive"


def test_its_replay_is_told_exported_and_verified_by_its_id(cli: Cli, folder: Path) -> None:
    assert "match cup/0/1/0" in cli("replay", "show", "cup/0/1/0").stdout
    exported = json.loads(cli("replay", "export", "cup/0/1/0").stdout)
    assert exported["match_id"] == "cup/0/1/0"
    done = cli("replay", "verify", "cup/0/1/0", "cup/0/1/1")
    assert (done.exit_code, done.stdout) == (0, "verified cup/0/1/0\nverified cup/0/1/1\n")
    (folder / "cup/0/1").mkdir(parents=True)
    (folder / "cup/0/1/0").write_text("a file of the same name")
    assert "cup/0/1/0: " in cli("replay", "show", "cup/0/1/0").stderr  # goes first, and is none


def test_a_replay_whose_file_is_missing_or_damaged_is_told_in_a_line(cli: Cli, played: Path) -> None:
    (match,) = json.loads(cli("match", "show", "cup/0/1/2", "--json").stdout)
    (file,) = played.rglob(f"{match['replay_sha256']}*")
    content = file.read_bytes()
    try:
        file.write_bytes(content[:-1])
        done = cli("replay", "show", "cup/0/1/2")
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
        assert f"match 'cup/0/1/2': replay {file} is damaged" in done.stderr
        file.unlink()
        done = cli("replay", "verify", "cup/0/1/2")
        assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
        assert f"{file.name} is missing" in done.stderr
    finally:
        file.write_bytes(content)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["match", "show", "cup/7/1/0"], "there is no match 'cup/7/1/0'; 'tradepit match list' tells the ids"),
        (["replay", "show", "cup/7/1/0"], "there is no match 'cup/7/1/0'"),
        (["match", "list", "--bot", "zed"], "no bot 'zed' has played here"),
        (["match", "list", "--tournament", "zed"], "there is no tournament 'zed'"),
        (["match", "list", "--limit", "0"], "--limit '0' is not a whole number from 1 to 1000"),
        (["bot", "withdraw", "random", "cup"], "tournament 'cup' is over: there is nothing left to withdraw from"),
        (["tournament", "pause", "cup"], "tournament 'cup' is over: there is nothing left to pause"),
    ],
)
def test_what_is_not_there_is_quoted(words: list[str], told: str, cli: Cli) -> None:
    done = cli(*words)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert told in done.stderr


def test_without_matches_the_list_says_so(cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRADEPIT_HOME", str(folder / "empty"))
    assert cli("match", "list").stdout == "There are no such matches\n"
