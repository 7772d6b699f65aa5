"""Ctrl-C stops a command with one line, and the bots with it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

# It says through the pipe that it lives, and holds the pipe open until it is gone.
ENDLESS = """
import time
alive = open("alive", "w")
alive.write("x")
alive.flush()
from tradepit.long_short import LongShortBot

class Mine(LongShortBot):
    def take_turn(self, view):
        while True:
            time.sleep(60)

if __name__ == "__main__":
    Mine().run()
"""


@pytest.mark.parametrize("words", [["play"], ["tournament", "run"]], ids=" ".join)
def test_ctrl_c_ends_command_and_bots_with_one_line(words: list[str], cli: Callable[..., Result], folder: Path) -> None:
    (folder / "mine.py").write_text(ENDLESS)
    assert cli("bot", "add", "mine", "mine.py").exit_code == 0
    os.mkfifo(folder / "alive")
    command = [sys.executable, "-m", "tradepit", *words, "long-short", "mine", "random", "--time-control", "training"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running,
        open(folder / "alive") as alive,
    ):
        assert alive.read(1) == "x"
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
        assert alive.read() == ""  # the end: nobody holds it any more
    assert running.returncode == 130
    assert errors.startswith("tradepit: stopped")
    assert errors.count("\n") == 1
    assert ("goes on" in errors) == (words[0] == "tournament")
