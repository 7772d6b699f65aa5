"""What a desk refuses, it explains; every refusal names its reason."""

from typing import Any

import pytest

from tradepit.buy_low_sell_high import Desk, buy, play, sell
from tradepit.buy_low_sell_high.testing import Seat, Situation, view_of

LATER = 9
"""A turn without the limits of the first two."""


def desk(**situation: Any) -> Desk:
    """A desk in a situation."""
    return view_of(Situation(**{"turn": LATER, **situation})).desk()


@pytest.mark.parametrize(
    ("situation", "trades", "reason"),
    [
        ({"cash": 5}, [buy("oil")], "cannot buy oil now: the price is 6 $, the cash 5 $"),
        ({"charts": {"oil": (24, 1)}}, [buy("oil")], "cannot buy oil now: the last share cannot be bought"),
        ({"shares": {"oil": 0}}, [sell("oil")], "cannot sell oil now: no share of it is held"),
        ({}, [sell("oil"), sell("oil")], "cannot sell oil now: no share of it is held"),
        ({"fee_owed": 3}, [sell("oil")], "cannot sell oil now: a fee of 3 $ is owed"),
        ({}, [buy("oil"), buy("oil"), buy("retail")], "cannot buy retail now: 2 trades are the most"),
        ({}, [buy("oil"), sell("oil")], "in one industry both trades are buys or both are sales"),
        ({"turn": 0}, [buy("oil"), buy("retail")], "the starting player's first turn allows one trade"),
        ({"turn": 1}, [buy("oil"), buy("oil")], "the second player's first turn allows one trade of an industry"),
        ({}, [buy("gas")], "there is no industry 'gas'; there are: oil, technology, retail"),
    ],
)
def test_a_trade_that_is_not_possible_is_explained(situation: Any, trades: Any, reason: str) -> None:
    board = desk(**situation)
    *possible, refused = trades
    for trade in possible:
        board.trade(trade)
    before = (board.cash, board.shares.copy(), board.trades.copy())
    with pytest.raises(ValueError, match=r"now|no industry") as raised:
        board.trade(refused)
    assert str(raised.value).endswith(reason)
    assert (board.cash, board.shares, board.trades) == before


@pytest.mark.parametrize(
    ("hand", "plays", "reason"),
    [
        (["oil-01"], [play("oil-02")], "cannot play oil-02 now: it is not in the hand"),
        (["oil-01", "oil-02"], [play("oil-01"), play("oil-02")], "cannot play oil-02 now: no further card is due"),
        (["oil-01", "oil-12"], [play("oil-01", "retail-01")], "only news is laid over a card"),
        (["oil-14"], [play("oil-14")], "cannot play oil-14 now: it can be laid over: oil-03, oil-13"),
        (["oil-14"], [play("oil-14", "retail-01")], "it can be laid over: oil-03, oil-13"),
        (["oil-14"], [play("oil-14", "oil-04")], "it can be laid over: oil-03, oil-13"),
        (
            ["technology-13", "oil-01"],
            [play("technology-13")],
            "it is news without a card to cover, while there are to play: oil-01",
        ),
        (["technology-13"], [play("technology-13", "oil-03")], "it can be laid over: nothing"),
        (["oil-01"], [play("gas-1")], "there is no card 'gas-1'"),
    ],
)
def test_a_card_that_cannot_be_played_is_explained(hand: list[str], plays: Any, reason: str) -> None:
    taken = [(0, "oil-03"), (1, "oil-04", 1, "oil-15"), (0, "oil-13"), (1, "retail-14")]
    board = desk(hand=hand, spaces=taken)
    *possible, refused = plays
    for entry in possible:
        board.play(*entry)
    with pytest.raises(ValueError, match=r"now|no card") as raised:
        board.play(*refused)
    assert str(raised.value).endswith(reason)


def test_after_an_expense_another_card_is_due_until_the_spaces_or_the_hand_are_used_up() -> None:
    hand = ["oil-12", "oil-13", "retail-12", "oil-14", "oil-01"]
    board = desk(hand=hand)
    dues = []
    for entry in (play("oil-12"), play("oil-13"), play("oil-14", "oil-12")):
        dues.append(board.due)
        board.play(*entry)
    assert (dues, board.due) == ([True, True, True], False)
    assert [card.id for card in board.targets("oil-15")] == ["oil-13"]
    full = desk(hand=hand, spaces=[(0, f"technology-0{number}") for number in range(1, 7)])
    full.play("oil-12")
    assert not full.due
    last = desk(hand=["oil-12"])
    last.play("oil-12")
    assert not last.due


def test_news_without_a_target_may_be_played_only_when_nothing_else_may() -> None:
    only_news = desk(hand=["oil-14", "retail-14"])
    assert [card.id for card in only_news.playable()] == ["oil-14", "retail-14"]
    one_target = desk(hand=["oil-14", "retail-14"], spaces=[(0, "oil-01")])
    assert [card.id for card in one_target.playable()] == ["oil-14"]
    # Judged anew after each card: behind the expense the news has a target.
    board = desk(hand=["oil-12", "oil-14"])
    assert [card.id for card in board.playable()] == ["oil-12"]
    assert board.all_plays() == [(play("oil-12"), play("oil-14", "oil-12"))]


def test_news_covers_no_news_not_even_one_that_covers_nothing() -> None:
    board = desk(hand=["oil-14", "retail-14"], spaces=[(0, "oil-15"), (1, "retail-01", 0, "retail-15")])
    assert board.targets("oil-14") == ()
    assert board.targets("retail-14") == ()
    assert board.all_plays() == [(play("oil-14"),), (play("retail-14"),)]


def test_trades_do_not_wait_for_the_cash_of_a_fee() -> None:
    """Trades are carried out before any card is played, whatever is noted first."""
    board = desk(hand=["oil-12", "oil-01"], cash=6)
    board.play("oil-12")
    board.buy("oil")
    assert board.cash == 0


def test_two_trades_follow_each_other_in_price() -> None:
    board = desk()
    assert [chart.buy_price for chart in board.charts.values()] == [6, 6, 6]
    board.buy("oil")
    board.buy("oil")
    assert (board.cash, board.shares["oil"], board.charts["oil"].buy_price) == (50 - 6 - 8, 3, 10)
    other = desk(shares={"oil": 2})
    other.sell("oil")
    other.sell("oil")
    assert (other.cash, other.shares["oil"], other.charts["oil"].sell_price) == (50 + 6 + 5, 0, 4)


def test_on_the_lowest_field_shares_are_sold_again_and_again_for_two() -> None:
    board = desk(charts={"oil": (4, 3)}, shares={"oil": 2})
    board.sell("oil")
    board.sell("oil")
    assert board.cash == 54


def test_an_order_of_sales_for_a_fee_names_an_industry_once_and_only_while_one_is_owed() -> None:
    board = desk(fee_owed=3)
    board.sell_for_fee("retail", "oil")
    with pytest.raises(ValueError, match="cannot sell 'oil' for a fee: it is named twice"):
        board.sell_for_fee("oil")
    with pytest.raises(ValueError, match="no industry 'gas'"):
        board.sell_for_fee("gas")
    assert board.turn().fee_sales == ("retail", "oil")
    assert board.all_trades() == [()]
    with pytest.raises(ValueError, match="cannot sell 'oil' for a fee: none is owed"):
        desk().sell_for_fee("oil")


def test_a_desk_tries_things_out_on_a_copy() -> None:
    board = desk()
    copy = board.copy()
    copy.buy("oil")
    copy.play(copy.hand[0])
    assert (board.trades, board.cards, board.cash, len(board.hand)) == ([], [], 50, 5)
    assert board.shares["oil"] == 1
    assert board.standing()["oil"].points == 0


def test_a_desk_is_for_turns() -> None:
    view = view_of(Situation(decision="discard", others=[Seat(), Seat()]))
    with pytest.raises(ValueError, match="a desk works out a turn, and asked is for a discard"):
        view.desk()
