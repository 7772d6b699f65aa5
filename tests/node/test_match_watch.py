"""What waits for a spectator who is slow: bounded, the newest kept, and said how much was left out."""

import asyncio
from inspect import signature

from tradepit.v1 import referee_pb2
from tradepit_cli.referee import MOST_WATCH_DELAY, referee
from tradepit_server.referee.gallery import DEFAULT_DELAY
from tradepit_server.service.match_watch import MATCHES, SNAPSHOTS, MatchWatch, Message


def match(name: str) -> Message:
    return Message(match=referee_pb2.WatchedMatch(match_id=name))


def snapshot(name: str, decisions: int) -> Message:
    return Message(snapshot=referee_pb2.MatchSnapshot(match_id=name, decisions=decisions))


def over(name: str) -> Message:
    return Message(over=referee_pb2.WatchedMatchOver(match_id=name))


def news(watch: MatchWatch) -> list[Message] | None:
    found = asyncio.run(asyncio.wait_for(watch.news(), 10))
    return None if found is None else list(found)


def test_everything_comes_in_order_match_by_match() -> None:
    watch = MatchWatch()
    for message in (match("a"), match("b"), snapshot("a", 0), snapshot("b", 0), snapshot("a", 1), over("a")):
        watch.show(message)
    assert news(watch) == [
        match("a"), snapshot("a", 0), snapshot("a", 1), over("a"), match("b"), snapshot("b", 0),
    ]  # fmt: skip
    watch.show(snapshot("b", 1))
    assert news(watch) == [snapshot("b", 1)]


def test_of_too_many_snapshots_the_newest_are_kept_and_the_rest_counted() -> None:
    watch = MatchWatch()
    kept = [snapshot("a", decisions) for decisions in range(3 * SNAPSHOTS + 5)]
    for message in (match("a"), *kept):
        watch.show(message)
    first, *rest = (news(watch) or [])[1:]
    assert (first.snapshot.decisions, first.snapshot.skipped) == (3 * SNAPSHOTS, 3 * SNAPSHOTS)
    assert [message.snapshot.decisions for message in rest] == list(range(3 * SNAPSHOTS + 1, 3 * SNAPSHOTS + 5))
    assert all(message.snapshot.skipped == 0 for message in (*rest, *kept)), "what others see too is unchanged"


def test_a_spectator_who_never_reads_leaves_memory_bounded() -> None:
    watch = MatchWatch()
    for number in range(1000):
        for message in (match(f"{number}"), *(snapshot(f"{number}", decisions) for decisions in range(100))):
            watch.show(message)
        watch.show(over(f"{number}"))
    waiting = news(watch) or []
    assert len(waiting) <= MATCHES * (SNAPSHOTS + 2)
    assert (waiting[0].match.match_id, waiting[0].match.matches_skipped) == (str(1000 - MATCHES), 1000 - MATCHES)
    assert all(message.match.matches_skipped == 0 for message in waiting[1:])


def test_the_end_of_a_match_that_is_known_to_have_begun_is_never_left_out() -> None:
    watch = MatchWatch()
    watch.show(match("long"))
    assert news(watch) == [match("long")]
    watch.show(over("long"))
    for number in range(2 * MATCHES):
        watch.show(match(f"{number}"))
        watch.show(over(f"{number}"))
    assert (news(watch) or [])[0] == over("long")


def test_what_waits_is_told_before_the_end() -> None:
    watch = MatchWatch()
    watch.show(match("a"))
    watch.close()
    assert news(watch) == [match("a")]
    assert news(watch) is None


def test_all_that_a_referee_may_withhold_finds_room() -> None:
    """At the end of a match it comes at once."""
    assert DEFAULT_DELAY <= MOST_WATCH_DELAY < SNAPSHOTS


def test_the_command_withholds_as_much_as_the_referee_does_by_itself() -> None:
    assert signature(referee).parameters["watch_delay"].default == DEFAULT_DELAY
