"""The house bots: all there, legal, repeatable, short, and as strong as they are said to be."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from scripted_referee import ScriptedReferee

import tradepit_bots
from tradepit_bots import SLOW, games, make, names

QUICK = [name for name in names("long-short") if name not in SLOW]

OPTIONS: list[dict[str, str | int]] = [
    {},
    {"end_of_game_card": "cancellable", "initial_day_trade_cards": 3},
    {"end_of_game_card": "removed", "day_trade_face": "nothing", "max_action_points": 3, "bankruptcy": "restart"},
]


def referee(bots: Sequence[str], seed: int, options: dict[str, str | int] | None = None) -> ScriptedReferee:
    """A block between house bots, played from *seed*."""
    secret = Random(seed).randbytes(32)
    played = ScriptedReferee(
        [make("long-short", name) for name in bots], secret=secret, reproducible=True, options=options
    )
    played.play()
    return played


def test_every_module_is_a_bot() -> None:
    assert games() == ["buy-low-sell-high", "long-short"]
    assert names("buy-low-sell-high") == ["passive", "random", "search", "value"]
    assert names("long-short") == ["greedy", "hand_reader", "passive", "random", "search"]
    assert names("chess") == []


@pytest.mark.parametrize(("game", "name"), [("chess", "greedy"), ("long-short", "grandmaster")])
def test_an_unknown_bot_is_refused_with_those_that_there_are(game: str, name: str) -> None:
    with pytest.raises(LookupError, match=rf"no house bot '{name}' for '{game}'; there are: .+"):
        make(game, name)


@pytest.mark.parametrize("options", OPTIONS, ids=["rulebook", "cancellable", "restart"])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_no_house_bot_ever_breaks_a_rule(options: dict[str, str | int], seats: int) -> None:
    table = (QUICK * 2)[:seats]
    for seed in range(4):
        assert referee(table, seed, options).failures == []


def test_random_does_all_that_there_is_to_do() -> None:
    """Buys, sells, day trades, names every pile, and answers the end-of-game card both ways."""
    cancellable: dict[str, str | int] = {"end_of_game_card": "cancellable", "initial_day_trade_cards": 3}
    actions = [entry for seed in range(40) for entry in referee(["random"] * 3, seed, cancellable).decisions]
    turns = [action for _, kind, action in actions if kind == "turn"]
    assert {type(order).__name__ for turn in turns for order in turn.orders} == {"Buy", "Sell"}
    assert {turn.pile for turn in turns} == {1, 2, 3}
    assert {bool(action.sales) for _, kind, action in actions if kind == "day_trade"} == {True, False}
    assert {action.cancel for _, kind, action in actions if kind == "end_of_game"} == {True, False}


def test_hand_reader_uses_its_day_trade_cards() -> None:
    decisions = [entry for seed in range(5) for entry in referee(["hand_reader"] * 3, seed).decisions]
    assert any(action.sales for _, kind, action in decisions if kind == "day_trade")


def test_passive_never_buys() -> None:
    decisions = referee(["passive", "passive"], 1).decisions
    assert all(not action.orders for _, kind, action in decisions if kind == "turn")


@pytest.mark.parametrize("name", ["greedy", "hand_reader", "passive", "random"])
def test_equal_seeds_give_equal_play(name: str) -> None:
    def decisions(seed: int) -> object:
        return referee([name, "random"], seed).decisions

    assert decisions(1) == decisions(1)
    assert decisions(1) != decisions(2)


@pytest.fixture(scope="module")
def placements() -> list[dict[str, int]]:
    """How 20 blocks of the four bots ended: placements by bot, a match each."""
    table = QUICK
    return [
        {name: places[(entrant + index) % len(table)] for entrant, name in enumerate(table)}
        for seed in range(20)
        for index, places in enumerate(referee(table, seed).placements)
    ]


@pytest.mark.parametrize("strong", ["greedy", "hand_reader"])
@pytest.mark.parametrize("weak", ["passive", "random"])
def test_the_order_of_strength_is_real(placements: list[dict[str, int]], strong: str, weak: str) -> None:
    """At tables of four, in all seats, the strong one finishes above the weak one three times as often as below."""
    above = sum(placement[strong] < placement[weak] for placement in placements)
    below = sum(placement[strong] > placement[weak] for placement in placements)
    assert above > 3 * below


def test_each_bot_is_under_120_lines() -> None:
    folder = Path(tradepit_bots.__file__).parent
    lengths = {str(path): len(path.read_text().splitlines()) for path in folder.glob("*/*.py")}
    assert {name for name, length in lengths.items() if length >= 120} == set()
    assert len(lengths) >= 9


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """``python -m tradepit_bots`` with *arguments*."""
    command = [sys.executable, "-m", "tradepit_bots", *arguments]
    return subprocess.run(command, env={}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((), "usage: python -m tradepit_bots GAME NAME"),
        (("long-short",), "usage: python -m tradepit_bots GAME NAME"),
        (("chess", "greedy"), "no house bot 'greedy' for 'chess'"),
        (("long-short", "greedy"), "Greedy: no referee: give --referee"),
        (("long-short", "greedy", "--referee", "h:1"), "Greedy: no token: give --token-file"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(arguments: tuple[str, ...], line: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1


def test_help_lists_the_bots() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert "buy-low-sell-high: passive, random, search, value" in done.stdout
    assert "long-short: greedy, hand_reader, passive, random, search" in done.stdout
