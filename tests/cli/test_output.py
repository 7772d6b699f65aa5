"""Standard output that takes no text, or not every text; names that are no text."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TRADEPIT = f"{shlex.quote(sys.executable)} -m tradepit"
NO_UTF_8 = os.fsdecode(b"x\xff")


def typed(line: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """What comes of *line* in a shell."""
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, env={**os.environ, **environment}, timeout=120, check=False
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"{TRADEPIT} bot list >/dev/full", "cannot write: No space left on device"),
        (f"{TRADEPIT} ratings --json >/dev/full", "cannot write: No space left on device"),
        (f"{TRADEPIT} bot list >&-", "standard output is closed"),
    ],
)
def test_output_that_cannot_be_written_is_told_in_one_line(line: str, said: str) -> None:
    done = typed(line)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"tradepit: {said}")
    assert done.stderr.count("\n") == 1


def test_what_a_terminal_cannot_write_is_escaped(folder: Path) -> None:
    (folder / "бот.py").touch()
    done = typed(f"{TRADEPIT} bot add mine ./бот.py && {TRADEPIT} bot list", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u0431" in done.stdout


@pytest.mark.parametrize(
    "words", [["ratings", "--db", f"sqlite:///{NO_UTF_8}"], ["bot", "add", "mine", "bot.py"]], ids=" ".join
)
def test_names_that_are_no_utf_8_are_told_as_such(
    words: list[str], folder: Path, shell: Callable[..., "subprocess.CompletedProcess[str]"]
) -> None:
    (folder / "bot.py").touch()
    (folder / NO_UTF_8).touch()
    done = shell(*words, TRADEPIT_HOME=str(folder / f"{NO_UTF_8}-home"))
    assert done.returncode == 1
    assert "is no UTF-8" in done.stderr
    assert "unexpected" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_control_characters_in_the_name_of_a_folder_never_reach_the_terminal(
    shell: Callable[..., "subprocess.CompletedProcess[str]"],
) -> None:
    done = shell("play", "long-short", "random", "passive", "--export", "a\x1b[31mb")
    assert done.returncode == 0
    assert "written to a\\x1b[31mb\n" in done.stdout
