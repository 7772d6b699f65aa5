"""Rules page, "Movement, settlement": cards, dice and the edges of the price table."""

from typing import Any

import pytest
from long_short_play import Table

from tradepit_server.games.long_short.events import CardPlayed, Event, PriceMoved, PriceReset, Rolled, Sold


def moves(events: list[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, (PriceMoved, PriceReset, Sold))]


def play_card(table: Table, card: str) -> list[Event]:
    """The active seat plays *card*; the dice move nothing."""
    table.hold_cards(table.active, card)
    return moves(table.play(card=card))


@pytest.mark.parametrize(
    ("card", "levels"),
    [
        ("yellow-25", {"gold": 12, "soya": 9, "coffee": 9}),
        ("red-17", {"gold": 12, "coffee": 7}),
        ("blue-09", {"gold": 12, "wheat": 8, "copper": 8, "sugar": 8, "soya": 8, "coffee": 8}),
        ("green-09", {"gold": 14}),
    ],
)
def test_rulebooks_example_cards_move_their_goods_and_no_other(table: Table, card: str, levels: dict[str, int]) -> None:
    play_card(table, card)
    assert {good: table.level(good) for good in table.edition.goods} == {
        **dict.fromkeys(table.edition.goods, 10),
        **levels,
    }


def test_played_card_leaves_the_hand_and_is_on_record(table: Table) -> None:
    seat = table.active
    hand = table.state.hands[seat]
    card = table.edition.price_cards[hand[4]].id
    events = table.play(card=card)
    assert CardPlayed(seat, card) in events
    assert table.state.hands[seat] == hand[:4] + hand[5:]
    assert table.state.played == [hand[4]]


def test_goods_move_in_the_order_of_the_goods_list(table: Table) -> None:
    assert play_card(table, "blue-09") == [
        PriceMoved("wheat", 10, 8, "price_card"),
        PriceMoved("copper", 10, 8, "price_card"),
        PriceMoved("sugar", 10, 8, "price_card"),
        PriceMoved("soya", 10, 8, "price_card"),
        PriceMoved("gold", 10, 12, "price_card"),
        PriceMoved("coffee", 10, 8, "price_card"),
    ]


@pytest.mark.parametrize(("green", "level"), [("limit_up", 12), ("limit_down", 8), ("day_trade", 10)])
@pytest.mark.parametrize("good", ["wheat", "copper", "sugar", "soya", "gold", "coffee"])
def test_limits_move_the_good_on_the_red_die_by_two(table: Table, green: str, level: int, good: str) -> None:
    table.load_dice(green, good)
    other = "green-09" if good != "gold" else "green-01"
    table.hold_cards(table.active, other)
    seat = table.active
    events = table.play(card=other)
    assert Rolled(seat, good, green) in events
    assert table.level(good) == level
    assert table.state.last_roll == (seat, table.edition.good_of[good], green)


@pytest.mark.parametrize(("level", "card", "last"), [(14, "green-09", 17), (6, "green-10", 3)])
def test_good_that_leaves_the_table_is_settled_at_the_last_field(
    table: Table, level: int, card: str, last: int
) -> None:
    """Ruling: settlement is at the last field."""
    table.set_level("gold", level)
    table.give(table.active, "gold", "long", 10, 1)
    table.give(table.other, "gold", "short", 10, 2)
    first, second = sorted([table.active, table.other])
    sides = {table.active: ("long", 1), table.other: ("short", 2)}
    events = play_card(table, card)
    assert events[0] == PriceMoved("gold", level, last, "price_card")
    for event, seat in zip(events[1:3], (first, second), strict=True):
        side, contracts = sides[seat]
        gained = last - 10 if side == "long" else 10 - last
        received = contracts * 2000 * (3 + gained)
        assert event == Sold(seat, "gold", side, 10, last, contracts, received, "settlement")
    assert events[3] == PriceReset("gold", 10)
    assert table.level("gold") == 10
    assert table.contracts(0) == table.contracts(1) == {}


@pytest.mark.parametrize(("level", "card"), [(13, "green-09"), (7, "green-10")])
def test_last_field_itself_is_on_the_table(table: Table, level: int, card: str) -> None:
    table.set_level("gold", level)
    table.give(table.active, "gold", "long", 10, 1)
    seat = table.active
    play_card(table, card)
    assert table.level("gold") in (3, 17)
    assert table.contracts(seat) == {("gold", "long", 10): 1}


@pytest.mark.parametrize(("side", "level", "card"), [("short", 17, "green-09"), ("long", 3, "green-10")])
def test_contract_bought_at_the_edge_cannot_lose_by_leaving_the_table(
    table: Table, side: str, level: int, card: str
) -> None:
    seat = table.active
    table.set_level("gold", level)
    table.give(seat, "gold", side, level, 1)
    events = play_card(table, card)
    assert events[0] == PriceMoved("gold", level, level, "price_card")
    assert table.state.cash[seat] == 16_000


def test_only_the_contracts_in_the_good_that_left_are_settled(table: Table) -> None:
    seat = table.active
    table.set_level("gold", 14)
    table.give(seat, "soya", "long", 10, 1)
    table.give(seat, "coffee", "short", 10, 1)
    play_card(table, "green-09")
    assert table.contracts(seat) == {("soya", "long", 10): 1, ("coffee", "short", 10): 1}


def test_stacks_are_settled_in_order_of_side_and_entry(table: Table) -> None:
    seat = table.active
    table.set_level("gold", 16)
    for side, entry in (("short", 9), ("long", 12), ("long", 4)):
        table.give(seat, "gold", side, entry, 1)
    sold = [event for event in play_card(table, "green-09") if isinstance(event, Sold)]
    assert [(event.side, event.entry_level) for event in sold] == [("long", 4), ("long", 12), ("short", 9)]


def test_marker_that_went_back_does_not_move_on_with_the_rest_of_its_points(table: Table) -> None:
    """Each good moves by its whole amount at once."""
    table.set_level("gold", 17)
    play_card(table, "green-09")
    assert table.level("gold") == 10


def test_dice_too_can_drive_a_good_off_the_table(table: Table) -> None:
    seat = table.active
    table.load_dice("limit_down", "wheat")
    table.set_level("wheat", 4)
    table.give(seat, "wheat", "short", 10, 1)
    table.hold_cards(seat, "green-09")
    events: list[Any] = moves(table.play(card="green-09"))
    assert PriceMoved("wheat", 4, 3, "limit") in events
    assert table.level("wheat") == 10
    assert table.state.cash[seat] == 10_000 + 500 * (3 + 7)
