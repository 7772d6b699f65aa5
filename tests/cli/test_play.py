"""``tradepit play`` for real: bots in processes of their own, over gRPC."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tradepit_bots
from tradepit.local import play_block
from tradepit_cli.playing import PlayOrder, specifications
from tradepit_cli.targets import house_target
from tradepit_server.referee.time_control import parse
from tradepit_server.replay import to_json

SEED = "0123456789abcdef" * 4

Shell = Callable[..., "subprocess.CompletedProcess[str]"]

BOT = """
import os, sys, time
from tradepit.long_short import LongShortBot, Turn

class Mine(LongShortBot):
    def take_turn(self, view):
        {body}

if __name__ == "__main__":
    {start}Mine().run()
"""


def bot_file(path: Path, body: str = "return Turn(orders=[], price_card=view.hand[0])", start: str = "") -> None:
    """A bot whose turns have *body*, and which does *start* before it connects."""
    path.write_text(BOT.format(body=body, start=f"{start}; " if start else ""))


def without_times(replay: dict[str, Any]) -> dict[str, Any]:
    """The replay as an equal seed gives it again: without measured times, and the digest that is over them too."""
    decisions = [{key: value for key, value in d.items() if key != "thought"} for d in replay["decisions"]]
    return {key: value for key, value in replay.items() if key != "content_sha256"} | {"decisions": decisions}


def replays(folder: Path) -> dict[str, dict[str, Any]]:
    return {path.name: without_times(json.loads(path.read_text())) for path in sorted(folder.glob("*.json"))}


def test_the_same_seed_twice_gives_equal_replays(shell: Shell, folder: Path) -> None:
    order = ["play", "long-short", "random", "greedy", "random", "--blocks", "2", "--seed", SEED, "--export"]
    first, second = shell(*order, "one"), shell(*order, "two")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.replace("one", "two") == second.stdout
    assert len(replays(folder / "one")) == 6
    assert replays(folder / "one") == replays(folder / "two")


def test_matches_in_this_process_give_the_same_replays(shell: Shell, folder: Path) -> None:
    bots = ["random", "greedy", "hand_reader"]
    shell("play", "long-short", *bots, "--seed", SEED, "--blocks", "2", "--time-control", "training", "--export", "out")
    order = PlayOrder(
        game="long-short",
        bots=tuple(house_target("long-short", name) for name in bots),
        blocks=2,
        options={},
        time_control=parse("training").to_message(),
        root_seed=bytes.fromhex(SEED),
    )
    results = [
        play_block(block, [tradepit_bots.make("long-short", name) for name in bots]) for block in specifications(order)
    ]
    here = [json.loads(json.dumps(to_json(replay))) for result in results for replay in result.replays]
    assert [without_times(replay) for replay in here] == list(replays(folder / "out").values())


def test_a_replay_says_that_it_is_reproducible_and_who_sat_where(shell: Shell, folder: Path) -> None:
    shell("play", "long-short", "random", "random", "--seed", SEED, "--export", "out")
    first, second = replays(folder / "out").values()
    assert (first["format"], first["reproducible"]) == ("tradepit-replay/1", True)
    assert (first["bots"], second["bots"]) == (["random", "random#2"], ["random#2", "random"])
    assert first["block_id"].count("/") == 1
    assert first["match_id"] == f"{first['block_id']}/0"
    assert not any(first["nonces"])


def test_drawn_chance_differs_and_names_the_attempt(shell: Shell, folder: Path) -> None:
    for _ in range(2):
        shell("play", "long-short", "passive", "passive", "--export", "out")
    seen = list(replays(folder / "out").values())
    assert len({replay["seed"] for replay in seen}) == 4
    assert all(replay["block_id"].endswith("/0/1") and not replay["reproducible"] for replay in seen)


def test_options_and_clocks_reach_the_match(shell: Shell, folder: Path) -> None:
    shell(
        *["play", "long-short", "passive", "passive", "--preset", "ranked", "--option", "max_action_points=2"],
        *["--time-control", "blitz", "--export", "out"],
    )
    replay = next(iter(replays(folder / "out").values()))
    assert replay["options"]["end_of_game_card"] == "removed"
    assert replay["options"]["max_action_points"] == 2
    assert "blitz" in json.dumps(replay["time_control"])


@pytest.mark.parametrize(
    ("body", "start", "said"),
    [
        ('raise RuntimeError("no idea")', "", ["mine: raised an exception", "RuntimeError: no idea"]),
        ('return Turn(orders=[], price_card="no-such-card")', "", ["mine: broke the rules", "no-such-card"]),
        ('print("gone", flush=True); os._exit(3)', "", ["mine: its process ended with status 3", "    gone"]),
        ("time.sleep(60)", "", ["mine: did not answer in time"]),
        ("pass", "sys.exit('no licence')", ["mine: its process ended with status 1", "    no licence"]),
    ],
    ids=["raising", "illegal", "exiting", "silent", "never connecting"],
)
def test_a_bot_that_misbehaves_is_told_why_and_the_others_play_on(
    body: str, start: str, said: list[str], shell: Shell, folder: Path
) -> None:
    bot_file(folder / "mine.py", body, start)
    done = shell(
        *["play", "long-short", "mine.py", "greedy", "--blocks", "2"],
        *["--time-control", "decision=200ms,startup=10s"],
    )
    for words in said:
        assert words in done.stdout
    assert "greedy: " not in done.stdout
    assert done.returncode == 1
    assert done.stderr == "tradepit: mine played no decision of its own\n"


def test_a_syntax_error_in_a_bot_is_shown_with_its_line(shell: Shell, folder: Path) -> None:
    (folder / "mine.py").write_text("x = 1\nthis is no python\n")
    done = shell("play", "long-short", "mine.py", "random")
    assert done.returncode == 1
    assert done.stderr == "tradepit: mine played no decision of its own\n"
    assert "SyntaxError" in done.stdout
    assert "line 2" in done.stdout


def test_a_quoted_command_plays(shell: Shell, folder: Path) -> None:
    bot_file(folder / "my bot.py")
    done = shell("play", "long-short", "python3 'my bot.py'", "random", PATH=_path_of_this_python())
    assert (done.returncode, done.stderr) == (0, "")
    assert "my bot" in done.stdout


def _path_of_this_python() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


def test_nothing_is_stored(shell: Shell, folder: Path) -> None:
    shell("play", "long-short", "passive", "passive")
    assert list(folder.iterdir()) == []


def test_a_pipe_gets_plain_text_of_80_columns(shell: Shell) -> None:
    done = shell("play", "long-short", *["passive"] * 6, COLUMNS="")
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{shlex.quote(sys.executable)} -m tradepit play long-short passive passive | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""
