"""The checked-in code is what the schemas say, and runs with the oldest libraries that we allow."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

CODE = Path(__file__).parents[2] / "clients/python/src"
STAMPS = {
    "protobuf": re.compile(r"Domain\.PUBLIC,\s*(\d+),\s*(\d+),\s*(\d+)"),
    "grpcio": re.compile(r"GRPC_GENERATED_VERSION = '(\d+)\.(\d+)\.(\d+)'"),
}
Version = tuple[int, ...]


def generated(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*_pb2*") if path.suffix in {".py", ".pyi"})
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def version(text: str) -> Version:
    return tuple(map(int, text.split(".")))


def declared_floor(name: str, dependencies: list[str]) -> Version:
    """The version behind ``>=`` in the dependency on *name*."""
    for dependency in dependencies:
        if found := re.match(rf"{name}>=([\d.]+)", dependency):
            return version(found[1])
    raise AssertionError(f"{name} is no dependency with a floor: {dependencies}")


def newer_than_floor(code: dict[str, bytes], name: str, floor: Version) -> list[str]:
    """The files whose stamp asks for a later *name* than *floor*."""
    stamps = {file: STAMPS[name].search(text.decode()) for file, text in code.items()}
    versions = {file: version(".".join(stamp.groups())) for file, stamp in stamps.items() if stamp}
    assert versions, f"no file is stamped with a version of {name}"
    return [file for file, stamp in versions.items() if stamp > (*floor, 0, 0)[:3]]


def test_checked_in_code_is_what_the_schemas_say(proto: Path, tmp_path: Path) -> None:
    """`make proto` mends a difference."""
    subprocess.run([sys.executable, proto / "generate.py", tmp_path], check=True)
    fresh, checked_in = generated(tmp_path), generated(CODE)
    assert sorted(fresh) == sorted(checked_in)
    assert [file for file in fresh if fresh[file] != checked_in[file]] == []


def test_a_changed_schema_changes_the_code(schemas: Path, tmp_path: Path) -> None:
    play = schemas / "tradepit/v1/play.proto"
    play.write_text(play.read_text().replace("string bot_name = 1;", "string bot_title = 1;"))
    subprocess.run([sys.executable, schemas / "generate.py", tmp_path], check=True)
    fresh, checked_in = generated(tmp_path), generated(CODE)
    different = [file for file in checked_in if fresh[file] != checked_in[file]]
    assert different == ["tradepit/v1/play_pb2.py", "tradepit/v1/play_pb2.pyi"]


def test_only_services_get_service_code(proto: Path) -> None:
    for schema in proto.glob("tradepit/**/*.proto"):
        service_code = CODE / schema.relative_to(proto).with_name(f"{schema.stem}_pb2_grpc.py")
        assert service_code.exists() == ("\nservice " in schema.read_text())


@pytest.mark.parametrize("name", STAMPS)
def test_stamps_do_not_exceed_the_declared_floors(name: str) -> None:
    project = tomllib.loads((CODE.parents[2] / "pyproject.toml").read_text())["project"]
    floor = declared_floor(name, project["dependencies"])
    assert newer_than_floor(generated(CODE), name, floor) == []


@pytest.mark.parametrize(("name", "floor"), [("protobuf", (6, 31, 0)), ("grpcio", (1, 75))])
def test_a_floor_below_a_stamp_is_found(name: str, floor: Version) -> None:
    assert newer_than_floor(generated(CODE), name, floor) != []
