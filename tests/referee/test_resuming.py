"""Resuming a session on another stream: what is sent again, what is heard, and what is not."""

from typing import Any

import pytest

from tradepit.v1 import block_pb2, play_pb2

SECOND = 1_000_000_000
MILLISECOND = 1_000_000
CONTROL = "decision=20s,startup=3s,resume_window=4s"


def asked(world: Any, control: str = CONTROL) -> tuple[Any, Any, play_pb2.DecisionRequest]:
    """Two bots in a match, and the first request of the first."""
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, control, matches=1)
    a.accept_all()
    b.accept_all()
    world.turn()
    return a, b, a.requests()[0]


def resume(world: Any, old: Any, *, acknowledged: int | None = None) -> Any:
    """Another stream for the session of *old*, on which frames are numbered on, and Hello is said."""
    again = world.connect("a")
    again.session_id, again.sent = old.session_id, old.sent
    again.acknowledged = old.acknowledged if acknowledged is None else acknowledged
    again.hello(resume=old.session_id)
    world.turn()
    return again


def told(bot: Any) -> list[str]:
    """The kinds of what has come, in order."""
    return [message.WhichOneof("kind") for message in bot.inbox]


def welcome(bot: Any) -> play_pb2.Welcome:
    found: play_pb2.Welcome = bot.take("welcome")[0].welcome
    return found


def complete(world: Any) -> bool:
    """The block is complete and nobody did anything wrong."""
    result = world.results["t/0"]
    return result.outcome == block_pb2.BLOCK_OUTCOME_COMPLETE and not result.replays[0].result.faults


# What is sent again


def test_what_was_not_acknowledged_comes_again_in_order_and_nothing_else(world: Any) -> None:
    a, b, _ = asked(world)
    again = resume(world, a, acknowledged=a.acknowledged - 1)
    assert told(again) == ["welcome", "match_started", "decision_request"]
    again = resume(world, again, acknowledged=again.acknowledged)
    assert told(again) == ["welcome"]
    assert b.closed is None


def test_a_stream_gets_one_welcome_however_many_there_were_before(world: Any) -> None:
    """A bot that is dropped again and again, and acknowledges nothing, gets the same each time."""
    a, _, _ = asked(world)
    for _ in range(50):
        a = resume(world, a, acknowledged=0)
        assert told(a) == ["welcome", "match_started", "decision_request"]


def test_a_stream_gets_one_drain_however_many_there_were_before(world: Any) -> None:
    a, _, _ = asked(world)
    world.core.drain(SECOND, world.now)
    for _ in range(3):
        a = resume(world, a, acknowledged=0)
        assert told(a).count("drain") == 1


def test_a_request_decided_while_the_bot_was_away_does_not_come_again(world: Any) -> None:
    a, b, request = asked(world, "decision=2s,resume_window=4s")
    a.drop()
    world.wait(3 * SECOND)
    again = resume(world, a, acknowledged=0)
    assert not again.requests()
    assert [message.decision_rejected.decision_id for message in again.take("decision_rejected")] == [
        request.decision_id
    ]
    assert b.requests()


def test_a_new_bot_is_told_only_what_is_new(world: Any) -> None:
    """Two streams of one token without a session to go on with are two bots."""
    a, _, _ = asked(world)
    other = world.join("a")
    assert other.session_id != a.session_id
    assert told(other) == []


# What is acknowledged


@pytest.mark.parametrize("sequence", [2**63, 2**64 - 1])
def test_an_acknowledgement_of_what_was_never_sent_is_told_and_counts_for_nothing(world: Any, sequence: int) -> None:
    a, _, _ = asked(world)
    frame = play_pb2.PlayRequest(sequence=3, acknowledged_sequence=sequence)
    a.send_bytes(frame.SerializeToString())
    world.wait(2 * MILLISECOND)
    assert a.take("notice")[0].notice.text == f"frame {sequence} was acknowledged and never sent"
    again = resume(world, a, acknowledged=sequence)
    assert "decision_request" in told(again)


def test_an_acknowledgement_that_goes_back_takes_nothing_back(world: Any) -> None:
    a, _, _ = asked(world)
    a.send(play_pb2.BotMessage())
    world.turn()
    assert told(resume(world, a, acknowledged=1)) == ["welcome", "notice"]


# What was received


def test_a_welcome_says_which_frame_was_received_last(world: Any) -> None:
    a, b, request = asked(world)
    a.answer(request)
    world.turn()
    again = resume(world, a)
    assert welcome(again).received_sequence == a.sent
    world.play(again, b)
    assert complete(world)


def test_a_new_session_has_received_nothing(world: Any) -> None:
    bot = world.connect("a")
    bot.sent = 77
    bot.hello()
    world.turn()
    assert welcome(bot).received_sequence == 0


def test_the_number_of_a_hello_does_not_count_as_received(world: Any) -> None:
    """Frames 3 and 4 are lost. Were Hello's 5 counted, a stream that breaks before they come again would lose them."""
    a, _, _ = asked(world)
    received = a.sent
    a.sent += 2
    for _ in range(3):
        a = resume(world, a)
        assert welcome(a).received_sequence == received
    a.send()
    world.turn()
    assert welcome(resume(world, a)).received_sequence == a.sent


def test_a_number_that_goes_back_is_heard_and_said(world: Any) -> None:
    """A client that numbers anew on each stream, or sends again under old numbers, is told what it said last."""
    a, b, request = asked(world)
    a.sent = 2**64 - 2
    a.send()
    a.sent = 0
    a.answer(request)
    world.turn()
    assert welcome(resume(world, a)).received_sequence == 1
    assert b.requests()


def test_what_is_sent_twice_counts_once(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, CONTROL, matches=1)
    b.accept_all()
    for nonce in (bytes(16), bytes(20)):
        acceptance = play_pb2.BlockAcceptance(block_id="t/0", nonce=nonce)
        a.send(play_pb2.BotMessage(block_acceptance=acceptance))
    world.turn()
    request = a.requests()[0]
    a.answer(request, 3)
    a.sent -= 1
    a.answer(request, 9)
    world.play(a, b)
    assert complete(world)
    assert list(world.results["t/0"].replays[0].nonces) == [bytes(16), b""]
    assert b"\x08\x03" in world.results["t/0"].replays[0].decisions[0].action.value


# Two streams at once


def test_what_comes_on_the_older_stream_after_the_newer_ones_hello_is_not_heard(world: Any) -> None:
    """The Welcome has told the bot that it was not received: it is sent again, and must not come from both."""
    a, b, request = asked(world)
    newer = resume(world, a)
    assert a.closed == "a newer stream has taken over the session"
    received = welcome(newer).received_sequence
    a.answer(request)
    a.send_bytes(b"\xff")
    world.turn()
    assert not b.requests()
    assert welcome(resume(world, newer)).received_sequence == received


def test_the_end_of_the_older_stream_ends_nothing(world: Any) -> None:
    """It may be half closed, or its loss be noticed late."""
    a, b, request = asked(world)
    newer = resume(world, a)
    a.drop()
    world.wait(5 * SECOND)
    newer.answer(request)
    world.play(newer, b)
    assert complete(world)


def test_each_newer_stream_wins(world: Any) -> None:
    a, b, _ = asked(world)
    streams = [a]
    for _ in range(5):
        streams.append(resume(world, streams[-1], acknowledged=0))
    assert [stream.closed for stream in streams[:-1]] == ["a newer stream has taken over the session"] * 5
    world.play(streams[-1], b)
    assert complete(world)


# Who may go on


def test_a_session_that_is_lost_says_why(world: Any) -> None:
    a, _, _ = asked(world)
    a.send(play_pb2.BotMessage(bye=play_pb2.Bye(reason="out of memory")))
    world.turn()
    assert resume(world, a).closed == "the session is over: the bot said goodbye: out of memory"


def test_a_session_whose_block_is_lost_may_go_on(world: Any) -> None:
    """It came too late for its match, and is told how the block ends. It can be entered in another."""
    a, b, _ = asked(world)
    a.drop()
    world.wait(5 * SECOND)
    again = resume(world, a)
    assert again.closed is None
    world.play(b)
    world.turn()
    assert told(again)[-1] == "block_ended"
    world.start("t/1", {"a": again, "b": b}, CONTROL)
    world.play(again, b)
    assert not world.results["t/1"].replays[0].result.faults


@pytest.mark.parametrize("session_id", ["", "0" * 32, "\0"])
def test_the_session_of_another_bot_is_as_good_as_none(world: Any, session_id: str) -> None:
    a, _, _ = asked(world)
    thief = world.connect("b")
    thief.hello(resume=session_id or a.session_id)
    world.turn()
    assert thief.closed == "there is no session to go on with"
    assert (a.closed, world.core.sessions()[0][2]) == (None, True)


@pytest.mark.parametrize("own", [None, "other"])
def test_a_reserved_session_is_resumed_by_its_own_token_alone(world: Any, own: str | None) -> None:
    session_id = world.core.reserve_session("a")
    stranger = world.connect("a", world.core.reserve_session("a") if own else None)
    stranger.hello(resume=session_id)
    world.turn()
    assert stranger.closed == "there is no session to go on with"


def test_a_token_of_a_reserved_session_opens_no_other(world: Any) -> None:
    a = world.join("a")
    hosted = world.connect("a", world.core.reserve_session("a"))
    hosted.hello(resume=a.session_id)
    world.turn()
    assert hosted.closed == "there is no session to go on with"


def test_the_process_of_a_reserved_session_may_go_on_with_it(world: Any) -> None:
    session_id = world.core.reserve_session("a")
    first, b = world.join("a", session_id=session_id), world.join("b")
    world.start("t/0", {"a": first, "b": b}, CONTROL, matches=1)
    first.drop()
    second = world.connect("a", session_id)
    second.hello()
    world.turn()
    world.play(second, b)
    assert complete(world)


def test_a_bot_may_come_back_for_more_matches_at_once(world: Any) -> None:
    a, b = world.join("a"), world.join("b", concurrent=9)
    world.start("t/0", {"a": a, "b": b}, CONTROL, matches=4)
    for bot in (a, b):
        bot.accept_all()
    world.turn()
    again = world.connect("a")
    again.hello(resume=a.session_id, concurrent=3)
    world.turn()
    assert len(again.take("match_started")) == 3


# Every block ends


@pytest.mark.parametrize("back", [True, False])
def test_a_bot_that_is_away_when_a_block_begins_has_its_window(world: Any, back: bool) -> None:
    """Its other block keeps the session; the new one sets no limit to accept, and must end all the same."""
    a, b, c = world.join("a", concurrent=2), world.join("b", concurrent=2), world.join("c")
    world.start("t/9", {"a": a, "c": c}, "resume_window=60s")
    a.drop()
    world.wait(SECOND)
    world.start("t/0", {"a": a, "b": b}, "training", matches=1)
    world.play(b)
    world.wait(9 * SECOND)
    if back:
        a = resume(world, a)
        world.play(a, b)
        assert complete(world)
    else:
        world.wait(2 * SECOND)
        world.play(b)
        result = world.results["t/0"].replays[0].result
        assert result.terminations[0] == block_pb2.TERMINATION_FORFEITED_DISCONNECTED
        assert "not resumed in time: line lost" in result.faults[0].message


def test_a_session_is_not_twice_in_a_block(world: Any) -> None:
    """Its one acceptance would answer for one entrant, and the block would wait for the other for ever."""
    a = world.join("a")
    with pytest.raises(ValueError, match="block 't/0' has a session twice"):
        world.start("t/0", {"a": a, "b": a})
    assert a.inbox == []


@pytest.mark.parametrize("end", ["bye", "drop", "flood", "release"])
def test_a_session_that_is_over_is_forgotten_at_once(world: Any, end: str) -> None:
    session_id = world.core.reserve_session("a") if end == "release" else None
    bot = world.join("a", session_id=session_id)
    if end == "bye":
        bot.send(play_pb2.BotMessage(bye=play_pb2.Bye()))
    elif end == "drop":
        bot.drop()
    elif end == "release":
        world.core.release_session(session_id, world.now)
    else:
        world.core._sessions.find(bot.session_id).enqueue(bytes(5 * 1024 * 1024), world.now)
    world.turn()
    assert world.core.sessions() == []
    assert not world.core._mailbag.waiting
    assert not world.core._mailbag.overflowing
