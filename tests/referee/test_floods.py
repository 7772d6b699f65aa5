"""Bots that send much: the referee spends little time and memory on what it never asked for."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.wrappers_pb2 import Int64Value

from tradepit.v1 import block_pb2, play_pb2

SECOND = 1_000_000_000
MILLISECOND = 1_000_000
JUNK = play_pb2.BotMessage()


def pause(world: Any, bot: Any) -> int:
    """Nanoseconds for which the shell is told to read nothing from *bot*."""
    found: int = world.core.pause(bot.connection, world.now)
    return found


def playing(world: Any) -> tuple[Any, Any, play_pb2.DecisionRequest]:
    """Two bots in a match, and the first request of the first."""
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, matches=1)
    a.accept_all()
    b.accept_all()
    world.turn()
    return a, b, a.requests()[0]


def act(bot: Any, request: play_pb2.DecisionRequest, action: AnyMessage) -> None:
    decision = play_pb2.Decision(match_id=request.match_id, decision_id=request.decision_id, action=action)
    bot.send(play_pb2.BotMessage(decision=decision))


@pytest.mark.parametrize(
    "frame",
    [
        play_pb2.PlayRequest(messages=[JUNK] * 3000).SerializeToString(),
        b"\xff" + bytes(3000 * 1024),
        b"\x82\x01\x80\xb0\xbb\x01" + bytes(3000 * 1024),
    ],
    ids=["messages", "no frame", "unknown fields"],
)
def test_a_bot_that_sends_in_vain_is_read_from_later_and_forgiven_in_time(world: Any, frame: bytes) -> None:
    """A message, or a KiB, costs a millisecond; a second of that is free."""
    bot = world.join("a")
    bot.send_bytes(frame)
    assert pause(world, bot) // (10 * MILLISECOND) == 2 * SECOND // (10 * MILLISECOND)
    world.now += SECOND
    assert pause(world, bot) // (10 * MILLISECOND) == SECOND // (10 * MILLISECOND)
    world.now += 3 * SECOND
    assert pause(world, bot) == 0
    bot.send(*[JUNK] * 500)
    assert pause(world, bot) == 0


def test_answers_that_come_too_often_count_as_sent_in_vain(world: Any) -> None:
    a, _, request = playing(world)
    a.answer(request)
    for _ in range(1500):
        a.answer(request)
    assert pause(world, a) == 500 * MILLISECOND


def answer_singly(world: Any, *bots: Any) -> None:
    """Each request is acknowledged by a frame of its own and answered by another, as soon as it has come."""
    known = -1
    while known != len(world.frames):
        known = len(world.frames)
        for bot in bots:
            bot.accept_all()
            for request in bot.requests():
                bot.send()
                bot.answer(request)
                assert pause(world, bot) == 0
        world.wait(3 * MILLISECOND)


def test_an_honest_bot_with_200_matches_in_flight_is_never_paused(world: Any) -> None:
    """It answers singly, acknowledges every frame besides, and plays as fast as the referee asks."""
    a, b = world.join("a", concurrent=200), world.join("b", concurrent=200)
    world.start("t/0", {"a": a, "b": b}, matches=400)
    answer_singly(world, a, b)
    assert world.results["t/0"].outcome == block_pb2.BLOCK_OUTCOME_COMPLETE


def test_a_bot_that_is_always_late_is_never_paused(world: Any) -> None:
    """Late answers cost what they cost by the clock, and nothing more."""
    a, b = world.join("a", concurrent=200), world.join("b", concurrent=200)
    world.start("t/0", {"a": a, "b": b}, "decision=5ms,strikes=9999", matches=400)
    for bot in (a, b):
        bot.accept_all()
    for _ in range(20):
        world.wait(6 * MILLISECOND)
        for bot in (a, b):
            for request in bot.requests():
                bot.answer(request)
            assert pause(world, bot) == 0
    assert world.results["t/0"].outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
    assert sum(sum(timing.late_answers) for timing in world.results["t/0"].timings) == 1000


def test_a_bot_that_sends_200_answers_again_after_its_line_was_lost_is_not_paused(world: Any) -> None:
    a, b = world.join("a", concurrent=200), world.join("b", concurrent=200)
    world.start("t/0", {"a": a, "b": b}, matches=400)
    for bot in (a, b):
        bot.accept_all()
    world.turn()
    requests = a.requests()
    for bot in (a, a):
        for request in requests:
            bot.answer(request)
    assert len(requests) == 100
    assert pause(world, a) == 0


@pytest.mark.parametrize(("frames", "paused"), [(1000, 0), (1500, 500)])
def test_a_frame_that_says_nothing_and_answers_none_of_ours_is_in_vain(world: Any, frames: int, paused: int) -> None:
    bot = world.join("a")
    bot.send()
    for _ in range(frames):
        bot.send()
    assert pause(world, bot) == paused * MILLISECOND


def test_no_more_than_a_thousand_frames_without_messages_are_saved_up(world: Any) -> None:
    bot = world.join("a")
    for _ in range(1100):
        world.core._sessions.find(bot.session_id).enqueue(JUNK.SerializeToString(), world.now)
        world.turn()
    for _ in range(2001):
        bot.send()
    assert pause(world, bot) == MILLISECOND


def test_a_pause_is_never_longer_than_ten_seconds(world: Any) -> None:
    bot = world.join("a")
    for _ in range(20):
        bot.send(*[JUNK] * 5000)
    assert pause(world, bot) == 10 * SECOND


def test_a_bot_that_answers_what_it_is_asked_is_never_paused(world: Any) -> None:
    a, b = world.join("a", concurrent=1000), world.join("b", concurrent=1000)
    world.start("t/0", {"a": a, "b": b}, matches=1000)
    world.play(a, b)
    assert world.results["t/0"].outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
    assert (pause(world, a), pause(world, b)) == (0, 0)


def test_the_first_4096_messages_of_a_frame_are_heard(world: Any) -> None:
    """One frame of a mebibyte may hold half a million messages, and would take seconds."""
    a, b, request = playing(world)
    decision = play_pb2.Decision(match_id=request.match_id, decision_id=request.decision_id)
    decision.action.Pack(Int64Value(value=7))
    answer = play_pb2.BotMessage(decision=decision)
    a.send(*[JUNK] * 4096, answer)
    world.wait(2 * MILLISECOND)
    assert a.take("notice")[0].notice.text == "of 4097 messages in a frame the last 1 were not heard"
    assert not b.requests()
    a.send(*[JUNK] * 4095, answer)
    world.turn()
    assert b.requests()


def test_what_a_bot_adds_to_its_action_is_not_kept(world: Any) -> None:
    """A message may hold a mebibyte of fields that nobody knows; the record holds the action."""
    a, b, request = playing(world)
    action = AnyMessage()
    action.Pack(Int64Value(value=7))
    plain = action.SerializeToString()
    action.value += b"\x82\x01\x80\x80\x20" + bytes(0x80000)
    act(a, request, AnyMessage.FromString(action.SerializeToString() + b"\x82\x01\x80\x80\x20" + bytes(0x80000)))
    world.play(a, b)
    assert world.results["t/0"].replays[0].decisions[0].action.SerializeToString() == plain
    assert not world.results["t/0"].replays[0].result.faults


def test_a_fault_quotes_no_more_than_fits_in_a_sentence(world: Any) -> None:
    a, b, request = playing(world)
    act(a, request, AnyMessage(type_url="x" * 500_000))
    world.play(a, b)
    (fault,) = world.results["t/0"].replays[0].result.faults
    assert len(fault.message) == 1000
    assert fault.message.startswith("the action is of type 'xxx")
    assert len(a.take("decision_rejected")[0].decision_rejected.message) == 1000
