"""What the author of a bot gets from `pip install tradepit`: little, and enough to play."""

import re
import subprocess
import sys
import venv
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tradepit.v1 import block_pb2
from tradepit_server.node import run_blocks
from tradepit_server.referee.time_control import parse

AUTHOR = """\
from tradepit.long_short import LongShortBot, Turn, buy


class Author(LongShortBot):
    def take_turn(self, view):
        view.note = "mine"
        orders = [buy("gold", "long", 1)] if view.can_buy("gold", "long", 1) else []
        return Turn(orders=orders, price_card=view.hand[0])


if __name__ == "__main__":
    Author().run()
"""

TRIES = """\
from author import Author

from tradepit import local
from tradepit.long_short.testing import LongShortReferee, Situation

turn = LongShortReferee(Author()).turn(Situation())
match = local.play([Author(), Author()], game="long-short", seed="5a" * 32)[0]
print(len(turn.orders), *match.result.terminations)
"""

SEARCHES = """\
import sys

from tradepit import local
from tradepit_bots import make, search

search.MOST_PLAYOUTS = 1
game = sys.argv[1]
match = local.play([make(game, "search"), make(game, "random")], game=game, seed="5a" * 32)[0]
print(*match.result.terminations)
"""


@pytest.fixture(scope="module")
def light(wheel_file: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an empty virtual environment in which the wheel was installed without extras."""
    folder = tmp_path_factory.mktemp("light")
    venv.create(folder / "venv", symlinks=True)  # without pip, so that nothing is there but what came with the wheel
    pins = re.findall(r"^[\w.-]+==[^\s;]+", (root / ".ci/requirements.lock").read_text(), re.MULTILINE)
    (folder / "pins.txt").write_text("\n".join(pins))
    commands = folder / "venv/bin"
    pip = [sys.executable, "-m", "pip", "--python", str(commands / "python"), "--disable-pip-version-check"]
    install = ["install", "--quiet", "--only-binary=:all:", "--constraint", str(folder / "pins.txt"), str(wheel_file)]
    done = subprocess.run([*pip, *install], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return commands


@pytest.fixture
def author(tmp_path: Path) -> Path:
    """A bot as its author wrote it."""
    file = tmp_path / "author.py"
    file.write_text(AUTHOR)
    return file


def run(*command: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What a command prints, and how it ends."""
    return subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True, check=False)


def needs(distribution: str) -> set[str]:
    """What *distribution* needs without extras, on this machine."""
    needed = map(Requirement, requires(distribution) or [])
    return {each.name for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})}


def test_grpcio_and_protobuf_come_along_and_nothing_else(light: Path) -> None:
    program = "from importlib.metadata import distributions as all; print(*(each.name for each in all()))"
    installed = run(light / "python", "-c", program).stdout.split()
    theirs = needs("grpcio") | needs("protobuf")
    assert {name.replace("_", "-") for name in installed} - theirs == {"tradepit", "grpcio", "protobuf"}
    assert needs("tradepit") == {"grpcio", "protobuf"}


def test_a_bot_plays_with_it_against_a_referee(light: Path, author: Path) -> None:
    """The referee runs in the development set-up; both bots have the light client alone."""
    commands = {"author": ["author.py"], "passive": ["-m", "tradepit_bots", "long-short", "passive"]}
    entrants = [
        block_pb2.Entrant(
            bot=bot,
            command=block_pb2.Command(
                arguments=[str(light / "python"), *arguments], working_directory=str(author.parent)
            ),
        )
        for bot, arguments in commands.items()
    ]
    block = block_pb2.BlockSpecification(
        block_id="light/0", game="long-short", entrants=entrants, time_control=parse("standard").to_message()
    )
    (result,) = run_blocks([block])
    assert result.outcome == block_pb2.BLOCK_OUTCOME_COMPLETE, result
    assert len(result.replays) == 2
    for replay in result.replays:
        assert list(replay.result.faults) == []
        assert "mine" in {decision.note for decision in replay.decisions}


def test_an_authors_own_tests_and_local_play_work_with_it(light: Path, author: Path) -> None:
    (author.parent / "tries.py").write_text(TRIES)
    done = run(light / "python", "tries.py", folder=author.parent)
    assert (done.stdout, done.stderr) == ("1 completed completed\n", "")


@pytest.mark.parametrize("game", ["buy-low-sell-high", "long-short"])
def test_bots_that_search_play_with_it(game: str, light: Path, author: Path) -> None:
    """The rules need no more than the client does."""
    (author.parent / "searches.py").write_text(SEARCHES)
    done = run(light / "python", "searches.py", game, folder=author.parent)
    assert (done.stdout, done.stderr) == ("completed completed\n", "")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["play", "long-short", "random", "greedy"]])
def test_the_command_says_which_extra_it_needs(arguments: list[str], light: Path) -> None:
    done = run(light / "tradepit", *arguments)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("tradepit: ")
    assert 'pip install "tradepit[ladder]"' in done.stderr
    assert done.stdout == ""
