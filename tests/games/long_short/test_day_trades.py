"""Rules page, "Passing the dice"."""

from typing import Any

import pytest
from long_short_play import Table

from tradepit_server.games.long_short.actions import Buy, DayTrade, Sell
from tradepit_server.games.long_short.events import DayTradeCardReturned, PriceMoved, Sold

SALE = Sell("soya", "long", 10, 1)


@pytest.fixture
def asked() -> Table:
    """Four seats; two others hold a day-trade card and three soya contracts, and are asked after a turn."""
    table = Table(4)
    for step in (1, 3):
        seat = (table.active + step) % 4
        table.state.day_trade_cards[seat] = 2
        table.give(seat, "soya", "long", 10, 3)
    table.hold_cards(table.active, "green-01")
    table.play(card="green-01")
    return table


def test_all_others_with_a_card_and_a_contract_are_asked_at_the_same_moment(asked: Table) -> None:
    """Ruling: all of them are asked at the same moment and answer without knowing the others' answers."""
    state = asked.state
    assert state.decision == "day_trade"
    assert state.awaiting == ((state.active + 1) % 4, (state.active + 3) % 4)


def test_active_player_is_not_asked(table: Table) -> None:
    table.give(table.active, "soya", "long", 10, 1)
    assert table.state.day_trade_cards[table.active] == 1
    table.play()
    assert table.state.decision == "turn"


@pytest.mark.parametrize("missing", ["card", "contract"])
def test_who_lacks_a_card_or_a_contract_is_not_asked(table: Table, missing: str) -> None:
    table.state.day_trade_cards[table.other] = int(missing != "card")
    if missing != "contract":
        table.give(table.other, "wheat", "short", 10, 1)
    table.play()
    assert table.state.decision == "turn"


def test_order_of_being_asked_is_clockwise_from_the_active_player() -> None:
    table = Table(3)
    for seat in range(3):
        table.state.day_trade_cards[seat] = 1
        table.give(seat, "soya", "long", 10, 1)
    active = table.active
    table.play()
    assert table.state.awaiting == ((active + 1) % 3, (active + 2) % 3)


def test_trade_costs_a_card_and_sells_at_the_current_level(asked: Table) -> None:
    seat = asked.state.awaiting[0]
    asked.set_level("soya", 12)
    bank = asked.state.bank_day_trade_cards
    events = asked.act(seat, DayTrade((Sell("soya", "long", 10, 2),)))
    assert events == [
        DayTradeCardReturned(seat),
        Sold(seat, "soya", "long", 10, 12, 2, 10_000, "day_trade"),
    ]
    assert asked.state.cash[seat] == 20_000
    assert asked.state.day_trade_cards[seat] == 1
    assert asked.state.bank_day_trade_cards == bank + 1


def test_one_card_buys_one_list_of_sales(asked: Table) -> None:
    seat = asked.state.awaiting[0]
    asked.give(seat, "gold", "short", 10, 1)
    asked.act(seat, DayTrade((SALE, SALE, Sell("gold", "short", 10, 1))))
    assert asked.contracts(seat) == {("soya", "long", 10): 1}
    assert asked.state.day_trade_cards[seat] == 1
    assert asked.state.decision == "turn"


def test_empty_list_keeps_the_card(asked: Table) -> None:
    seat = asked.state.awaiting[0]
    assert asked.act(seat, DayTrade()) == []
    assert asked.state.day_trade_cards[seat] == 2


def test_all_trades_are_carried_out_clockwise_and_move_no_price(asked: Table) -> None:
    state = asked.state
    first, second = state.awaiting
    count = state.event_count
    state.apply({second: DayTrade((SALE,)), first: DayTrade((SALE,))})
    events: list[Any] = list(state.events_since(count))
    assert [event.seat for event in events] == [first, first, second, second]
    assert not any(isinstance(event, PriceMoved) for event in events)


def test_next_turn_follows(asked: Table) -> None:
    turn, active = asked.state.turn, asked.state.active
    asked.act(asked.state.awaiting[0], DayTrade())
    assert asked.state.turn == turn + 1
    assert asked.state.awaiting == ((active + 1) % 4,)


def test_sales_are_judged_as_orders_are(asked: Table) -> None:
    seat = asked.state.awaiting[0]
    assert "0 are held" in asked.refusal(DayTrade((Sell("gold", "long", 10, 1),)), seat)
    assert "1 are held" in asked.refusal(DayTrade((Sell("soya", "long", 10, 2), Sell("soya", "long", 10, 2))), seat)
    assert "65 orders" in asked.refusal(DayTrade((SALE,) * 65), seat)
    assert "contracts 1.5" in asked.refusal(DayTrade((Sell("soya", "long", 10, 1.5),)), seat)  # type: ignore[arg-type]  # wrong on purpose
    asked.give(seat, "gold", "short", 3, 1)
    asked.state.cash[seat] = 7999
    assert "it would leave a cash of -1" in asked.refusal(DayTrade((Sell("gold", "short", 3, 1),)), seat)


def test_nothing_is_bought_in_a_day_trade(asked: Table) -> None:
    seat = asked.state.awaiting[0]
    buying: Any = (Buy("wheat", "long", 1),)
    assert "no order that can be given now" in asked.refusal(DayTrade(buying), seat)


def test_nobody_is_asked_after_the_last_turn(table: Table) -> None:
    table.to_round(10)
    table.play()
    table.state.day_trade_cards = [1, 1]
    for seat in range(2):
        table.give(seat, "soya", "long", 10, 1)
    table.play()
    assert table.state.awaiting == ()
