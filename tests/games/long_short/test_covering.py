"""Rules page, "Movement, settlement, debt": covering, debt and starting again."""

import pytest
from long_short_play import Table

from tradepit_server.games.long_short.events import CashMoved, Event, Sold


def covered(events: list[Event]) -> list[tuple[int, str, str, int, int]]:
    return [
        (event.seat, event.good, event.side, event.entry_level, event.contracts)
        for event in events
        if isinstance(event, Sold) and event.reason == "cover"
    ]


def fall_into_debt(table: Table, seat: int, dollars: int) -> list[Event]:
    """The active seat moves gold; *seat* is short in it and misses so many dollars when it leaves the table."""
    table.hold_cards(table.active, "green-09")
    table.set_level("gold", 17)
    table.give(seat, "gold", "short", 10, 1)
    # A short from 10 is settled at 17: 6,000 - 14,000.
    table.state.cash[seat] = 8000 - dollars
    return table.play(card="green-09")


def test_most_valuable_contract_is_sold_first_and_one_at_a_time(table: Table) -> None:
    """Ruling: contracts are sold one at a time, at current levels, most valuable first."""
    seat = table.active
    table.give(seat, "wheat", "long", 5, 1)
    table.give(seat, "soya", "long", 10, 4)
    table.give(seat, "coffee", "short", 12, 1)
    # Worth now: wheat 1,500 + 2,500; soya 3,000 each; coffee 6,000 + 4,000.
    assert covered(fall_into_debt(table, seat, 17_500)) == [
        (seat, "coffee", "short", 12, 1),
        (seat, "wheat", "long", 5, 1),
        (seat, "soya", "long", 10, 2),
    ]
    assert table.contracts(seat) == {("soya", "long", 10): 2}
    assert table.state.cash[seat] == 2500


def test_covering_stops_when_the_cash_is_not_below_zero(table: Table) -> None:
    seat = table.active
    table.give(seat, "soya", "long", 10, 2)
    table.give(seat, "wheat", "long", 10, 2)
    assert covered(fall_into_debt(table, seat, 3000)) == [(seat, "soya", "long", 10, 1)]
    assert table.state.cash[seat] == 0
    assert table.contracts(seat) == {("soya", "long", 10): 1, ("wheat", "long", 10): 2}


def test_of_equal_contracts_goods_go_in_list_order_long_before_short_lower_entry_first(table: Table) -> None:
    seat = table.active
    table.give(seat, "soya", "short", 10, 1)
    table.give(seat, "soya", "long", 10, 1)
    table.give(seat, "sugar", "short", 10, 1)
    # On one line the value falls or rises with the entry: equal ones differ in good or side.
    assert covered(fall_into_debt(table, seat, 9000)) == [
        (seat, "sugar", "short", 10, 1),
        (seat, "soya", "long", 10, 1),
        (seat, "soya", "short", 10, 1),
    ]


def test_contracts_worth_nothing_are_not_sold_and_the_rest_is_a_debt(table: Table) -> None:
    seat = table.active
    table.give(seat, "soya", "long", 13, 1)
    table.give(seat, "coffee", "long", 15, 1)
    table.give(seat, "wheat", "long", 10, 1)
    assert covered(fall_into_debt(table, seat, 5000)) == [(seat, "wheat", "long", 10, 1)]
    assert table.state.cash[seat] == -3500
    assert set(table.contracts(seat)) == {("soya", "long", 13), ("coffee", "long", 15)}


def test_every_seat_below_zero_covers_in_seat_order(table: Table) -> None:
    for seat in range(2):
        table.give(seat, "soya", "long", 10, 1)
    table.give(table.other, "gold", "short", 10, 1)
    table.state.cash[table.other] = 6000
    events = fall_into_debt(table, table.active, 2000)
    assert covered(events) == [(0, "soya", "long", 10, 1), (1, "soya", "long", 10, 1)]


def test_covering_waits_until_all_goods_of_the_card_have_moved(table: Table) -> None:
    """Wheat leaves the table first; by the time of covering, gold has risen and one contract suffices."""
    seat = table.active
    table.set_level("wheat", 3)
    table.give(seat, "wheat", "long", 10, 8)
    table.give(seat, "gold", "long", 10, 2)
    table.state.cash[seat] = 8000
    table.hold_cards(seat, "blue-09")
    # Wheat: 8 x (1,500 - 3,500) = -16,000. Gold at 12: 10,000 each; at 10 it would be 6,000.
    assert covered(table.play(card="blue-09")) == [(seat, "gold", "long", 10, 1)]
    assert table.state.cash[seat] == 2000


def test_covering_is_repeated_after_every_card_and_die(table: Table) -> None:
    """What was worth nothing when the debt arose is sold once a price has moved."""
    seat = table.active
    table.give(seat, "soya", "long", 13, 1)
    fall_into_debt(table, seat, 1500)
    assert table.state.cash[seat] == -1500
    table.load_dice("limit_up", "soya")
    table.hold_cards(table.active, "green-01")
    assert covered(table.play(card="green-01")) == [(seat, "soya", "long", 13, 1)]
    assert table.state.cash[seat] == 500


def test_payment_demanded_by_an_action_card_is_covered(table: Table) -> None:
    seat = table.active
    table.give(seat, "soya", "long", 10, 1)
    table.state.cash[seat] = 500
    table.hold_cards(seat, "green-01")
    table.next_action_card("action-42")
    events = table.play(card="green-01")
    assert CashMoved(seat, -2000, "action_card") in events
    assert covered(events) == [(seat, "soya", "long", 10, 1)]
    assert table.state.cash[seat] == 1500


def test_later_income_pays_the_debt_first(table: Table) -> None:
    seat = table.active
    table.state.cash[seat] = -1500
    table.hold_cards(seat, "green-01")
    table.next_action_card("action-41")
    table.play(card="green-01")
    assert table.state.cash[seat] == 500


def test_player_in_debt_goes_on_playing_cards_and_rolling_dice(table: Table) -> None:
    seat = table.active
    table.state.cash[seat] = -5000
    table.play()
    table.play()
    assert table.active == seat
    table.play()
    assert table.state.cash[seat] == -5000


@pytest.mark.parametrize("missing", [1, 7000])
def test_with_restart_a_bankrupt_seat_has_the_starting_cash_again(missing: int) -> None:
    table = Table(options={"bankruptcy": "restart"})
    seat = table.active
    table.give(seat, "coffee", "long", 15, 1)
    events = fall_into_debt(table, seat, missing)
    assert CashMoved(seat, 10_000 + missing, "restart") in events
    assert table.state.cash[seat] == 10_000
    assert table.contracts(seat) == {("coffee", "long", 15): 1}


def test_with_restart_a_seat_that_can_cover_does_not_start_again() -> None:
    table = Table(options={"bankruptcy": "restart"})
    seat = table.active
    table.give(seat, "soya", "long", 10, 1)
    fall_into_debt(table, seat, 2000)
    assert table.state.cash[seat] == 1000


def test_final_settlement_knows_neither_covering_nor_restart() -> None:
    table = Table(options={"bankruptcy": "restart"})
    table.to_round(10)
    table.play()
    table.give(table.active, "coffee", "long", 17, 2)
    table.give(table.active, "soya", "long", 10, 1)
    seat = table.active
    table.state.cash[seat] = 0
    table.set_level("coffee", 10)
    table.set_level("soya", 10)
    table.hold_cards(seat, "green-01")
    events = table.play(card="green-01")
    assert not covered(events)
    assert not any(isinstance(event, CashMoved) for event in events)
    # 2 x (6,000 - 14,000) + 3,000
    assert table.state.scores()[seat] == -13_000
