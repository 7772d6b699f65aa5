"""Rules page, "A turn", 2: cards."""

from collections.abc import Callable
from typing import Any

import pytest
from buy_low_sell_high_play import Table

from tradepit_server.games.buy_low_sell_high.actions import CardPlay, Turn
from tradepit_server.games.buy_low_sell_high.events import CardPlayed, CardsDrawn, Dealt, FeeCharged

NewTable = Callable[..., Table]


@pytest.mark.parametrize(("seats", "spaces"), [(2, 7), (3, 10), (4, 13)])
def test_card_spaces_in_use(new_table: NewTable, seats: int, spaces: int) -> None:
    assert new_table(seats).edition.card_spaces[seats] == spaces


@pytest.mark.parametrize("card", ["oil-01", "technology-10", "retail-09"])
def test_market_or_dividend_card_is_played_on_an_empty_space_and_does_nothing_yet(table: Table, card: str) -> None:
    seat = table.active
    table.hold_cards(seat, card, "oil-02")
    charts = [table.chart(industry) for industry in table.edition.industries]
    cash = table.state.cash.copy()
    assert [type(event) for event in table.play(cards=[card])] == [CardPlayed, CardsDrawn, Dealt]
    assert table.standing() == [(card, "")]
    assert table.state.spaces[0].seat == seat
    assert [table.chart(industry) for industry in table.edition.industries] == charts
    assert table.state.cash == cash


def test_hand_is_then_refilled_to_five_from_the_draw_pile(table: Table) -> None:
    seat = table.active
    hand = table.hand(seat)
    top = table.edition.cards[table.state.pile[-1]].id
    events = table.play()
    played = next(event.card for event in events if isinstance(event, CardPlayed))
    assert sorted(table.hand(seat)) == sorted({*hand, top} - {played})
    assert len(table.state.pile) == 45 - 10 - 1
    assert CardsDrawn(seat, 1) in events
    assert Dealt(seat, (top,)) in events


def test_as_many_cards_are_drawn_as_were_played_and_only_after_the_last(table: Table) -> None:
    seat = table.active
    table.hold_cards(seat, "oil-12", "oil-13", "oil-01", "oil-02", "oil-03")
    events = table.play(cards=["oil-12", "oil-13", "oil-01"])
    kinds = [type(event) for event in events if not isinstance(event, FeeCharged)]
    assert kinds == [CardPlayed, CardPlayed, CardPlayed, CardsDrawn, Dealt]
    assert CardsDrawn(seat, 3) in events
    assert len(table.hand(seat)) == 5


def test_card_must_be_played(table: Table) -> None:
    assert table.refused_cards() == "0 cards are too few: in a turn another must be played"


def test_second_card_is_one_too_many(table: Table) -> None:
    table.hold_cards(table.active, "oil-01", "oil-02")
    assert table.refused_cards("oil-01", "oil-02") == "card 'oil-02' is one too many"


def test_card_that_is_not_in_the_hand_is_refused(table: Table) -> None:
    table.hold_cards(table.active, "oil-01")
    table.hold_cards(table.other, "oil-02")
    assert table.refused_cards("oil-02") == "card 'oil-02' is not in the hand"
    assert table.refused_cards("oil-99") == "card 'oil-99' is not in the hand"


def test_after_an_expense_another_card_must_be_played(table: Table) -> None:
    table.hold_cards(table.active, "oil-12", "oil-01", "oil-02")
    reason = "1 cards are too few: after oil-12, an expense card, another must be played"
    assert table.refused_cards("oil-12") == reason
    assert table.refused_cards("oil-12", "oil-01", "oil-02") == "card 'oil-02' is one too many"
    table.play(cards=["oil-12", "oil-01"])
    assert table.standing() == [("oil-12", ""), ("oil-01", "")]


def test_same_card_cannot_be_played_twice(table: Table) -> None:
    table.hold_cards(table.active, "oil-12", "oil-01")
    assert table.refused_cards("oil-12", "oil-12") == "card 'oil-12' is not in the hand"


def test_five_expenses_in_one_turn_end_it_as_the_hand_is_empty(table: Table) -> None:
    seat = table.active
    expenses = ["oil-12", "oil-13", "technology-12", "retail-12", "retail-13"]
    table.hold_cards(seat, *expenses)
    events = table.play(cards=expenses)
    assert len([event for event in events if isinstance(event, FeeCharged) and event.seat == seat]) == 5
    assert table.state.cash == [40, 40]
    assert CardsDrawn(seat, 5) in events
    assert table.active != seat


def test_four_of_five_expenses_are_too_few(table: Table) -> None:
    table.hold_cards(table.active, "oil-12", "oil-13", "technology-12", "retail-12", "retail-13")
    reason = table.refused_cards("oil-12", "oil-13", "technology-12", "retail-12")
    assert reason == "4 cards are too few: after retail-12, an expense card, another must be played"


def test_after_an_expense_on_the_last_space_nothing_more_is_played(table: Table) -> None:
    table.fill_spaces()
    table.hold_cards(table.active, "oil-12", "oil-01")
    assert table.refused_cards("oil-12", "oil-01") == "card 'oil-01' is one too many"
    table.play(cards=["oil-12"])
    assert table.state.decision == "discard"


def test_expense_chain_goes_on_to_the_last_space(table: Table) -> None:
    table.fill_spaces(2)
    table.hold_cards(table.active, "oil-12", "oil-13", "oil-01")
    assert "too few" in table.refused_cards("oil-12")
    assert table.refused_cards("oil-12", "oil-13", "oil-01") == "card 'oil-01' is one too many"
    table.play(cards=["oil-12", "oil-13"])


def test_after_an_expense_news_over_a_card_ends_the_turn_without_a_space(table: Table) -> None:
    table.lay("oil-01")
    table.hold_cards(table.active, "oil-12", "oil-14", "oil-02")
    assert table.refused_cards("oil-12", ("oil-14", "oil-01"), "oil-02") == "card 'oil-02' is one too many"
    table.play(cards=["oil-12", ("oil-14", "oil-01")])
    assert table.standing() == [("oil-01", "oil-14"), ("oil-12", "")]


@pytest.mark.parametrize("target", ["oil-01", "oil-07", "oil-12"])
def test_news_is_laid_over_an_uncovered_market_dividend_or_expense_card(table: Table, target: str) -> None:
    seat = table.active
    table.lay(target, seat=table.other)
    table.hold_cards(seat, "oil-14")
    events = table.play(cards=[("oil-14", target)])
    assert events[0] == CardPlayed(seat, "oil-14", target)
    assert table.standing() == [(target, "oil-14")]
    space = table.state.spaces[0]
    assert (space.seat, space.news_seat) == (1 - seat, seat)


def test_news_is_laid_over_any_card_not_only_the_latest(table: Table) -> None:
    """Ruling: any, not only the latest; news cannot cover news."""
    table.lay("oil-01", "oil-07", "retail-01")
    table.hold_cards(table.active, "oil-14")
    table.play(cards=[("oil-14", "oil-01")])
    assert table.standing() == [("oil-01", "oil-14"), ("oil-07", ""), ("retail-01", "")]


def test_news_over_an_expense_that_was_just_played(table: Table) -> None:
    """The fee stays paid."""
    seat = table.active
    table.hold_cards(seat, "oil-12", "oil-14")
    table.play(cards=["oil-12", ("oil-14", "oil-12")])
    assert table.standing() == [("oil-12", "oil-14")]
    assert table.state.cash == [48, 48]


def test_covering_an_expense_leaves_a_fee_owed(table: Table) -> None:
    seat, other = table.active, table.other
    table.state.cash[other] = 0
    table.hold_cards(seat, "oil-12", "oil-14")
    table.play(cards=["oil-12", ("oil-14", "oil-12")])
    assert table.state.cash[other] == -2


def test_news_covers_only_its_own_industry(table: Table) -> None:
    table.lay("retail-01", "oil-01")
    table.hold_cards(table.active, "oil-14", "oil-02")
    assert table.refused_cards(("oil-14", "retail-01")) == "oil-14 over 'retail-01': it can be laid over: oil-01"


def test_news_does_not_cover_a_covered_card_twice(table: Table) -> None:
    table.lay("oil-01", "oil-02")
    table.hold_cards(table.active, "oil-14")
    table.hold_cards(table.other, "oil-15")
    table.play(cards=[("oil-14", "oil-01")])
    assert table.refused_cards(("oil-15", "oil-01")) == "oil-15 over 'oil-01': it can be laid over: oil-02"


def test_news_cannot_cover_news(table: Table) -> None:
    """Neither news over a card nor news on a space of its own."""
    table.lay("oil-14")
    table.hold_cards(table.active, "oil-15", "oil-01")
    assert table.refused_cards(("oil-15", "oil-14")) == "oil-15 over 'oil-14': it can be laid over: none"


def test_news_takes_no_space(table: Table) -> None:
    """Six of seven spaces are taken before and after it, and the year goes on."""
    table.lay("technology-01")
    table.hold_cards(table.active, "technology-14")
    table.fill_spaces()
    table.play(cards=[("technology-14", "technology-01")])
    assert len(table.state.spaces) == 6
    assert table.state.decision == "turn"


def test_news_that_could_cover_something_must_name_it(table: Table) -> None:
    table.lay("oil-01", "oil-07")
    table.hold_cards(table.active, "oil-14")
    assert table.refused_cards("oil-14") == "oil-14 over nothing: it can be laid over: oil-01, oil-07"


@pytest.mark.parametrize("target", ["oil-99", "o" * 1000])
def test_unknown_target_is_refused_and_quoted(table: Table, target: str) -> None:
    table.lay("oil-01")
    table.hold_cards(table.active, "oil-14")
    reason = table.refused_cards(("oil-14", target))
    assert reason.startswith(f"oil-14 over {repr(target)[:60]}")
    assert reason.endswith("it can be laid over: oil-01")
    assert len(reason) < 120


def test_card_that_is_no_news_is_laid_over_nothing(table: Table) -> None:
    table.lay("oil-01")
    table.hold_cards(table.active, "oil-02")
    assert table.refused_cards(("oil-02", "oil-01")) == "oil-02 over 'oil-01': only news is laid over a card"


@pytest.mark.parametrize("other", ["retail-01", "retail-09", "retail-12"])
def test_news_without_a_target_is_not_played_while_there_is_something_else(table: Table, other: str) -> None:
    """Ruling: news without a legal target may be played only if the hand holds nothing else playable."""
    table.hold_cards(table.active, "oil-14", other)
    reason = f"oil-14 is news without a card to cover, while there are to play: {other}"
    assert table.refused_cards("oil-14") == reason


def test_news_with_a_target_is_something_else_to_play(table: Table) -> None:
    table.lay("retail-01")
    table.hold_cards(table.active, "oil-14", "retail-14")
    assert "while there are to play: retail-14" in table.refused_cards("oil-14")
    table.play(cards=[("retail-14", "retail-01")])


def test_news_without_a_target_takes_a_space_and_does_nothing(table: Table) -> None:
    seat = table.active
    table.hold_cards(seat, "oil-14", "technology-13")
    events = table.play(cards=["technology-13"])
    assert events[0] == CardPlayed(seat, "technology-13", "")
    assert [type(event) for event in events] == [CardPlayed, CardsDrawn, Dealt]
    assert table.standing() == [("technology-13", "")]


def test_news_without_a_target_may_fill_the_last_space(table: Table) -> None:
    table.fill_spaces()
    table.hold_cards(table.active, "oil-14")
    table.play(cards=["oil-14"])
    assert table.state.decision == "discard"


def test_news_found_its_target_only_after_an_expense(table: Table) -> None:
    """Judged at that moment: first the oil news has nothing to cover, then it has the expense."""
    table.hold_cards(table.active, "oil-12", "oil-14", "retail-01")
    assert "without a card to cover" in table.refused_cards("oil-14")
    assert table.refused_cards("oil-12", "oil-14") == "oil-14 over nothing: it can be laid over: oil-12"
    table.play(cards=["oil-12", ("oil-14", "oil-12")])


def test_news_without_a_target_is_judged_on_the_hand_then_left(table: Table) -> None:
    """With the expense in the hand it is not playable; once that is played, nothing else is left."""
    table.hold_cards(table.active, "oil-12", "retail-14")
    assert "while there are to play: oil-12" in table.refused_cards("retail-14")
    table.play(cards=["oil-12", "retail-14"])
    assert table.standing() == [("oil-12", ""), ("retail-14", "")]


def test_cards_after_an_expense_are_part_of_the_same_decision(table: Table) -> None:
    """Ruling: cards after an expense are part of the same decision."""
    seat = table.active
    table.hold_cards(seat, "oil-12", "retail-12", "oil-01")
    table.play(cards=["oil-12", "retail-12", "oil-01"])
    assert table.state.awaiting == (1 - seat,)


def test_drawn_card_cannot_be_played_in_the_same_turn(table: Table) -> None:
    """It does not see the drawn cards in between, since drawing comes after the last card."""
    table.hold_cards(table.active, "oil-12", "oil-01", "oil-02", "oil-03", "oil-04")
    top = table.edition.cards[table.state.pile[-1]].id
    assert table.refused_cards("oil-12", top) == f"card '{top}' is not in the hand"


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        ("oil-01", "'oil-01' is no list of cards"),
        (None, "None is no list of cards"),
        (("oil-01",), "'oil-01' is no card to play"),
        ((CardPlay(7),), "card 7 is not in the hand"),  # type: ignore[arg-type]  # wrong on purpose
        ((CardPlay("oil-14", 7),), "oil-14 over 7: that is no card"),  # type: ignore[arg-type]  # wrong on purpose
        ((CardPlay("oil-14", None),), "oil-14 over None: that is no card"),  # type: ignore[arg-type]  # the same
    ],
)
def test_what_is_no_card_is_refused_and_quoted(table: Table, cards: Any, reason: str) -> None:
    table.hold_cards(table.active, "oil-01", "oil-14")
    assert table.refusal(Turn((), cards)) == reason
