"""Blocks: invitation, chance, cyclic seatings, capacity, results."""

import gc
import json
from typing import Any

import pytest
from google.protobuf.wrappers_pb2 import StringValue

from tradepit import chance
from tradepit.v1 import block_pb2, play_pb2
from tradepit_server.referee import SpecificationError
from tradepit_server.referee.match import Match

SECRET = (5).to_bytes(32, "big")


def test_a_block_is_all_cyclic_seatings(world: Any) -> None:
    a, b, c = (world.join(name) for name in "abc")
    world.start("t/0/1", {"a": a, "b": b, "c": c})
    seats = []
    for bot in (a, b, c):
        bot.accept_all()
    world.play(a, b, c)
    for bot in (a, b, c):
        seats.append([message.match_started.seat for message in bot.take("match_started")])
    assert seats == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    result = world.results["t/0/1"]
    assert result.outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
    assert [list(replay.bots) for replay in result.replays] == [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]]
    assert world.progress == [("t/0/1", 1, 3), ("t/0/1", 2, 3), ("t/0/1", 3, 3)]


@pytest.mark.parametrize("wrong", ["answers", "leaves"])
def test_in_every_seating_a_fault_counts_against_the_seat_of_who_did_it(world: Any, wrong: str) -> None:
    a, b, c = (world.join(name) for name in "abc")
    world.start("t/0", {"a": a, "b": b, "c": c}, "decision=2s,strikes=2")
    b.accept_all()
    if wrong == "leaves":
        b.send(play_pb2.BotMessage(bye=play_pb2.Bye()))
    for _ in range(10):  # b is asked at most nine times
        world.play(a, c)
        for request in b.requests():
            b.answer(request, 99)
    for replay, seat in zip(world.results["t/0"].replays, (1, 2, 0), strict=True):
        assert replay.bots[seat] == "b"
        result = replay.result
        assert [fault.seat for fault in result.faults] == [seat] * (2 if wrong == "answers" else 1)
        completed = [each == block_pb2.TERMINATION_COMPLETED for each in result.terminations]
        assert completed == [other != seat for other in range(3)]
        assert result.placements[seat] == 3
        assert [decision.seat for decision in replay.decisions if decision.fault] == [seat] * 3


def test_the_seeds_follow_from_secret_block_and_nonces(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0/1", {"a": a, "b": b})
    invitation = a.inbox[0].block_invitation
    a.accept_all(bytes(range(16)))
    b.accept_all()
    world.play(a, b)
    ended = a.take("block_ended")[0].block_ended
    assert chance.commitment(ended.secret) == invitation.commitment
    assert list(ended.nonces) == [bytes(range(16)), b""]
    seed = chance.block_seed(ended.secret, "t/0/1", ended.nonces)
    replays = world.results["t/0/1"].replays
    assert [replay.seed for replay in replays] == [chance.match_seed(seed, 0), chance.match_seed(seed, 1)]
    started = a.take("match_started")[1].match_started
    assert started.bot_seed == chance.bot_seed(replays[1].seed, started.seat)


def test_a_drawn_block_has_a_secret_that_nobody_knew(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    for attempt in ("t/0/1", "t/0/2"):
        world.start(attempt, {"a": a, "b": b})
        world.play(a, b)
    assert world.results["t/0/1"].replays[0].secret != world.results["t/0/2"].replays[0].secret


def test_in_a_reproducible_block_a_nonce_counts_as_empty(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, reproducible_secret=SECRET)
    assert a.inbox[0].block_invitation.reproducible
    a.accept_all(bytes(16))
    world.play(a, b)
    replay = world.results["t/0"].replays[0]
    assert (replay.secret, list(replay.nonces), replay.reproducible) == (SECRET, [b"", b""], True)


def test_the_matches_of_a_duplicate_block_share_their_seed(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, reproducible_secret=SECRET, deal=block_pb2.DEAL_DUPLICATE)
    world.play(a, b)
    first, second = world.results["t/0"].replays
    assert first.seed == second.seed == chance.match_seed(chance.block_seed(SECRET, "t/0", [b"", b""]), 0)


def test_nothing_that_leaves_before_the_end_holds_secret_or_seed(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, reproducible_secret=SECRET)
    world.play(a, b)
    replays = world.results["t/0"].replays
    seeds = [SECRET, chance.block_seed(SECRET, "t/0", [b"", b""]), *(replay.seed for replay in replays)]
    for _, frame in world.frames:
        for message in frame.messages:
            if message.WhichOneof("kind") != "block_ended":
                assert not any(seed in message.SerializeToString() for seed in seeds)


def test_entrants_are_anonymous_unless_named(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b})
    world.start("t/1", {"a": a, "b": b}, named_entrants=True)
    first, second = (message.block_invitation for message in b.take("block_invitation"))
    assert list(first.entrants) == ["entrant 0", "entrant 1"]
    assert (list(second.entrants), second.entrant) == (["a", "b"], 1)


def test_a_match_starts_when_all_its_seats_have_room(world: Any) -> None:
    a, b, c = (world.join(name) for name in "abc")
    world.start("t/0", {"a": a, "b": b})
    world.start("t/1", {"c": c, "a": a})
    for bot in (a, b, c):
        bot.accept_all()
    world.turn()
    assert len(a.take("match_started")) == 1
    assert not c.take("match_started")
    world.play(a, b, c)
    assert len(c.take("match_started")) == 2
    assert set(world.results) == {"t/0", "t/1"}


def test_a_bot_never_waits_for_a_match_it_is_not_in(world: Any) -> None:
    a, b, c, d = (world.join(name) for name in "abcd")
    world.start("t/0", {"a": a, "b": b})
    world.start("t/1", {"c": c, "d": d})
    world.play(c, d)
    assert list(world.results) == ["t/1"]


def test_a_later_match_does_not_take_the_place_kept_for_an_earlier_one(world: Any) -> None:
    a, b, c = (world.join(name) for name in "abc")
    world.start("first", {"a": a, "b": b}, matches=1)
    world.start("second", {"b": b, "c": c}, matches=1)
    world.start("third", {"c": c, "a": a}, matches=1)
    world.play(a, b, c)
    assert [block for block, _, _ in world.progress] == ["first", "second", "third"]


def test_a_bot_plays_as_many_matches_at_once_as_it_promised(world: Any) -> None:
    a, b = world.join("a", concurrent=8), world.join("b", concurrent=2)
    for index in range(4):
        world.start(f"t/{index}", {"a": a, "b": b})
    for bot in (a, b):
        bot.accept_all()
    world.turn()
    assert len(b.take("match_started")) == 2
    world.play(a, b)
    assert len(world.results) == 4


def test_the_record_holds_every_decision_in_order(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, matches=1)
    for bot in (a, b):
        bot.accept_all()
    world.turn()
    world.now += 40_000_000
    a.answer(a.requests()[0], 3, note="three")
    world.play(b)
    # The second round is simultaneous: b has answered, a has not.
    world.play(a, b)
    decisions = world.results["t/0"].replays[0].decisions
    assert [decision.seat for decision in decisions] == [0, 1, 0, 1, 0, 1]
    assert decisions[0].thought.ToMilliseconds() == 40
    assert decisions[0].note == "three"
    assert [decision.kind for decision in decisions] == ["number"] * 6


def test_the_public_part_is_the_same_for_all_and_the_private_part_is_not(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, matches=1)
    world.play(a, b, choose=lambda request: request.decision_id)
    seen = [
        json.loads(StringValue.FromString(request.observation.value[-30:].split(b"\x12", 1)[1][1:]).value)
        for _, frame in world.frames
        for request in [message.decision_request for message in frame.messages if message.HasField("decision_request")]
    ]
    assert {entry["seat"] for entry in seen} == {0, 1}


def test_a_cancelled_block_is_void_and_its_bots_are_free(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0/1", {"a": a, "b": b})
    for bot in (a, b):
        bot.accept_all()
    world.turn()
    world.core.cancel_block("t/0/1", block_pb2.VOID_CAUSE_CANCELLED, "the organiser left", world.now)
    world.turn()
    result = world.results["t/0/1"]
    assert (result.outcome, result.reason) == (block_pb2.BLOCK_OUTCOME_VOID, "the organiser left")
    assert result.void_cause == block_pb2.VOID_CAUSE_CANCELLED
    assert not result.replays
    ended = a.take("block_ended")[0].block_ended
    assert ended.outcome == block_pb2.BLOCK_OUTCOME_VOID
    assert len(ended.secret) == 32
    a.answer(a.requests()[0])
    assert not a.take("decision_rejected")
    world.start("t/0/2", {"a": a, "b": b})
    world.play(a, b)
    assert "t/0/2" in world.results


def test_a_block_can_be_cancelled_before_it_begins(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0/1", {"a": a, "b": b})
    world.core.cancel_block("t/0/1", block_pb2.VOID_CAUSE_CANCELLED, "no longer wanted", world.now)
    world.play(a, b)
    assert world.results["t/0/1"].reason == "no longer wanted"
    world.core.cancel_block("t/0/1", block_pb2.VOID_CAUSE_CANCELLED, "again", world.now)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"game": "chess"}, "no game 'chess' is installed"),
        ({"block_id": ""}, "1 to 200 bytes"),
        ({"block_id": "x" * 201}, "1 to 200 bytes"),
        ({"entrants": [block_pb2.Entrant(bot="a")]}, "played by 2 to 4 bots, not 1"),
        ({"entrants": [block_pb2.Entrant(bot="a")] * 2}, "bot 'a' is entered 2 times"),
        ({"entrants": [block_pb2.Entrant(bot="a"), block_pb2.Entrant()]}, "cannot be ''"),
        ({"matches": 1001}, "at most 1000 matches, not 1001"),
        ({"reproducible_secret": b"short"}, "has 32 bytes, not 5"),
        ({"options": {"limit": "6"}}, "option limit cannot be '6'"),
        ({"options": {"colour": "red"}}, "no option 'colour'"),
        ({"edition_toml": b"nonsense"}, "not b'nonsense'"),
        ({"time_control": block_pb2.TimeControl()}, "strikes must be from 1"),
    ],
)
def test_a_block_that_cannot_be_played_is_refused_in_one_line(world: Any, fields: dict[str, Any], message: str) -> None:
    from tradepit_server.referee import BlockSpec

    given: dict[str, Any] = {
        "block_id": "t/0",
        "game": "toy",
        "entrants": [block_pb2.Entrant(bot="a"), block_pb2.Entrant(bot="b")],
        "time_control": block_pb2.TimeControl(strikes=3),
    }
    specification = block_pb2.BlockSpecification(**{**given, **fields})
    with pytest.raises(SpecificationError) as error:
        BlockSpec.from_message(specification, ["x"] * len(specification.entrants))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_block_is_not_started_twice_nor_for_a_stranger(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b})
    with pytest.raises(SpecificationError, match="'t/0' is being played already"):
        world.start("t/0", {"a": a, "b": b})
    with pytest.raises(SpecificationError, match="'c' is not connected"):
        world.start("t/1", {"a": a, "c": "nowhere"})


def test_an_edition_of_the_owners_travels_in_the_replay(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    toml = b'id = "mine"\n'
    world.start("t/0", {"a": a, "b": b}, edition_toml=toml)
    world.play(a, b)
    replay = world.results["t/0"].replays[0]
    assert (replay.edition.id, replay.edition_toml) == ("mine", toml)


def test_a_block_that_is_over_is_not_kept_until_its_deadlines_would_have_come(world: Any) -> None:
    def matches() -> int:
        gc.collect()
        return sum(isinstance(found, Match) for found in gc.get_objects())

    before = matches()
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, "startup=1h,decision=1h")
    world.play(a, b)
    assert world.results["t/0"].outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
    assert matches() == before


def test_the_result_is_told_to_every_bot(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, matches=1)
    world.play(a, b, choose=lambda request: 9 if request.decision_id % 2 else 1)
    told: list[play_pb2.MatchEnded] = [bot.take("match_ended")[0].match_ended for bot in (a, b)]
    assert told[0] == told[1]
    assert list(told[0].scores) == list(world.results["t/0"].replays[0].result.scores)
