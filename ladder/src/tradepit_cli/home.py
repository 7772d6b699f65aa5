"""Where tradepit keeps its state."""

import os
from pathlib import Path

from tradepit_cli.errors import CommandError

HOME_VARIABLE = "TRADEPIT_HOME"
"""Names the folder; default: ``tradepit`` in the XDG data folder."""


def home() -> Path:
    """The folder that holds ``ladder.db``, absolute; it need not exist yet."""
    if chosen := os.environ.get(HOME_VARIABLE):
        return Path(os.path.expanduser(chosen)).absolute()
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(os.path.expanduser(data)).absolute() / "tradepit"


def prepared_home() -> Path:
    """``home()``, created where it was missing. Raises CommandError."""
    folder = home()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(
            f"cannot create the folder {str(folder)!r}: {error.strerror}; {HOME_VARIABLE} names another"
        ) from error
    return folder
