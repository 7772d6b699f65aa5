"""What can be bought and sold: the client's judgement is the referee's, order after order."""

from collections.abc import Iterator
from random import Random
from typing import Any

import long_short_frames as frames
import pytest

from tradepit.chance import Chance
from tradepit.long_short import LongShortView, Order, Sale, Side
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit_server.games.base import IllegalAction
from tradepit_server.games.long_short.actions import Buy, Sell, Turn
from tradepit_server.registry import get

SIDES: tuple[Side, Side] = ("long", "short")
PLUGIN = get("long-short")
GAME, CODEC = PLUGIN.game, PLUGIN.codec


def referee_allows(state: Any, seat: int, *orders: Buy | Sell) -> bool:
    """Whether the engine carries out a turn with these orders."""
    try:
        state.validate(seat, Turn(orders, state.default_action(seat).price_card))
    except IllegalAction:
        return False
    return True


def turns(seed: int, seats: int) -> Iterator[tuple[Any, int, LongShortView]]:
    """(state, seat, view) of every turn of a match, in which seats buy and sell at random."""
    rng = Random(seed)
    state = GAME.new(seats, {"end_of_game_card": "removed"}, Chance(rng.randbytes(32)))
    while state.awaiting:
        actions = {seat: state.default_action(seat) for seat in state.awaiting}
        if state.decision == "turn":
            (seat,) = state.awaiting
            view = frames.view(pb.Observation.FromString(CODEC.observation(state, seat)))
            yield state, seat, view
            actions[seat] = Turn(some_orders(view, rng), view.hand[0].id)
        state.apply(actions)


def some_orders(view: LongShortView, rng: Random) -> tuple[Buy | Sell, ...]:
    """Up to five orders that the desk allows."""
    desk = view.desk()
    for position in view.positions:
        if rng.random() < 0.3 and desk.can_sell(*position.field):
            desk.sell(*position.field, 1)
    for _ in range(4):
        good, side = rng.choice(view.goods).name, rng.choice(SIDES)
        contracts = rng.randint(1, 6)
        if desk.can_buy(good, side, contracts):
            desk.buy(good, side, contracts)
    return tuple(engine_order(order) for order in desk.orders)


def engine_order(order: Order) -> Buy | Sell:
    """The engine's form of an order."""
    if isinstance(order, Sale):
        return Sell(order.good, order.side, order.entry_level, order.contracts)
    return Buy(order.good, order.side, order.contracts)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_what_the_view_offers_is_what_the_referee_allows(seats: int) -> None:
    """Cash, chips, holdings, the last round: compared at every turn of a match."""
    offers = set()
    for state, seat, view in turns(seats, seats):
        for good in view.edition.goods:
            for side in SIDES:
                for contracts in (1, 2, 3, 5, 6, 15, 16, 20, 30, 31):
                    offered = view.can_buy(good, side, contracts)
                    assert offered == referee_allows(state, seat, Buy(good, side, contracts))
                    offers.add(("buy", offered))
        for position in view.positions:
            for contracts in (1, position.contracts, position.contracts + 1):
                offered = view.can_sell(*position.field, contracts)
                assert offered == referee_allows(state, seat, Sell(*position.field, contracts))
                offers.add(("sell", offered))
    assert len(offers) == 4


@pytest.mark.parametrize("seats", [2, 5])
def test_what_a_desk_has_taken_down_the_referee_carries_out(seats: int) -> None:
    rng = Random(seats)
    for state, seat, view in turns(seats, seats):
        assert referee_allows(state, seat, *some_orders(view, rng))


def test_the_most_contracts_can_be_bought_and_no_more() -> None:
    view = frames.view(frames.observation(cash=1_000_000))
    assert view.max_contracts("gold", "long") == 30
    assert not view.can_buy("gold", "long", 31)
    assert frames.view(frames.observation(cash=10_000)).max_contracts("wheat", "short") == 6


def test_a_reserve_stays_in_cash() -> None:
    assert frames.view(frames.observation(cash=10_000)).max_contracts("wheat", "short", reserve=5_000) == 3
    assert frames.view(frames.observation(cash=10_000)).max_contracts("wheat", "short", reserve=50_000) == 0


def test_more_may_be_possible_where_fewer_are_not() -> None:
    """Sixteen contracts on four fields of four want sixteen single chips; one more makes a five."""
    goods = ("wheat", "copper", "sugar")
    held = [frames.position(good, pb.SIDE_LONG, 10, 4) for good in goods]
    held.append(frames.position("soya", pb.SIDE_LONG, 10, 3))
    view = frames.view(frames.observation(cash=1_000_000, positions=held))
    assert not view.can_buy("soya", "long", 1)
    assert view.can_buy("soya", "long", 2)


def test_nothing_can_be_bought_in_the_last_round_or_in_a_day_trade() -> None:
    assert not frames.view(frames.observation(round_number=10)).can_buy("wheat", "long", 1)
    assert not frames.view(frames.observation(pb.DECISION_KIND_DAY_TRADE)).can_buy("wheat", "long", 1)


def test_a_desk_counts_what_earlier_orders_bring_and_take() -> None:
    held = [frames.position("gold", pb.SIDE_LONG, 8, 1)]
    desk = frames.view(frames.observation(cash=0, positions=held)).desk()
    assert not desk.can_buy("gold", "long", 1)
    desk.sell("gold", "long", 8, 1)
    assert desk.cash == 10_000
    desk.buy("gold", "short", 1)
    assert (desk.cash, desk.held("gold", "long", 8), desk.held("gold", "short", 10)) == (4_000, 0, 1)
    assert [str(order) for order in desk.orders] == ["sell 1 gold long @8", "buy 1 gold short"]
    assert [str(sale) for sale in desk.sales] == ["sell 1 gold long @8"]


def test_a_desk_refuses_what_is_not_possible() -> None:
    desk = frames.view(frames.observation()).desk()
    with pytest.raises(
        ValueError, match="2 gold long cannot be bought now: the margin is 12,000 \\$, the cash 10,000 \\$"
    ):
        desk.buy("gold", "long", 2)
    with pytest.raises(ValueError, match="1 gold long @10 cannot be sold now"):
        desk.sell("gold", "long", 10, 1)


def test_a_65th_order_is_not_possible() -> None:
    desk = frames.view(frames.observation(cash=10_000)).desk()
    for _ in range(32):
        desk.buy("wheat", "long", 1)
        desk.sell("wheat", "long", 10, 1)
    assert not desk.can_buy("wheat", "long", 1)


def test_an_unknown_good_is_a_slip_to_be_told_about() -> None:
    view = frames.view(frames.observation())
    with pytest.raises(ValueError, match="no good 'silver'; there are: wheat, copper"):
        view.can_buy("silver", "long", 1)
    with pytest.raises(ValueError, match="no good 'silver'"):
        view.can_sell("silver", "long", 10, 1)
    with pytest.raises(ValueError, match="contracts is 0"):
        view.can_buy("gold", "long", 0)
