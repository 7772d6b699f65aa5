"""``tradepit demo`` for real."""

import subprocess
from collections.abc import Callable
from pathlib import Path


def test_the_demo_rates_the_house_bots_and_leaves_nothing_behind(
    shell: Callable[..., "subprocess.CompletedProcess[str]"], folder: Path
) -> None:
    temporary = folder / "tmp"
    temporary.mkdir()
    done = shell("demo", TMPDIR=str(temporary))
    assert (done.returncode, done.stderr) == (0, "")
    for words in ("random", "passive", "greedy", "hand_reader", "value", "mu - 3 sigma", "above", "To try next"):
        assert words in done.stdout
    assert "search" not in done.stdout  # it thinks long
    for game in ("Buy Low Sell High", "Long Short"):
        assert f"blocks of {game} ..." in done.stdout
    assert list(temporary.iterdir()) == []
    assert [path.name for path in folder.iterdir()] == ["tmp"]
