"""Ctrl-C, SIGTERM and a closed terminal stop a command with one line, and the bots with it, and leave nothing."""

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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("words", [["play"], ["tournament", "run"]], ids=" ".join)
def test_a_signal_ends_command_and_bots_with_one_line(
    words: list[str], number: signal.Signals, cli: Callable[..., Result], folder: Path
) -> None:
    (folder / "mine.py").write_text(ENDLESS)
    assert cli("bot", "add", "mine", "mine.py").exit_code == 0
    os.mkfifo(folder / "alive")
    command = [sys.executable, "-m", "tradepit", *words, "long-short", "mine", "random", "--time-control", "training"]
    (folder / "tmp").mkdir()
    environment = {**os.environ, "TMPDIR": str(folder / "tmp")}
    with (
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, process_group=0
        ) as running,
        open(folder / "alive") as alive,
    ):
        assert alive.read(1) == "x"
        os.killpg(running.pid, number)  # as a terminal does it: to every process of ours
        _, errors = running.communicate(timeout=60)
        assert alive.read() == ""  # the end: nobody holds it any more
    assert running.returncode == 128 + number
    assert list((folder / "tmp").iterdir()) == []
    assert errors.startswith("tradepit: stopped")
    assert errors.count("\n") == 1
    kept = "0 complete blocks of 1 kept; to go on: tradepit tournament resume long-short-"
    assert ("nothing of it is kept" if words[0] == "play" else kept) in errors
