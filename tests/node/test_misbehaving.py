"""What becomes of bots that misbehave: each plays over the wire with two honest ones, which lose nothing by it."""

from collections.abc import Mapping
from time import monotonic
from typing import Any, NamedTuple

import pytest
import toy_game

from tradepit.chance import Chance
from tradepit.v1 import block_pb2
from tradepit_server.games.base import Edition, OptionValue, rank
from tradepit_server.node import run_blocks

COMPLETED = block_pb2.TERMINATION_COMPLETED
TIME = block_pb2.TERMINATION_FORFEITED_TIME
ILLEGAL = block_pb2.TERMINATION_FORFEITED_ILLEGAL
LOST = block_pb2.TERMINATION_FORFEITED_DISCONNECTED
NO_SHOW = block_pb2.TERMINATION_FORFEITED_NO_SHOW

HONEST = ("library", "library#2")

QUICK = "decision=800ms,strikes=1,startup=30s"

LIMIT = 0.8
"""Seconds for a decision."""

SLACK = 2.0
"""Seconds that a busy machine may add to a match of a dozen decisions."""


class Case(NamedTuple):
    """A bot, and what is to come of each of its matches."""

    behaviour: str
    faults: list[block_pb2.FaultKind.ValueType]
    termination: block_pb2.Termination.ValueType
    message: str = ""
    """Part of what the last fault says."""
    status: int | None = None
    """How the process ended; None: well, or by us."""
    timeouts: int = 0
    """How often a whole limit may pass."""
    control: str = QUICK


CASES = [
    Case("silent", [block_pb2.FAULT_KIND_TIMEOUT], TIME, "no answer within 0.8 s", timeouts=1),
    Case("slow", [], COMPLETED, timeouts=1),
    Case("late", [block_pb2.FAULT_KIND_TIMEOUT] * 2, TIME, timeouts=2, control="decision=800ms,strikes=2"),
    Case("illegal", [block_pb2.FAULT_KIND_ILLEGAL_ACTION], ILLEGAL, "a number is 0 to 9, not 99"),
    Case("garbage", [block_pb2.FAULT_KIND_MALFORMED], ILLEGAL, "11 bytes that are no frame: ffffff20676172"),
    Case("raises", [block_pb2.FAULT_KIND_BOT_ERROR], ILLEGAL, "the bot failed: ZeroDivisionError: "),
    Case("dies", [block_pb2.FAULT_KIND_CRASHED], LOST, "killed by SIGKILL: tell my mother", -9),
    Case("exits", [block_pb2.FAULT_KIND_CRASHED], LOST, "exit status 3: ZeroDivisionError: division by zero", 3),
    Case("hangs-up", [block_pb2.FAULT_KIND_DISCONNECTED], LOST, control=f"{QUICK},resume_window=50ms"),
    Case("twice", [], COMPLETED),
    Case("elsewhere", [block_pb2.FAULT_KIND_TIMEOUT], TIME, timeouts=1),
    Case("floods", [block_pb2.FAULT_KIND_TIMEOUT], TIME, timeouts=1),
    Case("deaf", [block_pb2.FAULT_KIND_TIMEOUT], TIME, timeouts=1),
    Case("refuses", [block_pb2.FAULT_KIND_NO_SHOW], NO_SHOW, "the bot refused the invitation: Refuses does not play"),
    Case("never-accepts", [block_pb2.FAULT_KIND_NO_SHOW], NO_SHOW, "did not accept", control="startup=5s"),
]


class Stopwatch:
    """From the beginning of the first match to the end of the last."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.0
        self._made: list[float] = []
        self._new = toy_game.ToyGame.new
        monkeypatch.setattr(toy_game.ToyGame, "new", self.new)

    def new(
        self, seats: int, options: Mapping[str, OptionValue], chance: Chance, edition: Edition | None = None
    ) -> toy_game.ToyState:
        """A state: the last three are those of the matches, made when all bots have answered the invitation."""
        self._made.append(monotonic())
        return self._new(toy_game.ToyGame(), seats, options, chance, edition)

    def ended(self, *_: object) -> None:
        """A match is over."""
        self.seconds = monotonic() - self._made[-3]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.behaviour)
def test_a_bot_that_misbehaves_is_named_and_harms_itself_alone(
    case: Case, make_block: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopwatch = Stopwatch(monkeypatch)
    block = make_block(HONEST[0], case.behaviour, HONEST[1], time_control=case.control)
    (result,) = run_blocks([block], stopwatch.ended, deadline=60)
    assert (result.outcome, result.reason) == (block_pb2.BLOCK_OUTCOME_COMPLETE, "")
    assert len(result.replays) == 3
    for replay in result.replays:
        check(replay, case)
    assert stopwatch.seconds < case.timeouts * LIMIT + SLACK
    statuses = [report.exit_status if report.HasField("exit_status") else None for report in result.processes]
    assert statuses == [None, case.status, None]


def check(replay: block_pb2.Replay, case: Case) -> None:
    """One match of the block is as the case says."""
    culprit = list(replay.bots).index(case.behaviour)
    assert [fault.kind for fault in replay.result.faults] == case.faults
    assert {fault.seat for fault in replay.result.faults} <= {culprit}
    assert all(case.message in fault.message for fault in replay.result.faults)
    terminations = [case.termination if seat == culprit else COMPLETED for seat in range(3)]
    assert list(replay.result.terminations) == terminations
    assert list(replay.result.placements) == placements(list(replay.result.scores), terminations)
    assert [replay.result.scores[seat] >= 21 for seat in range(3) if seat != culprit] == [True, True]


def placements(scores: list[int], terminations: list[block_pb2.Termination.ValueType]) -> list[int]:
    """By score, and who forfeited is last."""
    return rank([score if how == COMPLETED else -1 for score, how in zip(scores, terminations, strict=True)])


def test_of_two_answers_the_first_counts(make_block: Any) -> None:
    (result,) = run_blocks([make_block("library", "twice")])
    for replay in result.replays:
        assert all(21 <= score <= 21 + 5 for score in replay.result.scores)
