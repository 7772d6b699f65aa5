"""The bots that search: legal, repeatable, in time, and stronger than those that do not."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from scripted_referee import ScriptedReferee

from tradepit.buy_low_sell_high import testing as shares
from tradepit.chance import Chance
from tradepit.long_short import testing as futures
from tradepit.match import TimeControl
from tradepit_bots import make, search
from tradepit_bots.long_short.search import Search
from tradepit_server import registry
from tradepit_server.referee.time_control import parse

GAMES = {"long-short": "hand_reader", "buy-low-sell-high": "value"}
"""By game: the strongest bot that does not search."""

OPTIONS: list[dict[str, str | int]] = [
    {},
    {"end_of_game_card": "cancellable", "initial_day_trade_cards": 3},
    {"end_of_game_card": "removed", "day_trade_face": "nothing", "max_action_points": 3, "bankruptcy": "restart"},
]


def referee(game: str, bots: Sequence[str], seed: int) -> ScriptedReferee:
    """A block between house bots, played from *seed*."""
    secret = Random(seed).randbytes(32)
    played = ScriptedReferee([make(game, name) for name in bots], game=game, secret=secret, reproducible=True)
    played.play()
    return played


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that search little."""
    monkeypatch.setattr(search, "MOST_PLAYOUTS", 16)


def everything_tried(game: str, seats: int, options: dict[str, str | int], seed: int) -> int:
    """How many actions a search bot would try and guess in a match of random ones of them; all must be legal."""
    bot: Any = make(game, "search")
    rng, tried = Random(seed), 0
    state = registry.get(game).game.new(seats, options, Chance(rng.randbytes(32)))
    while state.awaiting:
        actions = {}
        for seat in state.awaiting:
            candidates = [*bot.candidates(state, seat), bot.guess(state, seat)]
            for action in candidates:
                state.validate(seat, action)
            actions[seat] = rng.choice(candidates)
            tried += len(candidates)
        state.apply(actions)
    return tried


@pytest.mark.parametrize("options", OPTIONS, ids=["rulebook", "cancellable", "restart"])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_all_that_is_tried_in_long_short_is_legal(options: dict[str, str | int], seats: int) -> None:
    assert all(everything_tried("long-short", seats, options, seed) > 10 * seats for seed in range(15))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_that_is_tried_in_buy_low_sell_high_is_legal(seats: int) -> None:
    assert all(everything_tried("buy-low-sell-high", seats, {}, seed) > 30 * seats for seed in range(15))


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("game", GAMES)
def test_no_search_bot_ever_breaks_a_rule(game: str) -> None:
    for seed in range(2):
        assert referee(game, ["search", "random", "random"], seed).failures == []


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("game", GAMES)
def test_equal_seeds_give_equal_play(game: str) -> None:
    def decisions(seed: int) -> object:
        return referee(game, ["search", "random"], seed).decisions

    assert decisions(1) == decisions(1)
    assert decisions(1) != decisions(2)


@pytest.mark.parametrize(("game", "blocks"), [("long-short", 8), ("buy-low-sell-high", 10)])
def test_search_finishes_three_times_as_often_above_the_strongest_other_as_below(game: str, blocks: int) -> None:
    above = below = 0
    for seed in range(blocks):
        for index, places in enumerate(referee(game, ["search", GAMES[game]], seed).placements):
            own, other = places[index], places[1 - index]
            above, below = above + (own < other), below + (own > other)
    assert above > 3 * below


def test_a_card_is_played_against_what_the_other_holds() -> None:
    """In the last round of Long Short, without contracts of its own: gold must fall, or the other wins."""
    rich = futures.Seat(cash=0, contracts=[("gold", "long", 10, 5)])
    for against, other in (("green-10", "green-09"), ("green-10", "green-01")):
        situation = futures.Situation(round=10, hand=sorted([against, other]), others=[rich])
        assert futures.LongShortReferee(make("long-short", "search")).turn(situation).price_card == against


def test_what_the_others_will_spoil_is_sold_first() -> None:
    """Retail pays more, but nobody else has any; of oil the other will sell six."""
    situation = shares.Situation(
        decision="final_sale",
        year=3,
        charts={"oil": (24, 5), "retail": (30, 7)},
        shares={"oil": 1, "retail": 1, "technology": 0},
        others=[shares.Seat(shares={"oil": 6, "retail": 0, "technology": 0}, cash=20)],
    )
    bot = make("buy-low-sell-high", "search")
    assert shares.BuyLowSellHighReferee(bot).final_sale(situation) == "oil"


def test_final_sales_are_played_to_the_end() -> None:
    """In them the last cards still lie there, but have done what they do: no share is worth what it seems."""
    bot: Any = make("buy-low-sell-high", "search")
    start = registry.get("buy-low-sell-high").game.new(2, {}, Chance(bytes(32)))
    state = start.clone()
    enough = {}
    while state.awaiting:
        enough[state.decision] = bot.far_enough(start, state)
        state.apply({seat: state.default_action(seat) for seat in state.awaiting})
    assert enough == {"turn": True, "discard": False, "final_sale": False}


class Counting(Search):
    """Counts the states that it draws: one for the candidates, and one for a playout of each."""

    samples = 0

    def sample(self, view: Any) -> Any:
        """One more."""
        self.samples += 1
        return super().sample(view)


def test_a_search_stops_at_a_fourth_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here a second goes by whenever it looks at the clock."""
    monkeypatch.setattr(search, "time", SimpleNamespace(monotonic=count().__next__))
    drawn = {}
    for seconds in (8, 80):
        bot = Counting()
        futures.LongShortReferee(bot).turn(futures.Situation(time_left=timedelta(seconds=seconds)))
        drawn[seconds] = bot.samples
    assert drawn[8] == 2
    assert drawn[80] > 8


@pytest.mark.parametrize(
    ("control", "number"),
    [
        ("training", search.MOST_PLAYOUTS),
        ("standard", search.MOST_PLAYOUTS),
        ("blitz", 44),
        ("decision=80ms", 10),
        ("decision=1ms,bank=1s", 1),
    ],
)
def test_the_number_of_playouts_follows_from_the_time_control(control: str, number: int) -> None:
    assert search.playouts(TimeControl.from_message(parse(control).to_message())) == number


def test_a_lead_counts_by_its_part_of_what_both_own() -> None:
    assert search.chance_above(100, 100) == 0.5
    assert search.chance_above(120, 100) == pytest.approx(search.chance_above(120_000, 100_000), abs=0.01)
    assert search.chance_above(120, 100) + search.chance_above(100, 120) == pytest.approx(1)
    assert search.chance_above(-5_000, 50_000) < 0.01
