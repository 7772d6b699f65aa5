"""Rules page, "End", and the three forms of the end-of-game card."""

from typing import Any

import pytest
from long_short_play import Table

from tradepit.chance import Chance
from tradepit_server.games.long_short.actions import EndOfGame
from tradepit_server.games.long_short.events import ActionCardDrawn, CashMoved, Ended, Sold
from tradepit_server.games.long_short.game import GAME

END = "action-44"


def draw_end(table: Table) -> list[Any]:
    """The active player draws the end-of-game card."""
    table.next_action_card(END)
    return table.play()


@pytest.fixture
def cancellable() -> Table:
    """Two seats; who draws the end-of-game card may pay to go on."""
    return Table(options={"end_of_game_card": "cancellable"})


def test_all_contracts_are_settled_at_the_current_levels_after_the_last_round(table: Table) -> None:
    """Ruling: that is what "capital" counts."""
    table.to_round(10)
    table.play()
    seat, other = table.active, table.other
    table.give(seat, "soya", "long", 8, 2)
    table.give(other, "soya", "short", 8, 1)
    table.set_level("soya", 11)
    table.hold_cards(seat, "green-01")
    events = table.play(card="green-01")
    first, second = sorted([seat, other])
    received = {seat: ("long", 2, 12_000), other: ("short", 1, 0)}
    assert events[-3:] == [
        Ended("rounds"),
        *[Sold(s, "soya", received[s][0], 8, 11, received[s][1], received[s][2], "final") for s in (first, second)],
    ]
    assert table.state.scores()[seat] == 22_000
    assert table.state.awaiting == ()
    assert table.state.decision == ""


def test_players_rank_by_cash_and_equal_cash_is_an_equal_rank() -> None:
    state = GAME.new(5, {}, Chance(bytes(32)))
    state.cash = [5000, 10_000, -2000, 10_000, 5000]
    assert state.placements() == [3, 1, 5, 1, 3]
    assert state.scores() == state.cash


def test_debt_counts_as_a_negative_amount(table: Table) -> None:
    table.state.cash = [-1, 0]
    assert table.state.placements() == [2, 1]


def test_end_of_game_card_ends_the_game_at_once(table: Table) -> None:
    table.give(table.active, "soya", "long", 10, 1)
    table.give(table.other, "wheat", "long", 10, 1)
    table.state.day_trade_cards = [1, 1]
    events = draw_end(table)
    assert events[-3] == Ended("card")
    assert {event.reason for event in events[-2:]} == {"final"}
    # Nobody is asked for a day trade.
    assert table.state.awaiting == ()
    assert table.contracts(0) == table.contracts(1) == {}


def test_end_of_game_card_is_in_the_piles_by_default(table: Table) -> None:
    assert table.edition.action_card_of[END] in sum(table.state.piles, ())


def test_removed_end_of_game_card_is_in_no_pile() -> None:
    state = Table(options={"end_of_game_card": "removed"}).state
    assert state.edition.action_card_of[END] not in sum(state.piles, ())
    assert [len(pile) for pile in state.piles] == [15, 14, 14]


def test_drawing_player_is_asked_whether_to_pay(cancellable: Table) -> None:
    seat = cancellable.active
    events = draw_end(cancellable)
    assert events[-1] == ActionCardDrawn(seat, 1, END)
    assert cancellable.state.decision == "end_of_game"
    assert cancellable.state.awaiting == (seat,)


def test_who_pays_goes_on(cancellable: Table) -> None:
    seat = cancellable.active
    draw_end(cancellable)
    assert cancellable.act(seat, EndOfGame(True)) == [CashMoved(seat, -10_000, "cancellation")]
    assert cancellable.state.cash[seat] == 0
    assert cancellable.state.decision == "turn"
    assert cancellable.active == (seat + 1) % 2


def test_who_does_not_pay_ends_the_game(cancellable: Table) -> None:
    seat = cancellable.active
    draw_end(cancellable)
    assert cancellable.act(seat, EndOfGame(False)) == [Ended("card")]
    assert cancellable.state.awaiting == ()


@pytest.mark.parametrize(("cash", "asked"), [(10_000, True), (9999, False)])
def test_price_is_paid_from_cash_and_nothing_may_be_sold_for_it(cancellable: Table, cash: int, asked: bool) -> None:
    """Ruling: from cash, nothing may be sold for it; the card goes back under its pile; asked in the last turn too."""
    seat = cancellable.active
    cancellable.give(seat, "gold", "long", 10, 4)
    cancellable.state.cash[seat] = cash
    draw_end(cancellable)
    assert (cancellable.state.decision == "end_of_game") == asked
    assert bool(cancellable.state.awaiting) == asked


def test_cancelled_card_comes_up_again_after_its_pile(cancellable: Table) -> None:
    end, gift = (cancellable.edition.action_card_of[card] for card in (END, "action-43"))
    cancellable.state.piles = ((end, gift), *cancellable.state.piles[1:])
    cancellable.load_dice("action_card")
    cancellable.play()
    cancellable.act(cancellable.active, EndOfGame(True))
    cancellable.play()
    cancellable.state.cash = [10_000, 10_000]
    cancellable.play()
    assert cancellable.state.decision == "end_of_game"
    assert cancellable.state.drawn[0] == 3


def test_drawing_player_is_asked_in_the_last_turn_too(cancellable: Table) -> None:
    cancellable.to_round(10)
    cancellable.play()
    seat = cancellable.active
    draw_end(cancellable)
    assert cancellable.state.decision == "end_of_game"
    assert cancellable.act(seat, EndOfGame(True))[-1] == Ended("rounds")
    assert cancellable.state.cash[seat] == 0


def test_when_the_card_was_cancelled_the_others_are_asked_for_day_trades(cancellable: Table) -> None:
    other = cancellable.other
    cancellable.state.day_trade_cards[other] = 1
    cancellable.give(other, "soya", "long", 10, 1)
    draw_end(cancellable)
    cancellable.act(cancellable.active, EndOfGame(True))
    assert (cancellable.state.decision, cancellable.state.awaiting) == ("day_trade", (other,))


@pytest.mark.parametrize("cancel", [1, 0, None, "yes"])
def test_answer_that_is_neither_true_nor_false_is_refused(cancellable: Table, cancel: Any) -> None:
    draw_end(cancellable)
    assert cancellable.refusal(EndOfGame(cancel)) == f"cancel {cancel!r} is neither true nor false"
