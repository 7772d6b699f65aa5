"""What a seat is shown: exactly what it may see, in exactly protobuf's own bytes."""

from typing import Any

import pytest
from long_short_play import Table, moments, random_match

from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit_server.codecs.long_short import CODEC
from tradepit_server.games.long_short.actions import Buy, DayTrade, Sell
from tradepit_server.games.long_short.state import State


def parsed(state: State, seat: int) -> pb.Observation:
    return pb.Observation.FromString(CODEC.observation(state, seat))


def expected_public(state: State) -> pb.PublicState:
    """The public part, built field by field by protobuf."""
    edition = state.edition
    options: Any = {
        "end_of_game_card": pb.EndOfGameCard.Value(f"END_OF_GAME_CARD_{state.options['end_of_game_card']}".upper()),
        "initial_day_trade_cards": state.options["initial_day_trade_cards"],
        "day_trade_face": pb.DayTradeFace.Value(f"DAY_TRADE_FACE_{state.options['day_trade_face']}".upper()),
        "max_action_points": state.options["max_action_points"],
        "bankruptcy": pb.Bankruptcy.Value(f"BANKRUPTCY_{state.options['bankruptcy']}".upper()),
    }
    message = pb.PublicState(
        options=pb.Options(**options),
        decision=pb.DecisionKind.Value(f"DECISION_KIND_{state.decision or 'unspecified'}".upper()),
        awaited_seats=sorted(state.awaiting),
        round=state.turn // state.seats + 1,
        turn=state.turn,
        starting_seat=state.starting_seat,
        active_seat=state.active,
        levels=state.levels,
        seats=[expected_seat(state, seat) for seat in range(state.seats)],
        bank_day_trade_cards=state.bank_day_trade_cards,
        played_cards=[
            pb.PlayedCard(seat=(state.starting_seat + turn) % state.seats, card=edition.price_cards[card].id)
            for turn, card in enumerate(state.played)
        ],
    )
    for cards, drawn in zip(state.piles, state.drawn, strict=True):
        ids = [edition.action_cards[cards[time % len(cards)]].id for time in range(drawn)]
        message.piles.add(size=len(cards), drawn=ids)
    if state.last_roll:
        seat, red, green = state.last_roll
        message.last_roll.CopyFrom(pb.Roll(seat=seat, red=edition.goods[red], green=green))
    return message


def expected_seat(state: State, seat: int) -> pb.SeatState:
    message = pb.SeatState(cash=state.cash[seat], day_trade_cards=state.day_trade_cards[seat])
    for field in sorted(state.positions[seat]):
        good, side, entry_level = state.edition.name_field(field)
        number = {"long": pb.SIDE_LONG, "short": pb.SIDE_SHORT}[side]
        message.positions.add(good=good, side=number, entry_level=entry_level, contracts=state.positions[seat][field])
    return message


@pytest.mark.parametrize("seats", range(2, 7))
def test_bytes_are_those_of_protobufs_deterministic_serialisation(seats: int) -> None:
    """Every observation of every seat, and the public part with every field in it, built by protobuf alone."""
    for number in range(20):
        state, player = random_match(seats, number)
        for moment in moments(state, player):
            assert CODEC.public(moment) == expected_public(moment).SerializeToString(deterministic=True)
            for seat in range(seats):
                data = CODEC.observation(moment, seat)
                assert pb.Observation.FromString(data).SerializeToString(deterministic=True) == data
        assert CODEC.public(state) == expected_public(state).SerializeToString(deterministic=True)


def test_wide_numbers_are_written_as_protobuf_writes_them(table: Table) -> None:
    table.state.cash[0] = -(10**12)
    table.state.cash[1] = 2**62
    table.state.first_event = 300
    table.state.seen = [300, 300]
    table.give(0, "gold", "short", 17, 200)
    for seat in range(2):
        data = CODEC.observation(table.state, seat)
        message = pb.Observation.FromString(data)
        assert message.SerializeToString(deterministic=True) == data
        assert message.public == expected_public(table.state)
        assert message.private.events[-1].number == 300 + len(table.state.events) - 1


def test_public_part_is_the_same_for_all_and_stands_first() -> None:
    state, player = random_match(4, 3)
    for moment in moments(state, player):
        public = CODEC.public(moment)
        for seat in range(4):
            message = parsed(moment, seat)
            assert message.public.SerializeToString(deterministic=True) == public
            assert message.private.seat == seat


def test_hand_is_the_seats_own_in_the_order_of_the_edition(table: Table) -> None:
    table.hold_cards(0, "red-01", "yellow-02", "green-01")
    assert list(parsed(table.state, 0).private.hand) == ["yellow-02", "red-01", "green-01"]
    assert not set(parsed(table.state, 1).private.hand) & set(parsed(table.state, 0).private.hand)


def test_no_seat_sees_what_another_was_dealt(table: Table) -> None:
    for seat in range(2):
        dealt = [event.dealt.seat for event in parsed(table.state, seat).private.events if event.HasField("dealt")]
        assert dealt == [seat]


def test_events_are_those_since_the_last_decision_its_own_effects_included(table: Table) -> None:
    first, second = table.active, table.other
    table.play([Buy("gold", "long", 1)])
    kinds = [event.WhichOneof("kind") for event in parsed(table.state, first).private.events]
    assert kinds[:2] == ["bought", "card_played"]
    count = table.state.event_count
    table.play()
    events = parsed(table.state, second).private.events
    assert events[0].number == count
    assert events[0].card_played.seat == second


def test_seats_that_trade_at_the_same_moment_see_each_others_trades_afterwards() -> None:
    table = Table(3)
    state = table.state
    sellers = [(table.active + step) % 3 for step in (1, 2)]
    for seat in sellers:
        table.give(seat, "gold", "long", 10, 1)
        state.day_trade_cards[seat] = 1
    table.play()
    trade = DayTrade((Sell("gold", "long", 10, 1),))
    state.apply({seat: state.default_action(seat) for seat in sellers} | {sellers[1]: trade})
    events = parsed(state, sellers[0]).private.events
    assert [event.sold.seat for event in events if event.HasField("sold")] == [sellers[1]]


def test_encoding_leaves_no_trace_in_the_state_or_its_copies() -> None:
    state, player = random_match(3, 5)
    for moment in moments(state, player):
        data = CODEC.observation(moment, moment.awaiting[0])
        copy = moment.clone()
        assert copy.memo is None
        assert CODEC.observation(copy, moment.awaiting[0]) == data


def test_message_types_are_named_for_any() -> None:
    assert CODEC.observation_type == "tradepit.long_short.v1.Observation"
    assert CODEC.action_type == "tradepit.long_short.v1.Action"
