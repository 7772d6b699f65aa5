"""``make demo`` for real."""

import os
import subprocess
from pathlib import Path

from own_venv import DEVELOPMENT

ROOT = Path(__file__).parents[2]


def test_the_demo_rates_the_house_bots_and_leaves_nothing_behind(folder: Path) -> None:
    temporary = folder / "tmp"
    temporary.mkdir()
    make = ["make", "--silent", "--directory", str(ROOT), "demo", "READY=", f"BIN={DEVELOPMENT}"]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    done = subprocess.run(make, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for words in ("random", "passive", "greedy", "hand_reader", "value", "mu - 3 sigma", "above", "To try next"):
        assert words in done.stdout
    assert "search" not in done.stdout  # it thinks long
    for game in ("Buy Low Sell High", "Long Short"):
        assert f"blocks of {game} ..." in done.stdout
    assert list(temporary.iterdir()) == []
    assert [path.name for path in folder.iterdir()] == ["tmp"]
