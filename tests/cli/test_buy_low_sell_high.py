"""Buy Low Sell High by the same commands: played, written down, and played again from what was written."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from tradepit_server import replay

Shell = Callable[..., "subprocess.CompletedProcess[str]"]


def test_replays_come_to_what_they_say_when_they_are_executed(shell: Shell, folder: Path) -> None:
    table = ["value", "random", "random", "random"]
    done = shell("play", "buy-low-sell-high", *table, "--blocks", "3", "--export", "out")
    assert (done.returncode, done.stderr) == (0, "")
    written = [json.loads(path.read_text()) for path in (folder / "out").glob("*.json")]
    assert len(written) == 12
    for match in written:
        outcome = replay.execute(replay.from_json(match))
        assert outcome.scores == match["result"]["scores"]
        assert outcome.placements == match["result"]["placements"]
        assert match["result"]["faults"] == []


def test_a_tournament_rates_value_clearly_above_random(shell: Shell) -> None:
    """The intervals of three sigma do not overlap."""
    run = ["tournament", "run", "buy-low-sell-high", "value", "random", "passive", "--blocks", "20"]
    assert shell(*run, "--seed", "5eed" * 16).returncode == 0
    ratings = json.loads(shell("ratings", "--game", "buy-low-sell-high", "--json").stdout)
    rows = {row["bot"]: row for board in ratings for row in board["standings"]}
    assert rows["value"]["mu"] - 3 * rows["value"]["sigma"] > rows["random"]["mu"] + 3 * rows["random"]["sigma"]
