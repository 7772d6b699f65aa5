"""The state as the referee uses it: awaited seats, defaults, copies, events and their audience."""

from typing import Any, get_args

import pytest
from buy_low_sell_high_play import RandomPlayer, Table, moments, random_match, snapshot

from tradepit.chance import Chance
from tradepit_server.games.base import IllegalAction
from tradepit_server.games.buy_low_sell_high import events
from tradepit_server.games.buy_low_sell_high.actions import Buy, CardPlay, Discard, FinalSale, Sell, Turn
from tradepit_server.games.buy_low_sell_high.edition import load
from tradepit_server.games.buy_low_sell_high.events import Dealt
from tradepit_server.games.buy_low_sell_high.game import GAME, RECONSTRUCTED
from tradepit_server.games.buy_low_sell_high.state import State

ILLEGAL: list[Any] = [
    Turn((), (CardPlay("no such card"),)),
    Turn((Buy("gas"),), ()),
    Turn((Buy("oil"), Sell("oil")), ()),
    Turn((), ()),
    Discard(("no such card",)),
    FinalSale("gas"),
    None,
    "turn",
]


def play_out(state: State) -> State:
    """*state* after the rest of the match, at random."""
    for _ in moments(state, RandomPlayer(5)):
        pass
    return state


def test_default_turn_has_no_trades_and_the_first_card_of_the_hand(table: Table) -> None:
    table.hold_cards(table.active, "retail-01", "oil-14", "oil-07", "oil-12")
    assert table.state.default_action(table.active) == Turn((), (CardPlay("oil-07"),))


def test_default_passes_over_news_without_a_target(table: Table) -> None:
    table.hold_cards(table.active, "oil-14", "retail-01")
    assert table.state.default_action(table.active) == Turn((), (CardPlay("retail-01"),))


def test_default_lays_news_over_the_first_legal_target_oldest_space_first(table: Table) -> None:
    table.lay("retail-01", "oil-07", "oil-01")
    table.hold_cards(table.active, "oil-14", "retail-02")
    assert table.state.default_action(table.active) == Turn((), (CardPlay("oil-14", "oil-07"),))


def test_default_plays_on_after_an_expense_until_the_turn_is_complete(table: Table) -> None:
    table.hold_cards(table.active, "oil-12", "oil-13", "oil-14", "retail-01")
    plays = (CardPlay("oil-12"), CardPlay("oil-13"), CardPlay("oil-14", "oil-12"))
    assert table.state.default_action(table.active) == Turn((), plays)


def test_default_plays_news_without_a_target_when_there_is_nothing_else(table: Table) -> None:
    table.hold_cards(table.active, "retail-14", "oil-14")
    assert table.state.default_action(table.active) == Turn((), (CardPlay("oil-14"),))


def test_default_with_a_fee_outstanding_sells_in_chart_order(table: Table) -> None:
    table.state.cash[table.active] = -1
    seat = table.active
    table.act(table.state.default_action(seat))
    assert table.shares(seat) == {"oil": 0, "technology": 1, "retail": 1}


def test_default_discards_nothing(table: Table) -> None:
    table.fill_spaces()
    table.play()
    assert table.state.default_action(table.active) == Discard(())


@pytest.mark.parametrize(
    ("tops", "industry"),
    [((24, 28, 26), "technology"), ((24, 24, 24), "oil"), ((24, 26, 26), "technology"), ((30, 30, 28), "technology")],
)
def test_default_final_sale_is_that_with_the_highest_price_first_in_chart_order(
    table: Table, tops: tuple[int, ...], industry: str
) -> None:
    table.state.year = 3
    table.fill_spaces()
    table.play()
    seat = table.active
    table.give(seat, technology=1, retail=1, **({"oil": 1} if tops[0] == 24 else {}))
    for name, top in zip(table.edition.industries, tops, strict=True):
        table.set_chart(name, top, 8)
    assert table.state.default_action(seat) == FinalSale(industry)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_default_is_always_legal_and_what_is_illegal_changes_nothing(seats: int) -> None:
    for number in range(10):
        state, player = random_match(seats, number)
        for moment in moments(state, player):
            before = snapshot(moment)
            moment.validate(moment.active, moment.default_action(moment.active))
            for action in ILLEGAL:
                with pytest.raises(IllegalAction):
                    moment.validate(moment.active, action)
            with pytest.raises(IllegalAction, match="is not asked"):
                moment.validate((moment.active + 1) % seats, moment.default_action(moment.active))
            assert snapshot(moment) == before


def test_answer_to_another_question_is_refused_and_quoted(table: Table) -> None:
    assert table.refusal(Discard()) == "Discard(cards=()) does not answer a turn"
    assert table.refusal(FinalSale("oil")) == "FinalSale(industry='oil') does not answer a turn"
    table.fill_spaces()
    turn = table.turn()
    table.act(turn)
    assert table.refusal(turn).endswith("does not answer a discard")


def test_validating_a_legal_action_changes_nothing() -> None:
    state, player = random_match(3, 1)
    for moment in moments(state, player):
        before = snapshot(moment)
        moment.validate(moment.active, player(moment, moment.active))
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
    assert snapshot(play_out(state.clone())) == snapshot(play_out(state))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_match_takes_more_decisions_than_declared(seats: int) -> None:
    most = 0
    for number in range(50):
        state, player = random_match(seats, number)
        most = max(most, sum(1 for _ in moments(state, player)))
    # A bound that nothing comes near to would hold nothing.
    assert GAME.decision_bound(seats) / 3 < most <= GAME.decision_bound(seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("cards", [20, 21, 25, 30])
def test_edition_with_few_cards_is_played_to_its_end_too(seats: int, cards: int) -> None:
    """If the draw pile is empty fewer cards are drawn; who has none plays none; if nobody has any the year ends."""
    edition = load("[[cards]]".join(RECONSTRUCTED.toml.decode().split("[[cards]]")[: cards + 1]).encode())
    for number in range(20):
        player = RandomPlayer(number)
        state = GAME.new(seats, {}, Chance(player.rng.randbytes(32)), edition)
        decisions = 0
        for moment in moments(state, player):
            moment.validate(moment.active, moment.default_action(moment.active))
            decisions += 1
        assert decisions <= GAME.decision_bound(seats, edition)


def test_if_the_draw_pile_is_empty_fewer_cards_are_drawn(table: Table) -> None:
    seat = table.active
    table.state.pile = []
    table.play()
    assert len(table.hand(seat)) == 4


def test_events_since_a_number_are_those_from_it_on(table: Table) -> None:
    count = table.state.event_count
    table.play()
    assert table.state.events_since(count) == table.state.events[count:]
    assert table.state.events_since(0) == table.state.events
    assert table.state.events_since(table.state.event_count) == []


def test_cards_are_seen_by_their_owner_alone_and_all_else_by_everybody() -> None:
    kinds = set()
    for number in range(5):
        state = play_out(random_match(4, number)[0])
        for event in state.events:
            kinds.add(type(event))
            assert state.audience(event) == ((event.seat,) if isinstance(event, Dealt) else None)
    assert kinds == set(get_args(events.Event))


def test_every_event_is_told_in_a_sentence() -> None:
    for number in range(5):
        state = play_out(random_match(4, number)[0])
        for event in state.events:
            sentence = state.describe(event)
            assert sentence.endswith(".")
            assert sentence[0].isupper()


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (events.Bought(1, "oil", 8), "Seat 1 buys a share of oil for 8 $."),
        (events.Sold(0, "retail", 5, "fee"), "Seat 0 must sell for a fee: a share of retail for 5 $."),
        (events.CardPlayed(2, "oil-14", "oil-01"), "Seat 2 plays oil-14 over oil-01."),
        (events.CardPlayed(2, "oil-01", ""), "Seat 2 plays oil-01."),
        (events.FeeCharged(1, "oil", 3, 6, 0), "Seat 1 is charged 6 $ for 3 shares of oil."),
        (events.FeeCharged(1, "oil", 1, 2, 5), "Seat 1 is charged 2 $ for 1 share of oil; it owes 5 $."),
        (events.ChartMoved("oil", -2, 24, 20), "Oil changes by -2: the top share goes from 24 $ to 20 $."),
        (events.DividendPaid(0, "oil", 2, 8), "Seat 0 receives a dividend of 8 $ for 2 shares of oil."),
        (events.Discarded(3, 0), "Seat 3 discards 0 cards."),
        (events.CardsDrawn(3, 1), "Seat 3 draws 1 card."),
    ],
)
def test_sentences(table: Table, event: events.Event, sentence: str) -> None:
    assert table.state.describe(event) == sentence
