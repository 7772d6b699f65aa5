"""Files that survive a loss of power."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Have the disk know the names in *folder*. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
