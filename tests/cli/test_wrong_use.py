"""Wrong input of every kind ends with one clear line, which quotes the value, and exit status 2."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

PLAY = ["play", "long-short", "random", "greedy"]
RUN = ["tournament", "run", "long-short", "random", "greedy"]

WRONG = [
    # arguments and numbers
    (["plya"], "'plya'"),
    (["play"], "'GAME'"),
    (["play", "long-short"], "'BOT"),
    ([*PLAY, "--bad"], "--bad"),
    ([*PLAY, "--blocks"], "--blocks"),
    ([*PLAY, "--blocks", "0"], "--blocks '0' is not a whole number from 1 to 10000"),
    ([*PLAY, "--blocks", "-3"], "--blocks '-3' is not a whole number from 1 to 10000"),
    ([*PLAY, "--blocks", "10001"], "--blocks '10001' is not a whole number from 1 to 10000"),
    ([*PLAY, "--blocks", "1.5"], "--blocks '1.5' is not"),
    ([*RUN, "--blocks", "0"], "--blocks '0' is not a whole number from 1 to 10000"),
    # games and what can be chosen about them
    (["play", "go", "random", "greedy"], "no game 'go' is installed; there are: buy-low-sell-high, long-short"),
    (["ratings", "--game", "go"], "no game 'go' is installed; there are: buy-low-sell-high, long-short"),
    (
        ["tournament", "run", "go", "random", "greedy"],
        "no game 'go' is installed; there are: buy-low-sell-high, long-short",
    ),
    ([*PLAY, "--preset", "fast"], "no preset 'fast'; it has: classic"),
    ([*PLAY, "--option", "bankruptcy"], "'bankruptcy' is not of the form name=value"),
    ([*PLAY, "--option", "=debt"], "'=debt' is not of the form name=value"),
    ([*PLAY, "--option", "bankruptcy="], "'bankruptcy=' is not of the form name=value"),
    ([*PLAY, "--option", "colour=red"], "no option 'colour'; it has: end_of_game_card"),
    ([*PLAY, "--option", "max_action_points=7"], "option max_action_points cannot be '7'; it is one of: 1, 2"),
    (
        [*PLAY, "--option", "max_action_points=1", "--option", "max_action_points=2"],
        "'max_action_points' is given twice",
    ),
    # chance and clocks
    ([*PLAY, "--seed", "abc"], "--seed 'abc' is not 64 hex digits"),
    ([*PLAY, "--seed", "g" * 64], f"--seed '{'g' * 64}' is not 64 hex digits"),
    ([*PLAY, "--seed", " " + "0" * 63], "is not 64 hex digits"),
    ([*PLAY, "--seed", ""], "--seed '' is not 64 hex digits"),
    ([*PLAY, "--time-control", "bullet"], "'bullet'"),
    ([*PLAY, "--time-control", "decision=fast"], "--time-control: decision cannot be 'fast'"),
    ([*PLAY, "--time-control", "decision=0s"], "--time-control: decision cannot be 0: no bot is so fast"),
    ([*PLAY, "--time-control", ""], "''"),
    ([*RUN, "--deal", "same"], "invalid value for '--deal': 'same' is not one of 'independent', 'duplicate'"),
    # seats and tables
    (["replay", "show", "match.json", "--seat", "first"], "--seat 'first' is not a whole number from 0 to 1000"),
    (["replay", "show", "match.json", "--seat", "-1"], "--seat '-1' is not a whole number from 0 to 1000"),
    (["play", "long-short", "random"], "long-short is played by 2 to 6 bots, not 1"),
    (["play", "long-short", *["random"] * 7], "long-short is played by 2 to 6 bots, not 7"),
    (["tournament", "run", "long-short", "random"], "needs 2 bots or more, not 1"),
    ([*RUN, "--table-size", "1"], "--table-size 1 is not from 2 to 2"),
    ([*RUN, "--table-size", "3"], "--table-size 3 is not from 2 to 2"),
    ([*RUN, "--table-size", "two"], "--table-size 'two' is not a whole number from 1 to 1000"),
    # bots
    (["play", "long-short", "random", "greddy"], "no bot 'greddy': house bots are"),
    (["play", "long-short", "random", ""], "a bot cannot be ''"),
    (["play", "long-short", "random", "  "], "a bot cannot be '  '"),
    (["play", "long-short", "random", "gre\x1bedy"], "'gre\\x1bedy': it holds characters that cannot be shown"),
    (["play", "long-short", "random", "./missing.py"], "there is no file './missing.py'"),
    (["play", "long-short", "random", "a" * 5000], "or give a Python file"),
    (["play", "long-short", "random", "./" + "a" * 300 + ".py"], "there is no file './aaa"),
    (
        ["play", "long-short", "random", "~nobody-has-this-name/bot.py"],
        "there is no file '~nobody-has",
    ),
    (["play", "long-short", "random", "a_folder"], "'a_folder' is a folder"),
    (["play", "long-short", "random", "notes.txt"], "'notes.txt' is neither a Python file (.py) nor executable"),
    (["play", "long-short", "random", "no-such-program --fast"], "starts 'no-such-program'"),
    (["play", "long-short", "random", "node 'bot.js"], "cannot read the command"),
    (["tournament", "run", "long-short", "random", "greddy"], "more are added with: tradepit bot add"),
    (["tournament", "run", "long-short", "random", "random"], "'random' is named twice"),
    (["tournament", "run", "long-short", "random", "./bot.py"], "tradepit bot add NAME './bot.py'"),
    (["tournament", "run", "long-short", "random", "node bot.js"], "tradepit bot add NAME 'node bot.js'"),
    (["bot", "add"], "'NAME'"),
    (["bot", "add", "mine"], "'TARGET'"),
    (["bot", "add", "greedy", "./bot.py"], "cannot be called 'greedy': that is a house bot of long-short"),
    (
        ["bot", "add", "a b", "./bot.py"],
        "cannot be called 'a b': a name is a lower-case letter or digit, then up to 39 more of a-z 0-9 _ . -",
    ),
    (["bot", "add", "Mine", "./bot.py"], "cannot be called 'Mine': a name is a lower-case letter or digit"),
    (["bot", "add", "mine.py", "./bot.py"], "cannot be called 'mine.py': that would be taken for a file"),
    (["bot", "set", "nobody", "./bot.py"], "no bot 'nobody' that was added"),
    (["bot", "set", "greedy", "./bot.py"], "no bot 'greedy' that was added"),
    (["bot", "add", "a\nb", "./bot.py"], "cannot be called 'a\\nb'"),
    (["bot", "add", "", "./bot.py"], "cannot be called ''"),
    (["bot", "add", "mine", "./missing.py"], "there is no file './missing.py'"),
    (["bot", "add", "mine", ""], "a bot cannot be ''"),
    # where to write
    ([*PLAY, "--export", ""], "--export '' names no folder"),
    ([*PLAY, "--export", "notes.txt"], "--export 'notes.txt' is no folder that can be written to"),
    ([*PLAY, "--export", "notes.txt/out"], "--export 'notes.txt/out' is no folder that can be written to"),
    ([*PLAY, "--export", "/proc/out"], "--export '/proc/out' is no folder that can be written to"),
]


@pytest.mark.parametrize(("words", "said"), WRONG, ids=[" ".join(words)[:70] for words, _ in WRONG])
def test_wrong_use_is_told_in_one_line(words: list[str], said: str, cli: Any, folder: Path) -> None:
    (folder / "a_folder").mkdir()
    (folder / "notes.txt").write_text("no bot")
    (folder / "bot.py").write_text("")
    result = cli(*words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("tradepit: ")
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 500
    assert said in result.stderr


DATABASES = [
    ("", "''"),
    ("ladder.db", "'ladder.db'"),
    ("nosuch://x", "nosuch"),
    ("sqlite:////proc/nowhere/ladder.db", "/proc/nowhere/ladder.db"),
    ("sqlite:///a_folder", "a_folder"),
    ("sqlite:///notes.txt", "notes.txt"),
    ("sqlite:///foreign.db", "foreign.db"),
]


@pytest.mark.parametrize(("url", "said"), DATABASES)
@pytest.mark.parametrize("words", [["ratings"], ["bot", "list"], RUN], ids=" ".join)
def test_a_database_that_is_none_is_told_in_one_line(
    url: str, said: str, words: list[str], cli: Any, folder: Path
) -> None:
    (folder / "a_folder").mkdir()
    (folder / "notes.txt").write_text("This is not a database, though it is longer than the header of one is. " * 20)
    foreign = sqlite3.connect(folder / "foreign.db")
    foreign.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY)")
    foreign.close()
    result = cli(*words, "--db", url)
    assert result.exit_code in (1, 2), result.output
    assert result.stdout == ""
    assert result.stderr.startswith("tradepit: ")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr
    assert "unexpected" not in result.stderr
