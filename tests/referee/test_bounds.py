"""However bots behave, what the referee keeps is bounded, and does not grow with what is over."""

import gc
import weakref
from types import FunctionType, ModuleType
from typing import Any

import pytest

from tradepit.v1 import block_pb2, play_pb2
from tradepit_server.referee.session import Request

SECOND = 1_000_000_000
MILLISECOND = 1_000_000
BACKLOG = 16 * 1024
ALARMS = 300
"""Objects that the alarms may be that were taken back and are still in their heap."""

FOR_HOURS = "decision=1h,startup=1h,resume_window=1h,strikes=999999"


@pytest.fixture
def small_backlog(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little may be unread, so that little must be sent to see it."""
    monkeypatch.setattr("tradepit_server.referee.session.BACKLOG_BYTES", BACKLOG)


def session_of(world: Any, bot: Any) -> Any:
    """The core's own side of a bot."""
    return world.core._sessions.find(bot.session_id)


def held(session: Any) -> int:
    """The bytes that wait for a bot or for its acknowledgement, counted one by one."""
    retained = [entry for _, entries in session._retained for entry in entries]
    return sum(len(entry) for entry in (*retained, *session._outbox))


def kept(world: Any) -> int:
    """How many objects the core keeps alive, besides code and the test's own."""
    seen, waiting = dict[int, object]({id(world): world}), [world.core]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, type | ModuleType):
            continue
        seen[id(thing)] = thing
        waiting += (thing.__closure__ or ()) if isinstance(thing, FunctionType) else gc.get_referents(thing)
    return len(seen)


# A bot that does not read or acknowledge


@pytest.mark.usefixtures("small_backlog")
def test_a_bot_that_is_invited_again_and_again_and_reads_nothing_is_cut_off(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    session = session_of(world, a)
    for index in range(1000):
        world.start(f"t/{index}", {"a": a, "b": b}, FOR_HOURS)
        assert session._backlog <= BACKLOG
        b.accept_all()
        if a.closed:
            break
        a.inbox.clear()
    assert a.closed == "the bot does not read, or does not acknowledge, what it is sent"
    assert (held(session), session.requests, session.windows) == (0, {}, {})
    world.play(b)
    assert len(world.results) == index + 1
    assert session.entries == {}
    assert [bot for _, bot, _ in world.core.sessions()] == ["b"]


@pytest.mark.usefixtures("small_backlog")
def test_a_bot_that_answers_and_never_acknowledges_is_cut_off(world: Any) -> None:
    a, b = world.join("a", concurrent=50), world.join("b", concurrent=50)
    a.acknowledges = False
    session = session_of(world, a)
    world.start("t/0", {"a": a, "b": b}, FOR_HOURS, matches=500)
    while not world.results:
        world.play(a, b)
        assert session._backlog == held(session) <= BACKLOG
    assert a.closed is not None
    assert "does not acknowledge" in a.closed
    last = world.results["t/0"].replays[-1].result
    assert block_pb2.TERMINATION_FORFEITED_DISCONNECTED in last.terminations


@pytest.mark.usefixtures("small_backlog")
def test_a_bot_that_is_away_is_lost_when_too_much_waits_for_it(world: Any) -> None:
    """Its window is an hour; what it misses meanwhile must not be kept for as long."""
    a, b = world.join("a"), world.join("b")
    session = session_of(world, a)
    world.start("t/0", {"a": a, "b": b}, FOR_HOURS)
    a.drop()
    for index in range(1, 1000):
        world.start(f"t/{index}", {"a": a, "b": b}, FOR_HOURS)
        b.accept_all()
        if session.lost:
            break
        assert session._backlog == held(session) <= BACKLOG
    assert session.lost.message == "the bot does not read, or does not acknowledge, what it is sent"
    assert held(session) == 0
    world.play(b)
    assert len(world.results) == index + 1


def test_who_waits_for_a_bot_that_is_cut_off_plays_on_at_once(world: Any) -> None:
    """Nothing arrives that would wake the referee: it must say itself that there is something to do."""
    a, b, c = (world.join(name) for name in "abc")
    world.start("t/1", {"a": a, "c": c}, matches=1)
    world.start("t/0", {"a": a, "b": b}, matches=1)
    for bot in (a, c, b):
        bot.accept_all()
    world.turn()
    assert not b.take("match_started")
    session_of(world, a).enqueue(bytes(5 * 1024 * 1024), world.now)
    world.turn()
    assert a.closed is not None
    assert world.core.next_deadline() == world.now
    world.turn()
    assert len(b.take("match_started")) == 1
    assert world.core.next_deadline() is None


@pytest.mark.usefixtures("small_backlog")
def test_a_bot_may_lose_its_line_as_often_as_it_likes(world: Any) -> None:
    """What concerns a stream alone is not kept for the next, or that would cut it off in the end."""
    a, b = world.join("a"), world.join("b")
    session = session_of(world, a)
    world.start("t/0", {"a": a, "b": b}, FOR_HOURS, matches=1)
    world.core.drain(SECOND, world.now)
    for _ in range(300):
        again = world.connect("a")
        again.hello(resume=a.session_id)
        if len(world.bots) % 2:
            world.turn()
        assert session._backlog == held(session)
    world.turn()
    world.play(again, b)
    assert not world.results["t/0"].replays[0].result.faults


@pytest.mark.usefixtures("small_backlog")
def test_a_bot_that_reads_gets_no_more_at_once_than_it_may_leave_unread(world: Any) -> None:
    """Five hundred matches could begin at once; as many do as what they say leaves room for, and then the others."""
    a, b = world.join("a", concurrent=500), world.join("b", concurrent=500)
    world.start("t/0", {"a": a, "b": b}, FOR_HOURS, matches=500)
    world.play(a, b)
    assert (a.closed, b.closed) == (None, None)
    assert world.results["t/0"].outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
    assert not any(replay.result.faults for replay in world.results["t/0"].replays)


@pytest.mark.usefixtures("small_backlog")
def test_reading_alone_makes_room_for_more_matches(world: Any) -> None:
    """A bot that thinks has acknowledged what it was sent: the others of its matches begin."""
    begun = begun_by_reading(world, 85)
    assert begun[0] < sum(begun) == 85


@pytest.mark.usefixtures("small_backlog")
def test_no_more_matches_are_in_play_than_may_all_ask_at_once(world: Any) -> None:
    """Their requests are half of what may be unread: an honest bot is not cut off when they come together."""
    begun = sum(begun_by_reading(world, 500))
    assert 2 * begun * len(open_request(world)) <= BACKLOG < 2 * (begun + 1) * len(open_request(world))


def begun_by_reading(world: Any, matches: int) -> list[int]:
    """How many of so many *matches* begin each time that both bots have acknowledged, and answered nothing."""
    a, b = world.join("a", concurrent=matches), world.join("b", concurrent=matches)
    world.start("t/0", {"a": a, "b": b}, FOR_HOURS, matches=matches)
    for bot in (a, b):
        bot.accept_all()
    begun = []
    for _ in range(20):
        world.wait(3 * MILLISECOND)
        begun.append(len(a.take("match_started")))
        for bot in (a, b):
            bot.send()
    return begun


def open_request(world: Any) -> Request:
    """The largest request that is open."""
    tables = world.core._tables._playing.values()
    requests: list[Request] = [request for table in tables for request in table.requests.values()]
    return max(requests, key=len)


def test_a_decided_request_keeps_no_match_alive(world: Any) -> None:
    a, b = world.join("a"), world.join("b")
    a.acknowledges = False
    world.start("t/0", {"a": a, "b": b}, FOR_HOURS, matches=1)
    for bot in (a, b):
        bot.accept_all()
    world.turn()
    match = weakref.ref(world.core._tables._playing["t/0/0"].match)
    world.play(a, b)
    gc.collect()
    assert match() is None
    unread = [entry for _, entries in session_of(world, a)._retained for entry in entries]
    requests = [entry for entry in unread if isinstance(entry, Request)]
    assert len(requests) == 3
    assert all(len(request) > 50 and request._tail == b"" for request in requests)


def test_a_session_has_one_alarm_however_its_deadlines_move(world: Any) -> None:
    """An hour for one request, and a second for each of many others: the hour is set again after each of them."""
    a, b = world.join("a", concurrent=2), world.join("b", concurrent=2)
    world.start("t/0", {"a": a, "b": b}, FOR_HOURS, matches=1)
    world.start("t/1", {"a": a, "b": b}, "decision=1s", matches=40)
    for bot in (a, b):
        bot.accept_all()
    for _ in range(240):
        world.wait(3 * MILLISECOND)
        for bot in (a, b):
            for request in bot.requests():
                if request.match_id != "t/0/0":
                    bot.answer(request)
        world.wait(SECOND)
    assert world.results["t/1"].outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
    assert len(world.core._alarms) < 70


# What is over


def rounds(world: Any, first: int, number: int) -> None:
    """Blocks with everything that can go wrong, and an honest bot in each."""
    for index in range(first, first + number):
        a, b, c = (world.join(name, concurrent=4) for name in "abc")
        world.start(f"t/{index}", {"a": a, "b": b, "c": c}, FOR_HOURS, matches=2)
        world.start(f"u/{index}", {"a": a, "b": b}, FOR_HOURS)
        if index % 2:
            a.accept_all()
            world.core.cancel_block(f"u/{index}", block_pb2.VOID_CAUSE_CANCELLED, "no need", world.now)
        world.play(b)
        world.play(a, c)
        a.drop()
        again = world.connect("a")
        again.hello(resume=a.session_id, concurrent=4)
        world.play(again, b, c)
        again.send(play_pb2.BotMessage(bye=play_pb2.Bye()))
        b.drop()
        c.send_bytes(b"\xff")
        world.turn()
        c.drop()
        world.play(b, c)
        forget(world)


def forget(world: Any) -> None:
    """What the test itself keeps."""
    assert all(result.outcome for result in world.results.values())
    world.results.clear()
    world.frames.clear()
    for bot in world.bots.values():
        bot.inbox.clear()


def test_nothing_grows_with_the_blocks_that_are_over(world: Any) -> None:
    """Every limit is an hour: nothing of all this is over by the clock."""
    rounds(world, 0, 40)
    before = kept(world)
    rounds(world, 40, 150)
    gc.collect()
    assert world.now < 3600 * SECOND
    assert world.core.sessions() == []
    assert len(world.core._alarms) < 70
    assert kept(world) <= before + ALARMS
    assert world.core._tables._blocks == world.core._tables._playing == world.core._tables._waiting == {}


def test_two_bots_that_stay_for_hundreds_of_blocks_cost_no_more_than_for_ten(world: Any) -> None:
    a, b = world.join("a", concurrent=4), world.join("b", concurrent=4)
    for index in range(600):
        world.start(f"t/{index}", {"a": a, "b": b}, FOR_HOURS, matches=1)
        world.play(a, b)
        forget(world)
        if index == 10:
            before = kept(world)
    assert kept(world) <= before + ALARMS
    assert len(world.core._alarms) < 70
