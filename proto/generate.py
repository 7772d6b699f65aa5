"""Generate Python code and typed stubs from the schemas beside this file: ``generate.py FOLDER``.

Messages get ``*_pb2.py`` and ``*_pb2.pyi``; files that declare a service also ``*_pb2_grpc.py`` and
``*_pb2_grpc.pyi``. Equal schemas give equal bytes.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from google.protobuf.descriptor_pb2 import FileDescriptorSet

SCHEMAS = Path(__file__).parent


def protoc(*arguments: str) -> None:
    """Run protoc over the schemas. Raises CalledProcessError when it fails; it has said why by then."""
    # The stub plugins are installed beside the interpreter, which need not be on PATH.
    search_path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{SCHEMAS}", *arguments]
    subprocess.run(command, check=True, env={**os.environ, "PATH": search_path})


def schema_files() -> list[str]:
    """Every schema, relative to their folder, sorted."""
    return sorted(str(path.relative_to(SCHEMAS)) for path in SCHEMAS.glob("tradepit/**/*.proto"))


def with_services(files: list[str]) -> list[str]:
    """Those of *files* that declare a service."""
    with TemporaryDirectory() as folder:
        image = Path(folder, "image.binpb")
        protoc(f"--descriptor_set_out={image}", *files)
        return [file.name for file in FileDescriptorSet.FromString(image.read_bytes()).file if file.service]


def generate(folder: str) -> None:
    """Write the code of all schemas under *folder*, which exists."""
    files = schema_files()
    protoc(f"--python_out={folder}", f"--mypy_out=quiet:{folder}", *files)
    protoc(f"--grpc_python_out={folder}", f"--mypy_grpc_out=quiet:{folder}", *with_services(files))


if __name__ == "__main__":
    generate(sys.argv[1])
