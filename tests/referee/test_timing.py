"""What the referee measures of itself: its overhead, and the answers that came too late."""

from typing import Any

import pytest

from tradepit.v1 import block_pb2, play_pb2
from tradepit_server.referee.timing import Timing

SECOND = 1_000_000_000
MILLISECOND = 1_000_000
CONTROL = "decision=2s,startup=3s,resume_window=4s,strikes=5"


def playing(world: Any, *, matches: int = 1, concurrent: int = 1) -> tuple[Any, Any]:
    """Two bots in a block whose first requests have left."""
    a, b = world.join("a", concurrent=concurrent), world.join("b", concurrent=concurrent)
    world.start("t/0", {"a": a, "b": b}, CONTROL, matches=matches)
    a.accept_all()
    b.accept_all()
    world.turn()
    return a, b


def timing(world: Any, index: int = 0) -> block_pb2.MatchTiming:
    found: block_pb2.MatchTiming = world.results["t/0"].timings[index]
    return found


def busy(world: Any, nanoseconds: int) -> None:
    """The referee has read something, and comes to hand over what follows only now."""
    world.now += nanoseconds
    world.turn()


def test_overhead_is_from_the_answer_to_the_departure_of_the_next_request(world: Any) -> None:
    """The bots' time does not count, nor does the first request. The toy game asks six times: five follow answers."""
    a, b = playing(world)
    for bot, nanoseconds in ((a, 3), (b, 5)):
        world.now += SECOND
        bot.answer(bot.requests()[0])
        busy(world, nanoseconds * MILLISECOND)
    for bot in (a, b, a):
        bot.answer(bot.requests()[0])
        busy(world, 7 * MILLISECOND)
    world.play(a, b)
    measured = timing(world)
    assert measured.match_id == "t/0/0"
    assert measured.requests == 5, "one after the first answer, two at once, then two in turn"
    assert measured.overhead_total.ToMilliseconds() == 3 + 5 + 5 + 7 + 7
    assert measured.overhead_longest.ToMilliseconds() == 7


def test_of_a_simultaneous_moment_the_last_answer_counts(world: Any) -> None:
    a, b = playing(world)
    a.answer(a.requests()[0])
    world.turn()
    b.answer(b.requests()[0])
    world.turn()
    a.answer(a.requests()[0])
    world.now += SECOND
    b.answer(b.requests()[0])
    busy(world, MILLISECOND)
    world.play(a, b)
    assert timing(world).overhead_longest.ToMilliseconds() == 1


def test_waiting_for_company_is_overhead(world: Any) -> None:
    """The second bot has been asked in the second match, and owes that answer when the first match asks it."""
    a, b = playing(world, matches=2, concurrent=2)
    a.answer(a.requests()[0])
    world.wait(5 * MILLISECOND)
    world.play(a, b)
    assert timing(world).overhead_longest.ToNanoseconds() == 2 * MILLISECOND


def test_a_request_that_follows_a_timeout_is_not_measured(world: Any) -> None:
    a, b = playing(world)
    world.wait(2 * SECOND)
    assert b.requests()
    world.core.cancel_block("t/0", block_pb2.VOID_CAUSE_CANCELLED, "seen enough", world.now)
    a.take("block_ended")
    world.turn()
    assert not world.results["t/0"].timings, "nothing of a void block is told"
    world.start("t/1", {"a": a, "b": b}, CONTROL, matches=1)
    a.accept_all()
    b.accept_all()
    world.wait(12 * SECOND)
    assert world.results["t/1"].timings[0].requests == 0
    assert world.results["t/1"].timings[0].HasField("overhead_longest")


def test_a_bot_that_is_away_is_no_overhead(world: Any) -> None:
    a, b = playing(world)
    b.drop()
    a.answer(a.requests()[0])
    world.wait(SECOND)
    again = world.connect("b")
    again.hello(resume=b.session_id)
    world.turn()
    world.play(a, again)
    assert (timing(world).requests, timing(world).overhead_longest.ToNanoseconds()) == (4, 0)


def test_a_failure_and_garbage_are_answers(world: Any) -> None:
    a, b = playing(world)
    request = a.requests()[0]
    failure = play_pb2.DecisionFailure(match_id=request.match_id, decision_id=request.decision_id, reason="bug")
    a.send(play_pb2.BotMessage(decision_failure=failure))
    busy(world, MILLISECOND)
    b.requests()
    b.send_bytes(b"\xff")
    busy(world, 5 * MILLISECOND)
    world.play(a, b)
    assert timing(world).overhead_longest.ToMilliseconds() == 5
    assert timing(world).overhead_total.ToMilliseconds() >= 1 + 5 + 5


@pytest.mark.parametrize(
    ("overhead", "bucket"),
    [(0, 0), (1, 0), (100_000, 0), (100_001, 1), (200_000, 1), (200_001, 2), (1_638_400_000, 14), (1_638_400_001, 15)],
)
def test_bucket_i_holds_overheads_of_at_most_a_tenth_of_a_millisecond_times_two_to_the_i(
    overhead: int, bucket: int
) -> None:
    measured = Timing(seats=2)
    measured.measure(overhead)
    measured.measure(10**18)
    told = measured.to_message("t/0/0")
    assert len(told.overhead_buckets) == 16
    assert told.overhead_buckets[bucket] == (2 if bucket == 15 else 1)
    assert (told.overhead_buckets[15], told.requests) == (2 if bucket == 15 else 1, 2)
    assert told.overhead_total.ToNanoseconds() == overhead + 10**18


# Late answers


def test_late_answers_are_counted_by_seat_and_cost_no_reading_time(world: Any) -> None:
    a, b = playing(world)
    for bot in (a, b):
        missed = bot.requests()[0]
        world.wait(2 * SECOND)
        bot.answer(missed)
        world.turn()
    for bot in (a, b):
        assert world.core._sessions.find(bot.session_id)._debt_until == 0
    assert world.late == [("a", 1), ("b", 1)]
    world.play(a, b)
    assert list(timing(world).late_answers) == [1, 1]


def test_a_late_failure_is_a_late_answer(world: Any) -> None:
    a, b = playing(world)
    request = a.requests()[0]
    world.wait(2 * SECOND)
    failure = play_pb2.DecisionFailure(match_id=request.match_id, decision_id=request.decision_id, reason="bug")
    a.send(play_pb2.BotMessage(decision_failure=failure))
    world.play(a, b)
    assert list(timing(world).late_answers) == [1, 0]
    assert [fault.kind for fault in world.results["t/0"].replays[0].result.faults] == [block_pb2.FAULT_KIND_TIMEOUT]


def test_an_answer_counts_as_late_once_and_a_second_answer_never(world: Any) -> None:
    a, b = playing(world)
    missed = a.requests()[0]
    world.wait(2 * SECOND)
    for _ in range(3):
        a.answer(missed)
    answered = b.requests()[0]
    for _ in range(3):
        b.answer(answered)
    world.play(a, b)
    assert list(timing(world).late_answers) == [1, 0]
    assert len(world.late) == 5, "the log has them all"


def test_a_late_answer_must_name_its_match(world: Any) -> None:
    a, b = playing(world)
    missed = a.requests()[0]
    world.wait(2 * SECOND)
    for match_id in ("t/0/1", "t/0", "t/1/0", "", "/", "t/0/00", "t/0/" + "9" * 5000):
        missed.match_id = match_id
        a.answer(missed)
    world.play(a, b)
    assert list(timing(world).late_answers) == [0, 0]


def test_an_answer_after_the_match_is_counted_while_the_block_runs_and_ignored_afterwards(world: Any) -> None:
    a, b = playing(world, matches=2)
    missed = a.requests()
    while not (asked := [request for request in a.requests() if request.match_id == "t/0/1"]):
        world.play(b)
        world.wait(SECOND)
    a.answer(missed[0])
    a.answer(asked[0])
    world.play(a, b)
    assert list(timing(world).late_answers) == [1, 0]
    a.answer(missed[0])
    world.turn()
    assert world.late == [("a", missed[0].decision_id)] * 2


def test_an_answer_to_a_match_that_is_lost_is_late(world: Any) -> None:
    """The block's window is over; the bot comes back for another block, and answers what it was asked before."""
    a, b = world.join("a", concurrent=2), world.join("b", concurrent=2)
    world.start("t/0", {"a": a, "b": b}, "decision=60s,resume_window=4s", matches=1)
    world.start("t/1", {"a": a, "b": b}, "decision=60s,resume_window=30s", matches=1)
    a.accept_all()
    b.accept_all()
    world.turn()
    missed = next(request for request in a.requests() if request.match_id == "t/0/0")
    a.drop()
    world.wait(4 * SECOND)
    again = world.connect("a")
    again.hello(resume=a.session_id, concurrent=2)
    again.answer(missed)
    world.play(again, b)
    assert world.results["t/0"].replays[0].result.terminations[0] == block_pb2.TERMINATION_FORFEITED_DISCONNECTED
    assert world.results["t/1"].replays[0].result.terminations[0] == block_pb2.TERMINATION_COMPLETED
    assert list(timing(world).late_answers) == [1, 0]
