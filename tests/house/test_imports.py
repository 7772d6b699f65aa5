"""Who may import whom: each contract can fail, and what a list of forbidden modules cannot say.

The contracts themselves are in pyproject.toml; test_lint.py runs them.
"""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PLANTED = {
    "games": ("tradepit_server/games/base.py", "import tradepit.v1.block_pb2"),
    "codecs": ("tradepit_server/codecs/base.py", "import grpc"),
    "referee": ("tradepit_server/referee/__init__.py", "import tradepit_server.games.long_short"),
    "pure": ("tradepit_server/referee/__init__.py", "import time"),
    "replay": ("tradepit_server/replay/__init__.py", "import tradepit_server.referee"),
    "suite": ("tradepit_server/testing/suite.py", "import tradepit_server.games.long_short"),
    "server": ("tradepit_server/registry.py", "import tradepit_ladder"),
    "client": ("tradepit/chance.py", "import tradepit_server.registry"),
    "local": ("tradepit/local.py", "import tradepit_server.node"),
    "bots": ("tradepit_bots/__init__.py", "import grpc"),
    "ladder": ("tradepit_ladder/client.py", "import tradepit.long_short"),
    "pure-ladder": ("tradepit_ladder/ratings.py", "import sqlmodel"),
    "trueskill": ("tradepit_ladder/store.py", "import trueskill"),
}
"""By contract: a file, and an import that does not belong there."""

STANDARD = set(sys.stdlib_module_names)


@pytest.fixture
def copy(packages: list[Path], root: Path, tmp_path: Path) -> Path:
    """A copy of the packages, side by side, with the contracts."""
    for package in packages:
        shutil.copytree(package, tmp_path / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "pyproject.toml", tmp_path)
    return tmp_path


def broken_contracts(folder: Path, contract: str) -> bool:
    """Whether import-linter finds *contract* broken by the packages in *folder*."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--contract", contract]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert f"{int(done.returncode == 0)} kept, {int(done.returncode != 0)} broken" in done.stdout, done.stdout
    return done.returncode != 0


@pytest.mark.parametrize("contract", PLANTED)
def test_a_planted_import_breaks_the_contract(contract: str, copy: Path) -> None:
    name, statement = PLANTED[contract]
    file = copy / name
    file.write_text(f"{file.read_text()}\n{statement}\n")
    assert broken_contracts(copy, contract)


def test_every_contract_is_shown_to_be_able_to_fail(pyproject: dict[str, Any]) -> None:
    assert [contract["id"] for contract in pyproject["tool"]["importlinter"]["contracts"]] == list(PLANTED)


def imported(text: str) -> Iterator[str]:
    """The modules that a source imports, anywhere in it."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def imported_by(folder: Path) -> set[str]:
    """The modules that the sources under *folder* import, generated code left out."""
    sources = [path for path in folder.rglob("*.py") if "_pb2" not in path.name]
    assert sources, f"nothing lies in {folder}"
    return {module for path in sources for module in imported(path.read_text())}


def test_games_import_the_standard_library_and_keyed_chance_alone(root: Path) -> None:
    modules = imported_by(root / "server/src/tradepit_server/games")
    ours = {module for module in modules if module.split(".")[0] not in STANDARD}
    assert {module for module in ours if not module.startswith("tradepit_server.games")} == {"tradepit.chance"}


def test_the_ladder_takes_only_messages_chance_replay_files_and_the_version_from_the_client(root: Path) -> None:
    modules = imported_by(root / "ladder/src/tradepit_ladder")
    client = {module for module in modules if module.split(".")[0] == "tradepit"}
    others = {module for module in client if not module.startswith("tradepit.v1")}
    assert others <= {"tradepit", "tradepit.chance", "tradepit.replay_file"}


def test_house_bots_import_the_standard_library_and_the_client_and_to_search_games_and_codecs(root: Path) -> None:
    modules = imported_by(root / "clients/bots/src/tradepit_bots")
    assert {module.split(".")[0] for module in modules} - STANDARD <= {"tradepit", "tradepit_bots", "tradepit_server"}
    server = {".".join(module.split(".")[:2]) for module in modules if module.startswith("tradepit_server")}
    assert server == {"tradepit_server.games", "tradepit_server.codecs"}


def test_an_import_within_a_function_is_found() -> None:
    assert list(imported("def f():\n    from time import sleep\n    import grpc.aio\n")) == ["time", "grpc.aio"]
