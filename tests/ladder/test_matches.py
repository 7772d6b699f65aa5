"""Single matches of the record, their replays, and what the referee measured."""

from collections.abc import Callable
from pathlib import Path

import fake_worker
import pytest

from tradepit.v1 import block_pb2
from tradepit_ladder.application import Ladder
from tradepit_ladder.client import LadderError, LateAnswers, Overhead, RecordError, TournamentOrder, TournamentReport

pytestmark = pytest.mark.parametrize("backend", ["sqlite"])  # test_tournaments.py runs on all

MakeOrder = Callable[..., TournamentOrder]
OpenLadder = Callable[..., Ladder]
Run = Callable[[TournamentOrder], TournamentReport]
BUCKETS = [0, 2, 1, *([0] * 13)]


def measuring(block: block_pb2.BlockSpecification) -> block_pb2.BlockResult:
    """Every match had three requests; in match 1 of each block the bot in seat 0 was late twice."""
    result = fake_worker.fabricate(block)
    for replay in result.replays:
        late = [2 * (replay.match_index == 1), 0]
        timing = result.timings.add(match_id=replay.match_id, requests=3, overhead_buckets=BUCKETS, late_answers=late)
        timing.overhead_total.FromMicroseconds(600)
        timing.overhead_longest.FromMicroseconds(250)
    return result


@pytest.fixture
def played(open_ladder: OpenLadder, make_order: MakeOrder) -> Ladder:
    """Two tournaments: "cup" of ann, bob and cid, then "final" of ann and bob, in which the referee measured."""
    ladder = open_ladder()
    ladder.run_tournament(make_order(name="cup"), lambda _: None)
    final = open_ladder(fake_worker.shard_of(measuring))
    final.run_tournament(make_order("ann", "bob", name="final", blocks=2), lambda _: None)
    return ladder


def test_the_latest_come_first_as_many_as_are_wanted(played: Ladder) -> None:
    assert [match.match_id for match in played.matches(limit=5)] == [
        "final/1/1/1",
        "final/1/1/0",
        "final/0/1/1",
        "final/0/1/0",
        "cup/2/1/1",
    ]
    assert len(played.matches(limit=100)) == 10


def test_those_of_a_bot_and_of_a_tournament(played: Ladder) -> None:
    mine = played.matches(bot="cid", limit=100)
    assert [match.match_id for match in mine] == ["cup/2/1/1", "cup/2/1/0", "cup/1/1/1", "cup/1/1/0"]
    assert {match.tournament for match in played.matches(tournament="final", limit=100)} == {"final"}
    assert played.matches(bot="cid", tournament="final", limit=100) == []


def test_a_match_says_who_sat_where_and_what_came_of_it(played: Ladder) -> None:
    match = played.match("final/0/1/1")
    replay = block_pb2.Replay.FromString(played.replay("final/0/1/1"))
    assert [seat.bot for seat in match.seats] == list(replay.bots) == ["bob", "ann"]
    assert [seat.score for seat in match.seats] == list(replay.result.scores)
    assert [seat.placement for seat in match.seats] == list(replay.result.placements)
    assert [(seat.version, seat.termination, seat.late_answers) for seat in match.seats] == [
        (1, "completed", 2),
        (1, "completed", 0),
    ]
    assert (match.game, match.tournament) == ("toy", "final")
    assert match.overhead == Overhead(3, 0.0002, 0.00025, 0.00025)


def test_what_was_not_measured_is_not_told(played: Ladder) -> None:
    match = played.match("cup/0/1/0")
    assert match.overhead is None
    assert {seat.late_answers for seat in match.seats} == {None}


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"bot": "zed"}, "no bot 'zed' has played here"),
        ({"tournament": "friday"}, "there is no tournament 'friday'"),
        ({"limit": 0}, "0 matches cannot be listed: from 1 to 1,000 can"),
    ],
)
def test_what_is_not_there_is_quoted(wanted: dict[str, object], told: str, played: Ladder) -> None:
    with pytest.raises(LadderError, match=told):
        played.matches(**{"limit": 1, **wanted})  # type: ignore[arg-type]  # each is right for its name
    with pytest.raises(LadderError, match="there is no match 'cup/9/9/9'"):
        played.match("cup/9/9/9")


def test_a_replay_that_is_missing_or_damaged_is_told_in_a_line(played: Ladder, replays: Path) -> None:
    digest = played.match("cup/0/1/0").replay_sha256
    (file,) = replays.rglob(f"{digest}*")
    file.write_bytes(b"nonsense")
    with pytest.raises(RecordError, match=rf"^match 'cup/0/1/0': replay .*{digest}.* is damaged: "):
        played.replay("cup/0/1/0")
    file.unlink()
    with pytest.raises(RecordError, match=rf"^match 'cup/0/1/0': replay .*{digest}.* is missing$"):
        played.replay("cup/0/1/0")


def test_a_tournament_adds_up_what_was_measured(open_ladder: OpenLadder, make_order: MakeOrder) -> None:
    ladder = open_ladder(fake_worker.shard_of(measuring))
    report = ladder.run_tournament(make_order("ann", "bob", name="cup", blocks=3), lambda _: None)
    assert report.overhead == Overhead(18, 0.0002, 0.00025, 0.00025)
    assert report.late_answers == (LateAnswers("bob", 6),)
