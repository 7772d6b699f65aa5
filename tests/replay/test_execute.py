"""Playing a match again from seed, options, edition and decisions alone."""

from collections.abc import Callable
from random import Random

import pytest
import toy_game
from google.protobuf.any_pb2 import Any as AnyMessage

from tradepit.chance import Chance
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.v1 import block_pb2
from tradepit_server import registry, replay
from tradepit_server.games.long_short.game import RECONSTRUCTED

Record = Callable[..., block_pb2.Replay]


def refusal(message: block_pb2.Replay) -> str:
    with pytest.raises(replay.ReplayError) as caught:
        replay.execute(message)
    return str(caught.value)


@pytest.mark.parametrize("seats", range(2, 7))
def test_match_comes_to_the_same_scores_and_placements(record: Record, seats: int) -> None:
    for number in range(5):
        message = record(seats, number)
        outcome = replay.execute(message)
        assert outcome.scores == list(message.result.scores)
        assert outcome.placements == list(message.result.placements)


def test_nothing_but_seed_options_edition_and_decisions_counts(record: Record) -> None:
    message = record()
    expected = replay.execute(message)
    for field in ("result", "secret", "commitment", "nonces", "time_control", "match_id"):
        message.ClearField(field)
    assert replay.execute(message) == expected


def test_decision_of_another_seat_is_named(record: Record) -> None:
    message = record(3, 0)
    due = message.decisions[4]
    kind, seat = due.kind, due.seat
    due.seat = (seat + 1) % 3
    assert refusal(message) == f"decision 4 is seat {due.seat}'s {kind}, where seat {seat}'s {kind} is due"


def test_decision_of_another_kind_is_named(record: Record) -> None:
    message = record(3, 0)
    message.decisions[0].kind = "day_trade"
    seat = message.decisions[0].seat
    assert refusal(message) == f"decision 0 is seat {seat}'s day_trade, where seat {seat}'s turn is due"


def test_illegal_decision_is_named_with_its_reason(record: Record) -> None:
    message = record(3, 0)
    turn = pb.Action(turn=pb.Turn(price_card="violet-01"))
    message.decisions[0].action.value = turn.SerializeToString()
    seat = message.decisions[0].seat
    assert refusal(message) == f"decision 0, seat {seat}'s turn: price change card 'violet-01' is not in the hand"


def test_first_of_several_wrong_decisions_is_named(record: Record) -> None:
    message = record(3, 0)
    for index in (7, 3, 9):
        message.decisions[index].kind = "nap"
    assert refusal(message).startswith("decision 3 ")


def test_bytes_that_are_no_action_are_named(record: Record) -> None:
    message = record()
    message.decisions[0].action.value = b"\xff"
    assert "turn: 1 bytes are no tradepit.long_short.v1.Action" in refusal(message)


def test_action_of_another_type_is_named(record: Record) -> None:
    message = record()
    message.decisions[0].action.type_url = "type.googleapis.com/google.protobuf.Empty"
    assert refusal(message) == "decision 0 has an action of type 'type.googleapis.com/google.protobuf.Empty'"


def test_missing_and_surplus_decisions_are_named(record: Record) -> None:
    message = record()
    last = message.decisions.pop()
    count = len(message.decisions)
    assert refusal(message) == f"decision {count} is missing: seat {last.seat}'s {last.kind} is due"
    message.decisions.extend([last, last])
    assert refusal(message) == f"decision {count + 1} is one too many: the match is over"


def test_another_seed_is_another_match(record: Record) -> None:
    message = record()
    message.seed = bytes(32)
    assert refusal(message).startswith("decision ")


def test_match_that_cannot_be_set_up_is_refused(record: Record) -> None:
    message = record()
    message.seed = b"short"
    assert refusal(message) == "the match cannot be set up: a seed has 32 bytes, this one has 5"
    message = record()
    message.options["bankruptcy"] = "jail"
    assert "option bankruptcy cannot be 'jail'" in refusal(message)
    message = record()
    del message.bots[1:]
    assert "2 to 6 bots, not 1" in refusal(message)


def test_unknown_edition_is_refused(record: Record) -> None:
    message = record()
    message.edition.sha256 = bytes(32)
    assert f"edition 'reconstructed-1' with sha256 '{'00' * 32}' does not come with long-short" in refusal(message)
    message = record()
    message.edition.id = "mine"
    assert "edition 'mine'" in refusal(message)


def test_embedded_edition_is_the_one_that_is_played(record: Record) -> None:
    """Everybody holds back, so that a thousand dollars more at the start are a thousand more at the end."""
    message = record()
    message.options["end_of_game_card"] = "removed"
    hold_back(message)
    scores = replay.execute(message).scores
    message.edition_toml = RECONSTRUCTED.toml.replace(b"starting_cash = 10000", b"starting_cash = 11000")
    assert replay.execute(message).scores == [score + 1000 for score in scores]


def hold_back(message: block_pb2.Replay) -> None:
    """Take out all orders, and what is asked of those who hold contracts."""
    turns = [decision for decision in message.decisions if decision.kind == "turn"]
    for decision in turns:
        action = pb.Action.FromString(decision.action.value)
        action.turn.ClearField("orders")
        decision.action.value = action.SerializeToString()
    del message.decisions[:]
    message.decisions.extend(turns)


def test_games_are_found_in_the_registry_and_none_is_known_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A toy game, unknown to the replay module, is played again and exported just so."""
    monkeypatch.setattr(registry, "get", {"toy": toy_game.PLUGIN}.__getitem__)
    state = toy_game.ToyGame().new(2, {}, Chance(bytes(32)))
    edition = block_pb2.EditionReference(id="toy-1")
    message = block_pb2.Replay(format=replay.FORMAT, game="toy", bots=["a", "b"], seed=bytes(32), edition=edition)
    rng = Random(1)
    while state.awaiting:
        actions = {seat: rng.randrange(10) for seat in state.awaiting}
        for seat, action in actions.items():
            value = toy_game.PLUGIN.codec.encode_action(action)
            packed = AnyMessage(type_url="type.googleapis.com/google.protobuf.Int64Value", value=value)
            message.decisions.add(seat=seat, kind="number", action=packed)
        state.apply(actions)
    assert replay.execute(message) == (state.scores(), state.placements())
    entry = replay.to_json(message)
    assert [decision["number"] for decision in entry["decisions"]] == [named.number for named in state.named]
    assert replay.execute(replay.from_json(entry)).scores == state.scores()
