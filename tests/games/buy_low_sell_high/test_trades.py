"""Rules page, "A turn", 1: trade."""

from collections.abc import Callable
from typing import Any

import pytest
from buy_low_sell_high_play import Table

from tradepit_server.games.buy_low_sell_high.actions import Buy, CardPlay, Sell, Turn
from tradepit_server.games.buy_low_sell_high.events import Bought, Sold

NewTable = Callable[..., Table]


@pytest.fixture
def rich(table: Table) -> Table:
    """Both seats have money and shares enough."""
    for seat in range(2):
        table.state.cash[seat] = 1000
        table.give(seat, oil=3, technology=3, retail=3)
    for industry in table.edition.industries:
        table.set_chart(industry, 24, 6)
    return table


def test_trade_of_nothing_is_allowed(table: Table) -> None:
    assert not [event for event in table.play() if isinstance(event, (Bought, Sold))]


@pytest.mark.parametrize("trade", [Buy("oil"), Sell("retail")])
def test_trade_of_one_share_is_allowed(rich: Table, trade: Buy | Sell) -> None:
    """Ruling: one share may be traded."""
    assert len([event for event in rich.play([trade]) if isinstance(event, (Bought, Sold))]) == 1


@pytest.mark.parametrize(
    "trades",
    [
        (Buy("oil"), Buy("retail")),
        (Buy("oil"), Sell("retail")),
        (Sell("technology"), Buy("oil")),
        (Sell("technology"), Sell("retail")),
    ],
)
def test_two_shares_of_different_industries_are_each_a_buy_or_a_sale(rich: Table, trades: tuple[Buy | Sell]) -> None:
    kinds = [type(event).__name__ for event in rich.play(trades) if isinstance(event, (Bought, Sold))]
    assert kinds == [{"Buy": "Bought", "Sell": "Sold"}[type(trade).__name__] for trade in trades]


@pytest.mark.parametrize("kind", [Buy, Sell])
def test_two_shares_of_one_industry_are_both_buys_or_both_sales(rich: Table, kind: type[Any]) -> None:
    seat = rich.active
    rich.play([kind("oil"), kind("oil")])
    assert rich.shares(seat)["oil"] == {Buy: 5, Sell: 1}[kind]


@pytest.mark.parametrize(
    ("trades", "reason"),
    [
        ((Buy("oil"), Sell("oil")), "buy of oil and sale of oil: in one industry both are buys or both are sales"),
        ((Sell("oil"), Buy("oil")), "sale of oil and buy of oil: in one industry both are buys or both are sales"),
    ],
)
def test_buy_and_sale_of_one_industry_are_refused(rich: Table, trades: tuple[Buy | Sell], reason: str) -> None:
    assert rich.refused_trades(*trades) == reason


def test_third_trade_is_refused(rich: Table) -> None:
    assert rich.refused_trades(Buy("oil"), Buy("retail"), Buy("technology")) == "3 trades are more than 2"


def test_trades_are_carried_out_in_the_order_given_at_the_prices_of_that_moment(rich: Table) -> None:
    """The second of two buys of one industry is dearer, the second of two sales cheaper."""
    seat = rich.active
    paid = [event.paid for event in rich.play([Buy("oil"), Buy("oil")]) if isinstance(event, Bought)]
    assert paid == [14, 16]
    assert rich.state.cash[seat] == 970
    received = [event.received for event in rich.play([Sell("retail"), Sell("retail")]) if isinstance(event, Sold)]
    assert received == [12, 10]


def test_buy_needs_the_cash(table: Table) -> None:
    table.set_chart("oil", 24, 1 + 1)
    table.state.cash[table.active] = 21
    assert table.refused_trades(Buy("oil")) == "buy of oil: price 22 exceeds cash 21"
    table.state.cash[table.active] = 22
    seat = table.active
    table.play([Buy("oil")])
    assert table.state.cash[seat] == 0


def test_sale_may_pay_for_the_buy_after_it_but_not_before(table: Table) -> None:
    table.set_chart("oil", 24, 5)
    table.set_chart("retail", 24, 5)
    table.state.cash[table.active] = 2
    assert table.refused_trades(Buy("oil"), Sell("retail")) == "buy of oil: price 16 exceeds cash 2"
    seat = table.active
    table.play([Sell("retail"), Buy("oil")])
    assert table.state.cash[seat] == 2 + 14 - 16


def test_second_buy_needs_what_the_first_left(table: Table) -> None:
    table.set_chart("oil", 24, 5)
    table.state.cash[table.active] = 33
    assert table.refused_trades(Buy("oil"), Buy("oil")) == "buy of oil: price 18 exceeds cash 17"


def test_sale_needs_a_share(table: Table) -> None:
    table.give(table.active, oil=1)
    assert table.refused_trades(Sell("retail")) == "sale of retail: no share of it is held"
    assert table.refused_trades(Sell("oil"), Sell("oil")) == "sale of oil: no share of it is held"


@pytest.mark.parametrize("first", [Buy("oil"), Sell("retail")])
def test_starting_player_trades_one_share_at_most_in_its_first_turn(new_table: NewTable, first: Buy | Sell) -> None:
    table = new_table(3)
    reason = "2 trades are more than the 1 that the starting player's first turn allows"
    assert table.refused_trades(first, Buy("technology")) == reason
    assert table.refused_trades(Buy("oil"), Buy("oil")) == reason
    table.play([first])


def test_second_player_trades_one_share_of_an_industry_at_most_in_its_first_turn(new_table: NewTable) -> None:
    table = new_table(3)
    table.play()
    reason = "2 trades in oil: the second player's first turn allows 1 of an industry"
    assert table.refused_trades(Buy("oil"), Buy("oil")) == reason
    table.play([Buy("oil"), Sell("retail")])


def test_third_player_trades_freely_in_its_first_turn(new_table: NewTable) -> None:
    table = new_table(3)
    table.play()
    table.play()
    table.play([Buy("oil"), Buy("oil")])


def test_first_turns_are_those_of_the_game_not_of_every_year(new_table: NewTable) -> None:
    """Two seats: from the third turn on both trade freely."""
    table = new_table(2)
    table.play()
    table.play()
    for _ in range(2):
        table.play([Buy("oil"), Buy("oil")])


@pytest.mark.parametrize("name", ["gas", "", "OIL", "o" * 1000, None, 3, ["oil"]])
def test_unknown_industry_is_refused_and_quoted(table: Table, name: Any) -> None:
    for trade in (Buy(name), Sell(name)):
        reason = table.refused_trades(trade)
        assert reason.startswith(f"industry {repr(name)[:60]}")
        assert reason.endswith("is none of: oil, technology, retail")
        assert len(reason) < 120


@pytest.mark.parametrize(
    ("trades", "reason"),
    [
        ("oil", "'oil' is no list of trades"),
        (None, "None is no list of trades"),
        (("oil",), "'oil' is neither buy nor sale"),
        ((CardPlay("oil-01"),), "CardPlay(card='oil-01', over='') is neither buy nor sale"),
    ],
)
def test_what_is_no_trade_is_refused_and_quoted(table: Table, trades: Any, reason: str) -> None:
    assert table.refusal(Turn(trades, ())) == reason


def test_illegal_part_voids_the_whole_message(rich: Table) -> None:
    """The card is legal, the first trade is; the second is not: nothing is carried out."""
    rich.set_chart("retail", 24, 1)
    assert "cannot be bought" in rich.refused_trades(Buy("oil"), Buy("retail"))
    assert rich.chart("oil") == (24, 6)
    assert "not in the hand" in rich.refusal(rich.turn([Buy("oil")], ["no such card"]))
    assert rich.chart("oil") == (24, 6)
