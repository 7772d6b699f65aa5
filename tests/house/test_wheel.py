"""What the wheel ships: a package that works here may lack a file there."""

import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

PACKAGES = ("tradepit", "tradepit_bots", "tradepit_server", "tradepit_ladder", "tradepit_cli")


@pytest.fixture(scope="session")
def wheel(wheel_file: Path) -> zipfile.Path:
    """What is in the wheel."""
    return zipfile.Path(wheel_file)


@pytest.fixture(scope="session")
def names(wheel: zipfile.Path) -> list[str]:
    """The files in the wheel."""
    return wheel.root.namelist()


@pytest.fixture(scope="session")
def metadata(wheel: zipfile.Path, names: list[str]) -> Message:
    """What an installer reads of it."""
    (name,) = (name for name in names if name.endswith(".dist-info/METADATA"))
    return Parser().parsestr((wheel / name).read_text())


@pytest.mark.parametrize("package", PACKAGES)
def test_ships_every_package_with_its_types(package: str, names: list[str]) -> None:
    assert f"{package}/__init__.py" in names
    assert f"{package}/py.typed" in names


def test_ships_nothing_else(names: list[str]) -> None:
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == set(PACKAGES)
    assert [name for name in names if name.startswith("tests") or "__pycache__" in name] == []


def test_ships_every_file_of_every_package(names: list[str], packages: list[Path], tracked: list[Path]) -> None:
    """Editions, migrations and stubs among them."""
    files = {str(path.relative_to(folder.parent)) for folder in packages for path in tracked if folder in path.parents}
    assert files - set(names) == set()


@pytest.mark.parametrize(
    "name",
    [
        "tradepit_server/games/buy_low_sell_high/reconstructed-1.toml",
        "tradepit_server/games/long_short/reconstructed-1.toml",
        "tradepit/v1/play_pb2.pyi",
        "tradepit/v1/referee_pb2_grpc.pyi",
        "tradepit_ladder/migrations/env.py",
    ],
)
def test_ships_what_is_no_ordinary_source(name: str, names: list[str]) -> None:
    assert name in names


def test_ships_the_licence(names: list[str], metadata: Message) -> None:
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert metadata["License-Expression"] == "Apache-2.0"


def test_a_bot_author_gets_grpcio_and_protobuf_alone(metadata: Message) -> None:
    plain = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert [line.split(">")[0] for line in sorted(plain)] == ["grpcio", "protobuf<8,"]


def test_names_the_command_and_the_games(wheel: zipfile.Path, names: list[str]) -> None:
    (name,) = (name for name in names if name.endswith("entry_points.txt"))
    entry_points = (wheel / name).read_text()
    assert "tradepit = tradepit.__main__:main" in entry_points
    assert "buy-low-sell-high = tradepit_server.codecs.buy_low_sell_high:PLUGIN" in entry_points
    assert "long-short = tradepit_server.codecs.long_short:PLUGIN" in entry_points
