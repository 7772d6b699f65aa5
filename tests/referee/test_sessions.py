"""Streams and sessions: Hello, loss and resumption, back-pressure."""

from typing import Any

import pytest

from tradepit.v1 import block_pb2, play_pb2
from tradepit_server.referee import limits
from tradepit_server.referee.limits import BACKLOG_BYTES

SECOND = 1_000_000_000
CONTROL = "decision=20s,startup=3s,resume_window=4s"


def test_hello_is_answered_by_welcome_with_the_limits(world: Any) -> None:
    bot = world.connect("a")
    bot.hello()
    world.turn()
    welcome = bot.take("welcome")[0].welcome
    assert welcome.protocol_revision == 1
    assert len(welcome.session_id) == 32
    assert welcome.limits == limits.to_message()
    assert (welcome.limits.frame_bytes, welcome.limits.note_bytes) == (1024 * 1024, 1024)


@pytest.mark.parametrize(
    "first",
    [b"\xff\xff", b"", play_pb2.PlayRequest(messages=[play_pb2.BotMessage(bye=play_pb2.Bye())]).SerializeToString()],
)
def test_what_does_not_begin_with_hello_is_closed(world: Any, first: bytes) -> None:
    bot = world.connect("a")
    bot.send_bytes(first)
    world.turn()
    assert bot.closed is not None
    assert "Hello" in bot.closed
    bot.send_bytes(first)
    bot.drop()
    assert world.core.sessions() == []


def test_another_revision_of_the_protocol_is_refused_by_number(world: Any) -> None:
    bot = world.connect("a")
    bot.hello(revision=7)
    world.turn()
    assert bot.closed == "this referee speaks revision 1 of the protocol, the bot revision 7"


def test_an_unknown_message_gets_a_notice_and_the_stream_goes_on(world: Any) -> None:
    bot = world.join("a")
    # Field 15 of BotMessage, which this revision does not have.
    bot.send_bytes(b"\x08\x02\x1a\x02\x7a\x00")
    bot.hello()
    world.turn()
    texts = [message.notice.text for message in bot.take("notice")]
    assert "does not know" in texts[0]
    assert "Hello is sent once" in texts[1]
    assert bot.closed is None


def test_a_flooding_bot_gets_a_hundred_notices_and_no_more(world: Any) -> None:
    bot = world.join("a")
    for _ in range(500):
        bot.send(play_pb2.BotMessage())
        world.turn()
    assert len(bot.take("notice")) == 100


def test_frames_are_numbered_and_acknowledge_the_bots(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b})
    world.play(a, b)
    frames = [frame for connection, frame in world.frames if connection == a.connection]
    assert [frame.sequence for frame in frames] == list(range(1, len(frames) + 1))
    assert frames[-1].acknowledged_sequence == a.sent


def lost_in_the_middle(world: Any) -> tuple[Any, Any]:
    """The first bot has been asked, has not acknowledged, and its line is lost."""
    a, b = world.join("a"), world.join("b")
    world.start("t/0", {"a": a, "b": b}, CONTROL, matches=1)
    a.accept_all()
    b.accept_all()
    world.turn()
    a.drop()
    return a, b


def test_a_lost_stream_is_resumed_and_what_was_not_acknowledged_is_sent_again(world: Any) -> None:
    old, b = lost_in_the_middle(world)
    world.wait(3 * SECOND)
    a = world.connect("a")
    a.hello(resume=old.session_id)
    world.turn()
    assert a.inbox[0].welcome.session_id == old.session_id
    assert len(a.take("match_started")) == 1
    request = a.requests()[0]
    assert request.decision_id == old.requests()[0].decision_id
    assert request.time_left.ToSeconds() == 17, "the clock went on meanwhile"
    a.answer(request)
    world.play(a, b)
    assert not world.results["t/0"].replays[0].result.faults


def test_a_decided_request_is_not_sent_again(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    a.acknowledges = False
    world.start("t/0", {"a": a, "b": b}, CONTROL, matches=1)
    a.accept_all()
    b.accept_all()
    world.turn()
    request = a.requests()[0]
    a.answer(request)
    world.turn()
    a.drop()
    again = world.connect("a")
    again.hello(resume=a.session_id)
    world.turn()
    assert not [r for r in again.requests() if r.decision_id == request.decision_id]
    assert len(again.take("match_started")) == 1


def test_what_was_acknowledged_is_not_sent_again(world: Any) -> None:
    a, b = lost_in_the_middle(world)
    again = world.connect("a")
    hello = play_pb2.Hello(protocol_revision=1, resume_session_id=a.session_id)
    frame = play_pb2.PlayRequest(
        sequence=9,
        acknowledged_sequence=a.acknowledged,
        messages=[play_pb2.BotMessage(hello=hello)],
    )
    again.send_bytes(frame.SerializeToString())
    world.turn()
    assert [message.WhichOneof("kind") for message in again.inbox] == ["welcome"]
    assert b.closed is None


def test_a_stream_that_is_not_resumed_within_its_window_forfeits(world: Any) -> None:
    a, b = lost_in_the_middle(world)
    world.wait(4 * SECOND - 1)
    assert not world.results
    world.wait(1)
    world.play(b)
    result = world.results["t/0"].replays[0].result
    assert result.terminations[0] == block_pb2.TERMINATION_FORFEITED_DISCONNECTED
    assert "line lost" in result.faults[0].message
    late = world.connect("a")
    late.hello(resume=a.session_id)
    world.turn()
    assert late.closed is not None


def test_an_earlier_loss_does_not_shorten_the_window_of_a_later_one(world: Any) -> None:
    first, b = lost_in_the_middle(world)
    world.wait(3 * SECOND)
    second = world.connect("a")
    second.hello(resume=first.session_id)
    world.turn()
    second.drop()
    world.wait(3 * SECOND)
    third = world.connect("a")
    third.hello(resume=first.session_id)
    world.turn()
    world.play(third, b)
    assert not world.results["t/0"].replays[0].result.faults


def test_a_session_is_resumed_only_by_its_own_bot(world: Any) -> None:
    a, _ = lost_in_the_middle(world)
    thief = world.connect("b")
    thief.hello(resume=a.session_id)
    world.turn()
    assert thief.closed == "there is no session to go on with"


def test_of_two_streams_for_one_session_the_newer_wins(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    newer = world.connect("a")
    newer.hello(resume=a.session_id)
    world.turn()
    assert a.closed == "a newer stream has taken over the session"
    a.drop()
    newer.session_id = a.session_id
    world.start("t/0", {"a": newer, "b": b})
    world.play(newer, b)
    assert "t/0" in world.results


def test_a_bot_that_does_not_acknowledge_is_cut_off_before_the_referee_grows(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    a.acknowledges = False
    world.start("t/0", {"a": a, "b": b}, CONTROL, matches=1)
    a.accept_all()
    b.accept_all()
    world.turn()
    session = world.core._sessions.find(a.session_id)
    session.enqueue(bytes(BACKLOG_BYTES), world.now)
    world.turn()
    assert a.closed is not None
    assert "does not read" in a.closed
    world.play(b)
    assert world.results["t/0"].replays[0].result.terminations[0] == block_pb2.TERMINATION_FORFEITED_DISCONNECTED


def test_a_reserved_session_belongs_to_its_own_token(world: Any) -> None:
    session = world.core.reserve_session("a")
    stranger = world.connect("a", world.core.reserve_session("a"))
    stranger.hello(resume=session)
    world.turn()
    assert stranger.closed is not None
    own = world.join("a", session_id=session)
    assert own.session_id == session


def test_a_released_session_is_forgotten_and_its_stream_closed(world: Any) -> None:
    session = world.core.reserve_session("a")
    a, b = world.join("a", session_id=session), world.join("b")
    world.start("t/0", {"a": a, "b": b}, CONTROL)
    world.core.release_session(session, world.now)
    world.play(b)
    assert a.closed == "the session is over"
    assert "t/0" in world.results
    assert [bot for _, bot, _ in world.core.sessions()] == ["b"]


def test_sessions_without_stream_and_block_are_forgotten(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    b.drop()
    assert [bot for _, bot, _ in world.core.sessions()] == ["a"]
    c = world.join("c")
    world.start("t/0", {"a": a, "c": c}, CONTROL)
    a.drop()
    world.wait(5 * SECOND)
    world.play(c)
    assert [bot for _, bot, _ in world.core.sessions()] == ["c"]
