"""What a worker sends back is checked before it is believed."""

import fake_worker
import pytest

from tradepit.v1 import block_pb2
from tradepit_ladder.results import PlayedTiming, ResultError, played_matches


@pytest.fixture
def block() -> block_pb2.BlockSpecification:
    return block_pb2.BlockSpecification(
        block_id="cup/0/1", entrants=[block_pb2.Entrant(bot=bot) for bot in ("ann", "bob", "cid")]
    )


@pytest.fixture
def result(block: block_pb2.BlockSpecification) -> block_pb2.BlockResult:
    return fake_worker.fabricate(block)


def test_seats_rotate_with_the_matches(block: block_pb2.BlockSpecification, result: block_pb2.BlockResult) -> None:
    seated = [[seat.bot for seat in match.seats] for match in played_matches(block, result)]
    assert seated == [["ann", "bob", "cid"], ["cid", "ann", "bob"], ["bob", "cid", "ann"]]


def test_faults_are_counted_by_seat(block: block_pb2.BlockSpecification, result: block_pb2.BlockResult) -> None:
    del result.replays[1].result.faults[:]
    result.replays[1].result.faults.extend(block_pb2.Fault(seat=seat) for seat in (2, 0, 2))
    assert [seat.faults for seat in played_matches(block, result)[1].seats] == [1, 0, 2]


def test_scores_placements_and_terminations_are_the_seats(
    block: block_pb2.BlockSpecification, result: block_pb2.BlockResult
) -> None:
    outcome = result.replays[2].result
    outcome.scores[:] = [-5, 7, 7]
    outcome.placements[:] = [3, 1, 1]
    outcome.terminations[0] = block_pb2.TERMINATION_FORFEITED_NO_SHOW
    seats = played_matches(block, result)[2].seats
    assert [(seat.bot, seat.score, seat.placement, seat.termination) for seat in seats] == [
        ("bob", -5, 3, "forfeited_no_show"),
        ("cid", 7, 1, "completed"),
        ("ann", 7, 1, "completed"),
    ]


def test_a_void_result_tells_its_reason_on_one_line(block: block_pb2.BlockSpecification) -> None:
    with pytest.raises(ResultError, match=r"^the roof fell in$"):
        played_matches(block, fake_worker.void(block, "the roof\n  fell in"))
    with pytest.raises(ResultError, match="no reason for outcome 2"):
        played_matches(block, fake_worker.void(block, ""))
    with pytest.raises(ResultError, match="no reason for outcome 0"):
        played_matches(block, block_pb2.BlockResult(block_id=block.block_id))


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("scores", [1, 2], "2 scores for 3 seats"),
        ("placements", [], "0 placements for 3 seats"),
        ("terminations", [1, 1, 1, 1], "4 terminations for 3 seats"),
        ("placements", [1, 2, 4], r"placements \[1, 2, 4\]"),
        ("placements", [0, 1, 2], r"placements \[0, 1, 2\]"),
        ("terminations", [1, 1, 77], "termination 77"),
        ("faults", [block_pb2.Fault(seat=3)], r"faults of seats \[3\]"),
    ],
)
def test_a_match_result_that_does_not_add_up_is_refused(
    block: block_pb2.BlockSpecification, result: block_pb2.BlockResult, field: str, value: list[int], told: str
) -> None:
    outcome = result.replays[1].result
    outcome.ClearField(field)  # type: ignore[arg-type]  # the stubs list the names; this one is a parameter
    getattr(outcome, field).extend(value)
    with pytest.raises(ResultError, match=told):
        played_matches(block, result)


def test_a_replay_too_few_of_another_match_or_of_other_bots_is_refused(
    block: block_pb2.BlockSpecification, result: block_pb2.BlockResult
) -> None:
    other = block_pb2.BlockResult.FromString(result.SerializeToString())
    other.replays[1].bots[0] = "eve"
    with pytest.raises(ResultError, match="'eve'"):
        played_matches(block, other)
    other.replays[1].match_id = "cup/1/1/1"
    with pytest.raises(ResultError, match="'cup/1/1/1' in place of 'cup/0/1/1'"):
        played_matches(block, other)
    del other.replays[0]
    with pytest.raises(ResultError, match="2 replays for 3 matches"):
        played_matches(block, other)


def timing(match_id: str, **changes: object) -> block_pb2.MatchTiming:
    measured: dict[str, object] = {"match_id": match_id, "requests": 3, "overhead_buckets": [1, 2]}
    made = block_pb2.MatchTiming(**measured | {"late_answers": [0, 4, 0]} | changes)  # type: ignore[arg-type]  # a message checks its fields itself
    made.overhead_total.FromNanoseconds(1_500_000_000)
    made.overhead_longest.FromNanoseconds(900_000)
    return made


def test_what_the_referee_measured_goes_with_its_match(
    block: block_pb2.BlockSpecification, result: block_pb2.BlockResult
) -> None:
    result.timings.extend([timing("cup/0/1/2"), timing("cup/0/1/0", late_answers=[0])])
    measured = [match.timing for match in played_matches(block, result)]
    assert measured == [None, None, PlayedTiming(3, 1_500_000_000, 900_000, (1, 2), (0, 4, 0))]
