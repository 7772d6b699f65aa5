"""Streams on which no Hello has come: for so long, and so many of one identity."""

from typing import Any

import pytest

from tradepit.v1 import play_pb2

SECOND = 1_000_000_000


def kept(world: Any) -> int:
    """How many streams, identities and alarms the core still holds before a Hello."""
    lobby = world.core._sessions._lobby
    return len(lobby._streams) + len(lobby._counts)


def test_a_stream_that_never_says_hello_is_closed_when_its_time_is_up(world: Any) -> None:
    bot = world.connect("a")
    world.wait(10 * SECOND - 1)
    assert not bot.closed
    world.wait(1)
    assert bot.closed == "no Hello came within 10 s"
    bot.hello()
    bot.drop()
    world.turn()
    assert (bot.inbox, kept(world), world.core.next_deadline()) == ([], 0, None)


def test_a_hello_that_was_read_before_the_tick_is_in_time(world: Any) -> None:
    bot = world.connect("a")
    world.now += 20 * SECOND
    bot.hello()
    world.turn()
    assert bot.closed is None
    assert bot.take("welcome")


def test_who_has_said_hello_may_stay_silent_for_ever(world: Any) -> None:
    bot = world.join("a")
    world.wait(3600 * SECOND)
    assert (bot.closed, kept(world), world.core.next_deadline()) == (None, 0, None)


def test_a_thousand_streams_of_one_token_may_wait_and_no_more(world: Any) -> None:
    first = [world.connect("a") for _ in range(1000)]
    one_more, another = world.connect("a"), world.connect("b")
    world.turn()
    assert one_more.closed is not None
    assert one_more.closed.startswith("1000 streams of this token are open without a Hello")
    assert (first[0].closed, another.closed) == (None, None)
    first[0].hello()
    first[1].drop()
    there = [world.connect("a") for _ in range(3)]
    world.turn()
    assert [bot.closed is None for bot in there] == [True, True, False]


def test_the_tokens_of_two_sessions_of_a_bot_are_two(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tradepit_server.referee.lobby.STREAMS_BEFORE_HELLO", 1)
    streams = [world.connect("a", session_id) for session_id in (None, "1", "2", "2")]
    world.turn()
    assert [stream.closed is None for stream in streams] == [True, True, True, False]


@pytest.mark.parametrize("end", ["hello", "junk", "drop", "wait"])
def test_nothing_is_kept_of_a_stream_that_has_left(world: Any, end: str) -> None:
    for _ in range(300):
        bot = world.connect("a")
        if end == "hello":
            bot.hello()
        elif end == "junk":
            bot.send(play_pb2.BotMessage())
        elif end == "drop":
            bot.drop()
        else:
            world.wait(10 * SECOND)
        world.turn()
        bot.drop()
    assert kept(world) == 0
    assert len(world.core._alarms) < 70
    assert world.core.sessions() == []
