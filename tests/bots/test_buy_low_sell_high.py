"""The house bots of Buy Low Sell High: legal, repeatable, and as strong as they are said to be."""

import json
from collections.abc import Sequence
from random import Random

import pytest
from scripted_referee import ScriptedReferee

from tradepit import local
from tradepit.buy_low_sell_high import buy, sell
from tradepit.buy_low_sell_high.testing import BuyLowSellHighReferee, Seat, Situation
from tradepit_bots import SLOW, make, names
from tradepit_server import replay
from tradepit_server.games.buy_low_sell_high.actions import Buy, Sell

GAME = "buy-low-sell-high"
QUICK = [name for name in names(GAME) if name not in SLOW]
LATER = 9
"""A turn without the limits of the first two."""


def referee(bots: Sequence[str], seed: int) -> ScriptedReferee:
    """A block between house bots, played from *seed*."""
    secret = Random(seed).randbytes(32)
    played = ScriptedReferee([make(GAME, name) for name in bots], game=GAME, secret=secret, reproducible=True)
    played.play()
    return played


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("first", ["passive", "random", "value"])
def test_no_house_bot_ever_breaks_a_rule(first: str, seats: int) -> None:
    table = [first, *QUICK][:seats]
    for seed in range(4):
        assert referee(table, seed).failures == []


def test_random_does_all_that_there_is_to_do() -> None:
    """Trades both ways, alone and in pairs, sells for fees, covers cards, plays several, exchanges some, sells any."""
    decisions = [entry for seed in range(20) for entry in referee(["random"] * 3, seed).decisions]
    turns = [action for _, kind, action in decisions if kind == "turn"]
    assert {type(trade) for turn in turns for trade in turn.trades} == {Buy, Sell}
    assert {len(turn.trades) for turn in turns} == {0, 1, 2}
    assert {len(turn.cards) for turn in turns} >= {1, 2}
    assert any(turn.fee_sales for turn in turns)
    assert any(play.over for turn in turns for play in turn.cards)
    assert {len(action.cards) for _, kind, action in decisions if kind == "discard"} >= {0, 1, 2}
    assert len({action.industry for _, kind, action in decisions if kind == "final_sale"}) == 3


def test_passive_never_trades() -> None:
    decisions = referee(["passive", "random"], 1).decisions
    silent = [
        seat for seat in (0, 1) if not any(a.trades for s, kind, a in decisions[:20] if (s, kind) == (seat, "turn"))
    ]
    assert silent == [0]


def test_value_buys_what_its_card_will_lift_and_plays_it() -> None:
    turn = BuyLowSellHighReferee(make(GAME, "value")).turn(Situation(turn=LATER, hand=["retail-04", "oil-04"]))
    assert turn.trades == (buy("retail"), buy("retail"))
    assert [play.card for play in turn.cards] == ["retail-04"]


def test_value_sells_what_the_table_lets_fall() -> None:
    fallen = [(1, "oil-06"), (1, "oil-05"), (1, "oil-04")]
    situation = Situation(
        turn=LATER, hand=["technology-13"], spaces=fallen, shares={"oil": 3, "technology": 0, "retail": 0}
    )
    assert BuyLowSellHighReferee(make(GAME, "value")).turn(situation).trades == (sell("oil"), sell("oil"))


def test_value_covers_what_hurts_it() -> None:
    falling = [(1, "oil-01"), (1, "oil-06")]
    hurt = Situation(hand=["oil-14", "oil-02"], spaces=falling, shares={"oil": 4}, turn=LATER, cash=0)
    (play,) = BuyLowSellHighReferee(make(GAME, "value")).turn(hurt).cards
    assert (play.card, play.over) == ("oil-14", "oil-06")


def test_value_exchanges_cards_that_serve_the_others() -> None:
    hand = ["oil-03", "oil-06", "oil-07", "oil-12", "oil-14"]
    bot = make(GAME, "value")
    behind = Situation(hand=hand, shares={"oil": 0}, others=[Seat(shares={"oil": 3})])
    ahead = Situation(hand=hand, shares={"oil": 3})
    assert BuyLowSellHighReferee(bot).discard(behind) == ("oil-03", "oil-07")
    assert BuyLowSellHighReferee(bot).discard(ahead) == ("oil-06", "oil-12")


@pytest.mark.parametrize("name", ["passive", "random", "value"])
def test_equal_seeds_give_equal_play(name: str) -> None:
    def decisions(seed: int) -> object:
        return referee([name, "random"], seed).decisions

    assert decisions(1) == decisions(1)
    assert decisions(1) != decisions(2)


@pytest.fixture(scope="module")
def placements() -> list[dict[str, int]]:
    """How 20 blocks of the three bots ended: placements by bot, a match each."""
    table = QUICK
    return [
        {name: places[(entrant + index) % len(table)] for entrant, name in enumerate(table)}
        for seed in range(20)
        for index, places in enumerate(referee(table, seed).placements)
    ]


@pytest.mark.parametrize(("strong", "weak"), [("value", "random"), ("value", "passive"), ("passive", "random")])
def test_the_order_of_strength_is_real(placements: list[dict[str, int]], strong: str, weak: str) -> None:
    """At tables of three, in all seats, the strong one finishes above the weak one twice as often as below."""
    above = sum(placement[strong] < placement[weak] for placement in placements)
    below = sum(placement[strong] > placement[weak] for placement in placements)
    assert above > 2 * below


def test_matches_come_to_the_same_scores_when_their_replays_are_executed() -> None:
    """From the published form: seed, options and decisions alone."""
    bots = [make(GAME, name) for name in ("value", "random", "random", "passive")]
    for match in local.play(bots, game=GAME, blocks=3, seed="5eed" * 16):
        outcome = replay.execute(replay.from_json(json.loads(json.dumps(match.json()))))
        assert tuple(outcome.scores) == match.result.scores
        assert tuple(outcome.placements) == match.result.placements
