"""Every command explains itself."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer.main

from tradepit import __version__
from tradepit_cli.app import app


def commands(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """*command* and all below it, each with the words that call it."""
    yield words, command
    for name, child in getattr(command, "commands", {}).items():
        yield from commands(child, (*words, name))


ALL = dict(commands(typer.main.get_command(app), ("tradepit",)))
EXAMPLES = [
    line.strip()
    for command in ALL.values()
    for line in (command.epilog or "").splitlines()
    if line.startswith("  tradepit ")
]


def test_the_commands_are_those_of_the_manual() -> None:
    leaves = {" ".join(words[1:]) for words, command in ALL.items() if not hasattr(command, "commands")}
    groups = {f"db {name}" for name in ("status", "upgrade", "backup", "restore")}
    groups |= {f"bot {name}" for name in ("add", "set", "list", "withdraw")}
    groups |= {f"tournament {name}" for name in ("run", "resume", "list", "pause", "cancel")}
    groups |= {"ratings history", "ratings rebuild", "match list", "match show"}
    groups |= {f"replay {name}" for name in ("show", "export", "verify")}
    assert leaves == {"demo", "play", "referee", "watch"} | groups


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_has_help_with_an_example_of_itself(words: tuple[str, ...], cli: Any) -> None:
    result = cli(*words[1:], "--help")
    assert result.exit_code == 0
    assert (ALL[words].help or "").strip()
    assert "Example" in result.output
    assert f"  {' '.join(words)}" in result.output


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_argument_and_option_has_help(words: tuple[str, ...]) -> None:
    assert [parameter.name for parameter in ALL[words].params if not parameter.help] == []


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_a_command_that_parses(example: str) -> None:
    words = shlex.split(example)
    known = max((w for w in ALL if tuple(words[: len(w)]) == w), key=len)
    ALL[known].make_context(" ".join(known), words[len(known) :])


def test_without_a_command_the_help_is_shown(cli: Any) -> None:
    result = cli()
    assert result.exit_code == 0
    assert "Commands:" in result.output


def test_version(cli: Any) -> None:
    result = cli("--version")
    assert (result.exit_code, result.output) == (0, f"tradepit {__version__}\n")


def test_help_loads_neither_grpc_nor_database_nor_games() -> None:
    """It must be quick."""
    heavy = "{'grpc', 'google.protobuf', 'sqlmodel', 'sqlalchemy', 'rich', 'tradepit_server', 'tradepit_ladder'}"
    script = (
        "import sys\nfrom tradepit.__main__ import main\nsys.argv = ['tradepit', '--help']\n"
        f"try:\n    main()\nexcept SystemExit:\n    print('loaded:', sorted({heavy} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded: []"


def test_the_light_installation_names_the_extra_that_is_missing() -> None:
    script = "import sys\nsys.modules['typer'] = None\nfrom tradepit.__main__ import main\nmain()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert 'pip install "tradepit[ladder]"' in done.stderr
