"""Every kind of event as a message and back."""

from typing import get_args

import pytest

from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit_server.codecs.long_short import event_messages
from tradepit_server.games.long_short import events

EXAMPLES: list[tuple[events.Event, pb.Event]] = [
    (events.Started(1, 3), pb.Event(started=pb.Started(seat=1, rolls=3))),
    (events.Dealt(2, ("a", "b")), pb.Event(dealt=pb.Dealt(seat=2, cards=["a", "b"]))),
    (
        events.Bought(0, "gold", "long", 10, 2, 12_000),
        pb.Event(bought=pb.Bought(seat=0, good="gold", side=pb.SIDE_LONG, level=10, contracts=2, paid=12_000)),
    ),
    (
        events.Sold(1, "gold", "short", 10, 15, 1, -4000, "cover"),
        pb.Event(
            sold=pb.Sold(
                seat=1,
                good="gold",
                side=pb.SIDE_SHORT,
                entry_level=10,
                level=15,
                contracts=1,
                received=-4000,
                reason=pb.SALE_REASON_COVER,
            )
        ),
    ),
    (events.CardPlayed(1, "red-17"), pb.Event(card_played=pb.PlayedCard(seat=1, card="red-17"))),
    (
        events.Rolled(0, "soya", "limit_up"),
        pb.Event(rolled=pb.Roll(seat=0, red="soya", green="limit_up")),
    ),
    (
        events.PriceMoved("soya", 10, 12, "limit"),
        pb.Event(price_moved=pb.PriceMoved(good="soya", from_level=10, to_level=12, cause=pb.MOVE_CAUSE_LIMIT)),
    ),
    (events.PriceReset("soya", 10), pb.Event(price_reset=pb.PriceReset(good="soya", level=10))),
    (
        events.ActionCardDrawn(3, 2, "action-41"),
        pb.Event(action_card_drawn=pb.ActionCardDrawn(seat=3, pile=2, card="action-41")),
    ),
    (
        events.DayTradeCardTaken(1, "die"),
        pb.Event(day_trade_card_taken=pb.DayTradeCardTaken(seat=1, source=pb.CARD_SOURCE_DIE)),
    ),
    (
        events.DayTradeCardReturned(1),
        pb.Event(day_trade_card_returned=pb.DayTradeCardReturned(seat=1)),
    ),
    (
        events.CashMoved(0, -10_000, "cancellation"),
        pb.Event(cash_moved=pb.CashMoved(seat=0, received=-10_000, reason=pb.CASH_REASON_CANCELLATION)),
    ),
    (events.Ended("rounds"), pb.Event(ended=pb.Ended(reason=pb.END_REASON_ROUNDS))),
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
    played, taken = events.CardPlayed(1, "start"), events.DayTradeCardTaken(1, "start")
    assert tuple(played) == tuple(taken)
    assert event_messages.encode(0, played) != event_messages.encode(0, taken)


def test_event_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="event 7 is of an unknown kind"):
        event_messages.decode(pb.Event(number=7))
