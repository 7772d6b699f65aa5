"""Trades, cards and turns as authors make them: a slip is refused where it is made, with the value quoted."""

from collections.abc import Sequence
from typing import Any, cast

import pytest

from tradepit.buy_low_sell_high import Action, BuyLowSellHighBot, BuyLowSellHighView, Card, Turn, buy, play, sell
from tradepit.buy_low_sell_high.actions import answer_text, read_action, turn_message
from tradepit.buy_low_sell_high.testing import BuyLowSellHighReferee, Situation, view_of
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb

CARD = Card("oil-03", "oil", "market", 2)
SHARES = Situation(decision="final_sale", year=3)


@pytest.mark.parametrize("industry", ["", None, 4])
def test_an_industry_that_is_no_name_is_refused(industry: Any) -> None:
    for make in (buy, sell, lambda name: Turn(cards=[], fee_sales=[name])):
        with pytest.raises(ValueError, match=f"industry is {industry!r}"):
            make(industry)


def test_a_buy_is_no_sale() -> None:
    assert buy("oil") == buy("oil")
    assert len({buy("oil"), sell("oil"), sell("retail")}) == 3


@pytest.mark.parametrize("card", ["", None, 4])
def test_a_card_that_is_none_is_refused(card: Any) -> None:
    with pytest.raises(ValueError, match=f"card is {card!r}"):
        play(card)
    with pytest.raises(ValueError, match="card is 7"):
        play("oil-14", cast(str, 7))


def test_a_turn_takes_cards_their_ids_and_plays() -> None:
    turn = Turn(iter([buy("oil")]), cards=[CARD, "oil-12", play("oil-14", CARD)])
    assert turn.trades == (buy("oil"),)
    assert turn.cards == (play("oil-03"), play("oil-12"), play("oil-14", "oil-03"))


@pytest.mark.parametrize("cards", ["oil-03", play("oil-03"), None, CARD])
def test_one_card_is_no_list_of_cards(cards: Any) -> None:
    with pytest.raises(TypeError, match=r"cards is .*; it must be a list"):
        Turn(cards=cards)


def test_a_trade_that_is_none_is_refused() -> None:
    with pytest.raises(TypeError, match="'buy oil' is no trade"):
        Turn(cast(Any, ["buy oil"]), cards=[CARD])


def test_more_than_two_trades_are_refused() -> None:
    with pytest.raises(ValueError, match="a turn has at most 2 trades, not 3"):
        Turn([buy("oil")] * 3, cards=[CARD])


def test_actions_print_themselves() -> None:
    turn = Turn([buy("oil"), sell("retail")], cards=["oil-12", play("oil-14", "oil-12")])
    assert str(turn) == "buy oil, sell retail, play oil-12, play oil-14 over oil-12"
    assert repr(turn).startswith("Turn([Buy(industry='oil'), Sale(industry='retail')], cards=[CardPlay(")
    assert str(Turn(cards=["oil-01"], fee_sales=["oil", "retail"])) == "sell for the fee: oil, then retail, play oil-01"
    assert str(Turn(cards=[])) == "nothing"
    assert answer_text(("oil-01", "oil-02")) == "discard oil-01, oil-02"
    assert (answer_text(()), answer_text("oil")) == ("discard nothing", "sell oil")


def test_a_turn_comes_back_from_its_message() -> None:
    turn = Turn([buy("oil"), sell("retail")], cards=[play("oil-14", "oil-12")], fee_sales=["oil"])
    read = read_action(turn_message(turn))
    assert isinstance(read, Turn)
    assert (read.trades, read.cards, read.fee_sales) == (turn.trades, turn.cards, turn.fee_sales)


class Answering(BuyLowSellHighBot):
    """Answers whatever it is told to."""

    def __init__(self, answer: Any) -> None:
        self.the_answer = answer

    def take_turn(self, view: BuyLowSellHighView) -> Turn:
        """Anything."""
        return self.the_answer  # type: ignore[no-any-return]  # that is the point

    def discard(self, view: BuyLowSellHighView) -> Sequence[Card | str]:
        """Anything."""
        return self.the_answer  # type: ignore[no-any-return]  # as above

    def final_sale(self, view: BuyLowSellHighView) -> str:
        """Anything."""
        return self.the_answer  # type: ignore[no-any-return]  # as above


@pytest.mark.usefixtures("capsys")
@pytest.mark.parametrize(
    ("situation", "answer", "reason"),
    [
        (Situation(), "oil-03", "take_turn returned 'oil-03'; it must return a Turn"),
        (Situation(), None, "take_turn returned None; it must return a Turn"),
        (Situation(decision="discard"), "oil-03", "discard returned 'oil-03'; it must return a list of cards"),
        (Situation(decision="discard"), None, "discard returned None; it must return a list of cards"),
        (Situation(decision="discard"), [4], "discard returned [4]; it must return a list of cards"),
        (SHARES, None, "final_sale returned None; it must return the name of an industry"),
        (SHARES, sell("oil"), "final_sale returned Sale(industry='oil'); it must return the name"),
    ],
)
def test_an_answer_of_another_kind_is_the_bots_failure(situation: Situation, answer: Any, reason: str) -> None:
    with pytest.raises(AssertionError) as raised:
        BuyLowSellHighReferee(Answering(answer)).ask([situation])
    assert f"TypeError: {reason}" in str(raised.value)


def test_every_kind_of_decision_is_answered_by_its_own_method() -> None:
    assert BuyLowSellHighReferee(Answering(Turn(cards=["oil-01"]))).turn(Situation()).cards == (play("oil-01"),)
    assert BuyLowSellHighReferee(Answering([CARD, "oil-04"])).discard(Situation()) == ("oil-03", "oil-04")
    assert BuyLowSellHighReferee(Answering("retail")).final_sale(SHARES) == "retail"


class Silent(BuyLowSellHighBot):
    """Overrides nothing that it need not."""

    def take_turn(self, view: BuyLowSellHighView) -> Turn:
        """The first card."""
        return view.desk().turn()


def test_by_default_nothing_is_discarded_and_the_dearest_share_is_sold() -> None:
    referee = BuyLowSellHighReferee(Silent())
    assert referee.discard(Situation()) == ()
    assert referee.final_sale(Situation(charts={"technology": (30, 3), "retail": (28, 3)})) == "technology"
    assert referee.final_sale(Situation(charts={"technology": (28, 3), "retail": (28, 3)})) == "technology"
    assert referee.final_sale(Situation(charts={"technology": (26, 3), "retail": (28, 3)})) == "retail"


def test_a_bot_may_decide_many_at_once() -> None:
    class Batched(Silent):
        def decide_many(self, views: Sequence[BuyLowSellHighView]) -> list[Action]:
            """Together."""
            frames.append([view.decision for view in views])
            return [self.decide(view) for view in views]

    frames: list[list[str]] = []
    answers = BuyLowSellHighReferee(Batched()).ask([Situation(), Situation(decision="discard"), SHARES])
    assert frames == [["turn", "discard", "final_sale"]]
    assert answers[1:] == [(), "oil"]


def test_what_was_played_instead_is_told_in_words() -> None:
    action = pb.Action(discard=pb.Discard(cards=["oil-01"]))
    assert Silent().describe_action("buy-low-sell-high", action.SerializeToString()) == "discard oil-01"
    assert view_of(SHARES).decision == "final_sale"
