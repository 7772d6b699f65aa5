"""What a BOT on the command line stands for."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tradepit_cli.errors import Misuse
from tradepit_cli.targets import Target, from_target, numbered, resolve

MINE = Target("mine", ("/usr/bin/mine",), "/home/me")


def none_added() -> Sequence[Target]:
    return []


def test_a_house_bot_goes_by_its_name_even_where_a_file_has_it_too(folder: Path) -> None:
    (folder / "random").write_text("")
    target = resolve("random", "long-short", none_added)
    assert target.house
    assert target.command == (sys.executable, "-m", "tradepit_bots", "long-short", "random")


def test_an_added_bot_goes_by_its_name() -> None:
    assert resolve("mine", "long-short", lambda: [MINE]) is MINE


def test_an_added_bot_is_listed_when_the_name_is_unknown() -> None:
    with pytest.raises(Misuse, match="added bots: mine; or give a Python file"):
        resolve("nine", "long-short", lambda: [MINE])


def test_a_python_file_runs_in_the_interpreter_of_tradepit(folder: Path) -> None:
    (folder / "momentum.py").write_text("")
    target = resolve("momentum.py", "long-short", none_added)
    assert target == Target("momentum", (sys.executable, str(folder / "momentum.py")), str(folder))


def test_a_python_file_may_have_blanks_in_its_name(folder: Path) -> None:
    (folder / "my bot.py").write_text("")
    assert from_target("./my bot.py").command == (sys.executable, str(folder / "my bot.py"))


def test_an_executable_file_is_started_as_it_is(folder: Path) -> None:
    (folder / "fast").write_text("#!/bin/sh\n")
    (folder / "fast").chmod(0o755)
    assert from_target("./fast") == Target("fast", (str(folder / "fast"),), str(folder))


def test_a_quoted_command_is_called_after_the_file_that_it_names(folder: Path) -> None:
    (folder / "my_bot.js").write_text("")
    target = from_target("sh my_bot.js --style 'very bold'")
    assert target.name == "my_bot"
    assert target.command == (shutil.which("sh"), "my_bot.js", "--style", "very bold")
    assert target.working_directory == str(folder)


def test_a_quoted_command_may_be_longer_than_any_file_name() -> None:
    assert from_target(f"sh -c '{'true;' * 100}'").command[2] == "true;" * 100


def test_a_quoted_command_without_a_file_is_called_after_its_program() -> None:
    assert from_target("sh -c true").name == "sh"


def test_the_same_bot_twice_has_two_names() -> None:
    bots = [Target(name, (), "") for name in ("random", "greedy", "random", "random")]
    assert [bot.name for bot in numbered(bots)] == ["random", "greedy", "random#2", "random#3"]


def test_a_number_that_is_taken_is_not_given_again() -> None:
    bots = [Target(name, (), "") for name in ("random", "random", "random#2")]
    assert [bot.name for bot in numbered(bots)] == ["random", "random#3", "random#2"]
