"""Clocks, strikes, forfeits: what a bot does wrong costs that bot, and nobody else."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from tradepit.v1 import block_pb2, play_pb2

SECOND = 1_000_000_000
MILLISECOND = 1_000_000
CONTROL = "decision=2s,bank=5s,increment=100ms,startup=3s,resume_window=4s"


def started(world: Any, control: str = CONTROL, matches: int = 1, **fields: Any) -> tuple[Any, Any]:
    """Two bots that have begun a match; a's first decision is due."""
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, control, matches=matches, **fields)
    a.accept_all()
    b.accept_all()
    world.turn()
    return a, b


def result(world: Any, match: int = 0) -> block_pb2.MatchResult:
    """What came of a match of block t/0."""
    found: block_pb2.MatchResult = world.results["t/0"].replays[match].result
    return found


def kinds(world: Any) -> list[str]:
    """The kinds of fault in the first match, in order."""
    return [block_pb2.FaultKind.Name(fault.kind) for fault in result(world).faults]


def test_no_answer_within_the_limit_is_a_timeout_and_the_default_is_played(world: Any) -> None:
    a, b = started(world)
    a.requests()
    world.wait(2 * SECOND - 1)
    assert not a.take("decision_rejected")
    world.wait(1)
    rejected = a.take("decision_rejected")[0].decision_rejected
    assert (rejected.fault, rejected.message) == (block_pb2.FAULT_KIND_TIMEOUT, "no answer within 2 s")
    assert rejected.played.type_url.endswith("google.protobuf.Int64Value")
    world.play(a, b)
    decision = world.results["t/0"].replays[0].decisions[0]
    assert (decision.fault, decision.thought.ToMilliseconds()) == (block_pb2.FAULT_KIND_TIMEOUT, 2000)
    assert result(world).terminations[0] == block_pb2.TERMINATION_COMPLETED


def test_an_answer_that_was_fed_before_the_tick_is_in_time(world: Any) -> None:
    a, b = started(world)
    request = a.requests()[0]
    world.now += 3 * SECOND
    a.answer(request)
    world.turn()
    world.play(a, b)
    assert not result(world).faults


def test_a_late_answer_is_counted_and_ignored(world: Any) -> None:
    a, b = started(world)
    request = a.requests()[0]
    world.wait(2 * SECOND)
    a.answer(request, 9)
    world.play(a, b)
    assert world.late == [("a", request.decision_id)]
    assert kinds(world) == ["FAULT_KIND_TIMEOUT"]
    assert world.results["t/0"].replays[0].decisions[0].fault == block_pb2.FAULT_KIND_TIMEOUT


def test_the_bank_is_charged_and_incremented_and_shown(world: Any) -> None:
    a, b = started(world)
    first = a.requests()[0]
    assert (first.bank_left.ToMilliseconds(), first.time_left.ToMilliseconds()) == (5000, 2000)
    world.now += 1500 * MILLISECOND
    a.answer(first)
    world.play(b)
    second = a.requests()[0]
    assert second.bank_left.ToMilliseconds() == 5000 + 100 - 1500


def test_the_bank_limits_a_decision_and_a_timeout_uses_what_was_allowed(world: Any) -> None:
    a, b = started(world, "bank=1s,increment=100ms")
    first = a.requests()[0]
    assert first.time_left.ToMilliseconds() == 1100
    world.wait(1100 * MILLISECOND)
    world.play(b)
    second = a.requests()[0]
    assert (second.bank_left.ToMilliseconds(), second.time_left.ToMilliseconds()) == (0, 100)


def test_a_clock_runs_only_from_the_departure_of_its_request(world: Any) -> None:
    """While a frame is unanswered new requests wait for company, and waiting costs no bot time."""
    a, b, c = (world.join(name, concurrent=8) for name in "abc")
    world.start("one", {"a": a, "b": b}, CONTROL, matches=1)
    world.start("two", {"a": a, "c": c}, CONTROL, matches=1)
    for bot in (a, b):
        bot.accept_all()
    world.turn()
    a.requests()
    c.accept_all()
    world.turn()
    assert not a.requests()
    assert world.core.next_deadline() == world.now + 2 * MILLISECOND
    world.now += 100 * MILLISECOND
    world.turn()
    request = a.requests()[0]
    assert request.time_left.ToMilliseconds() == 2000
    world.now += 1999 * MILLISECOND
    world.turn()
    a.answer(request)
    world.turn()
    assert not [m for m in a.take("decision_rejected") if m.decision_rejected.match_id == "two/0"]


def test_queued_requests_leave_together_at_thirty_two(world: Any) -> None:
    a, b = world.join("a", concurrent=64), world.join("b", concurrent=64)
    world.start("t/0", {"a": a, "b": b}, matches=1)
    for bot in (a, b):
        bot.accept_all()
    world.turn()
    assert len(a.requests()) == 1
    world.start("t/1", {"a": a, "b": b}, matches=100)
    world.wait(2 * MILLISECOND)
    for bot in (a, b):
        bot.accept_all()
    world.turn()
    # Of the 63 matches for which there is room, 32 begin with a and 31 with b.
    assert len(a.requests()) == 32


def test_requests_of_other_matches_gather_in_one_frame(world: Any) -> None:
    a, b = world.join("a", concurrent=64), world.join("b", concurrent=64)
    world.start("t/0", {"a": a, "b": b}, matches=40)
    for bot in (a, b):
        bot.accept_all()
    world.frames.clear()
    world.turn()
    to_a = [frame for connection, frame in world.frames if connection == a.connection]
    assert len(to_a) == 1
    assert len(a.requests()) == 20


def test_the_third_strike_forfeits_and_the_match_goes_on(world: Any) -> None:
    a, b = started(world)
    for _ in range(3):
        a.requests()
        world.wait(2 * SECOND)
        world.play(b)
    assert kinds(world) == ["FAULT_KIND_TIMEOUT"] * 3
    assert list(result(world).terminations) == [
        block_pb2.TERMINATION_FORFEITED_TIME,
        block_pb2.TERMINATION_COMPLETED,
    ]
    assert list(result(world).placements) == [2, 1]


def test_a_forfeited_seat_is_no_longer_asked(world: Any) -> None:
    a, b = started(world, CONTROL + ",strikes=1")
    a.requests()
    world.wait(2 * SECOND)
    world.play(b)
    assert not a.requests()
    decisions = world.results["t/0"].replays[0].decisions
    assert [d.HasField("thought") for d in decisions if d.seat == 0] == [True, False, False]
    assert {d.fault for d in decisions if d.seat == 0} == {block_pb2.FAULT_KIND_TIMEOUT}


def test_a_forfeited_seat_is_last_whatever_its_score(world: Any) -> None:
    a, b = started(world, CONTROL + ",strikes=1")
    a.answer(a.requests()[0], 9)
    world.play(b, choose=lambda _: 0)
    a.answer(a.requests()[0], 9)
    world.play(b, choose=lambda _: 0)
    a.requests()
    world.wait(2 * SECOND)
    world.play(b, choose=lambda _: 0)
    assert result(world).scores[0] > result(world).scores[1]
    assert list(result(world).placements) == [2, 1]


def test_an_earlier_forfeit_is_placed_below_a_later_one_and_equal_ones_tie(world: Any) -> None:
    bots = {name: world.join(name) for name in "abcd"}
    world.start("t/0", bots, CONTROL + ",strikes=1", matches=1)
    a, b, c, d = bots.values()
    for bot in (a, b, c, d):
        bot.accept_all()
    world.turn()
    world.wait(2 * SECOND)  # a forfeits in turn
    world.play(b, c, d)  # all but a, who is no longer asked
    assert result(world).placements[0] == 4

    world.start("t/1", bots, CONTROL + ",strikes=1", matches=1)
    for bot in (a, b, c, d):
        bot.accept_all()
    world.turn()
    for bot in (a, b, c, d):
        bot.answer(next(request for request in bot.requests() if request.match_id == "t/1/0"))
        world.turn()
    world.play(c, d)
    world.wait(2 * SECOND)  # a and b forfeit at the same moment
    world.play(c, d)
    placements = list(world.results["t/1"].replays[0].result.placements)
    assert placements[:2] == [3, 3]


@pytest.mark.parametrize(
    ("action", "kind", "quoted"),
    [
        (
            AnyMessage(type_url="type.googleapis.com/google.protobuf.Int64Value", value=b"\x08\x63"),
            "ILLEGAL_ACTION",
            "99",
        ),
        (AnyMessage(type_url="type.googleapis.com/google.protobuf.Int64Value", value=b"\xff"), "MALFORMED", "ff"),
        (AnyMessage(type_url="type.googleapis.com/a.B", value=b""), "MALFORMED", "'type.googleapis.com/a.B'"),
        (AnyMessage(), "MALFORMED", "''"),
    ],
)
def test_a_bad_action_costs_a_strike_and_quotes_the_value(
    world: Any, action: AnyMessage, kind: str, quoted: str
) -> None:
    a, b = started(world)
    request = a.requests()[0]
    decision = play_pb2.Decision(match_id=request.match_id, decision_id=request.decision_id, action=action)
    a.send(play_pb2.BotMessage(decision=decision))
    world.turn()
    rejected = a.take("decision_rejected")[0].decision_rejected
    assert rejected.fault == block_pb2.FaultKind.Value(f"FAULT_KIND_{kind}")
    assert quoted in rejected.message
    world.play(a, b)
    assert kinds(world) == [f"FAULT_KIND_{kind}"]
    assert result(world).faults[0].decision_index == 0


def test_a_bot_that_reports_a_failure_costs_itself_a_strike(world: Any) -> None:
    a, b = started(world)
    request = a.requests()[0]
    failure = play_pb2.DecisionFailure(
        match_id=request.match_id, decision_id=request.decision_id, reason="ZeroDivision"
    )
    a.send(play_pb2.BotMessage(decision_failure=failure))
    world.play(a, b)
    assert kinds(world) == ["FAULT_KIND_BOT_ERROR"]
    assert "ZeroDivision" in result(world).faults[0].message


def test_bytes_that_are_no_frame_are_a_fault_on_each_open_request(world: Any) -> None:
    a, b = world.join("a", concurrent=9), world.join("b", concurrent=9)
    world.start("t/0", {"a": a, "b": b}, matches=4)
    a.accept_all()
    b.accept_all()
    world.turn()
    assert len(a.requests()) == 2
    a.send_bytes(b"\xff\xfe garbage")
    world.turn()
    rejected = a.take("decision_rejected")
    assert [message.decision_rejected.fault for message in rejected] == [block_pb2.FAULT_KIND_MALFORMED] * 2
    assert "fffe" in a.take("notice")[0].notice.text
    world.play(a, b)
    assert world.results["t/0"].outcome == block_pb2.BLOCK_OUTCOME_COMPLETE


def test_a_second_answer_changes_nothing(world: Any) -> None:
    a, b = started(world)
    request = a.requests()[0]
    a.answer(request, 3)
    a.answer(request, 9)
    world.play(a, b)
    assert world.late == [("a", request.decision_id)]
    assert not result(world).faults


def test_an_answer_for_another_match_leaves_the_request_open(world: Any) -> None:
    a, b = started(world)
    request = a.requests()[0]
    wrong = play_pb2.DecisionRequest(match_id="t/9/9", decision_id=request.decision_id)
    a.answer(wrong)
    world.wait(2 * MILLISECOND)
    assert "'t/9/9'" in a.take("notice")[0].notice.text
    a.answer(request)
    world.play(a, b)
    assert not result(world).faults


def test_an_answer_to_what_was_never_asked_is_noticed(world: Any) -> None:
    a, _ = started(world)
    a.answer(play_pb2.DecisionRequest(match_id="t/0/0", decision_id=999))
    world.wait(2 * MILLISECOND)
    assert "decision 999 was never asked for" in a.take("notice")[0].notice.text


def test_a_request_that_has_not_left_cannot_be_answered(world: Any) -> None:
    """Decision ids can be guessed; an answer to what was not read yet does not count."""
    a, b = world.join("a", concurrent=9), world.join("b", concurrent=9)
    world.start("t/0", {"a": a, "b": b}, CONTROL, matches=1)
    a.accept_all()
    b.accept_all()
    world.turn()
    world.start("t/1", {"a": a, "b": b}, CONTROL, matches=1)
    world.wait(2 * MILLISECOND)
    a.accept_all()
    b.accept_all()
    world.turn()
    a.answer(play_pb2.DecisionRequest(match_id="t/1/0", decision_id=2), 9)
    world.wait(2 * MILLISECOND)
    assert "decision 2 was never asked for" in a.take("notice")[0].notice.text
    assert [request.decision_id for request in a.requests()] == [1, 2]


def test_a_long_note_is_dropped_and_the_decision_counts(world: Any) -> None:
    a, b = started(world)
    a.answer(a.requests()[0], 4, note="x" * 1025)
    world.turn()
    assert "1025 bytes" in a.take("notice")[0].notice.text
    world.play(a, b)
    assert not result(world).faults


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("silent", "did not accept the invitation in time"),
        ("refuses", "the bot refused the invitation: no"),
        ("never connects", "the bot never connected"),
        ("bad nonce", "its nonce has 5 bytes; it must have 16 to 32, or none"),
    ],
)
def test_who_does_not_take_its_seat_is_a_no_show_and_the_others_play(world: Any, how: str, why: str) -> None:
    a, b = world.join("a"), world.join("b")
    ghost = world.core.reserve_session("ghost") if how == "never connects" else world.join("ghost")
    world.start("t/0", {"a": a, "ghost": ghost, "b": b}, CONTROL)
    a.accept_all()
    b.accept_all()
    if how == "refuses":
        ghost.send(play_pb2.BotMessage(block_acceptance=play_pb2.BlockAcceptance(block_id="t/0", refusal="no")))
    if how == "bad nonce":
        ghost.accept_all(b"short")
    world.wait(3 * SECOND)
    world.play(a, b)
    for match in range(3):
        seat = (1 + match) % 3
        assert result(world, match).terminations[seat] == block_pb2.TERMINATION_FORFEITED_NO_SHOW
        assert result(world, match).placements[seat] == 3
        (fault,) = result(world, match).faults
        assert (fault.seat, fault.kind, fault.message.endswith(why)) == (seat, block_pb2.FAULT_KIND_NO_SHOW, True)


def test_a_bot_that_accepts_too_late_is_still_a_no_show(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, CONTROL)
    a.accept_all()
    world.wait(3 * SECOND)
    b.accept_all()
    world.play(a, b)
    assert "awaits no answer" in b.take("notice")[0].notice.text
    assert not b.take("match_started"), "its nonce has no part in the match's chance"
    assert len(b.take("block_ended")) == 1
    assert result(world).terminations[1] == block_pb2.TERMINATION_FORFEITED_NO_SHOW


def test_a_process_that_ended_is_crashed_at_once_in_all_its_matches(world: Any) -> None:
    session = world.core.reserve_session("b")
    a, b = world.join("a", concurrent=5), world.join("b", concurrent=5, session_id=session)
    world.start("t/0", {"a": a, "b": b}, CONTROL)
    a.accept_all()
    b.accept_all()
    world.turn()
    world.core.process_ended(session, "exit status 1: boom", world.now)
    world.play(a)
    for match in range(2):
        assert block_pb2.TERMINATION_FORFEITED_DISCONNECTED in result(world, match).terminations
        assert "exit status 1: boom" in result(world, match).faults[0].message
    world.start("t/1", {"a": a, "b": session}, CONTROL)
    world.play(a)
    assert world.results["t/1"].replays[0].result.faults[0].kind == block_pb2.FAULT_KIND_CRASHED


@pytest.mark.parametrize(("reason", "told"), [("enough", "the bot said goodbye: enough"), ("", "the bot said goodbye")])
def test_a_bot_that_says_goodbye_forfeits(world: Any, reason: str, told: str) -> None:
    a, b = started(world)
    a.send(play_pb2.BotMessage(bye=play_pb2.Bye(reason=reason)))
    world.play(b)
    assert a.closed == "goodbye"
    assert result(world).faults[0].message == told
    assert result(world).terminations[0] == block_pb2.TERMINATION_FORFEITED_DISCONNECTED


def test_the_others_are_not_delayed_by_a_forfeited_bot(world: Any) -> None:
    a, b = started(world, CONTROL + ",strikes=1", matches=2)
    a.requests()
    world.wait(2 * SECOND)
    before = world.now
    world.play(b)
    # In the second match a has a clean sheet: it is asked, and times out, once more.
    world.wait(2 * SECOND)
    world.play(b)
    assert world.now - before < 2 * SECOND + 100 * MILLISECOND
    assert world.results["t/0"].outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
