"""Orders and turns as authors make them: a slip is refused where it is made, with the value quoted."""

from collections.abc import Iterable
from typing import Any

import long_short_frames as frames
import pytest

from tradepit.long_short import MAX_ORDERS, LongShortView, PriceCard, Sale, Turn, buy, sell
from tradepit.long_short.actions import action_text
from tradepit.long_short.v1 import long_short_pb2 as pb

CARD = PriceCard("yellow-25", {"gold": 2})


class Number:
    """A whole number that is not an int, as array libraries have."""

    def __index__(self) -> int:
        return 3


@pytest.mark.parametrize("contracts", [1.5, 0, -1, True, "2", None, 2**63])
def test_contracts_that_are_not_a_positive_whole_number_are_refused(contracts: Any) -> None:
    with pytest.raises(ValueError, match="contracts is") as raised:
        buy("gold", "long", contracts)
    assert repr(contracts) in str(raised.value)


def test_whole_numbers_of_an_array_library_are_welcome() -> None:
    contracts: Any = Number()
    assert buy("gold", "long", contracts).contracts == 3


@pytest.mark.parametrize("side", ["LONG", "up", "", 1, None])
def test_a_side_that_is_none_is_refused(side: Any) -> None:
    with pytest.raises(ValueError, match="side is") as raised:
        sell("gold", side, 10, 1)
    assert repr(side) in str(raised.value)


@pytest.mark.parametrize("good", ["", None, 4])
def test_a_good_that_is_no_name_is_refused(good: Any) -> None:
    with pytest.raises(ValueError, match="good is"):
        buy(good, "long", 1)


def test_an_entry_level_that_is_not_whole_is_refused() -> None:
    level: Any = 10.0
    with pytest.raises(ValueError, match=r"entry_level is 10\.0"):
        sell("gold", "long", level, 1)


def test_a_turn_takes_a_card_or_its_id_and_any_iterable_of_orders() -> None:
    turn = Turn((buy("gold", "long", n) for n in (1, 2)), price_card=CARD)
    assert [order.contracts for order in turn.orders] == [1, 2]
    assert turn.price_card == Turn(price_card="yellow-25").price_card == "yellow-25"
    assert turn.pile == 1


@pytest.mark.parametrize("pile", [0, 4, True, "1", 1.5])
def test_a_pile_that_there_is_not_is_refused(pile: Any) -> None:
    with pytest.raises(ValueError, match="pile is"):
        Turn(price_card=CARD, pile=pile)


def test_a_card_that_is_none_is_refused() -> None:
    card: Any = 7
    with pytest.raises(TypeError, match="price_card is 7"):
        Turn(price_card=card)


def test_an_order_that_is_none_is_refused() -> None:
    orders: Any = ["buy gold"]
    with pytest.raises(TypeError, match="'buy gold' is no order"):
        Turn(orders, price_card=CARD)


def test_more_than_64_orders_are_refused() -> None:
    assert len(Turn([buy("gold", "long", 1)] * MAX_ORDERS, price_card=CARD).orders) == 64
    with pytest.raises(ValueError, match="at most 64 orders, not 65"):
        Turn([buy("gold", "long", 1)] * 65, price_card=CARD)


def test_actions_print_themselves() -> None:
    turn = Turn([buy("gold", "long", 2), sell("soya", "short", 9, 1)], price_card=CARD, pile=2)
    assert str(turn) == "buy 2 gold long, sell 1 soya short @9, play yellow-25, pile 2"
    assert "price_card='yellow-25'" in repr(turn)


class Answering(frames.Idle):
    """Answers whatever it is told to."""

    def __init__(self, answer: Any) -> None:
        self.the_answer = answer

    def take_turn(self, view: LongShortView) -> Turn:
        """Anything."""
        return self.the_answer  # type: ignore[no-any-return]  # that is the point

    def day_trade(self, view: LongShortView) -> Iterable[Sale]:
        """Anything."""
        return self.the_answer  # type: ignore[no-any-return]  # as above

    def cancel_end_of_game(self, view: LongShortView) -> bool:
        """Anything."""
        return self.the_answer  # type: ignore[no-any-return]  # as above


def answered(answer: Any, decision: pb.DecisionKind.ValueType) -> Any:
    """What the referee gets: the action, or the reason of the failure."""
    session = frames.playing(Answering(answer))
    (message,) = frames.answers(session, frames.request(frames.observation(decision)))
    if message.HasField("decision_failure"):
        return message.decision_failure.reason
    return pb.Action.FromString(message.decision.action.value)


@pytest.mark.usefixtures("capsys")
@pytest.mark.parametrize("answer", [None, [], "yellow-25"])
def test_a_turn_that_is_no_turn_is_the_bots_failure(answer: Any) -> None:
    reason = answered(answer, pb.DECISION_KIND_TURN)
    assert reason == f"TypeError: take_turn returned {answer!r}; it must return a Turn"


@pytest.mark.usefixtures("capsys")
@pytest.mark.parametrize("answer", [None, [buy("gold", "long", 1)], "sell"])
def test_a_day_trade_that_is_no_list_of_sales_is_the_bots_failure(answer: Any) -> None:
    reason = answered(answer, pb.DECISION_KIND_DAY_TRADE)
    assert reason.startswith(f"TypeError: day_trade returned {answer!r}")


@pytest.mark.usefixtures("capsys")
def test_more_than_64_sales_are_the_bots_failure() -> None:
    reason = answered([sell("gold", "long", 10, 1)] * 65, pb.DECISION_KIND_DAY_TRADE)
    assert reason == "ValueError: a day trade has at most 64 sales, not 65"


@pytest.mark.usefixtures("capsys")
def test_an_end_of_game_answer_that_is_neither_yes_nor_no_is_the_bots_failure() -> None:
    assert answered(None, pb.DECISION_KIND_END_OF_GAME).startswith("TypeError: cancel_end_of_game returned None")


def test_day_trades_and_the_end_of_game_card_are_answered_by_their_own_methods() -> None:
    sales = answered([sell("gold", "short", 9, 2)], pb.DECISION_KIND_DAY_TRADE)
    assert sales.day_trade.sales[0] == pb.Sale(good="gold", side=pb.SIDE_SHORT, entry_level=9, contracts=2)
    assert action_text(sales) == "sell 2 gold short @9"
    assert answered(True, pb.DECISION_KIND_END_OF_GAME).end_of_game.cancel


def test_by_default_nothing_is_day_traded_and_the_game_may_end() -> None:
    session = frames.playing(frames.Idle())
    kinds = (pb.DECISION_KIND_DAY_TRADE, pb.DECISION_KIND_END_OF_GAME)
    asked = [frames.request(frames.observation(kind), number) for number, kind in enumerate(kinds)]
    actions = [pb.Action.FromString(m.decision.action.value) for m in frames.answers(session, *asked)]
    assert actions == [pb.Action(day_trade=pb.DayTrade()), pb.Action(end_of_game=pb.EndOfGame(cancel=False))]
    assert [action_text(action) for action in actions] == ["no day trade", "let the game end"]
