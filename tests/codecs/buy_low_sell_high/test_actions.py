"""Actions as messages and as JSON."""

import json
from typing import Any

import pytest
from buy_low_sell_high_play import Table, moments, random_match

from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit_server.codecs.base import MalformedAction
from tradepit_server.codecs.buy_low_sell_high import CODEC
from tradepit_server.games.base import IllegalAction
from tradepit_server.games.buy_low_sell_high.actions import Action, Buy, CardPlay, Discard, FinalSale, Sell, Turn

EXAMPLES: list[tuple[str, Action, dict[str, Any]]] = [
    (
        "turn",
        Turn((Buy("oil"), Sell("retail")), (CardPlay("oil-12"), CardPlay("oil-14", "oil-12"))),
        {
            "trades": [{"buy": "oil"}, {"sell": "retail"}],
            "fee_sales": [],
            "cards": [{"card": "oil-12"}, {"card": "oil-14", "over": "oil-12"}],
        },
    ),
    (
        "turn",
        Turn((), (CardPlay("oil-01"),), ("retail", "oil")),
        {"trades": [], "fee_sales": ["retail", "oil"], "cards": [{"card": "oil-01"}]},
    ),
    ("discard", Discard(("oil-01", "retail-09")), {"cards": ["oil-01", "retail-09"]}),
    ("discard", Discard(), {"cards": []}),
    ("final_sale", FinalSale("technology"), {"industry": "technology"}),
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


def test_buy_and_sale_of_the_same_industry_are_told_apart(table: Table) -> None:
    """As tuples they are equal."""
    decoded = CODEC.decode_action(table.state, CODEC.encode_action(Turn((Buy("oil"), Sell("oil")), ())))
    assert isinstance(decoded, Turn)
    assert [type(trade) for trade in decoded.trades] == [Buy, Sell]


def test_actions_of_a_whole_match_survive_message_and_json() -> None:
    state, player = random_match(4, 9)
    for moment in moments(state, player):
        action = player(moment, moment.active)
        assert CODEC.decode_action(moment, CODEC.encode_action(action)) == action
        assert CODEC.action_from_json(moment.decision, CODEC.action_to_json(action)) == action


def test_order_of_sales_for_a_fee_may_be_left_out_of_json() -> None:
    assert CODEC.action_from_json("turn", {"trades": [], "cards": []}) == Turn((), ())


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff\xff", "2 bytes are no tradepit.buy_low_sell_high.v1.Action"),
        (b"\x12\x05\x0a\x03\xff\xfe\xfd", "7 bytes are no"),
        (b"", "neither turn, discard nor final_sale"),
        (pb.Action(turn=pb.Turn(trades=[pb.Trade()])).SerializeToString(), "a trade is neither buy nor sell"),
    ],
)
def test_bytes_that_are_no_action_are_malformed(table: Table, data: bytes, reason: str) -> None:
    with pytest.raises(MalformedAction, match=reason):
        CODEC.decode_action(table.state, data)


def test_three_trades_are_refused_before_they_are_read(table: Table) -> None:
    data = pb.Action(turn=pb.Turn(trades=[pb.Trade()] * 3)).SerializeToString()
    with pytest.raises(IllegalAction, match="3 trades are more than 2"):
        CODEC.decode_action(table.state, data)


@pytest.mark.parametrize(
    ("kind", "entry", "reason"),
    [
        ("turn", {}, "has no trades"),
        ("turn", {"trades": {}, "cards": []}, "trades {} is no list"),
        ("turn", {"trades": []}, "has no cards"),
        ("turn", {"trades": ["buy"], "cards": []}, "trade 'buy' is neither buy nor sell"),
        ("turn", {"trades": [{"buy": "oil", "sell": "oil"}], "cards": []}, "is neither buy nor sell"),
        ("turn", {"trades": [{"buy": 7}], "cards": []}, "buy 7 is no str"),
        ("turn", {"trades": [{"sell": None}], "cards": []}, "sell None is no str"),
        ("turn", {"trades": [], "cards": ["oil-01"]}, "'oil-01' has no card"),
        ("turn", {"trades": [], "cards": [{"card": True}]}, "card True is no str"),
        ("turn", {"trades": [], "cards": [{"card": "x", "over": None}]}, "over None is no str"),
        ("turn", {"trades": [], "cards": [], "fee_sales": "oil"}, "fee_sales 'oil' is no list"),
        ("turn", {"trades": [], "cards": [], "fee_sales": [1]}, "fee_sales 1 is no str"),
        ("discard", {}, "has no cards"),
        ("discard", {"cards": [1.5]}, "cards 1.5 is no str"),
        ("final_sale", {"industry": 1}, "industry 1 is no str"),
        ("passing", {}, "kind 'passing' is neither turn, discard nor final_sale"),
    ],
)
def test_json_that_is_no_action_is_malformed_and_quoted(kind: str, entry: dict[str, Any], reason: str) -> None:
    with pytest.raises(MalformedAction, match=reason):
        CODEC.action_from_json(kind, entry)


@pytest.mark.parametrize("action", [FinalSale("\ud800"), Discard((5,)), FinalSale(b"\xff")])  # type: ignore[arg-type]  # wrong on purpose
def test_action_that_fits_no_message_is_malformed(action: Action) -> None:
    with pytest.raises(MalformedAction, match="fits no message"):
        CODEC.encode_action(action)
