"""Somebody else's game: a package of its own with a schema of its own, installed where Tradepit is."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import own_venv
import pytest

from tradepit_server import registry

TOY = Path(__file__).parents[1] / "toy-game"
SEED = "5eed" * 16

Run = Callable[..., str]
"""``run("tradepit", "ratings")`` is what the command prints in the environment with the game."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """An environment in which the game is installed as a wheel, far from its sources."""
    folder = tmp_path_factory.mktemp("third-party")
    commands = own_venv.create(folder / "venv")
    sources = shutil.copytree(TOY, folder / "toy-game", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.move(sources / "bots", folder / "bots")
    environment = {**os.environ, "TRADEPIT_HOME": str(folder / "home"), "COLUMNS": "100"}
    environment.pop("PYTHONPATH", None)

    def run(name: str, *arguments: str) -> str:
        command = [str(commands / name), *arguments]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("pip", "install", "--quiet", "--no-index", "--no-build-isolation", str(sources))
    shutil.rmtree(sources)
    return run


def test_it_is_installed_there_alone(run: Run) -> None:
    program = "from tradepit_server import registry; print(*registry.names())"
    assert run("python", "-c", program).split() == sorted([*registry.names(), "sealed-bids"])
    assert "sealed-bids" not in registry.names()


def test_it_conforms_by_one_call(run: Run) -> None:
    program = "from tradepit_server.testing import check_game; check_game('sealed-bids')"
    assert run("python", "-W", "error", "-c", program) == ""


def test_it_is_played_rated_and_shown_by_the_unchanged_command_line(run: Run) -> None:
    played = run("tradepit", "play", "sealed-bids", "bots/eager.py", "bots/thrifty.py", "--seed", SEED, "--export", "o")
    assert "2 replays written to o" in played
    for name in ("eager", "thrifty"):
        run("tradepit", "bot", "add", name, f"bots/{name}.py")
    tournament = run(
        "tradepit", "tournament", "run", "sealed-bids", "eager", "thrifty", "--blocks", "2", "--seed", SEED
    )
    assert "2 of 2 blocks complete" in tournament
    rows = [line.split() for line in run("tradepit", "ratings", "--game", "sealed-bids").splitlines()]
    assert sorted(row[1] for row in rows if len(row) == 8 and row[0].lstrip("~").isdigit()) == ["eager", "thrifty"]


def test_its_generated_code_is_what_its_schema_says(tmp_path: Path) -> None:
    schema = "sealed_bids/v1/sealed_bids.proto"
    arguments = [f"-I{TOY / 'proto'}", f"--python_out={tmp_path}", f"--pyi_out={tmp_path}", schema]
    subprocess.run([own_venv.DEVELOPMENT / "python", "-m", "grpc_tools.protoc", *arguments], check=True)
    written = {path.relative_to(tmp_path): path.read_text() for path in tmp_path.rglob("*.py*")}
    assert len(written) == 2
    for name, text in written.items():
        assert (TOY / "src" / name).read_text() == text


def test_the_document_on_adding_a_game_shows_these_very_files() -> None:
    document = (TOY.parents[1] / "docs/add-a-game.md").read_text()
    blocks = re.findall(r"^```\w+\n((?:#|//) (\S+)\n.*?)^```$", document, re.MULTILINE | re.DOTALL)
    shown = {name: text for text, name in blocks if name != "test_sealed_bids.py"}
    files = {path for path in TOY.rglob("*.*") if path.is_file() and path.suffix in (".py", ".toml", ".proto")}
    ours = {str(path.relative_to(TOY)): path.read_text() for path in files if "_pb2" not in path.name}
    assert shown == ours
