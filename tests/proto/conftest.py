"""The schemas, and buf over a copy of them."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROTO = Path(__file__).parents[2] / "proto"


@pytest.fixture
def proto() -> Path:
    """The folder of the schemas."""
    return PROTO


@pytest.fixture
def schemas(tmp_path: Path) -> Path:
    """A copy of the schemas and the baseline, to be spoilt."""
    return Path(shutil.copytree(PROTO, tmp_path / "proto", ignore=shutil.ignore_patterns("__pycache__")))


@pytest.fixture
def buf(tmp_path: Path) -> Callable[..., str]:
    """``buf(folder, "lint")`` runs buf there and returns what it complains about; empty: nothing."""

    def run(folder: Path, *arguments: str) -> str:
        program = Path(sys.executable).with_name("buf")
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "BUF_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run(
            [program, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.stdout or done.stderr or done.returncode == 0, "buf failed without a word"
        return done.stdout + done.stderr

    return run
