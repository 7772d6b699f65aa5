"""What a Long Short bot sees, from one hand-written observation."""

import long_short_frames as frames
import pytest

from tradepit.long_short import (
    ActionCardDrawn,
    CardPlayed,
    LongShortView,
    Pile,
    Position,
    PriceMoved,
    Rolled,
    Sold,
)
from tradepit.long_short.edition import read_edition
from tradepit.long_short.events import KINDS
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.match import Request

HAPPENED = [
    pb.Event(number=3, card_played=pb.PlayedCard(seat=1, card="red-17")),
    pb.Event(price_moved=pb.PriceMoved(good="gold", from_level=8, to_level=10, cause=pb.MOVE_CAUSE_PRICE_CARD)),
    pb.Event(number=5),  # a kind of a later revision
    pb.Event(number=6, rolled=pb.Roll(seat=1, red="gold", green="action_card")),
    pb.Event(number=7, action_card_drawn=pb.ActionCardDrawn(seat=1, pile=2, card="action-25")),
    pb.Event(
        number=8,
        sold=pb.Sold(
            seat=0,
            good="soya",
            side=pb.SIDE_LONG,
            entry_level=9,
            level=11,
            contracts=2,
            received=10_000,
            reason=pb.SALE_REASON_COVER,
        ),
    ),
]


@pytest.fixture
def seen() -> pb.Observation:
    """In round 2, with two positions, gold at 12 and wheat at 4."""
    held = [
        frames.position("wheat", pb.SIDE_SHORT, 9, 6),
        frames.position("gold", pb.SIDE_LONG, 10, 2),
    ]
    levels = (4, 10, 10, 10, 12, 10)
    return frames.observation(cash=7_000, positions=held, levels=levels, round_number=2, events=HAPPENED)


@pytest.fixture
def view(seen: pb.Observation) -> LongShortView:
    """The view of it."""
    return frames.view(seen)


def test_it_says_who_when_and_what_is_asked(view: LongShortView) -> None:
    assert (view.seat, view.round, view.rounds_left, view.turn) == (0, 2, 8, 2)
    assert (view.starting_seat, view.active_seat, view.awaited_seats) == (0, 0, (0,))
    assert view.decision == "turn"
    assert view.time_left is not None
    assert view.time_left.total_seconds() == 2
    assert view.bank_left is None


def test_the_kind_asked_for_is_named() -> None:
    kinds = (pb.DECISION_KIND_DAY_TRADE, pb.DECISION_KIND_END_OF_GAME)
    assert [frames.view(frames.observation(kind)).decision for kind in kinds] == ["day_trade", "end_of_game"]


def test_prices_are_levels_times_point_value(view: LongShortView) -> None:
    assert view.levels == {"wheat": 4, "copper": 10, "sugar": 10, "soya": 10, "gold": 12, "coffee": 10}
    assert (view.prices["wheat"], view.prices["gold"]) == (2_000, 24_000)
    assert [(good.name, good.point_value, good.margin) for good in view.goods][-1] == ("coffee", 2_000, 6_000)


def test_positions_are_valued_as_the_bank_would_pay_now(view: LongShortView) -> None:
    """Margin, and the points won or lost since entry."""
    wheat, gold = view.positions
    assert wheat == Position("wheat", "short", 9, 6, 4, 500, 1_500)
    assert (wheat.value_each, wheat.value, wheat.profit) == (4_000, 24_000, 15_000)
    assert (gold.value_each, gold.value, gold.profit) == (10_000, 20_000, 8_000)
    assert view.own.worth == 7_000 + 24_000 + 20_000


@pytest.mark.parametrize(
    ("good", "side", "contracts", "entry", "level", "paid"),
    [("wheat", "long", 2, 6, 12, 9_000), ("soya", "long", 3, 8, 6, 3_000), ("gold", "short", 1, 10, 15, -4_000)],
)
def test_the_rulebooks_worked_examples(good: str, side: str, contracts: int, entry: int, level: int, paid: int) -> None:
    names = ["wheat", "copper", "sugar", "soya", "gold", "coffee"]
    held = [frames.position(good, pb.SIDE_LONG if side == "long" else pb.SIDE_SHORT, entry, contracts)]
    levels = [level if name == good else 10 for name in names]
    assert frames.view(frames.observation(positions=held, levels=levels)).positions[0].value == paid


def test_a_position_makes_the_order_that_sells_it(view: LongShortView) -> None:
    gold = view.positions[1]
    assert str(gold.sell()) == "sell 2 gold long @10"
    assert str(gold.sell(1)) == "sell 1 gold long @10"


def test_the_others_are_seen_as_well(view: LongShortView) -> None:
    (other,) = view.others
    assert (other.seat, other.cash, other.day_trade_cards) == (1, 10_000, 1)
    assert other.positions[0].value == 0  # short at 9, now 12: three points lost are the margin
    assert view.seats == (view.own, other)


def test_hand_and_cards_tell_what_they_do(view: LongShortView) -> None:
    assert [card.id for card in view.hand] == list(frames.HAND)
    assert view.hand[0].moves == {"soya": -1, "gold": 2, "coffee": -1}
    assert view.hand[0].colour == "yellow"
    assert view.price_cards["green-09"].moves == {"gold": 4}
    assert str(view.action_cards["action-41"]) == "action-41 'Brokerage refund' (+2,000 $)"


def test_levels_after_a_card_stop_at_the_edge_of_the_table(view: LongShortView) -> None:
    """Contracts of a good that leaves the table are settled on its last field."""
    after = view.levels_after(view.price_cards["green-02"])  # wheat -4, from 4
    assert (after["wheat"], after["gold"]) == (3, 12)


def test_moves_of_action_cards_are_cut_as_the_option_says(seen: pb.Observation) -> None:
    seen.public.options.max_action_points = 3
    view = frames.view(seen)
    assert view.moves(view.action_cards["action-08"]) == {"copper": -3}
    assert view.moves(view.action_cards["action-29"], rolled="gold") == {"gold": 3}
    assert view.moves(view.price_cards["green-09"]) == {"gold": 4}


def test_events_are_typed_and_print_as_sentences(view: LongShortView) -> None:
    assert view.events == (
        CardPlayed(1, "red-17"),
        PriceMoved("gold", 8, 10, "price_card"),
        Rolled(1, "gold", "action_card"),
        ActionCardDrawn(1, 2, "action-25"),
        Sold(0, "soya", "long", 9, 11, 2, 10_000, "cover"),
    )
    assert str(view.events[-1]) == "seat 0 sells 2 soya long @9 at 11 for 10,000 $ (cover)"


def test_every_kind_of_event_of_the_schema_can_be_read() -> None:
    for field in pb.Event.DESCRIPTOR.oneofs_by_name["kind"].fields:
        message = pb.Event()
        getattr(message, field.name).SetInParent()
        (event,) = KINDS.read([message])
        assert str(event)


def test_a_pile_that_has_gone_round_shows_its_top() -> None:
    cards = tuple(frames.view(frames.observation()).action_cards.values())
    assert Pile(3, cards[:2]).top is None
    assert Pile(3, cards[:3]).top == cards[0]
    assert Pile(3, (*cards[:3], cards[0])).top == cards[1]


def test_what_was_played_rolled_and_drawn_is_there(seen: pb.Observation) -> None:
    seen.public.played_cards.add(seat=1, card="red-17")
    seen.public.piles[1].drawn.append("action-25")
    seen.public.last_roll.CopyFrom(pb.Roll(seat=1, red="gold", green="action_card"))
    view = frames.view(seen)
    assert [(played.seat, played.card.id) for played in view.played] == [(1, "red-17")]
    assert [len(pile.drawn) for pile in view.piles] == [0, 1, 0]
    assert view.last_roll == Rolled(1, "gold", "action_card")
    assert frames.view(frames.observation()).last_roll is None


def test_options_are_words_and_numbers(view: LongShortView) -> None:
    assert view.options._asdict() == {
        "end_of_game_card": "in",
        "initial_day_trade_cards": 0,
        "day_trade_face": "card",
        "max_action_points": 6,
        "bankruptcy": "debt",
    }


PRINTED = """\
Long Short, round 2 of 10, turn of seat 0; you are seat 0, asked for: turn
time left: 2 s, 60 s in the bank
good          wheat  copper   sugar    soya    gold  coffee
level             4      10      10      10      12      10
price $       2,000   5,000  10,000  10,000  24,000  20,000
your hand, and the points by which it moves them:
yellow-25                                -1      +2      -1
red-17                                           +2      -3
blue-09          -2      -2      -2      -2      +2      -2
green-09                                         +4
* seat 0: worth 51,000 $, cash 7,000 $, 0 day-trade cards, 6 wheat short @9 (worth 24,000 $), \
2 gold long @10 (worth 20,000 $)
  seat 1: worth 10,000 $, cash 10,000 $, 1 day-trade card, 1 gold short @9 (worth 0 $)
piles of 15, 15, 14 action cards, drawn so far 0, 1, 0; the bank has 15 day-trade cards
last roll: gold, action_card (seat 1)
since your last decision:
  seat 1 plays red-17
  gold moves from 8 to 10 (price_card)
  seat 1 rolls gold, action_card
  seat 1 draws action-25 from pile 2
  seat 0 sells 2 soya long @9 at 11 for 10,000 $ (cover)"""


def test_a_view_prints_itself_as_a_table_and_sentences(seen: pb.Observation) -> None:
    seen.public.piles[1].drawn.append("action-25")
    seen.public.last_roll.CopyFrom(pb.Roll(seat=1, red="gold", green="action_card"))
    request = frames.request(seen)
    request.bank_left.FromSeconds(60)
    assert str(LongShortView(Request(frames.match(), request), read_edition(frames.TOML))) == PRINTED


def test_a_view_prints_what_is_not_there_in_words() -> None:
    text = str(frames.view(frames.observation(hand=())))
    assert "your hand is empty" in text
    assert text.endswith("nothing has happened since your last decision")
    assert "last roll" not in text


def test_a_view_names_itself(view: LongShortView) -> None:
    assert repr(view) == "<LongShortView seat 0, turn in round 2, turn 2>"
