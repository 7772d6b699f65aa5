"""A replay proves what it says, or the first difference is told with its place."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from faulty_play import play_block, replay_of

from tradepit import chance
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.v1 import block_pb2
from tradepit_server import content
from tradepit_server.games.long_short.game import RECONSTRUCTED
from tradepit_server.replay import ReplayError, from_json, to_json
from tradepit_server.replay.verification import verify

GOLDEN = Path(__file__).parents[1] / "golden"
EXAMPLES = [*sorted(GOLDEN.glob("buy-low-sell-high-*.json")), *sorted(GOLDEN.glob("long-short-*.json"))]

Change = Callable[[block_pb2.Replay], Any]


@pytest.fixture
def replay() -> block_pb2.Replay:
    """A match without faults."""
    return replay_of("long-short", 3, trouble=0)


def refusal(replay: block_pb2.Replay, entry: dict[str, Any] | None = None) -> str:
    with pytest.raises(ReplayError) as caught:
        verify(replay, entry)
    return str(caught.value)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.stem))
def test_examples_are_accepted_as_they_are_and_what_they_lack_is_said(path: Path) -> None:
    entry = json.loads(path.read_text())
    assert verify(from_json(entry), entry) == ["secret", "content_sha256"]


def spoil_example(entry: dict[str, Any], change: str) -> None:
    decisions, result = entry["decisions"], entry["result"]
    if change == "score":
        result["scores"][1] += 1
    elif change == "placement":
        result["placements"][0] = 3 - result["placements"][0]
    elif change == "termination":
        result["terminations"][1] = "forfeited_time"
    elif change == "card":
        decisions[2]["price_card"] = decisions[0]["price_card"]
    elif change == "seat":
        decisions[2]["seat"] = 1
    elif change == "seed":
        entry["seed"] = "00" * 32
    elif change == "edition":
        entry["edition"] = "reconstructed-2"
    elif change == "commitment":
        entry["commitment"] = "00" * 32
    elif change == "order":
        decisions[2], decisions[3] = decisions[3], decisions[2]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ("score", "result.scores: seat 1 has 11001; the match comes to 11000"),
        ("placement", "result.placements: seat 0 has 2; the match comes to 1"),
        ("termination", "result.terminations: seat 1 has forfeited_time; the match comes to completed"),
        ("card", "decision 2, seat 0's turn: price change card 'yellow-14' is not in the hand"),
        ("seat", "decision 2 is seat 1's turn, where seat 0's turn is due"),
        ("seed", "decision 0"),
        ("edition", "edition 'reconstructed-2'"),
        ("commitment", "secret has 0 bytes"),
        ("order", "decision 2 is seat 1's turn"),
    ],
)
def test_a_changed_example_fails_with_its_place(change: str, place: str) -> None:
    entry = json.loads((GOLDEN / "long-short-2p.json").read_text())
    spoil_example(entry, change)
    assert place in refusal(from_json(entry), entry)


def test_match_of_the_referee_lacks_nothing(replay: block_pb2.Replay) -> None:
    assert verify(replay) == []


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda r: setattr(r, "format", "tradepit-replay/2"), "format 'tradepit-replay/2'"),
        (lambda r: setattr(r, "match_id", "cup/0/1/1"), "match_id is 'cup/0/1/1'; block_id and match_index make it"),
        (lambda r: setattr(r, "game", "poker"), "no game 'poker'"),
        (lambda r: setattr(r, "secret", bytes(32)), "commitment is "),
        (lambda r: setattr(r, "secret", b""), "secret has 0 bytes, not 32"),
        (lambda r: setattr(r, "commitment", b""), "commitment is missing; the secret's is "),
        (lambda r: setattr(r, "seed", bytes(32)), f"seed is {'00' * 32}; that of secret, block_id, nonces"),
        (lambda r: r.nonces.pop(), "nonces: there are 2 for 3 bots"),
        (lambda r: r.nonces.__setitem__(1, b"short"), "nonces[1] has 5 bytes"),
        (lambda r: r.nonces.__setitem__(1, bytes(32)), "seed is "),
        (lambda r: setattr(r, "deal", 9), "Deal has no value 9"),
        (lambda r: setattr(r.edition, "sha256", bytes(32)), "edition 'reconstructed-1' with sha256"),
        (lambda r: r.options.__setitem__("bankruptcy", "jail"), "option bankruptcy cannot be 'jail'"),
        (lambda r: r.bots.append("more"), "nonces: there are 3 for 4 bots"),
        (lambda r: r.decisions.pop(), "is missing: seat"),
        (lambda r: setattr(r.decisions[1], "note", "mine"), "content_sha256 is "),
        (lambda r: setattr(r, "content_sha256", bytes(32)), f"content_sha256 is {'00' * 32}; that of the content is "),
        (lambda r: r.result.scores.append(1), "result.scores has 4 entries for 3 seats"),
        (lambda r: r.result.terminations.__setitem__(0, 77), "Termination has no value 77"),
        (lambda r: r.result.faults.add(seat=0, kind=1, decision_index=999), "result.faults[0] is of decision 999"),
    ],
)
def test_first_difference_is_told_with_its_place(replay: block_pb2.Replay, change: Change, place: str) -> None:
    change(replay)
    assert place in refusal(replay)


def test_duplicate_deal_shares_the_seed_of_match_0() -> None:
    replay = next(
        result.replays[1]
        for number in range(20)
        if (result := play_block("long-short", 2, number, trouble=0)).replays[1].deal == block_pb2.DEAL_DUPLICATE
    )
    assert verify(replay) == []
    replay.deal = block_pb2.DEAL_INDEPENDENT
    assert refusal(replay).startswith("seed is ")


def test_nonces_of_a_reproducible_block_are_empty(replay: block_pb2.Replay) -> None:
    replay.reproducible = True
    replay.nonces[2] = bytes(16)
    assert "bytes, which none in a reproducible block has" in refusal(replay)


def test_a_replay_without_secret_is_played_again_all_the_same(replay: block_pb2.Replay) -> None:
    for field in ("secret", "commitment", "content_sha256"):
        replay.ClearField(field)
    assert verify(replay) == ["secret", "content_sha256"]
    replay.result.scores[0] += 1
    assert refusal(replay).startswith("result.scores: seat 0 has ")


def test_embedded_edition_is_the_one_that_is_named(replay: block_pb2.Replay) -> None:
    replay.edition_toml = RECONSTRUCTED.toml.replace(b'id = "reconstructed-1"', b'id = "mine"')
    assert refusal(replay) == "edition is 'reconstructed-1'; edition_toml is that of 'mine'"
    replay.edition.id = "mine"
    assert refusal(replay).startswith("edition_sha256 is ")
    replay.edition.sha256 = hashlib.sha256(replay.edition_toml).digest()
    content.seal(replay)
    assert verify(replay) == []


def test_what_is_marked_as_a_fault_must_be_the_default(replay: block_pb2.Replay) -> None:
    index = next(
        index
        for index, decision in enumerate(replay.decisions)
        if pb.Action.FromString(decision.action.value).turn.orders
    )
    replay.decisions[index].fault = block_pb2.FAULT_KIND_ILLEGAL_ACTION
    replay.result.faults.add(seat=replay.decisions[index].seat, kind=2, decision_index=index)
    words = refusal(replay)
    assert words.startswith(f"decision {index}, seat {replay.decisions[index].seat}'s turn, is marked illegal_action")
    assert "is not the default {'orders': [], 'price_card': " in words


def test_a_change_without_effect_is_found_by_the_content(replay: block_pb2.Replay) -> None:
    """Whoever changes what has no effect must make the digest anew, and the ladder knows the old one."""
    replay.time_control.name = "blitz"
    assert refusal(replay).startswith("content_sha256 is ")
    content.seal(replay)
    assert verify(replay) == []


def test_json_that_says_other_than_it_is_read_as_is_refused(replay: block_pb2.Replay) -> None:
    entry = to_json(replay)
    assert verify(from_json(entry), entry) == []
    for change, place in (({"seed": entry["seed"].upper()}, "seed is "), ({"more": 1}, "more is no key of a replay")):
        changed = {**entry, **change}
        assert place in refusal(from_json(changed), changed)
    del entry["reproducible"]
    assert refusal(from_json(entry), entry) == "reproducible is missing"


def test_action_as_it_was_sent_survives_the_json_and_must_be_what_is_shown(replay: block_pb2.Replay) -> None:
    """An encoder of another kind may write a field twice, where the last one counts."""
    index = next(i for i, decision in enumerate(replay.decisions) if decision.kind == "turn")
    action = replay.decisions[index].action
    turn = pb.Action.FromString(action.value).turn.SerializeToString()
    action.value = b"\x0a" + bytes([len(turn) + 2]) + turn + b"\x18" + turn[-1:]
    content.seal(replay)
    entry = json.loads(json.dumps(to_json(replay)))
    assert entry["decisions"][index]["encoded"] == action.value.hex()
    assert from_json(entry) == replay
    assert verify(from_json(entry), entry) == []
    entry["decisions"][index]["pile"] = 1 + entry["decisions"][index]["pile"] % 3
    assert refusal(from_json(entry), entry).startswith(f"decisions[{index}].pile is ")
    del entry["content_sha256"]
    assert refusal(from_json(entry), entry).startswith(f"decisions[{index}].pile is ")


def test_chance_that_agrees_with_itself_does_not_make_other_decisions_legal(replay: block_pb2.Replay) -> None:
    secret = bytes(range(32))
    replay.secret, replay.commitment = secret, chance.commitment(secret)
    replay.seed = chance.match_seed(chance.block_seed(secret, replay.block_id, replay.nonces), 0)
    assert refusal(replay).startswith("decision ")
