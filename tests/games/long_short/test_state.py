"""The state as the referee uses it: awaited seats, defaults, copies, events and their audience."""

from typing import Any, get_args

import pytest
from long_short_play import RandomPlayer, Table, moments, random_match, snapshot

from tradepit.chance import Chance
from tradepit_server.games.base import IllegalAction
from tradepit_server.games.long_short import events
from tradepit_server.games.long_short.actions import Action, Buy, DayTrade, EndOfGame, Sell, Turn
from tradepit_server.games.long_short.events import Dealt
from tradepit_server.games.long_short.game import GAME
from tradepit_server.games.long_short.state import State

ILLEGAL: list[Any] = [
    Turn((Buy("gold", "long", 1000),), "yellow-01"),
    Turn((), "no such card"),
    DayTrade((Sell("gold", "long", 10, 1000),)),
    EndOfGame("perhaps"),  # type: ignore[arg-type]  # wrong on purpose
    None,
]


def test_default_turn_has_no_orders_the_first_card_of_the_hand_and_pile_1(table: Table) -> None:
    table.hold_cards(table.active, "red-02", "yellow-30", "blue-01")
    assert table.state.default_action(table.active) == Turn((), "yellow-30", 1)


def test_default_day_trade_sells_nothing(table: Table) -> None:
    table.give(table.other, "soya", "long", 10, 1)
    table.state.day_trade_cards[table.other] = 1
    table.play()
    assert table.state.default_action(table.other) == DayTrade(())


def test_default_does_not_cancel_the_end_of_game_card() -> None:
    table = Table(options={"end_of_game_card": "cancellable"})
    table.next_action_card("action-44")
    table.play()
    assert table.state.default_action(table.active) == EndOfGame(False)


@pytest.mark.parametrize("seats", range(2, 7))
def test_default_is_always_legal_and_what_is_illegal_changes_nothing(seats: int) -> None:
    for number in range(10):
        state, player = random_match(seats, number)
        for moment in moments(state, player):
            before = snapshot(moment)
            for seat in moment.awaiting:
                moment.validate(seat, moment.default_action(seat))
                for action in ILLEGAL:
                    with pytest.raises(IllegalAction):
                        moment.validate(seat, action)
            with pytest.raises(IllegalAction, match="is not asked"):
                moment.validate(seats, moment.default_action(moment.awaiting[0]))
            assert snapshot(moment) == before


def test_validating_a_legal_action_changes_nothing() -> None:
    state, player = random_match(3, 1)
    for moment in moments(state, player):
        before = snapshot(moment)
        for seat in moment.awaiting:
            moment.validate(seat, player(moment, seat))
        assert snapshot(moment) == before


def test_copy_goes_its_own_way() -> None:
    state, player = random_match(4, 2)
    for moment in moments(state, player):
        before = snapshot(moment)
        copy = moment.clone()
        assert snapshot(copy) == before
        for later in moments(copy, RandomPlayer(0)):
            if later.turn > moment.turn + 3:
                break
        assert snapshot(moment) == before


def test_copy_plays_on_like_the_original() -> None:
    state, player = random_match(4, 3)
    for _ in zip(range(30), moments(state, player), strict=False):
        pass
    copy = state.clone()
    for match in (state, copy):
        for _ in moments(match, RandomPlayer(5)):
            pass
    assert snapshot(copy) == snapshot(state)


@pytest.mark.parametrize("seats", range(2, 7))
def test_no_match_takes_more_decisions_than_declared(seats: int) -> None:
    """Everybody holds a day-trade card and a contract, and the end-of-game card comes up again and again."""
    state = GAME.new(seats, {"end_of_game_card": "cancellable", "initial_day_trade_cards": 1}, Chance(bytes(32)))
    state.piles = ((state.edition.action_card_of["action-44"],),) * 3
    decisions = 0
    while state.awaiting:
        state.cash = [10**6] * seats
        decisions += len(state.awaiting)
        state.apply({seat: busy(state, seat) for seat in state.awaiting})
    assert 10 * seats < decisions <= GAME.decision_bound(seats)


def busy(state: State, seat: int) -> Action:
    """Buys, keeps its day-trade card, pays to go on."""
    if state.decision == "turn":
        default = state.default_action(seat)
        assert isinstance(default, Turn)
        orders = (Buy("wheat", "long", 1),) if state.can_buy(seat, "wheat", "long", 1) else ()
        return Turn(orders, default.price_card)
    return EndOfGame(True) if state.decision == "end_of_game" else DayTrade()


def test_events_since_a_number_are_those_from_it_on(table: Table) -> None:
    count = table.state.event_count
    table.play()
    assert table.state.events_since(count) == table.state.events[count:]
    assert table.state.events_since(0) == table.state.events
    assert table.state.events_since(table.state.event_count) == []


def test_dealt_cards_are_seen_by_their_owner_alone_and_all_else_by_everybody() -> None:
    kinds = set()
    for number in range(5):
        state, player = random_match(6, number)
        for _ in moments(state, player):
            pass
        for event in state.events:
            kinds.add(type(event))
            assert state.audience(event) == ((event.seat,) if isinstance(event, Dealt) else None)
    assert kinds == set(get_args(events.Event))


def test_every_event_is_told_in_a_sentence() -> None:
    for number in range(5):
        state, player = random_match(6, number)
        for _ in moments(state, player):
            pass
        for event in state.events:
            sentence = state.describe(event)
            assert sentence.endswith(".")
            assert sentence[0].isupper()


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (events.Bought(1, "gold", "long", 10, 2, 12_000), "Seat 1 buys 2 gold long at 10 for 12,000 $."),
        (
            events.Sold(0, "gold", "short", 10, 15, 1, -4000, "cover"),
            "Seat 0 must cover and sells: 1 gold short from 10 at 15; it pays 4,000 $.",
        ),
        (events.PriceMoved("soya", 10, 12, "limit"), "Soya moves from 10 to 12 by the dice."),
        (events.CashMoved(2, 2000, "action_card"), "Seat 2 receives 2,000 $ by the action card."),
        (events.Ended("card"), "The end-of-game card ends the game."),
    ],
)
def test_sentences(table: Table, event: events.Event, sentence: str) -> None:
    assert table.state.describe(event) == sentence
