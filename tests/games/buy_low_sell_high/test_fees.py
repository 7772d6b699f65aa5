"""Rules page, "A turn": expense cards, fees outstanding and the sales for them."""

from typing import Any

import pytest
from buy_low_sell_high_play import Table

from tradepit_server.games.buy_low_sell_high.actions import Buy, Sell, Turn
from tradepit_server.games.buy_low_sell_high.events import (
    CardPlayed,
    CardsDrawn,
    DividendPaid,
    Event,
    FeeCharged,
    Sold,
)


def fees(events: list[Event]) -> list[FeeCharged]:
    return [event for event in events if isinstance(event, FeeCharged)]


def sales(events: list[Event]) -> list[tuple[str, int]]:
    return [(event.industry, event.received) for event in events if isinstance(event, Sold) and event.reason == "fee"]


@pytest.fixture
def owing(table: Table) -> Table:
    """The active seat owes 20 dollars and holds two shares of each industry; prices are 16, then 14."""
    table.state.cash[table.active] = -20
    table.give(table.active, oil=2, technology=2, retail=2)
    for industry in table.edition.industries:
        table.set_chart(industry, 24, 4)
    return table


def test_every_player_pays_2_for_each_share_the_cards_player_included() -> None:
    table = Table(3)
    seat = table.active
    others = [other for other in range(3) if other != seat]
    table.give(seat, oil=3)
    table.give(others[0], oil=1, retail=5)
    table.give(others[1], retail=5)
    table.hold_cards(seat, "oil-12", "oil-01")
    charged = fees(table.play(cards=["oil-12", "oil-01"]))
    assert {(event.seat, event.shares, event.paid, event.owed) for event in charged} == {
        (seat, 3, 6, 0),
        (others[0], 1, 2, 0),
    }
    assert (table.state.cash[seat], table.state.cash[others[0]], table.state.cash[others[1]]) == (44, 48, 50)


def test_fee_is_paid_at_once_before_the_next_card(table: Table) -> None:
    seat = table.active
    table.hold_cards(seat, "oil-12", "oil-01")
    kinds = [type(event) for event in table.play(cards=["oil-12", "oil-01"])]
    assert kinds[:5] == [CardPlayed, FeeCharged, FeeCharged, CardPlayed, CardsDrawn]


def test_share_bought_in_the_same_turn_is_charged_and_one_sold_is_not(table: Table) -> None:
    seat, other = table.active, table.other
    table.hold_cards(seat, "oil-12", "oil-01")
    table.give(other)
    assert [event.shares for event in fees(table.play([Buy("oil")], ["oil-12", "oil-01"]))] == [2]
    table.hold_cards(other, "technology-12", "oil-02")
    table.give(seat)
    table.give(other, technology=1)
    assert fees(table.play([Sell("technology")], ["technology-12", "oil-02"])) == []


def test_who_cannot_pay_gives_all_the_cash_and_owes_the_rest(table: Table) -> None:
    """Ruling: who cannot pay gives all the cash and owes the rest."""
    seat, other = table.active, table.other
    table.hold_cards(seat, "oil-12", "oil-01")
    table.give(other, oil=4)
    table.state.cash[other] = 3
    events = table.play(cards=["oil-12", "oil-01"])
    assert FeeCharged(other, "oil", 4, 8, 5) in events
    assert table.state.cash[other] == -5
    assert table.state.scores()[other] == -5


def test_fee_of_exactly_the_cash_leaves_nothing_owed(table: Table) -> None:
    seat, other = table.active, table.other
    table.hold_cards(seat, "oil-12", "oil-01")
    table.state.cash[other] = 2
    events = table.play(cards=["oil-12", "oil-01"])
    assert FeeCharged(other, "oil", 1, 2, 0) in events
    assert table.refusal(table.turn(fee_sales=["oil"])) == "sales for a fee ['oil']: no fee is owed"


def test_who_owes_already_owes_more(table: Table) -> None:
    seat, other = table.active, table.other
    table.hold_cards(seat, "oil-12", "oil-13", "oil-01")
    table.state.cash[other] = 1
    charged = [event for event in fees(table.play(cards=["oil-12", "oil-13", "oil-01"])) if event.seat == other]
    assert [(event.paid, event.owed) for event in charged] == [(2, 1), (2, 3)]


def test_with_a_fee_outstanding_there_is_no_trade(owing: Table) -> None:
    assert owing.refused_trades(Sell("oil")) == "sale of oil: no trade while a fee of 20 is owed"
    assert owing.refused_trades(Buy("oil")) == "buy of oil: no trade while a fee of 20 is owed"


def test_there_is_no_trade_even_when_no_share_is_left_to_sell(owing: Table) -> None:
    owing.give(owing.active)
    assert owing.refused_trades(Sell("oil")) == "sale of oil: no trade while a fee of 20 is owed"
    seat = owing.active
    assert sales(owing.play(fee_sales=["retail"])) == []
    assert owing.state.cash[seat] == -20


def test_shares_are_sold_one_at_a_time_in_the_order_named_until_the_fee_is_paid(owing: Table) -> None:
    """Ruling: shares are sold one at a time in that order until the fee is paid or no share is left."""
    seat = owing.active
    assert sales(owing.play(fee_sales=["retail", "oil"])) == [("retail", 16), ("retail", 14)]
    assert owing.state.cash[seat] == 10
    assert owing.shares(seat) == {"oil": 2, "technology": 2, "retail": 0}


def test_an_industry_is_sold_until_it_is_exhausted_then_the_next(owing: Table) -> None:
    owing.state.cash[owing.active] = -40
    assert sales(owing.play(fee_sales=["retail", "technology"])) == [("retail", 16), ("retail", 14), ("technology", 16)]


def test_industries_not_named_follow_in_chart_order(owing: Table) -> None:
    owing.state.cash[owing.active] = -50
    sold = sales(owing.play(fee_sales=["technology"]))
    assert sold == [("technology", 16), ("technology", 14), ("oil", 16), ("oil", 14)]


def test_with_no_order_named_shares_are_sold_in_chart_order(owing: Table) -> None:
    owing.state.cash[owing.active] = -31
    assert sales(owing.play()) == [("oil", 16), ("oil", 14), ("technology", 16)]


def test_industry_that_is_not_held_may_be_named(owing: Table) -> None:
    owing.give(owing.active, retail=2)
    assert sales(owing.play(fee_sales=["oil", "technology", "retail"])) == [("retail", 16), ("retail", 14)]


def test_when_all_shares_do_not_pay_the_fee_the_rest_stays_owed(owing: Table) -> None:
    seat = owing.active
    owing.give(seat, oil=1)
    assert sales(owing.play(fee_sales=["oil"])) == [("oil", 16)]
    assert owing.state.cash[seat] == -4


def test_sales_for_a_fee_come_before_the_card_and_the_seat_still_plays_one(owing: Table) -> None:
    kinds = [type(event) for event in owing.play(fee_sales=["oil"])]
    assert kinds[:4] == [Sold, Sold, CardPlayed, CardsDrawn]


def test_naming_an_order_when_nothing_is_owed_is_illegal(table: Table) -> None:
    assert table.refusal(table.turn(fee_sales=["oil"])) == "sales for a fee ['oil']: no fee is owed"
    table.state.cash[table.active] = 0
    assert table.refusal(table.turn(fee_sales=["oil"])) == "sales for a fee ['oil']: no fee is owed"


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (("oil", "oil"), "sales for a fee name 'oil' twice"),
        (("gas",), "industry 'gas' is none of: oil, technology, retail"),
        ((7,), "industry 7 is none of: oil, technology, retail"),
        (("oil",) * 4, "4 sales for a fee: there are 3 industries"),
        ("oil", "'oil' is no list of industries"),
        (None, "None is no list of industries"),
    ],
)
def test_wrong_order_is_refused_and_quoted(owing: Table, order: Any, reason: str) -> None:
    cards = owing.turn().cards
    assert owing.refusal(Turn((), cards, order)) == reason


def test_fee_paid_off_by_a_dividend_leaves_the_turn_normal(table: Table) -> None:
    """The year ends with a dividend card: the seat that owes 1 and holds a share receives 1, and trades again."""
    seat, other = table.active, table.other
    table.state.cash[other] = -1
    table.give(other, oil=1)
    table.fill_spaces()
    table.hold_cards(seat, "oil-07")
    assert DividendPaid(other, "oil", 1, 1) in table.play(cards=["oil-07"])
    assert table.state.cash[other] == 0
    while table.state.decision == "discard":
        table.act(table.state.default_action(table.active))
    assert table.active == other
    assert [event for event in table.play([Sell("oil")]) if isinstance(event, Sold) and event.reason == "trade"]


def test_later_income_pays_the_fee_first(table: Table) -> None:
    """A dividend of 4 leaves 1 of the 3 dollars over that were owed."""
    seat, other = table.active, table.other
    table.state.cash[other] = -3
    table.give(other, oil=4)
    table.fill_spaces()
    table.hold_cards(seat, "oil-07")
    table.play(cards=["oil-07"])
    assert table.state.cash[other] == 1


def test_fee_charged_in_the_own_turn_does_not_stop_its_trades(table: Table) -> None:
    """Trades come first: a fee counts as outstanding from the next turn on."""
    seat = table.active
    table.give(seat, oil=5, retail=1)
    table.state.cash[seat] = 0
    table.hold_cards(seat, "oil-12", "oil-01")
    table.set_chart("retail", 4, 5)
    events = table.play([Sell("retail")], ["oil-12", "oil-01"])
    assert FeeCharged(seat, "oil", 5, 10, 8) in events
    table.play()
    assert "no trade while a fee of 8 is owed" in table.refused_trades(Sell("oil"))


def test_fee_that_outlasts_the_game_is_subtracted(table: Table) -> None:
    seat, other = table.active, table.other
    table.state.year = 3
    table.state.cash = [30, 30]
    table.state.cash[other] = -9
    table.give(other, oil=1)
    table.give(seat)
    table.set_chart("oil", 2, 3)
    table.fill_spaces()
    table.hold_cards(seat, "retail-01")
    events = table.play(cards=["retail-01"])
    assert Sold(other, "oil", 2, "final") in events
    assert table.state.awaiting == ()
    assert table.state.scores()[other] == -7
    assert table.state.placements() == ([1, 2] if seat == 0 else [2, 1])
