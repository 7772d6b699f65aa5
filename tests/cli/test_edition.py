"""Editions of the user's own: given to the bots over the wire, kept in replays, part of a tournament's order."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tradepit_server.games.long_short.game import RECONSTRUCTED
from tradepit_server.replay import execute, from_json

BOX = RECONSTRUCTED.toml.decode().replace('"reconstructed-1"\n', '"my-box"\n').replace("= 10000 ", "= 12345 ")
SMALL_BOX = BOX.replace("max = 6", "max = 3")
SEED = "0123456789abcdef" * 4

BOT = """
from tradepit.long_short import LongShortBot, Turn

class Mine(LongShortBot):
    def take_turn(self, view):
        assert view.edition.id == "my-box", view.edition.id
        assert view.edition.starting_cash == 12345
        return Turn(orders=[], price_card=view.hand[0])

if __name__ == "__main__":
    Mine().run()
"""


@pytest.fixture
def box(folder: Path) -> Path:
    """A file with an edition of the user's own."""
    path = folder / "box.toml"
    path.write_text(BOX)
    return path


def exported(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]


@pytest.mark.usefixtures("box")
def test_bots_get_the_edition_and_replays_keep_it(shell: Callable[..., Any], folder: Path) -> None:
    (folder / "mine.py").write_text(BOT)
    done = shell(
        "play", "long-short", "./mine.py", "greedy", "--edition", "box.toml", "--seed", SEED, "--export", "out"
    )
    assert (done.returncode, done.stderr) == (0, "")
    replays = exported(folder / "out")
    assert len(replays) == 2
    for replay in replays:
        assert (replay["edition"], replay["edition_toml"]) == ("my-box", BOX)
        assert not any(decision.get("fault") for decision in replay["decisions"]), "the bot saw another edition"
        assert execute(from_json(replay)).scores == replay["result"]["scores"]


@pytest.mark.usefixtures("box")
def test_with_another_edition_the_same_seed_is_another_tournament(shell: Callable[..., Any], folder: Path) -> None:
    play = ["play", "long-short", "random", "passive", "--seed", SEED, "--export"]
    for name, more in {"own": [], "mine": ["--edition", "box.toml"]}.items():
        assert shell(*play, name, *more).returncode == 0
    own, mine = ({replay["block_id"] for replay in exported(folder / name)} for name in ("own", "mine"))
    assert own.isdisjoint(mine)


def test_a_copy_of_the_packaged_edition_is_the_packaged_edition(shell: Callable[..., Any], folder: Path) -> None:
    (folder / "copy.toml").write_bytes(RECONSTRUCTED.toml)
    play = ["play", "long-short", "random", "passive", "--seed", SEED, "--export"]
    for name, more in {"own": [], "copy": ["--edition", "copy.toml"]}.items():
        assert shell(*play, name, *more).returncode == 0
    own, copy = ({replay["block_id"] for replay in exported(folder / name)} for name in ("own", "copy"))
    assert own == copy
    assert all("edition_toml" not in replay for replay in exported(folder / "copy"))


@pytest.mark.usefixtures("box")
def test_a_tournament_is_played_with_its_edition_and_goes_on_with_no_other(
    shell: Callable[..., Any], cli: Callable[..., Any], folder: Path
) -> None:
    (folder / "mine.py").write_text(BOT)
    (folder / "other.toml").write_text(BOX.replace("my-box", "other-box"))
    assert cli("bot", "add", "mine", "./mine.py").exit_code == 0
    run = ["tournament", "run", "long-short", "mine", "greedy", "--name", "cup"]
    done = shell(*run, "--edition", "box.toml")
    assert (done.returncode, done.stderr) == (0, "")
    mine = next(line for line in done.stdout.splitlines() if " mine " in line)
    assert mine.split()[-1] == "0", "the bot saw another edition"
    assert cli(*run, "--edition", "box.toml").exit_code == 0
    for more, begun in {("--edition", "other.toml"): ", not ", (): ", not of the game's own"}.items():
        refused = cli(*run, *more)
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
        assert "tournament 'cup' was begun with edition " in refused.stderr
        assert begun in refused.stderr


WRONG = {
    "missing.toml": "cannot read --edition 'missing.toml': No such file or directory",
    "a_folder": "cannot read --edition 'a_folder': Is a directory",
    "": "--edition ''",
    "huge.toml": "--edition 'huge.toml': the edition file has more than 262144 bytes",
    "/dev/zero": "--edition '/dev/zero': the edition file has more than 262144 bytes",
    "latin.toml": "--edition 'latin.toml': the edition file is no TOML: 'utf-8' codec can't decode byte 0xe4",
    "deep.toml": "--edition 'deep.toml': the edition file is nested too deep",
    "digits.toml": "--edition 'digits.toml': the edition file is no TOML: Exceeds the limit",
    "other_game.toml": "--edition 'other_game.toml': game = 'go' is none of: long-short",
    "deal.toml": "--edition 'deal.toml': deal = {'yellow': 5, 'red': 3, 'blue': 2, 'green': 1} adds up to 11, not to",
    "key.toml": "--edition 'key.toml': colour = 'red' is not a key of an edition",
    "small.toml": "edition my-box is for 2 to 3 players, not 4",
}


@pytest.mark.parametrize(("name", "said"), WRONG.items(), ids=WRONG)
@pytest.mark.parametrize("words", [["play"], ["tournament", "run"]], ids=" ".join)
def test_a_file_that_is_no_edition_of_the_game_is_told_in_one_line(
    words: list[str], name: str, said: str, cli: Callable[..., Any], folder: Path
) -> None:
    (folder / "a_folder").mkdir()
    (folder / "huge.toml").write_bytes(b"#" * (256 * 1024 + 1))
    (folder / "latin.toml").write_bytes("id = 'Pförtner'".replace("ö", "ä").encode("latin-1"))
    (folder / "deep.toml").write_text("a = " + "[" * 100_000)
    (folder / "digits.toml").write_text("a = " + "9" * 5000)
    (folder / "other_game.toml").write_text(BOX.replace('"long-short"', '"go"'))
    (folder / "deal.toml").write_text(BOX.replace("yellow = 4", "yellow = 5"))
    (folder / "key.toml").write_text('colour = "red"\n' + BOX)
    (folder / "small.toml").write_text(SMALL_BOX)
    result = cli(*words, "long-short", "random", "greedy", "passive", "hand_reader", "--edition", name)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("tradepit: ")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr
