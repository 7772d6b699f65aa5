"""Strikes, clocks and forfeits, worked out again: as the referee did, and where the record contradicts itself."""

from collections.abc import Callable
from typing import Any

import pytest
from faulty_play import play_block, replay_of

from tradepit.v1 import block_pb2
from tradepit_server.replay import ReplayError
from tradepit_server.replay.verification import verify

TABLES = [("long-short", seats) for seats in range(2, 7)] + [("buy-low-sell-high", seats) for seats in range(2, 5)]

STRIKES = block_pb2.FAULT_KIND_BOT_ERROR
"""Faults up to this one are strikes; those beyond forfeit a seat at once."""


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_referees_forfeits_and_placements_are_borne_out(game: str, seats: int) -> None:
    """Two implementations, written apart, come to the same."""
    endings: set[int] = set()
    for number, trouble in enumerate((0.02, 0.1, 0.3, 0.6)):
        for replay in play_block(game, seats, number, trouble).replays:
            assert verify(replay) == []
            endings.update(replay.result.terminations)
    assert len(endings) >= 3


@pytest.fixture(params=TABLES, ids=lambda table: f"{table[0]} {table[1]}")
def forfeited(request: pytest.FixtureRequest) -> block_pb2.Replay:
    """A match with a seat that a third strike forfeited."""
    game, seats = request.param
    return next(
        replay
        for number in range(50)
        for replay in play_block(game, seats, number, 0.2).replays
        if struck_out(replay) is not None
    )


def struck_out(replay: block_pb2.Replay) -> int | None:
    """A seat that has three strikes, each on another decision."""
    seats = [fault.seat for fault in replay.result.faults if fault.kind <= STRIKES]
    return next((seat for seat in seats if seats.count(seat) == 3), None)


def refusal(replay: block_pb2.Replay) -> str:
    with pytest.raises(ReplayError) as caught:
        verify(replay)
    return str(caught.value)


def test_with_another_number_of_strikes_the_seat_would_not_have_forfeited(forfeited: block_pb2.Replay) -> None:
    forfeited.time_control.strikes = 4
    assert refusal(forfeited).startswith(("decision ", "result.placements", "result.terminations"))


def test_a_termination_that_the_faults_do_not_come_to_is_told(forfeited: block_pb2.Replay) -> None:
    seat = struck_out(forfeited)
    assert seat is not None
    forfeited.result.terminations[seat] = block_pb2.TERMINATION_COMPLETED
    assert refusal(forfeited).startswith(
        f"result.terminations: seat {seat} has completed; the match comes to forfeited"
    )


def test_a_forfeited_seat_is_last_whatever_it_owns(forfeited: block_pb2.Replay) -> None:
    seat = struck_out(forfeited)
    assert seat is not None
    forfeited.result.placements[seat] = 1
    assert refusal(forfeited).startswith(f"result.placements: seat {seat} has 1; the match comes to ")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda r: r.result.faults.pop(0), "and no fault of seat"),
        (lambda r: setattr(r.result.faults[0], "seat", 77), "result.faults[0] is of seat 77 and kind"),
        (lambda r: setattr(r.result.faults[0], "kind", 0), "and kind 0; there is no such"),
        (lambda r: r.result.faults[0].ClearField("decision_index"), "result.faults[0] "),
        (lambda r: r.result.faults.append(r.result.faults[0]), "is not where it belongs"),
        (lambda r: r.result.faults.insert(0, r.result.faults[0]), "result.faults[1] "),
    ],
)
def test_faults_that_contradict_the_decisions_are_told(change: Callable[[Any], Any], place: str) -> None:
    replay = next(r for n in range(50) for r in [replay_of("long-short", 3, n, 0.2)] if first_is_a_late_strike(r))
    change(replay)
    assert place in refusal(replay)


def first_is_a_late_strike(replay: block_pb2.Replay) -> bool:
    faults = replay.result.faults
    return len(faults) > 2 and faults[0].kind <= STRIKES and faults[0].decision_index > 2


def test_a_decision_of_a_forfeited_seats_own_is_told(forfeited: block_pb2.Replay) -> None:
    index, decision = max((i, d) for i, d in enumerate(forfeited.decisions) if d.seat == struck_out(forfeited))
    assert decision.fault
    decision.fault = block_pb2.FAULT_KIND_UNSPECIFIED
    words = refusal(forfeited)
    assert f"decision {index} is not marked as a default" in words or f"unlike decision {index}" in words


def test_a_decision_that_took_longer_than_its_clock_allowed_is_told() -> None:
    replay = replay_of("long-short", 2, trouble=0)
    replay.decisions[3].thought.FromMilliseconds(2001)
    assert refusal(replay) == "decision 3 took 2.001 s; its clock allowed 2 s"


def test_the_bank_is_kept_through_the_match() -> None:
    """What an early decision took is missing later."""
    kinds: set[int] = set()
    for number in range(10):
        for replay in play_block("long-short", 3, number, 0.2, clocks="bank=2s,increment=50ms").replays:
            assert verify(replay) == []
            kinds.update(fault.kind for fault in replay.result.faults)
    assert block_pb2.FAULT_KIND_TIMEOUT in kinds
    (replay, *_) = play_block("long-short", 2, 0, 0, clocks="bank=2s,increment=50ms").replays
    first = next(index for index, decision in enumerate(replay.decisions) if decision.seat == 0)
    replay.decisions[first].thought.FromMilliseconds(2050)
    assert "its clock allowed 0.05 s" in refusal(replay)
    replay.decisions[first].thought.FromMilliseconds(2051)
    assert refusal(replay) == f"decision {first} took 2.051 s; its clock allowed 2.05 s"


def test_a_timeout_has_used_what_was_allowed() -> None:
    replay, index = next(
        (replay, fault.decision_index)
        for number in range(50)
        for replay in [replay_of("long-short", 3, number, 0.2)]
        for fault in replay.result.faults
        if fault.kind == block_pb2.FAULT_KIND_TIMEOUT
    )
    replay.decisions[index].thought.FromMilliseconds(5)
    assert refusal(replay).startswith(f"decision {index} is marked timeout after 0.005 s; its clock allowed ")


def test_without_a_list_of_faults_the_decisions_tell_of_them() -> None:
    """Others' programs may write replays without: neither it nor the clocks are fixed names of the format."""
    replay = next(
        replay
        for number in range(50)
        for replay in play_block("long-short", 3, number, 0.2).replays
        if struck_out(replay) is not None and all(each.kind <= STRIKES for each in replay.result.faults)
    )
    del replay.result.faults[:]
    replay.ClearField("time_control")
    replay.ClearField("content_sha256")
    assert verify(replay) == ["content_sha256"]
