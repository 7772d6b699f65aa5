"""The scripted referee for authors' own tests, and the situations of Buy Low Sell High that it asks about."""

import textwrap
from random import Random
from typing import Any

import pytest
from buy_low_sell_high_play import moments, random_match
from buy_low_sell_high_views import Eyes, allows, engine_cards, engine_trades
from scripted_referee import ScriptedReferee

import tradepit.buy_low_sell_high
from tradepit.buy_low_sell_high import (
    Action,
    BuyLowSellHighBot,
    BuyLowSellHighView,
    CardPlay,
    Trade,
    Turn,
    buy,
    sell,
)
from tradepit.buy_low_sell_high.edition import read_edition
from tradepit.buy_low_sell_high.testing import BuyLowSellHighReferee, Seat, Situation, view_of
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit.chance import Chance
from tradepit.errors import EditionError
from tradepit_server.codecs.buy_low_sell_high import CODEC
from tradepit_server.games.buy_low_sell_high import actions as engine
from tradepit_server.games.buy_low_sell_high.game import GAME

EDITION = read_edition(GAME.editions[0].toml)


class Puppet(BuyLowSellHighBot):
    """Answers what a test tells it to."""

    max_concurrent_matches = 8

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)

    def decide(self, view: BuyLowSellHighView) -> Action:
        """The next answer."""
        view.note = f"{len(self.answers)} left"
        answer: Action = self.answers.pop(0)
        return answer

    def take_turn(self, view: BuyLowSellHighView) -> Turn:
        """Not asked: ``decide`` is."""
        raise NotImplementedError


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_situation_that_says_nothing_is_the_beginning_of_a_game(seats: int) -> None:
    """What everybody sees is what the engine shows."""
    games = (GAME.new(seats, {}, Chance(bytes([number]) * 32)) for number in range(99))
    begun = next(state for state in games if list(state.awaiting) == [0])
    real = pb.Observation.FromString(CODEC.observation(begun, 0))
    assert Situation(others=[Seat()] * (seats - 1)).observation(EDITION).public == real.public


@pytest.mark.parametrize(
    ("situation", "quoted"),
    [
        (Situation(charts={"gas": (24, 3)}), "no industry 'gas'"),
        (Situation(shares={"gas": 3}), "no industry 'gas'"),
        (Situation(charts={"oil": (7, 3)}), "chart of oil: 3 shares from 7 \\$ down"),
        (Situation(charts={"oil": (8, 0)}), "chart of oil: 0 shares"),
        (Situation(hand=["oil-99"]), "no card 'oil-99'"),
        (Situation(spaces=[(0, "oil-99")]), "no card 'oil-99'"),
        (Situation(seat=2), "seat is 2, but there are 2 seats"),
        (Situation(others=[]), "there are 1 seats, but the edition is for 2, 3, 4"),
    ],
)
def test_a_situation_that_cannot_be_is_quoted(situation: Situation, quoted: str) -> None:
    with pytest.raises(ValueError, match=quoted):
        situation.observation(EDITION)


def test_the_turn_and_who_began_follow_from_what_was_played_unless_a_test_says_otherwise() -> None:
    assert (view_of(Situation()).turn, view_of(Situation()).starting_seat) == (0, 0)
    later = view_of(Situation(year=2, spaces=[(0, "oil-01", 1, "oil-14")]))
    assert (later.turn, later.starting_seat) == (9, 1)
    said = view_of(Situation(turn=4, starting_seat=1, draw_pile=3))
    assert (said.turn, said.starting_seat, said.draw_pile) == (4, 1, 3)


@pytest.mark.parametrize(
    ("situation", "answer", "reason"),
    [
        (Situation(cash=5), Turn([buy("oil")], cards=["oil-01"]), "cannot buy oil now: the price is 6 $, the cash 5 $"),
        (Situation(), Turn(cards=["oil-09"]), "cannot play oil-09 now: it is not in the hand"),
        (Situation(), Turn(cards=[]), "another card must be played in a turn"),
        (Situation(hand=["oil-12", "oil-01"]), Turn(cards=["oil-12"]), "another card must be played after oil-12"),
        (Situation(), Turn(cards=["oil-01"], fee_sales=["oil"]), "cannot sell 'oil' for a fee: none is owed"),
        (Situation(decision="discard"), ["oil-09"], "the card 'oil-09' is not in the hand, or named twice"),
        (Situation(decision="discard"), ["oil-01", "oil-01"], "the card 'oil-01' is not in the hand, or named twice"),
        (
            Situation(decision="final_sale", shares={"oil": 0}),
            "oil",
            "no share of 'oil' is held, but of technology, retail",
        ),
    ],
)
def test_an_illegal_answer_is_refused_with_the_reason_the_answer_and_the_view(
    situation: Situation, answer: Any, reason: str
) -> None:
    with pytest.raises(AssertionError) as caught:
        BuyLowSellHighReferee(Puppet(answer)).ask([situation])
    first, answered, view = str(caught.value).split("\n", 2)
    assert reason in first
    assert answered.startswith("the bot answered: ")
    assert view.startswith(f"to: {view_of(situation)}")


def test_notes_come_back_with_the_answers() -> None:
    referee = BuyLowSellHighReferee(Puppet(Turn(cards=["oil-01"]), ()))
    referee.ask([Situation(), Situation(decision="discard")])
    assert referee.notes == ["2 left", "1 left"]


def test_what_it_allows_is_what_the_referee_allows() -> None:
    """Turns at random in whole matches, many of them illegal."""
    rng, eyes = Random(7), Eyes()
    allowed = []
    for number in range(4):
        for state in moments(*random_match(2 + number % 3, number)):
            if state.decision == "turn":
                view = eyes.view(state, state.active)
                turn = some_turn(view, rng)
                action = engine.Turn(engine_trades(turn.trades), engine_cards(turn.cards), turn.fee_sales)
                allowed.append(takes(view, turn))
                assert allowed[-1] == allows(state, action), (str(turn), str(view))
    assert 0.2 < sum(allowed) / len(allowed) < 0.9


def some_turn(view: BuyLowSellHighView, rng: Random) -> Turn:
    """A turn at random: mostly of what the hand holds, over what lies on the table."""
    every: list[Trade] = [*map(buy, view.industries), *map(sell, view.industries)]
    trades = rng.choices(every, k=rng.randint(0, 2))
    table = ["", "", *(space.card.id for space in view.spaces)]
    cards = list(rng.choice(view.legal_plays()))
    if rng.random() < 0.3:
        cards = [CardPlay(rng.choice(view.hand).id, rng.choice(table)) for _ in range(rng.randint(0, 2))]
    sales = rng.sample(view.industries, 2) if rng.random() < (0.9 if view.fee_owed else 0.1) else []
    return Turn([] if view.fee_owed and rng.random() < 0.9 else trades, cards=cards, fee_sales=sales)


def takes(view: BuyLowSellHighView, turn: Turn) -> bool:
    """Whether the scripted referee would take *turn*."""
    return not BuyLowSellHighReferee(Puppet()).problem(turn, view)


def test_a_text_that_is_no_edition_is_refused() -> None:
    with pytest.raises(EditionError, match="not an edition of Buy Low Sell High: KeyError: 'years'"):
        read_edition(b'id = "box-1"')


def test_the_bot_in_the_documentation_plays() -> None:
    """The docstring of tradepit.buy_low_sell_high, word for word."""
    text = textwrap.dedent((tradepit.buy_low_sell_high.__doc__ or "").partition("::\n")[2])
    names: dict[str, Any] = {"__name__": "oilman"}
    exec(compile(text, "oilman.py", "exec"), names)  # noqa: S102  # the documentation is ours
    referee = ScriptedReferee([names["Oilman"](), names["Oilman"]()], game="buy-low-sell-high")
    referee.play()
    assert referee.failures == []
    assert any(action.trades for _, kind, action in referee.decisions if kind == "turn")
