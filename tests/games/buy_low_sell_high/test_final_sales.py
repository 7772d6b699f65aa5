"""Rules page, "End of the game"."""

from collections.abc import Mapping
from typing import Any

import pytest
from buy_low_sell_high_play import Table

from tradepit_server.games.buy_low_sell_high.actions import FinalSale
from tradepit_server.games.buy_low_sell_high.events import Ended, Event, Sold

Held = Mapping[str, int]


def to_the_end(table: Table, *holdings: Held) -> list[Event]:
    """Let each seat hold such shares and the last turn of the last year be played by seat 0; what has come of it."""
    state = table.state
    state.year = 3
    state.starting_seat = -state.turn % state.seats
    state.ask(0, "turn")
    for seat, held in enumerate(holdings):
        table.give(seat, **held)
    table.hold_cards(0, "oil-14")
    table.fill_spaces()
    return table.play(cards=["oil-14"])


def sold(events: list[Event]) -> list[tuple[int, str]]:
    assert all(event.reason == "final" for event in events if isinstance(event, Sold))
    return [(event.seat, event.industry) for event in events if isinstance(event, Sold)]


def test_sales_begin_with_the_player_who_would_be_next(table: Table) -> None:
    to_the_end(table, {"oil": 1, "retail": 1}, {"oil": 1, "retail": 1})
    assert (table.state.decision, table.state.awaiting) == ("final_sale", (1,))


def test_players_in_turn_each_sell_one_share_of_an_industry_of_their_choice(table: Table) -> None:
    to_the_end(table, {"oil": 2, "retail": 1}, {"oil": 1, "retail": 2})
    assert sold(table.act(FinalSale("retail"))) == [(1, "retail")]
    assert table.active == 0
    assert sold(table.act(FinalSale("oil"))) == [(0, "oil")]
    assert table.active == 1


def test_sale_is_at_the_price_of_that_moment(table: Table) -> None:
    for industry in table.edition.industries:
        table.set_chart(industry, 24, 4)
    to_the_end(table, {"oil": 1, "retail": 1}, {"oil": 1, "retail": 1})
    first = table.act(FinalSale("oil"))
    second = table.act(FinalSale("oil"))
    assert [event.received for event in (*first, *second) if isinstance(event, Sold) and event.industry == "oil"] == [
        16,
        14,
    ]


def test_who_holds_a_single_industry_is_not_asked(table: Table) -> None:
    events = to_the_end(table, {"oil": 3, "retail": 1}, {"technology": 2})
    assert sold(events) == [(1, "technology")]
    assert table.active == 0
    assert sold(table.act(FinalSale("oil"))) == [(0, "oil"), (1, "technology")]
    assert table.active == 0


def test_player_without_shares_is_passed_over() -> None:
    table = Table(3)
    to_the_end(table, {"oil": 1, "retail": 1}, {}, {"oil": 1, "retail": 1})
    assert table.active == 2
    assert sold(table.act(FinalSale("oil"))) == [(2, "oil")]
    assert table.active == 0
    assert sold(table.act(FinalSale("oil"))) == [(0, "oil"), (2, "retail"), (0, "retail")]


def test_sales_go_on_until_nobody_has_a_share(table: Table) -> None:
    to_the_end(table, {"oil": 1, "retail": 1}, {"oil": 5, "technology": 1})
    events = table.act(FinalSale("technology"))
    events += table.act(FinalSale("retail"))
    assert sold(events) == [(1, "technology"), (0, "retail"), (1, "oil"), (0, "oil")] + [(1, "oil")] * 4
    assert events[-1] == Ended()
    assert table.state.shares == [[0, 0, 0], [0, 0, 0]]
    assert (table.state.awaiting, table.state.decision) == ((), "")


def test_match_without_any_share_ends_at_once(table: Table) -> None:
    assert to_the_end(table, {}, {})[-1] == Ended()
    assert table.state.awaiting == ()


def test_outstanding_fees_are_subtracted(table: Table) -> None:
    table.state.cash[0] = -50
    to_the_end(table, {"oil": 1}, {})
    assert table.state.cash[0] == -50 + 5
    assert table.state.scores() == [-45, 50]


@pytest.mark.parametrize(
    ("cash", "placements"),
    [([50, 60, 40], [2, 1, 3]), ([50, 50, 40], [1, 1, 3]), ([50, 60, 50], [2, 1, 2]), ([-4, -2, 0], [3, 2, 1])],
)
def test_most_cash_wins_and_equal_cash_is_an_equal_rank(cash: list[int], placements: list[int]) -> None:
    table = Table(3)
    table.state.cash = cash
    to_the_end(table, {}, {}, {})
    assert table.state.scores() == cash
    assert table.state.placements() == placements


def test_sale_of_what_is_not_held_is_refused(table: Table) -> None:
    to_the_end(table, {"oil": 1}, {"oil": 1, "retail": 1})
    assert table.refusal(FinalSale("technology")) == "final sale of technology: no share of it is held"


@pytest.mark.parametrize("name", ["gas", "", None, 3])
def test_unknown_industry_is_refused_and_quoted(table: Table, name: Any) -> None:
    to_the_end(table, {"oil": 1}, {"oil": 1, "retail": 1})
    assert table.refusal(FinalSale(name)) == f"industry {name!r} is none of: oil, technology, retail"
