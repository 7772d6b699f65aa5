"""Rules page, "Orders": buying, selling, chips, and what is refused with the value quoted."""

from typing import Any

import pytest
from long_short_play import Table

from tradepit_server.games.long_short.actions import Buy, DayTrade, EndOfGame, Sell, Turn
from tradepit_server.games.long_short.events import Bought, Sold

MARGINS = {"wheat": 1500, "copper": 1500, "sugar": 3000, "soya": 3000, "gold": 6000, "coffee": 6000}


@pytest.mark.parametrize(("good", "margin"), MARGINS.items())
@pytest.mark.parametrize("side", ["long", "short"])
@pytest.mark.parametrize("level", [3, 10, 17])
def test_margin_is_three_points_whatever_the_level(table: Table, good: str, margin: int, side: str, level: int) -> None:
    seat = table.active
    table.set_level(good, level)
    event = table.play([Buy(good, side, 1)], "green-01" if good != "wheat" else "green-03")[0]
    assert event == Bought(seat, good, side, level, 1, margin)
    assert table.state.cash[seat] == 10_000 - margin


@pytest.fixture(autouse=True)
def _calm_hands(table: Table) -> None:
    """Cards that move one good each, so that orders can be followed."""
    for seat in range(2):
        table.hold_cards(seat, "green-01", "green-03", "green-05", "green-11")


def test_sale_pays_the_rulebooks_profit(table: Table) -> None:
    seat = table.active
    table.give(seat, "wheat", "long", 6, 2)
    table.set_level("wheat", 12)
    event = table.play([Sell("wheat", "long", 6, 2)])[0]
    assert event == Sold(seat, "wheat", "long", 6, 12, 2, 9000, "order")
    assert table.state.cash[seat] == 19_000


def test_sale_pays_what_the_rulebooks_loss_leaves_of_the_margin(table: Table) -> None:
    seat = table.active
    table.give(seat, "soya", "long", 8, 3)
    table.set_level("soya", 6)
    table.play([Sell("soya", "long", 8, 3)])
    assert table.state.cash[seat] == 13_000


def test_sale_demands_what_the_rulebooks_loss_exceeds_the_margin_by(table: Table) -> None:
    seat = table.active
    table.give(seat, "gold", "short", 10, 1)
    table.set_level("gold", 15)
    table.play([Sell("gold", "short", 10, 1)])
    assert table.state.cash[seat] == 6000


def test_part_of_a_position_can_be_sold(table: Table) -> None:
    seat = table.active
    table.give(seat, "sugar", "long", 10, 5)
    table.play([Sell("sugar", "long", 10, 2)])
    assert table.contracts(seat) == {("sugar", "long", 10): 3}


def test_orders_are_carried_out_one_after_another(table: Table) -> None:
    """What a sale brings can pay for the buy behind it, not for one before it."""
    seat = table.active
    table.state.cash[seat] = 0
    table.give(seat, "gold", "long", 10, 1)
    sale, buy = Sell("gold", "long", 10, 1), Buy("gold", "short", 1)
    assert "margin 6000 exceeds cash 0" in table.refusal(Turn((buy, sale), "green-01"))
    table.play([sale, buy])
    assert table.contracts(seat) == {("gold", "short", 10): 1}


def test_what_was_just_bought_can_be_sold(table: Table) -> None:
    seat = table.active
    table.play([Buy("gold", "long", 1), Sell("gold", "long", 10, 1)])
    assert table.contracts(seat) == {}
    assert table.state.cash[seat] == 10_000


def test_long_and_short_in_one_good_and_several_players_on_one_field(table: Table) -> None:
    first, second = table.active, table.other
    table.play([Buy("sugar", "long", 1), Buy("sugar", "short", 1)])
    table.play([Buy("sugar", "long", 1)])
    assert table.contracts(first) == {("sugar", "long", 10): 1, ("sugar", "short", 10): 1}
    assert table.contracts(second) == {("sugar", "long", 10): 1}


def test_buys_on_one_field_are_one_stack(table: Table) -> None:
    seat = table.active
    table.play([Buy("wheat", "long", 2), Buy("wheat", "long", 3)])
    assert table.contracts(seat) == {("wheat", "long", 10): 5}


def test_one_illegal_order_voids_the_whole_message(table: Table) -> None:
    orders = (Buy("wheat", "long", 1), Sell("gold", "long", 10, 1))
    assert "0 are held" in table.refusal(Turn(orders, "green-01"))


def test_nothing_is_bought_in_the_last_round(table: Table) -> None:
    table.to_round(10)
    assert table.refused_order(Buy("wheat", "long", 1)).endswith("nothing can be bought in the last round")
    table.to_round(9)
    table.play([Buy("wheat", "long", 1)])


def test_contracts_can_be_sold_in_the_last_round(table: Table) -> None:
    table.give(table.active, "wheat", "long", 10, 1)
    table.to_round(10)
    assert table.play([Sell("wheat", "long", 10, 1)])[0].contracts == 1  # type: ignore[union-attr]  # it is a Sold


# ---- cash


def test_buy_beyond_the_cash_is_refused_and_quoted(table: Table) -> None:
    assert table.refused_order(Buy("gold", "long", 2)) == "buy of 2 gold long: margin 12000 exceeds cash 10000"
    table.play([Buy("gold", "long", 1)])


def test_cash_may_be_spent_to_the_last_dollar(table: Table) -> None:
    table.state.cash[table.active] = 6000
    seat = table.active
    table.play([Buy("gold", "long", 1)])
    assert table.state.cash[seat] == 0


def test_sale_that_would_leave_the_cash_below_zero_is_refused_and_quoted(table: Table) -> None:
    table.give(table.active, "gold", "short", 10, 1)
    table.set_level("gold", 15)
    table.state.cash[table.active] = 3999
    reason = table.refused_order(Sell("gold", "short", 10, 1))
    assert reason == "sale of 1 gold short bought at 10: it would leave a cash of -1"
    table.state.cash[table.active] = 4000
    table.play([Sell("gold", "short", 10, 1)])


def test_player_in_debt_cannot_buy(table: Table) -> None:
    table.state.cash[table.active] = -1
    assert "margin 1500 exceeds cash -1" in table.refused_order(Buy("wheat", "long", 1))


# ---- chips


def test_fifteen_singles_and_three_fives_are_all_the_chips(table: Table) -> None:
    seat = table.active
    table.state.cash[seat] = 10**6
    assert table.refused_order(Buy("wheat", "long", 31)) == "buy of 31 wheat long: the chips do not suffice"
    table.play([Buy("wheat", "long", 30)])
    assert table.contracts(seat) == {("wheat", "long", 10): 30}


def test_five_chip_marks_five_contracts_on_one_field_only(table: Table) -> None:
    """Fifteen contracts on as many fields take all singles; a sixteenth needs a five."""
    seat = table.active
    table.state.cash[seat] = 10**6
    for level in (3, 4, 5, 6, 7):
        table.give(seat, "gold", "long", level, 3)
    assert "the chips do not suffice" in table.refused_order(Buy("wheat", "long", 1))
    assert "the chips do not suffice" in table.refused_order(Buy("wheat", "long", 4))
    table.play([Buy("wheat", "long", 5)])


def test_fives_are_used_as_well_as_they_can_be(table: Table) -> None:
    """Ruling: the best use."""
    seat = table.active
    table.state.cash[seat] = 10**6
    for level, contracts in ((3, 4), (4, 4), (5, 4), (6, 3)):
        table.give(seat, "gold", "long", level, contracts)
    # 4 + 4 + 4 + 3 = 15 singles; one more on a stack of four turns it into a five-contract chip.
    table.set_level("gold", 6)
    assert "the chips do not suffice" in table.refused_order(Buy("gold", "long", 1))
    table.set_level("gold", 5)
    table.play([Buy("gold", "long", 1)])


def test_chips_are_counted_after_every_buy_of_a_message(table: Table) -> None:
    seat = table.active
    table.state.cash[seat] = 10**6
    table.give(seat, "gold", "long", 3, 4)
    table.give(seat, "gold", "long", 4, 4)
    table.give(seat, "gold", "long", 5, 4)
    table.give(seat, "gold", "long", 6, 3)
    # Together the two buys would fill a five; after the first the singles do not suffice.
    orders = (Buy("wheat", "long", 1), Buy("wheat", "long", 4))
    assert "the chips do not suffice" in table.refusal(Turn(orders, "green-01"))


def test_selling_out_of_a_five_may_leave_more_singles_than_there_are(table: Table) -> None:
    """Ruling: selling never fails for want of chips."""
    seat = table.active
    for level in (3, 4, 5):
        table.give(seat, "wheat", "long", level, 5)
        table.give(seat, "copper", "long", level, 4)
    table.give(seat, "copper", "long", 6, 3)
    table.play([Sell("wheat", "long", 3, 1)])
    assert table.contracts(seat)["wheat", "long", 3] == 4
    assert not table.state.can_buy(seat, "copper", "short", 1)


def test_what_is_offered_is_what_is_judged(table: Table) -> None:
    seat = table.active
    assert table.state.max_contracts(seat, "wheat", "long") == 6
    assert table.state.can_buy(seat, "wheat", "long", 6)
    assert not table.state.can_buy(seat, "wheat", "long", 7)
    assert "margin 10500 exceeds cash 10000" in table.refused_order(Buy("wheat", "long", 7))
    table.state.cash[seat] = 10**6
    assert table.state.max_contracts(seat, "wheat", "long") == 30
    table.state.cash[seat] = -1
    assert table.state.max_contracts(seat, "wheat", "long") == 0
    table.give(seat, "gold", "long", 10, 2)
    assert table.state.can_sell(seat, "gold", "long", 10, 2)
    assert not table.state.can_sell(seat, "gold", "long", 10, 3)


# ---- what is no order


@pytest.mark.parametrize("contracts", [0, -1, 1.5, True, False, "1", None, 2.0])
def test_number_of_contracts_is_a_whole_number_of_one_or_more(table: Table, contracts: Any) -> None:
    table.give(table.active, "gold", "long", 10, 3)
    expected = f"contracts {contracts!r} is no whole number of 1 or more"
    assert table.refused_order(Buy("gold", "long", contracts)) == expected
    assert table.refused_order(Sell("gold", "long", 10, contracts)) == expected


@pytest.mark.parametrize("level", [-1, -10, 10.0, True, "10"])
def test_entry_level_is_a_whole_number(table: Table, level: Any) -> None:
    table.give(table.active, "gold", "long", 10, 3)
    reason = table.refused_order(Sell("gold", "long", level, 1))
    assert reason == f"entry level {level!r} is no whole number of 0 or more"


@pytest.mark.parametrize("level", [0, 2, 9, 11, 18, 25, 10**9])
def test_what_is_not_held_cannot_be_sold(table: Table, level: int) -> None:
    table.give(table.active, "gold", "long", 10, 3)
    reason = table.refused_order(Sell("gold", "long", level, 1))
    assert reason == f"sale of 1 gold long bought at {level}: 0 are held"


def test_more_than_is_held_cannot_be_sold(table: Table) -> None:
    table.give(table.active, "gold", "long", 10, 3)
    assert table.refused_order(Sell("gold", "long", 10, 4)) == "sale of 4 gold long bought at 10: 3 are held"


@pytest.mark.parametrize("good", ["barley", "", "Gold", 3, None, ["gold"]])
def test_unknown_good_is_refused_and_quoted(table: Table, good: Any) -> None:
    assert table.refused_order(Buy(good, "long", 1)).startswith(f"good {good!r} is none of: wheat, copper")
    assert table.refused_order(Sell(good, "long", 10, 1)).startswith(f"good {good!r} is none of")


@pytest.mark.parametrize("side", ["up", "", "LONG", 1, None])
def test_unknown_side_is_refused_and_quoted(table: Table, side: Any) -> None:
    assert table.refused_order(Buy("gold", side, 1)) == f"side {side!r} is none of: long, short"


def test_long_texts_are_quoted_in_part(table: Table) -> None:
    assert len(table.refused_order(Buy("x" * 10**6, "long", 1))) < 200


def test_sixty_four_orders_are_carried_out_and_sixty_five_refused(table: Table) -> None:
    """Ruling: a bound on the message."""
    seat = table.active
    pair = (Buy("wheat", "long", 1), Sell("wheat", "long", 10, 1))
    orders = pair * 33
    assert table.refusal(Turn(orders[:65], "green-01")) == "65 orders are more than 64"
    table.play(orders[:64])
    assert table.state.cash[seat] == 10_000


@pytest.mark.parametrize("orders", [None, "buy", Buy("gold", "long", 1), (None,), ("buy",), ((1, 2),), 5])
def test_what_is_no_list_of_orders_is_refused(table: Table, orders: Any) -> None:
    assert " no " in table.refusal(Turn(orders, "green-01"))


@pytest.mark.parametrize("card", ["green-02", "violet-01", "", None, 3, ["green-01"]])
def test_card_that_is_not_in_the_hand_is_refused_and_quoted(table: Table, card: Any) -> None:
    assert table.refusal(Turn((), card)) == f"price change card {card!r} is not in the hand"


@pytest.mark.parametrize("pile", [0, 4, -1, 1.0, True, None, "1"])
def test_pile_that_is_none_is_refused_and_quoted(table: Table, pile: Any) -> None:
    assert table.refusal(Turn((), "green-01", pile)) == f"pile {pile!r} is not one of 1 to 3"


@pytest.mark.parametrize("action", [DayTrade(), EndOfGame(), None, "pass", ((), "green-01", 1)])
def test_answer_of_another_kind_is_refused(table: Table, action: Any) -> None:
    assert table.refusal(action).endswith("does not answer a turn")


def test_seat_that_is_not_asked_is_refused(table: Table) -> None:
    reason = table.refusal(Turn((), "green-01"), table.other)
    assert reason == f"seat {table.other} is not asked; asked are: [{table.active}]"
