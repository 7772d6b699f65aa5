"""The checks that read the code without running it."""

import subprocess
import sys
from pathlib import Path

import pytest

CHECKS = {
    "ruff": ["ruff", "check"],
    "layout": ["ruff", "format", "--check"],
    "types": ["mypy"],
    "imports": ["lint-imports", "--no-cache"],
}


@pytest.mark.parametrize("check", CHECKS)
def test_passes(check: str, root: Path) -> None:
    program, *arguments = CHECKS[check]
    done = subprocess.run(
        [Path(sys.executable).with_name(program), *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
