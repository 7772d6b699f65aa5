"""What a seat is shown: exactly what it may see, in exactly protobuf's own bytes."""

import pytest
from buy_low_sell_high_play import Table, moments, random_match

from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit_server.codecs.buy_low_sell_high import CODEC
from tradepit_server.games.buy_low_sell_high.actions import Buy, Discard
from tradepit_server.games.buy_low_sell_high.board import NONE, Space
from tradepit_server.games.buy_low_sell_high.state import State


def parsed(state: State, seat: int) -> pb.Observation:
    return pb.Observation.FromString(CODEC.observation(state, seat))


def expected_public(state: State) -> pb.PublicState:
    """The public part, built field by field by protobuf."""
    return pb.PublicState(
        decision=pb.DecisionKind.Value(f"DECISION_KIND_{state.decision or 'unspecified'}".upper()),
        active_seat=state.active,
        starting_seat=state.starting_seat,
        year=state.year,
        turn=state.turn,
        charts=[expected_chart(state, industry) for industry in range(3)],
        seats=[
            pb.SeatState(
                cash=max(state.cash[seat], 0),
                fee_owed=max(-state.cash[seat], 0),
                shares=state.shares[seat],
                hand_size=len(state.hands[seat]),
            )
            for seat in range(state.seats)
        ],
        card_spaces={2: 7, 3: 10, 4: 13}[state.seats],
        spaces=[expected_space(state, space) for space in state.spaces],
        draw_pile=len(state.pile),
        discards=len(state.discards),
    )


def expected_chart(state: State, industry: int) -> pb.Chart:
    chart, top, shares = state.edition.chart, state.tops[industry], state.stock[industry]
    return pb.Chart(
        top=chart[top],
        shares=shares,
        buy_price=chart[max(top - shares + 1, 0)] if shares > 1 else 0,
        sell_price=chart[max(top - shares, 0)],
    )


def expected_space(state: State, space: Space) -> pb.Space:
    message = pb.Space(card=state.edition.cards[space.card].id, seat=space.seat)
    if space.news != NONE:
        message.news = state.edition.cards[space.news].id
        message.news_seat = space.news_seat
    return message


@pytest.mark.parametrize("seats", [2, 3, 4])
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
    table.state.cash = [-(10**12), 2**62]
    table.state.shares[0] = [0, 200, 100_000]
    table.state.turn = 300
    table.state.first_event = 300
    table.state.seen = [300, 300]
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


def test_fee_owed_is_shown_beside_an_empty_purse(table: Table) -> None:
    table.state.cash = [7, -4]
    seats = parsed(table.state, 0).public.seats
    assert [(seat.cash, seat.fee_owed) for seat in seats] == [(7, 0), (0, 4)]


def test_prices_are_shown_and_that_the_last_share_cannot_be_bought(table: Table) -> None:
    table.set_chart("oil", 24, 10)
    table.set_chart("retail", 24, 1)
    charts = parsed(table.state, 0).public.charts
    assert (charts[0].buy_price, charts[0].sell_price) == (6, 5)
    assert (charts[2].buy_price, charts[2].sell_price) == (0, 22)


def test_card_spaces_show_cards_news_and_who_played_them(table: Table) -> None:
    first, second = table.active, table.other
    table.hold_cards(first, "oil-01", "oil-02")
    table.hold_cards(second, "oil-14")
    table.play(cards=["oil-01"])
    table.play(cards=[("oil-14", "oil-01")])
    assert list(parsed(table.state, 0).public.spaces) == [
        pb.Space(card="oil-01", seat=first, news="oil-14", news_seat=second)
    ]


def test_hand_is_the_seats_own_in_the_order_of_the_edition(table: Table) -> None:
    table.hold_cards(0, "retail-01", "oil-02", "technology-01")
    assert list(parsed(table.state, 0).private.hand) == ["oil-02", "technology-01", "retail-01"]
    assert not set(parsed(table.state, 1).private.hand) & set(parsed(table.state, 0).private.hand)
    assert parsed(table.state, 1).public.seats[0].hand_size == 3


def test_no_seat_sees_what_another_was_dealt(table: Table) -> None:
    table.play()
    for seat in range(2):
        dealt = {event.dealt.seat for event in parsed(table.state, seat).private.events if event.HasField("dealt")}
        assert dealt <= {seat}


def test_discards_are_shown_by_number_alone(table: Table) -> None:
    table.fill_spaces()
    table.play()
    seat = table.active
    cards = table.hand(seat)[:3]
    table.act(Discard(tuple(cards)))
    message = parsed(table.state, 1 - seat)
    assert (message.public.discards, message.public.draw_pile) == (3, 32)
    data = CODEC.observation(table.state, 1 - seat)
    assert not any(card.encode() in data for card in set(cards) - set(message.private.hand))


def test_events_are_those_since_the_last_decision_its_own_effects_included(table: Table) -> None:
    first, second = table.active, table.other
    table.play([Buy("oil")])
    kinds = [event.WhichOneof("kind") for event in parsed(table.state, first).private.events]
    assert kinds == ["bought", "card_played", "cards_drawn", "dealt"]
    count = table.state.event_count
    table.play()
    events = parsed(table.state, second).private.events
    assert events[0].number == count
    assert events[0].card_played.seat == second


def test_encoding_leaves_no_trace_in_the_state_or_its_copies() -> None:
    state, player = random_match(3, 5)
    for moment in moments(state, player):
        data = CODEC.observation(moment, moment.active)
        copy = moment.clone()
        assert copy.memo is None
        assert CODEC.observation(copy, moment.active) == data


def test_message_types_are_named_for_any() -> None:
    assert CODEC.observation_type == "tradepit.buy_low_sell_high.v1.Observation"
    assert CODEC.action_type == "tradepit.buy_low_sell_high.v1.Action"
