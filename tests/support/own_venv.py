"""A virtual environment of a test's own: it sees the development set-up, and what is installed there stays there."""

import sys
import sysconfig
import venv
from pathlib import Path

COMMANDS = {"tradepit": "tradepit", "pip": "pip", "pytest": "pytest"}
"""By name: the module that the command runs."""

DEVELOPMENT = Path(sys.executable).parent
"""The commands of the development set-up."""


def create(folder: Path) -> Path:
    """Make an environment in *folder*; the folder of its commands, which go before those of the development set-up."""
    venv.create(folder, symlinks=True)
    commands = folder / "bin"
    site = sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)})
    # As if all of it were installed here too, with the metadata by which games are found.
    ours = sysconfig.get_path("purelib")
    Path(site, "development.pth").write_text(f"import site; site.addsitedir({ours!r})\n")
    for name, module in COMMANDS.items():
        command = commands / name
        command.write_text(f'#!/bin/sh\nexec "{commands}/python" -m {module} "$@"\n')
        command.chmod(0o755)
    return commands
