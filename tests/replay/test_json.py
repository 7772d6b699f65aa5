"""The published JSON form of a replay."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from tradepit.v1 import block_pb2
from tradepit_server import replay
from tradepit_server.games.long_short.game import RECONSTRUCTED

Record = Callable[..., block_pb2.Replay]

NAMES = [
    "format", "match_id", "block_id", "match_index", "deal", "game", "edition", "options", "bots", "time_control",
    "reproducible", "secret", "commitment", "nonces", "seed", "decisions", "result",
]  # fmt: skip
"""The names that the protocol fixes, in its order."""


@pytest.mark.parametrize("seats", range(2, 7))
def test_replay_survives_its_json(record: Record, seats: int) -> None:
    original = record(seats)
    assert replay.from_json(json.loads(json.dumps(replay.to_json(original)))) == original


def test_published_names_stand_in_it_in_their_order(record: Record) -> None:
    entry = replay.to_json(record())
    assert [name for name in entry if name in NAMES] == NAMES
    assert list(entry["result"])[:3] == ["scores", "placements", "terminations"]


def test_values_are_written_as_published(record: Record) -> None:
    message = record()
    entry = replay.to_json(message)
    assert entry["format"] == "tradepit-replay/1"
    assert entry["deal"] == "independent"
    assert entry["edition"] == "reconstructed-1"
    assert entry["secret"] == bytes(range(32)).hex()
    assert entry["nonces"] == ["", (b"n" * 16).hex()]
    assert entry["seed"] == message.seed.hex()
    assert entry["reproducible"] is False
    assert entry["result"]["terminations"] == ["completed"] * 3
    assert entry["result"]["scores"] == list(message.result.scores)
    assert entry["time_control"]["decision"] == 2.5
    assert entry["time_control"]["bank"] is None
    assert (entry["time_control"]["name"], entry["time_control"]["strikes"]) == ("standard", 3)


def test_options_that_are_numbers_are_json_numbers(record: Record) -> None:
    options = replay.to_json(record())["options"]
    assert isinstance(options["max_action_points"], int)
    assert isinstance(options["initial_day_trade_cards"], int)
    assert isinstance(options["bankruptcy"], str)


def test_decisions_carry_seat_kind_action_and_thought_in_seconds(record: Record) -> None:
    entry = replay.to_json(record())
    first = entry["decisions"][0]
    assert list(first) == ["seat", "kind", "orders", "price_card", "pile", "thought"]
    assert first["thought"] == pytest.approx(0.123456789)


def test_fault_and_note_stand_only_where_there_is_one(record: Record) -> None:
    message = record()
    message.decisions[2].fault = block_pb2.FAULT_KIND_ILLEGAL_ACTION
    message.decisions[2].note = "hm"
    message.decisions[2].ClearField("thought")
    decisions = replay.to_json(message)["decisions"]
    assert (decisions[2]["fault"], decisions[2]["note"]) == ("illegal_action", "hm")
    assert "thought" not in decisions[2]
    assert not {"fault", "note"} & set(decisions[1])
    assert replay.from_json(replay.to_json(message)) == message


def test_faults_and_forfeits_are_written_in_lower_case(record: Record) -> None:
    message = record()
    message.deal = block_pb2.DEAL_DUPLICATE
    message.result.terminations[1] = block_pb2.TERMINATION_FORFEITED_NO_SHOW
    message.result.faults.add(seat=1, kind=block_pb2.FAULT_KIND_NO_SHOW, message="refused")
    message.result.faults.add(seat=0, kind=block_pb2.FAULT_KIND_TIMEOUT, message="late", decision_index=4)
    entry = replay.to_json(message)
    assert entry["deal"] == "duplicate"
    assert entry["result"]["terminations"][1] == "forfeited_no_show"
    assert entry["result"]["faults"] == [
        {"seat": 1, "kind": "no_show", "message": "refused"},
        {"seat": 0, "decision": 4, "kind": "timeout", "message": "late"},
    ]
    assert replay.from_json(entry) == message


def test_edition_that_is_not_packaged_is_embedded(record: Record) -> None:
    message = record()
    message.edition_toml = RECONSTRUCTED.toml.replace(b"reconstructed-1", b"mine", 1)
    message.edition.id = "mine"
    message.edition.sha256 = hashlib.sha256(message.edition_toml).digest()
    entry = replay.to_json(message)
    assert (entry["edition"], entry["edition_toml"]) == ("mine", message.edition_toml.decode())
    assert replay.from_json(entry) == message


def test_only_what_playing_again_needs_must_be_there(record: Record) -> None:
    message = record()
    needed = ("format", "game", "edition", "options", "bots", "seed", "decisions", "result")
    entry = {name: value for name, value in replay.to_json(message).items() if name in needed}
    assert replay.execute(replay.from_json(entry)).scores == list(message.result.scores)
    for name in needed:
        with pytest.raises(replay.ReplayError, match=f"{name} is missing"):
            replay.from_json({key: value for key, value in entry.items() if key != name})


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("format", "tradepit-replay/2", "format 'tradepit-replay/2' is not 'tradepit-replay/1'"),
        ("game", "poker", "no game 'poker' is installed"),
        ("game", 5, "game 5 is no str"),
        ("deal", "stacked", "deal 'stacked' is none of: independent, duplicate"),
        ("bots", "abc", "bots 'abc' is no list"),
        ("bots", [1], "bots 1 is no str"),
        ("seed", "xyz", "seed 'xyz' is not hexadecimal"),
        ("nonces", ["g0"], "nonces 'g0' is not hexadecimal"),
        ("match_index", -1, "match_index -1 is no index"),
        ("match_index", True, "match_index True is no int"),
        ("reproducible", 1, "reproducible 1 is no bool"),
        ("edition_toml", "rounds = ", "the edition file is no TOML"),
        ("options", [], r"options \[\] is no dict"),
        ("decisions", [5], "decisions 5 is no dict"),
        ("result", {"scores": [1.5]}, "terminations is missing"),
        ("time_control", {"bank": -1}, "bank -1 is no number of seconds"),
        ("time_control", {"bank": "10"}, "bank '10' is no number of seconds"),
        ("time_control", {"strikes": 2**32}, "strikes 4294967296 is no index"),
    ],
)
def test_what_is_no_replay_is_refused_with_key_and_value(record: Record, key: str, value: Any, words: str) -> None:
    with pytest.raises(replay.ReplayError, match=words):
        replay.from_json(replay.to_json(record()) | {key: value})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"scores": [1.5]}, "scores 1.5 is no int"),
        ({"scores": [2**70]}, "out of range"),
        ({"placements": [-1]}, "out of range"),
        ({"terminations": ["won"]}, "terminations 'won' is none of: completed"),
        ({"faults": [{"seat": 0, "kind": "sloth", "message": ""}]}, "kind 'sloth' is none of: timeout"),
    ],
)
def test_wrong_result_is_refused_and_quoted(record: Record, change: dict[str, Any], words: str) -> None:
    entry = replay.to_json(record())
    with pytest.raises(replay.ReplayError, match=f"(?i){words}"):
        replay.from_json(entry | {"result": entry["result"] | change})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seat": "0"}, "decision 1: seat '0' is no int"),
        ({"kind": "passing"}, "decision 1: kind 'passing' is neither"),
        (
            {"orders": [{"buy": {"good": "gold", "side": "long", "contracts": 1.5}}]},
            "decision 1: contracts 1.5 is no int",
        ),
        ({"orders": [{"buy": {"good": "gold", "side": "up", "contracts": 1}}]}, "decision 1: .*fits no message"),
        ({"fault": "sloth"}, "decision 1: fault 'sloth' is none of"),
        ({"thought": float("inf")}, "decision 1: thought inf is no number of seconds"),
        ({"thought": float("nan")}, "decision 1: thought nan is no number of seconds"),
        ({"note": 5}, "decision 1: note 5 is no str"),
    ],
)
def test_wrong_decision_is_refused_by_its_index(record: Record, change: dict[str, Any], words: str) -> None:
    entry = replay.to_json(record(3, 1))
    entry["decisions"][1] = {**entry["decisions"][0], **change}
    with pytest.raises(replay.ReplayError, match=words):
        replay.from_json(entry)


@pytest.mark.parametrize("entry", [[], "replay", None, 5])
def test_what_is_no_object_is_refused(entry: Any) -> None:
    with pytest.raises(replay.ReplayError, match="is no object"):
        replay.from_json(entry)
