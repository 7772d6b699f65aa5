"""How the end of a tournament is told."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tradepit.v1 import block_pb2
from tradepit_cli import contest
from tradepit_cli.errors import CommandError, Stopped
from tradepit_ladder.client import (
    BotFaults,
    BotRecord,
    Leaderboard,
    Progress,
    TournamentOrder,
    TournamentReport,
    VoidBlock,
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
    blocks=2,
    blocks_complete=2,
    blocks_open=0,
    blocks_played=2,
    void=(),
    ended_processes=(),
    faults=(),
    idle=(),
    standings=Leaderboard("toy", (), (), 0, 0, 0, ()),
)


class Reporting:
    """A ladder that has a report and nothing else."""

    def __init__(self, report: TournamentReport) -> None:
        self._report = report

    def add_bot(self, *_: object) -> BotRecord:
        raise NotImplementedError

    set_bot = add_bot

    def bots(self) -> list[BotRecord]:
        return []

    def run_tournament(self, order: TournamentOrder, progress: Callable[[Progress], None]) -> TournamentReport:
        return self._report

    def leaderboard(self, game: str) -> Leaderboard:
        raise NotImplementedError


def test_whoever_stops_a_tournament_hears_what_is_kept_and_how_it_goes_on() -> None:
    stopped = replace(REPORT, interrupted=True, blocks_complete=1, blocks_open=1)
    with pytest.raises(Stopped, match=r"^stopped; 1 complete block of 2 kept, and the same command with --name cup"):
        contest.hold(Reporting(stopped), ORDER)
    with pytest.raises(Stopped, match=r"^stopped$"):
        contest.hold(Reporting(stopped), ORDER, goes_on=False)


@pytest.mark.parametrize(
    ("complete", "said"), [(1, r"^1 block of 2 does not count$"), (0, r"^2 blocks of 2 do not count$")]
)
def test_blocks_that_do_not_count_are_counted(complete: int, said: str) -> None:
    void = (VoidBlock("cup/0", "the roof fell in"),)
    with pytest.raises(CommandError, match=said):
        contest.hold(Reporting(replace(REPORT, blocks_complete=complete, void=void)), ORDER)


def test_a_bot_that_only_played_defaults_is_named_with_the_reason_and_its_faults(
    capsys: pytest.CaptureFixture[str],
) -> None:
    faults = BotFaults("mine", "no_show", 3, "cup/0/1/0", 4, "no answer\x1b[31m")
    with pytest.raises(CommandError, match=r"^mine played no decision of its own: no answer"):
        contest.hold(Reporting(replace(REPORT, idle=("mine",), faults=(faults,))), ORDER)
    told = capsys.readouterr().out
    assert "mine: did not take its seat 3 times, first in match cup/0/1/0, decision 4: no answer\\x1b[31m" in told
