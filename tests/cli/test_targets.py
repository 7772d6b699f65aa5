"""What a BOT on the command line stands for."""

import hashlib
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tradepit_cli.errors import CommandError, Misuse
from tradepit_cli.targets import Target, from_target, numbered, program_sha256, resolve, unknown_name

MINE = Target("mine", (sys.executable, "-c", "pass"), "/")


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


def test_a_game_without_house_bots_says_so() -> None:
    assert unknown_name("nine", "no-such-game", [MINE]) == (
        "no bot 'nine': no-such-game has no house bots; added bots: mine"
    )


def test_the_digest_of_a_bot_is_that_of_the_file_that_its_command_names(folder: Path) -> None:
    (folder / "mine.py").write_text("one")
    targets = [from_target("mine.py"), from_target("sh mine.py --fast")]
    first = [program_sha256(target) for target in targets]
    assert first == [hashlib.sha256(b"one").hexdigest()] * 2
    (folder / "mine.py").write_text("other")
    assert program_sha256(targets[0]) != first[0]


@pytest.mark.parametrize(
    ("command", "folder_name", "said"),
    [
        ((sys.executable, "/gone/mine.py"), "/", "its file '/gone/mine.py' is not there"),
        ((sys.executable, "mine.js", "--fast"), "/", "its file '/mine.js' is not there"),
        (("/gone/mine",), "/", "its program '/gone/mine' is not there or cannot be run"),
        ((sys.executable, "-c", "pass"), "/gone", "its folder '/gone' is not there"),
    ],
)
def test_an_added_bot_that_has_moved_is_refused_with_what_is_missing(
    command: tuple[str, ...], folder_name: str, said: str
) -> None:
    with pytest.raises(CommandError, match=f"{said}; to say where it is now: tradepit bot set mine TARGET"):
        resolve("mine", "long-short", lambda: [Target("mine", command, folder_name)])


def test_the_same_bot_twice_has_two_names() -> None:
    bots = [Target(name, (), "") for name in ("random", "greedy", "random", "random")]
    assert [bot.name for bot in numbered(bots)] == ["random", "greedy", "random#2", "random#3"]


def test_a_number_that_is_taken_is_not_given_again() -> None:
    bots = [Target(name, (), "") for name in ("random", "random", "random#2")]
    assert [bot.name for bot in numbered(bots)] == ["random", "random#3", "random#2"]
