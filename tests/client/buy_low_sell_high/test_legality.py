"""What the client offers is what the engine allows, at every decision of many matches in which much happens."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product
from random import Random

import pytest
from buy_low_sell_high_play import moments, random_match
from buy_low_sell_high_views import Eyes, allows, engine_cards, engine_trades

from tradepit.buy_low_sell_high import BuyLowSellHighView, CardPlay, Chart, Trade, buy, sell
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit_server.codecs.buy_low_sell_high import CODEC
from tradepit_server.games.buy_low_sell_high import actions as engine
from tradepit_server.games.buy_low_sell_high.charts import moved
from tradepit_server.games.buy_low_sell_high.state import State
from tradepit_server.games.buy_low_sell_high.years import standing_cards

Moment = tuple[State, BuyLowSellHighView]
MATCHES = 10


def decisions(seats: int, kind: str = "turn") -> Iterator[Moment]:
    """Every decision of a *kind*: the state, and what the seat that decides is shown."""
    eyes = Eyes()
    for number in range(MATCHES):
        state, player = random_match(seats, number)
        yield from (
            (state, eyes.view(state, state.active)) for state in moments(state, player) if state.decision == kind
        )


def default_cards(state: State) -> tuple[engine.CardPlay, ...]:
    """Cards that can be played."""
    default = state.default_action(state.active)
    assert isinstance(default, engine.Turn)
    return default.cards


def all_trades(view: BuyLowSellHighView) -> Iterator[tuple[Trade, ...]]:
    """Every choice of up to two trades, legal or not."""
    single: list[Trade] = [*map(buy, view.industries), *map(sell, view.industries)]
    return iter([(), *((trade,) for trade in single), *product(single, repeat=2)])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_legal_trades_are_all_that_the_engine_carries_out_each_once(seats: int) -> None:
    seen = Counter[str]()
    for state, view in decisions(seats):
        legal = view.legal_trades()
        cards = default_cards(state)
        expected = [trades for trades in all_trades(view) if allows(state, engine.Turn(engine_trades(trades), cards))]
        assert len(legal) == len(expected)
        assert set(legal) == set(expected)
        seen["owing"] += bool(view.fee_owed)
        seen["first"] += view.turn == 0
        seen["second"] += view.turn == 1
        seen["pairs"] += any(len(trades) == 2 for trades in legal)
    assert min(seen.values()) > 0
    assert len(seen) == 4


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_the_view_says_of_a_first_trade_is_so(seats: int) -> None:
    for _, view in decisions(seats):
        legal = view.legal_trades()
        for industry in view.industries:
            assert view.can_buy(industry) == ((buy(industry),) in legal)
            assert view.can_sell(industry) == ((sell(industry),) in legal)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_card_that_can_be_played_alone_is_one_that_the_engine_takes_alone(seats: int) -> None:
    """Every card of the hand, and one of none, over every card on the table, and over nothing."""
    for state, view in decisions(seats):
        legal = {plays for plays in view.legal_plays() if len(plays) == 1}
        table = [space.card.id for space in view.spaces] + [space.news.id for space in view.spaces if space.news]
        stranger = next(card for card in view.cards if view.cards[card] not in view.hand)
        for card, over in product([stranger, *(card.id for card in view.hand)], ["", stranger, *table]):
            play = CardPlay(card, over)
            assert ((play,) in legal) == allows(state, engine.Turn((), engine_cards([play])))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_way_to_play_cards_is_complete_and_none_is_left_out(seats: int) -> None:
    """The engine takes each, and none that is shorter; each continuation that it takes is there."""
    rng = Random(seats)
    longest = 0
    for state, view in decisions(seats):
        legal = view.legal_plays()
        assert len(set(legal)) == len(legal)
        longest = max(longest, *map(len, legal))
        for plays in rng.sample(legal, min(len(legal), 20)):
            assert allows(state, engine.Turn((), engine_cards(plays)))
            assert not allows(state, engine.Turn((), engine_cards(plays[:-1])))
        assert set(legal) == set(continued(state, view, ()))
    assert longest > 2


def continued(state: State, view: BuyLowSellHighView, plays: tuple[CardPlay, ...]) -> Iterator[tuple[CardPlay, ...]]:
    """All that the engine takes behind *plays*, found by trying: it says so where another card is due."""
    played = {play.card for play in plays}
    over = ["", *played, *(space.card.id for space in view.spaces)]
    for card, target in product((card.id for card in view.hand if card.id not in played), over):
        longer = (*plays, CardPlay(card, target))
        turn = engine.Turn((), engine_cards(longer))
        if allows(state, turn):
            yield longer
        elif refusal(state, turn).endswith("another must be played"):
            yield from continued(state, view, longer)


def refusal(state: State, action: engine.Action) -> str:
    """Why the engine does not let the active seat do this."""
    try:
        state.validate(state.active, action)
    except ValueError as error:
        return str(error)
    raise AssertionError(f"{action} is legal")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_turn_that_a_desk_completes_is_the_one_that_is_played_by_default(seats: int) -> None:
    for state, view in decisions(seats):
        turn = view.desk().turn()
        assert engine.Turn((), engine_cards(turn.cards)) == state.default_action(state.active)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_order_of_sales_for_a_fee_is_taken_where_one_is_owed_and_nowhere_else(seats: int) -> None:
    owing = set()
    for state, view in decisions(seats):
        owing.add(view.fee_owed > 0)
        for order in permutations(view.industries, 2):
            desk = view.desk()
            legal = allows(state, engine.Turn((), default_cards(state), order))
            assert legal == bool(view.fee_owed)
            if legal:
                desk.sell_for_fee(*order)
                assert desk.turn().fee_sales == order
            else:
                with pytest.raises(ValueError, match="none is owed"):
                    desk.sell_for_fee(*order)
    assert owing == {True, False}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_prices_are_those_that_the_referee_sends(seats: int) -> None:
    for state, view in decisions(seats):
        charts = pb.Observation.FromString(CODEC.observation(state, state.active)).public.charts
        assert list(view.buy_prices.values()) == [chart.buy_price or None for chart in charts]
        assert list(view.sell_prices.values()) == [chart.sell_price for chart in charts]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_desk_counts_cash_shares_and_prices_as_the_engine_does(seats: int) -> None:
    rng = Random(seats)
    eyes = Eyes()
    for state, view in decisions(seats):
        desk = view.desk()
        for trade in rng.choice(view.legal_trades()):
            desk.trade(trade)
        after = state.clone()
        cards = [card for card in desk.hand if card.kind != "expense" and card in desk.playable()]
        if not cards or view.spaces_left == 1 or view.fee_owed:
            continue  # a fee or the end of the year would move more than the trades do
        over = desk.targets(cards[0])[:1]
        desk.play(cards[0], *over)
        turn = desk.turn()
        after.apply({after.active: engine.Turn(engine_trades(turn.trades), engine_cards(turn.cards))})
        assert (desk.cash, list(desk.shares.values())) == (after.cash[view.seat], after.shares[view.seat])
        fields = view.edition.fields
        assert [chart.top for chart in desk.charts.values()] == [fields[top] for top in after.tops]
        assert [chart.shares for chart in desk.charts.values()] == after.stock
        assert desk.standing() == eyes.view(after, after.active).standing


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_standing_cards_add_up_to_what_the_engine_will_do(seats: int) -> None:
    """By what the year would end with, if it ended now."""
    for state, view in decisions(seats):
        for industry, (name, standing) in enumerate(view.standing.items()):
            cards = [card for card in standing_cards(state) if card.industry == industry]
            assert standing.industry == name
            assert standing.points == sum(card.points for card in cards)
            assert standing.dividend_cards == sum(card.kind == "dividend" for card in cards)
            assert standing.dividend == state.edition.dividends[standing.dividend_cards]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_any_cards_of_the_hand_may_be_discarded(seats: int) -> None:
    for state, view in decisions(seats, "discard"):
        ids = [card.id for card in view.hand]
        for number in range(len(ids) + 1):
            assert all(allows(state, engine.Discard(cards)) for cards in combinations(ids, number))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_industries_for_a_final_sale_are_those_that_the_engine_takes(seats: int) -> None:
    asked = 0
    for state, view in decisions(seats, "final_sale"):
        asked += 1
        expected = [name for name in view.industries if allows(state, engine.FinalSale(name))]
        assert view.legal_final_sales() == expected
    assert asked > 0


def test_moves_of_a_chart_are_those_of_the_engine() -> None:
    """At every top, with every number of shares, by as much as all cards of an industry could bring."""
    fields = (2, 3, 4, 5, 6, 8, 10, 12)
    for top, shares, points in product(range(len(fields)), range(1, 11), range(-9, 10)):
        chart = Chart("oil", fields, top, shares).moved(points)
        assert (chart.top_field, chart.shares) == (moved(fields, top, shares, points), shares)
