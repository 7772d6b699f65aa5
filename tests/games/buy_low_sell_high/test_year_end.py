"""Rules page, "End of a year"."""

from collections.abc import Callable
from typing import Any

import pytest
from buy_low_sell_high_play import Table

from tradepit.chance import Chance
from tradepit_server.games.buy_low_sell_high.actions import Discard
from tradepit_server.games.buy_low_sell_high.board import Space
from tradepit_server.games.buy_low_sell_high.events import (
    CardsDrawn,
    ChartMoved,
    Dealt,
    Discarded,
    DividendPaid,
    Event,
    YearEnded,
)

NewTable = Callable[..., Table]


def end_year(table: Table, *cards: str, covered: str = "", news: str = "") -> list[Event]:
    """Let these cards stand and the active seat play the last card, which changes nothing; what has come of it."""
    table.hold_cards(table.active, "oil-14")
    table.lay(*cards)
    if covered:
        table.lay(covered, news)
        spaces = table.state.spaces
        spaces[-2:] = [Space(spaces[-2].card, 0, spaces[-1].card, 1)]
    table.fill_spaces()
    return table.play(cards=["oil-14"])


def ids(table: Table, cards: list[int]) -> list[str]:
    return [table.edition.cards[card].id for card in cards]


def test_year_ends_when_all_spaces_are_full_and_the_turn_is_over(table: Table) -> None:
    table.fill_spaces(2)
    table.hold_cards(table.active, "oil-01", "oil-02")
    assert YearEnded(1) not in table.play(cards=["oil-01"])
    table.hold_cards(table.active, "oil-03")
    events = table.play(cards=["oil-03"])
    assert YearEnded(1) in events
    kinds = [type(event) for event in events]
    assert kinds.index(CardsDrawn) < kinds.index(YearEnded)


@pytest.mark.parametrize(
    ("cards", "points", "top"),
    [
        (["retail-01"], 1, 26),
        (["retail-02", "retail-03", "retail-05"], 3, 30),
        (["retail-06", "retail-07"], -4, 16),
        (["retail-03", "retail-04"], 5, 30),
    ],
)
def test_points_of_an_industrys_market_cards_are_added_up_and_the_chart_moves_by_the_sum(
    table: Table, cards: list[str], points: int, top: int
) -> None:
    events = end_year(table, *cards)
    assert [event for event in events if isinstance(event, ChartMoved)] == [ChartMoved("retail", points, 24, top)]
    assert table.chart("retail") == (top, 10)
    assert table.chart("oil") == (24, 10)


def test_sum_of_zero_moves_nothing(table: Table) -> None:
    events = end_year(table, "retail-01", "retail-05")
    assert not [event for event in events if isinstance(event, ChartMoved)]
    assert table.chart("retail") == (24, 10)


def test_points_are_summed_before_the_chart_moves(table: Table) -> None:
    """+3 and -3 at the upper end: card by card the rise would be lost and the fall would count."""
    table.set_chart("retail", 30, 5)
    end_year(table, "retail-04", "retail-08")
    assert table.chart("retail") == (30, 5)


def test_every_industry_moves_by_its_own_cards_in_chart_order(table: Table) -> None:
    events = end_year(table, "retail-01", "technology-06")
    assert [event for event in events if isinstance(event, ChartMoved)] == [
        ChartMoved("technology", -1, 24, 22),
        ChartMoved("retail", 1, 24, 26),
    ]


def test_covered_cards_and_the_news_over_them_no_longer_count(table: Table) -> None:
    events = end_year(table, "retail-01", covered="retail-04", news="retail-14")
    assert [event for event in events if isinstance(event, ChartMoved)] == [ChartMoved("retail", 1, 24, 26)]


def test_covered_dividend_card_does_not_count(table: Table) -> None:
    events = end_year(table, "retail-09", covered="retail-10", news="retail-14")
    assert {event.received for event in events if isinstance(event, DividendPaid)} == {1}


DIVIDEND_CARDS = ["oil-07", "oil-08", "oil-09", "oil-10", "oil-11"]


@pytest.mark.parametrize(("number", "dollars"), [(1, 1), (2, 2), (3, 4), (4, 8), (5, 12)])
def test_industry_pays_by_the_number_of_its_dividend_cards(table: Table, number: int, dollars: int) -> None:
    table.give(0, oil=3, retail=2)
    table.give(1, oil=1)
    table.hold_cards(table.active, DIVIDEND_CARDS[0])
    table.lay(*DIVIDEND_CARDS[1:number])
    table.fill_spaces()
    events = table.play(cards=[DIVIDEND_CARDS[0]])
    assert [event for event in events if isinstance(event, DividendPaid)] == [
        DividendPaid(0, "oil", 3, 3 * dollars),
        DividendPaid(1, "oil", 1, dollars),
    ]
    assert table.state.cash == [50 + 3 * dollars, 50 + dollars]


def test_without_a_dividend_card_there_is_no_dividend(table: Table) -> None:
    events = end_year(table, "retail-01")
    assert not [event for event in events if isinstance(event, DividendPaid)]
    assert table.state.cash == [50, 50]


def test_seat_without_a_share_gets_no_dividend(table: Table) -> None:
    table.give(0)
    events = end_year(table, "retail-09")
    assert [event for event in events if isinstance(event, DividendPaid)] == [DividendPaid(1, "retail", 1, 1)]


def test_prices_move_before_dividends_are_paid(table: Table) -> None:
    kinds = [type(event) for event in end_year(table, "retail-01", "retail-09")]
    assert kinds.index(YearEnded) < kinds.index(ChartMoved) < kinds.index(DividendPaid)


@pytest.mark.parametrize("year", [1, 2])
def test_every_card_played_this_year_goes_into_the_draw_pile_which_is_shuffled(table: Table, year: int) -> None:
    """Ruling: every card played this year, covered cards and news included, goes into the draw pile."""
    table.state.year = year
    end_year(table, "retail-01", covered="retail-04", news="retail-14")
    state = table.state
    assert state.spaces == []
    held = {card for hand in state.hands for card in hand}
    assert sorted(state.pile) == [card for card in range(45) if card not in held]
    order = Chance(state.chance.seed).shuffle(f"buy-low-sell-high/deck/{year + 1}", ids(table, state.pile))
    assert ids(table, state.pile[::-1]) == order


def test_players_discard_in_turn_order_from_the_one_who_would_be_next() -> None:
    """Ruling: in turn order, beginning with the player who would be next."""
    table = Table(3)
    seat = fill_by_playing(table)
    asked = []
    while table.state.decision == "discard":
        asked.append(table.active)
        assert table.state.awaiting == (table.active,)
        assert table.state.year == 1
        table.act(Discard())
    assert asked == [(seat + step) % 3 for step in (1, 2, 3)]


def fill_by_playing(table: Table) -> int:
    """Play until the year ends; the seat that played the last card."""
    seat = table.active
    while table.state.decision == "turn":
        seat = table.active
        table.play()
    return seat


def test_next_year_begins_with_the_player_who_would_be_next() -> None:
    table = Table(3)
    seat = fill_by_playing(table)
    for _ in range(3):
        table.act(Discard())
    assert (table.state.decision, table.state.year, table.active) == ("turn", 2, (seat + 1) % 3)


@pytest.mark.parametrize("number", range(6))
def test_any_number_of_cards_is_discarded_and_as_many_are_drawn_at_once(number: int) -> None:
    table = Table(2)
    fill_by_playing(table)
    seat = table.active
    hand = table.hand(seat)
    top = ids(table, table.state.pile[::-1])[:number]
    events = table.act(Discard(tuple(hand[:number])))
    assert events[0] == Discarded(seat, number)
    assert [event for event in events if isinstance(event, CardsDrawn)] == (
        [CardsDrawn(seat, number)] if number else []
    )
    assert sorted(table.hand(seat)) == sorted([*hand[number:], *top])
    assert sorted(ids(table, table.state.discards)) == sorted(hand[:number])
    assert len(table.state.pile) == 35 - number


def test_discards_are_set_aside_and_not_drawn_by_who_comes_after() -> None:
    table = Table(4)
    fill_by_playing(table)
    gone: set[str] = set()
    for _ in range(3):
        seat = table.active
        hand = table.hand(seat)
        gone.update(hand)
        table.act(Discard(tuple(hand)))
        assert not gone & set(table.hand(seat))


def test_when_all_are_done_the_discards_join_the_pile_which_is_shuffled_again() -> None:
    table = Table(2)
    fill_by_playing(table)
    for _ in range(2):
        table.act(Discard(tuple(table.hand(table.active)[:2])))
    state = table.state
    assert state.discards == []
    held = {card for hand in state.hands for card in hand}
    assert sorted(state.pile) == [card for card in range(45) if card not in held]
    order = Chance(state.chance.seed).shuffle("buy-low-sell-high/deck/2/again", ids(table, state.pile))
    assert ids(table, state.pile[::-1]) == order


def test_pile_is_shuffled_again_even_when_nobody_discards() -> None:
    table = Table(2)
    fill_by_playing(table)
    before = table.state.pile.copy()
    for _ in range(2):
        table.act(Discard())
    assert sorted(table.state.pile) == sorted(before)
    assert table.state.pile != before


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        (("oil-99",), "card 'oil-99' is not in the hand"),
        ((5,), "card 5 is not in the hand"),
        ("oil-01", "'oil-01' is no list of cards"),
        (None, "None is no list of cards"),
    ],
)
def test_wrong_discard_is_refused_and_quoted(cards: Any, reason: str) -> None:
    table = Table(2)
    fill_by_playing(table)
    assert table.refusal(Discard(cards)) == reason


def test_card_cannot_be_discarded_twice_nor_anothers_card() -> None:
    table = Table(2)
    fill_by_playing(table)
    own, others = table.hand(table.active)[0], table.hand(table.other)[0]
    assert table.refusal(Discard((own, own))) == f"card '{own}' is not in the hand"
    assert table.refusal(Discard((others,))) == f"card '{others}' is not in the hand"


def test_after_the_last_year_nobody_discards(table: Table) -> None:
    table.state.year = 3
    events = end_year(table, "retail-01", "technology-11")
    assert ChartMoved("retail", 1, 24, 26) in events
    assert [event for event in events if isinstance(event, DividendPaid)]
    assert not [event for event in events if isinstance(event, Discarded)]
    assert table.state.decision == "final_sale"


def test_match_has_three_years(new_table: NewTable) -> None:
    table = new_table(2)
    years = []
    while table.state.awaiting:
        events = table.act(table.state.default_action(table.active))
        years += [event.year for event in events if isinstance(event, YearEnded)]
    assert years == [1, 2, 3]


def test_others_see_how_many_cards_are_discarded_but_not_which(table: Table) -> None:
    fill_by_playing(table)
    events = table.act(Discard(tuple(table.hand(table.active)[:2])))
    seen = [event for event in events if table.state.audience(event) is None]
    assert not [event for event in seen if isinstance(event, Dealt)]
    assert seen[:2] == [Discarded(1 - table.active, 2), CardsDrawn(1 - table.active, 2)]
