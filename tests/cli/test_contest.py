"""How the end of a tournament is told."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import pytest

from tradepit.v1 import block_pb2
from tradepit_cli import contest
from tradepit_cli.errors import CommandError, Stopped
from tradepit_ladder.client import (
    BotFaults,
    LadderClient,
    LateAnswers,
    Leaderboard,
    Overhead,
    Progress,
    RecordError,
    TournamentOrder,
    TournamentReport,
    TournamentState,
    VoidBlock,
    Withdrawal,
)

ORDER = TournamentOrder(
    game="toy",
    min_seats=2,
    max_seats=2,
    entrants=(),
    blocks=2,
    table_size=2,
    options={},
    time_control=block_pb2.TimeControl(),
    deal=block_pb2.DEAL_INDEPENDENT,
)
REPORT = TournamentReport(
    tournament="cup",
    id="cup",
    reproducible=False,
    interrupted=False,
    state=TournamentState.OPEN,
    blocks=2,
    blocks_complete=2,
    blocks_open=0,
    blocks_played=2,
    void=(),
    ended_processes=(),
    faults=(),
    idle=(),
    withdrawals=(),
    blocks_withdrawn=0,
    overhead=None,
    late_answers=(),
    standings=Leaderboard("toy", (), (), 0, 0, 0, ()),
)


class Reporting:
    """A ladder that has a report and nothing else."""

    def __init__(self, report: TournamentReport) -> None:
        self._report = report

    def run_tournament(self, order: TournamentOrder, progress: Callable[[Progress], None]) -> TournamentReport:
        return self._report


def hold(report: TournamentReport, *, goes_on: bool = True) -> None:
    contest.hold(cast(LadderClient, Reporting(report)), ORDER, goes_on=goes_on)


def test_whoever_stops_a_tournament_hears_what_is_kept_and_how_it_goes_on() -> None:
    stopped = replace(REPORT, interrupted=True, blocks_complete=1, blocks_open=1)
    with pytest.raises(Stopped, match=r"^stopped; 1 complete block of 2 kept; to go on: .* resume cup$"):
        hold(stopped)
    with pytest.raises(Stopped, match=r"^stopped$"):
        hold(stopped, goes_on=False)


class Failing:
    """A ladder whose record fails once *begun*."""

    def __init__(self, begun: bool) -> None:
        self._begun = begun

    def run_tournament(self, order: TournamentOrder, progress: Callable[[Progress], None]) -> TournamentReport:
        if self._begun:
            progress(Progress("cup", 1, 2, 0))
        raise RecordError("the disk is full")


def test_when_the_record_fails_on_the_way_the_line_says_how_to_go_on() -> None:
    with pytest.raises(CommandError, match=r"^the disk is full; what is complete is kept; to go on: .* resume cup$"):
        contest.hold(cast(LadderClient, Failing(True)), ORDER)
    with pytest.raises(RecordError, match=r"^the disk is full$"):
        contest.hold(cast(LadderClient, Failing(False)), ORDER)


@pytest.mark.parametrize(
    ("complete", "said"), [(1, r"^1 block of 2 does not count$"), (0, r"^2 blocks of 2 do not count$")]
)
def test_blocks_that_do_not_count_are_counted(complete: int, said: str) -> None:
    void = (VoidBlock("cup/0", "the roof fell in"),)
    with pytest.raises(CommandError, match=said):
        hold(replace(REPORT, blocks_complete=complete, void=void))


def test_a_bot_that_only_played_defaults_is_named_with_the_reason_and_its_faults(
    capsys: pytest.CaptureFixture[str],
) -> None:
    faults = BotFaults("mine", "no_show", 3, "cup/0/1/0", 4, "no answer\x1b[31m")
    with pytest.raises(CommandError, match=r"^mine played no decision of its own: no answer"):
        hold(replace(REPORT, idle=("mine",), faults=(faults,)))
    told = capsys.readouterr().out
    assert "mine: did not take its seat 3 times, first in match cup/0/1/0, decision 4: no answer\\x1b[31m" in told


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (TournamentState.PAUSED, "paused; 1 complete block of 2 kept; to go on: tradepit tournament resume cup"),
        (TournamentState.CANCELLED, "cancelled; 1 complete block of 2 kept"),
    ],
)
def test_what_an_organiser_did_elsewhere_is_why_it_ends(state: TournamentState, said: str) -> None:
    with pytest.raises(CommandError, match=f"^{said}$"):
        hold(replace(REPORT, state=state, blocks_complete=1, blocks_open=1))


def test_blocks_of_a_bot_that_was_withdrawn_are_no_failure_and_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    left, void = Withdrawal("mine", "it asked for it"), VoidBlock("cup/1", "mine was withdrawn: it asked for it")
    hold(replace(REPORT, blocks_complete=1, blocks_withdrawn=1, withdrawals=(left,), void=(void,)))
    told = capsys.readouterr().out
    assert "Tournament cup: 1 of 2 blocks complete, 1 void" in told
    assert "mine was withdrawn (it asked for it): what it had played counts" in told


def test_what_clocks_have_to_allow_for_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    overhead = Overhead(5000, 0.0012, 0.0064, 0.25)
    hold(replace(REPORT, overhead=overhead, late_answers=(LateAnswers("mine", 2),)))
    told = capsys.readouterr().out
    assert "1.2 ms on average, 99 of 100 at most 6.4 ms, at the longest 250.0 ms" in told
    assert "mine: 2 answers came too late" in told
