"""Tournaments that are paused, killed and gone on with, for real."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tradepit_cli.ladders import default_workers

Shell = Callable[..., "subprocess.CompletedProcess[str]"]
Cli = Callable[..., Result]
ORDER = ["long-short", "mine", "random", "--blocks", "4", "--seed", "ab" * 32, "--time-control", "training"]

# While there is a file "hang" it says through the pipe that it plays, and goes no further.
MINE = """
import time
from pathlib import Path
from tradepit.long_short import LongShortBot, Turn

class Mine(LongShortBot):
    def take_turn(self, view):
        if Path("hang").exists() and not hasattr(self, "alive"):
            self.alive = open("alive", "w")
            self.alive.write("x")
            self.alive.flush()
        while Path("hang").exists():
            time.sleep(0.02)
        return Turn(orders=[], price_card=view.hand[0])

if __name__ == "__main__":
    Mine().run()
"""


@pytest.fixture
def mine(folder: Path, cli: Cli) -> Path:
    """The file of a bot that was added as "mine", and hangs."""
    path = folder / "mine.py"
    path.write_text(MINE)
    assert cli("bot", "add", "mine", "./mine.py").exit_code == 0
    (folder / "hang").touch()
    os.mkfifo(folder / "alive")
    return path


@contextmanager
def running(folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """The tournament "cup", in which the bot hangs."""
    command = [sys.executable, "-m", "tradepit", "tournament", "run", *ORDER, "--name", "cup"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process,
        open(folder / "alive") as alive,
    ):
        assert alive.read(1) == "x"
        yield process
        assert alive.read() == ""  # the bot is gone


def listed(cli: Cli) -> dict[str, Any]:
    """What ``tournament list`` says of the only tournament."""
    done = cli("tournament", "list", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    (known,) = json.loads(done.stdout)
    return dict(known)


def table(cli: Cli, *args: str) -> Any:
    """The ratings of Long Short."""
    (board,) = json.loads(cli("ratings", "--json", "--game", "long-short", *args).stdout)
    return board["standings"], board["pairs"]


def test_a_paused_tournament_ends_what_it_has_begun_and_goes_on_to_the_table_of_an_undisturbed_one(
    shell: Shell, cli: Cli, folder: Path, mine: Path
) -> None:
    with running(folder) as process:
        assert (listed(cli)["running"], listed(cli)["blocks_complete"]) == (True, 0)
        paused = cli("tournament", "pause", "cup")
        assert (paused.exit_code, paused.stderr) == (0, "")
        assert paused.stdout.startswith(
            "cup is paused: 0 of 4 blocks complete, 0 void; to go on: tradepit tournament r"
        )
        (folder / "hang").unlink()
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, "2 of 4 blocks complete" in output) == (1, True)
    assert errors == "tradepit: paused; 2 complete blocks of 4 kept; to go on: tradepit tournament resume cup\n"
    assert (listed(cli)["running"], listed(cli)["state"]) == (False, "paused")

    mine.write_text(MINE + "\n")
    refused = cli("tournament", "resume", "cup")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.startswith("tradepit: bot 'mine' has changed since tournament 'cup' was begun with it")

    mine.write_text(MINE)
    resumed = shell("tournament", "resume", "cup", "--workers", "2")
    assert (resumed.returncode, resumed.stderr) == (0, "")
    assert "Tournament cup (reproducible): 4 of 4 blocks complete\n" in resumed.stdout

    url = f"sqlite:///{folder / 'other.db'}"
    assert cli("bot", "add", "mine", "./mine.py", "--db", url).exit_code == 0
    assert shell("tournament", "run", *ORDER, "--db", url).returncode == 0
    assert table(cli) == table(cli, "--db", url)


@pytest.mark.usefixtures("mine")
def test_a_tournament_that_was_killed_goes_on_by_the_same_command(shell: Shell, cli: Cli, folder: Path) -> None:
    with running(folder) as process:
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    (folder / "hang").unlink()
    again = shell("tournament", "run", *ORDER, "--name", "cup")
    assert (again.returncode, again.stderr) == (0, "")
    assert "4 of 4 blocks complete\n" in again.stdout
    assert (listed(cli)["running"], listed(cli)["blocks_complete"]) == (False, 4)


def test_what_is_not_there_is_told_in_a_line_and_creates_nothing(cli: Cli, folder: Path) -> None:
    for words in (["resume", "cup"], ["pause", "cup"], ["cancel", "cup"]):
        done = cli("tournament", *words)
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr.startswith("tradepit: there is no ladder yet: ")
    assert "There are no tournaments yet" in cli("tournament", "list").stdout
    assert list(folder.iterdir()) == []
    (folder / "mine.py").touch()
    assert cli("bot", "add", "mine", "mine.py").exit_code == 0
    for words in (["tournament", "resume", "cup"], ["tournament", "cancel", "cup"], ["bot", "withdraw", "mine", "cup"]):
        done = cli(*words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert (
            done.stderr == "tradepit: there is no tournament 'cup'; 'tradepit tournament list' tells which there are\n"
        )


def test_two_programs_play_one_tournament_and_print_the_same_table() -> None:
    command = [sys.executable, "-m", "tradepit", "tournament", "run", "long-short", "random", "greedy", "--name", "cup"]
    arguments = ["--blocks", "12", "--seed", "ab" * 32, "--time-control", "training"]
    both = [subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    outputs = [program.communicate(timeout=120) for program in both]
    assert [program.returncode for program in both] == [0, 0]
    tables = [output.decode().partition("Ratings of")[2] for output, _ in outputs]
    assert tables[0] == tables[1] != ""
    assert all(b"12 of 12 blocks complete" in output for output, _ in outputs)


@pytest.mark.parametrize(("cores", "workers"), [(1, 1), (2, 1), (3, 1), (4, 2), (8, 4), (64, 4)])
def test_by_default_there_is_a_worker_for_every_two_cores(
    cores: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)))
    assert default_workers() == workers


@pytest.mark.parametrize("number", ["0", "65", "two"])
def test_a_number_of_workers_that_cannot_be_is_quoted(number: str, cli: Cli) -> None:
    done = cli("tournament", "run", "long-short", "random", "greedy", "--workers", number)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"tradepit: --workers {number!r} is not a whole number from 1 to 64\n"
