"""Actions as messages and as JSON."""

import json
from typing import Any

import pytest
from long_short_play import Table, moments, random_match

from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit_server.codecs.base import MalformedAction
from tradepit_server.codecs.long_short import CODEC
from tradepit_server.games.base import IllegalAction
from tradepit_server.games.long_short.actions import Action, Buy, DayTrade, EndOfGame, Sell, Turn

SALE = Sell("soya", "short", 12, 3)
EXAMPLES: list[tuple[str, Action, dict[str, Any]]] = [
    (
        "turn",
        Turn((Buy("gold", "long", 2), SALE), "red-17", 3),
        {
            "orders": [
                {"buy": {"good": "gold", "side": "long", "contracts": 2}},
                {"sell": {"good": "soya", "side": "short", "entry_level": 12, "contracts": 3}},
            ],
            "price_card": "red-17",
            "pile": 3,
        },
    ),
    ("turn", Turn((), "blue-09"), {"orders": [], "price_card": "blue-09", "pile": 1}),
    (
        "day_trade",
        DayTrade((SALE,)),
        {"sales": [{"good": "soya", "side": "short", "entry_level": 12, "contracts": 3}]},
    ),
    ("day_trade", DayTrade(), {"sales": []}),
    ("end_of_game", EndOfGame(True), {"cancel": True}),
    ("end_of_game", EndOfGame(False), {"cancel": False}),
]


@pytest.mark.parametrize(("kind", "action", "entry"), EXAMPLES)
def test_action_is_written_and_read_as_json(kind: str, action: Action, entry: dict[str, Any]) -> None:
    assert json.loads(json.dumps(CODEC.action_to_json(action))) == entry
    assert CODEC.action_from_json(kind, {"seat": 1, "kind": kind, "thought": 0.5, **entry}) == action


@pytest.mark.parametrize(("kind", "action", "entry"), EXAMPLES)
def test_action_survives_its_message(table: Table, kind: str, action: Action, entry: dict[str, Any]) -> None:
    decoded = CODEC.decode_action(table.state, CODEC.encode_action(action))
    assert decoded == action
    assert type(decoded) is type(action)


def test_actions_of_a_whole_match_survive_message_and_json() -> None:
    state, player = random_match(4, 9)
    for moment in moments(state, player):
        for seat in moment.awaiting:
            action = player(moment, seat)
            assert CODEC.decode_action(moment, CODEC.encode_action(action)) == action
            assert CODEC.action_from_json(moment.decision, CODEC.action_to_json(action)) == action


def test_pile_that_is_not_named_is_pile_1(table: Table) -> None:
    data = pb.Action(turn=pb.Turn(price_card="x")).SerializeToString()
    assert CODEC.decode_action(table.state, data) == Turn((), "x", 1)
    assert CODEC.action_from_json("turn", {"orders": [], "price_card": "x"}) == Turn((), "x", 1)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff\xff", "2 bytes are no tradepit.long_short.v1.Action"),
        (b"\x0a\x05\x12\x03\xff\xfe\xfd", "7 bytes are no"),
        (b"", "neither turn, day_trade nor end_of_game"),
        (pb.Action(turn=pb.Turn(orders=[pb.Order()])).SerializeToString(), "an order is neither buy nor sell"),
    ],
)
def test_bytes_that_are_no_action_are_malformed(table: Table, data: bytes, reason: str) -> None:
    with pytest.raises(MalformedAction, match=reason):
        CODEC.decode_action(table.state, data)


@pytest.mark.parametrize("side", [0, 3, 77])
def test_unknown_side_is_illegal_and_quoted(table: Table, side: Any) -> None:
    buy = pb.Buy(good="gold", side=side, contracts=1)
    data = pb.Action(turn=pb.Turn(orders=[pb.Order(buy=buy)])).SerializeToString()
    with pytest.raises(IllegalAction, match=f"side {side} is neither"):
        CODEC.decode_action(table.state, data)


@pytest.mark.parametrize("kind", ["turn", "day_trade"])
def test_sixty_five_orders_are_refused_before_they_are_read(table: Table, kind: str) -> None:
    orders = [pb.Order() for _ in range(65)]
    turn = pb.Action(turn=pb.Turn(orders=orders))
    trade = pb.Action(day_trade=pb.DayTrade(sales=[pb.Sale() for _ in range(65)]))
    with pytest.raises(IllegalAction, match="65 orders are more than 64"):
        CODEC.decode_action(table.state, (turn if kind == "turn" else trade).SerializeToString())


@pytest.mark.parametrize(
    ("kind", "entry", "reason"),
    [
        ("turn", {}, "has no orders"),
        ("turn", {"orders": {}, "price_card": "x"}, "orders {} is no list"),
        ("turn", {"orders": []}, "has no price_card"),
        ("turn", {"orders": [], "price_card": 5}, "price_card 5 is no str"),
        ("turn", {"orders": [], "price_card": "x", "pile": True}, "pile True is no int"),
        ("turn", {"orders": ["buy"], "price_card": "x"}, "order 'buy' is neither"),
        ("turn", {"orders": [{"buy": {}, "sell": {}}], "price_card": "x"}, "is neither buy nor sell"),
        ("turn", {"orders": [{"buy": 7}], "price_card": "x"}, "7 has no good"),
        ("day_trade", {}, "has no sales"),
        ("end_of_game", {"cancel": 1}, "cancel 1 is no bool"),
        ("passing", {}, "kind 'passing' is neither"),
    ],
)
def test_json_that_is_no_action_is_malformed_and_quoted(kind: str, entry: dict[str, Any], reason: str) -> None:
    with pytest.raises(MalformedAction, match=reason):
        CODEC.action_from_json(kind, entry)


@pytest.mark.parametrize("contracts", [1.5, "2", True, None])
def test_number_of_contracts_in_json_is_a_whole_number(contracts: Any) -> None:
    order = {"buy": {"good": "gold", "side": "long", "contracts": contracts}}
    with pytest.raises(MalformedAction, match=f"contracts {contracts!r} is no int"):
        CODEC.action_from_json("turn", {"orders": [order], "price_card": "x"})


@pytest.mark.parametrize("order", [Buy("gold", "up", 1), Buy("gold", "long", 2**63), Buy("\ud800", "long", 1)])
def test_action_that_fits_no_message_is_malformed(order: Buy) -> None:
    with pytest.raises(MalformedAction, match="fits no message"):
        CODEC.encode_action(Turn((order,), "x"))
