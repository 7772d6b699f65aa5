"""Runs the command line: in this process for wrong use, in one of its own for the real thing."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tradepit_cli.app import app

Cli = Callable[..., Result]
"""``cli("play", "long-short")`` runs the command in this process."""

Shell = Callable[..., "subprocess.CompletedProcess[str]"]
"""``shell("play", "long-short")`` runs the command in a process of its own, in the test's folder."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own to work in; tradepit keeps its state in ``home`` below it."""
    monkeypatch.setenv("TRADEPIT_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TRADEPIT_DEBUG", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cli() -> Cli:
    def run(*args: str) -> Result:
        return CliRunner().invoke(app, list(args))

    return run


@pytest.fixture
def shell() -> Shell:
    def run(*args: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "tradepit", *args],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run
