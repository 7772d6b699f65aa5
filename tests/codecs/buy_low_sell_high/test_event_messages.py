"""Every kind of event as a message and back."""

from typing import get_args

import pytest

from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit_server.codecs.buy_low_sell_high import event_messages
from tradepit_server.games.buy_low_sell_high import events

EXAMPLES: list[tuple[events.Event, pb.Event]] = [
    (events.Dealt(2, ("a", "b")), pb.Event(dealt=pb.Dealt(seat=2, cards=["a", "b"]))),
    (events.Started(1), pb.Event(started=pb.Started(seat=1))),
    (events.Bought(0, "oil", 8), pb.Event(bought=pb.Bought(seat=0, industry="oil", paid=8))),
    (
        events.Sold(1, "oil", 5, "fee"),
        pb.Event(sold=pb.Sold(seat=1, industry="oil", received=5, reason=pb.SALE_REASON_FEE)),
    ),
    (
        events.CardPlayed(1, "oil-14", "oil-01"),
        pb.Event(card_played=pb.CardPlayed(seat=1, card="oil-14", over="oil-01")),
    ),
    (events.CardPlayed(0, "oil-01", ""), pb.Event(card_played=pb.CardPlayed(seat=0, card="oil-01"))),
    (
        events.FeeCharged(0, "oil", 3, 6, 4),
        pb.Event(fee_charged=pb.FeeCharged(seat=0, industry="oil", shares=3, paid=6, owed=4)),
    ),
    (events.CardsDrawn(3, 2), pb.Event(cards_drawn=pb.CardsDrawn(seat=3, cards=2))),
    (events.YearEnded(2), pb.Event(year_ended=pb.YearEnded(year=2))),
    (
        events.ChartMoved("oil", -3, 24, 18),
        pb.Event(chart_moved=pb.ChartMoved(industry="oil", points=-3, from_top=24, to_top=18)),
    ),
    (
        events.DividendPaid(1, "oil", 2, 8),
        pb.Event(dividend_paid=pb.DividendPaid(seat=1, industry="oil", shares=2, received=8)),
    ),
    (events.Discarded(1, 0), pb.Event(discarded=pb.Discarded(seat=1, cards=0))),
    (events.Ended(), pb.Event(ended=pb.Ended())),
]


def test_examples_are_of_every_kind() -> None:
    assert {type(event) for event, _ in EXAMPLES} == set(get_args(events.Event))
    assert {message.WhichOneof("kind") for _, message in EXAMPLES} == {
        field.name for field in pb.Event.DESCRIPTOR.oneofs_by_name["kind"].fields
    }


@pytest.mark.parametrize(("event", "message"), EXAMPLES)
@pytest.mark.parametrize("number", [0, 5, 300])
def test_event_is_written_and_read_as_its_message(event: events.Event, message: pb.Event, number: int) -> None:
    message.number = number
    assert event_messages.encode(number, event) == message.SerializeToString(deterministic=True)
    assert event_messages.decode(message) == event
    assert type(event_messages.decode(message)) is type(event)


def test_events_of_different_kinds_with_equal_fields_are_not_confused() -> None:
    """As tuples they are equal, and what has been encoded is kept."""
    drawn, discarded = events.CardsDrawn(1, 2), events.Discarded(1, 2)
    assert tuple(drawn) == tuple(discarded)
    assert event_messages.encode(0, drawn) != event_messages.encode(0, discarded)


def test_event_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="event 7 is of an unknown kind"):
        event_messages.decode(pb.Event(number=7))
