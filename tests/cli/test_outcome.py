"""What came of a play, gathered bot by bot and put into words."""

import io

from rich.console import Console

from tradepit.v1 import block_pb2
from tradepit_cli import play_rendering
from tradepit_cli.export import file_name
from tradepit_cli.outcome import Outcome, failures, gather

COMPLETED = block_pb2.TERMINATION_COMPLETED
NO_SHOW = block_pb2.TERMINATION_FORFEITED_NO_SHOW


def block(
    *matches: tuple[list[str], list[int], list[int]],
    terminations: tuple[block_pb2.Termination.ValueType, ...] = (COMPLETED, COMPLETED),
    faults: tuple[block_pb2.Fault, ...] = (),
    decisions: tuple[block_pb2.FaultKind.ValueType, ...] = (block_pb2.FAULT_KIND_UNSPECIFIED,) * 2,
    processes: tuple[block_pb2.ProcessReport, ...] = (),
) -> block_pb2.BlockResult:
    """A complete block; each match gives bots by seat, scores and placements, and has one decision a seat."""
    return block_pb2.BlockResult(
        block_id="play-1/0",
        outcome=block_pb2.BLOCK_OUTCOME_COMPLETE,
        replays=[
            block_pb2.Replay(
                block_id="play-1/0",
                match_index=index,
                bots=bots,
                decisions=[block_pb2.ReplayDecision(seat=seat, fault=kind) for seat, kind in enumerate(decisions)],
                result=block_pb2.MatchResult(
                    scores=scores, placements=placements, terminations=terminations, faults=faults
                ),
            )
            for index, (bots, scores, placements) in enumerate(matches)
        ],
        processes=processes,
    )


def shown(outcome: Outcome) -> str:
    screen = io.StringIO()
    play_rendering.show(outcome, Console(file=screen, width=80, markup=False, highlight=False))
    return screen.getvalue()


def test_scores_follow_the_bot_through_the_seats() -> None:
    outcome = gather([block((["a", "b"], [10, 20], [2, 1]), (["b", "a"], [5, 5], [1, 1]))], ["a", "b"])
    a, b = outcome.bots
    assert (a.mean_score, a.mean_placement, a.wins) == (7.5, 1.5, 1)
    assert (b.mean_score, b.mean_placement, b.wins) == (12.5, 1, 2)
    assert list(failures(outcome)) == []


def test_a_fault_is_told_in_words_with_place_and_count() -> None:
    fault = block_pb2.Fault(
        seat=1, decision_index=4, kind=block_pb2.FAULT_KIND_ILLEGAL_ACTION, message="margin 6000 exceeds cash 400"
    )
    outcome = gather([block((["a", "b"], [1, 2], [2, 1]), (["b", "a"], [1, 2], [2, 1]), faults=(fault,))], ["a", "b"])
    lines = shown(outcome).splitlines()
    assert "b: broke the rules in block 0, match 0, decision 4: margin 6000 exceeds cash 400" in lines
    assert "a: broke the rules in block 0, match 1, decision 4: margin 6000 exceeds cash 400" in lines


def test_many_faults_of_a_kind_are_counted() -> None:
    fault = block_pb2.Fault(seat=0, kind=block_pb2.FAULT_KIND_TIMEOUT, message="no answer within 1 s")
    outcome = gather([block((["a", "b"], [1, 2], [2, 1]), faults=(fault,) * 3)], ["a", "b"])
    assert "a: did not answer in time 3 times, first in block 0, match 0: no answer within 1 s" in shown(outcome)


def test_a_crash_shows_how_the_process_ended_and_the_last_that_it_wrote() -> None:
    process = block_pb2.ProcessReport(entrant=1, exit_status=-9, last_output="working\n\x1b[2Jout of memory\n")
    text = shown(gather([block((["a", "b"], [1, 2], [2, 1]), processes=(process,))], ["a", "b"]))
    assert "b: its process was ended by SIGKILL" in text
    assert "    \\x1b[2Jout of memory\n" in text
    assert "a: its process" not in text


def test_a_bot_without_fault_keeps_its_output_to_itself() -> None:
    process = block_pb2.ProcessReport(entrant=0, last_output="a note to myself")
    assert "note" not in shown(gather([block((["a", "b"], [1, 2], [2, 1]), processes=(process,))], ["a", "b"]))


def test_a_bot_for_which_only_defaults_were_played_is_a_failure() -> None:
    decisions = (block_pb2.FAULT_KIND_UNSPECIFIED, block_pb2.FAULT_KIND_NO_SHOW)
    match = (["a", "b"], [1, 2], [2, 1])
    outcome = gather([block(match, terminations=(COMPLETED, NO_SHOW), decisions=decisions)], ["a", "b"])
    assert list(failures(outcome)) == ["b played no decision of its own"]
    assert "b: forfeited 1 match for not showing up" in shown(outcome)


def test_a_void_block_is_a_failure_with_its_reason() -> None:
    void = block_pb2.BlockResult(outcome=block_pb2.BLOCK_OUTCOME_VOID, reason="the worker died")
    outcome = gather([void], ["a", "b"])
    assert list(failures(outcome)) == ["block 0 does not count: the worker died"]
    assert shown(outcome) == ""


def test_names_of_bots_are_never_markup() -> None:
    text = shown(gather([block((["[red]a", "b"], [1, 2], [2, 1]))], ["[red]a", "b"]))
    assert "[red]a" in text


def test_tables_of_six_bots_with_long_names_stay_within_80_columns() -> None:
    bots = [f"a-bot-with-a-rather-long-name-{index}" for index in range(6)]
    outcome = gather([block((bots, [-123456] * 6, [1] * 6), terminations=(COMPLETED,) * 6)], bots)
    assert max(map(len, shown(outcome).splitlines())) <= 80


def test_replay_files_are_named_after_their_matches() -> None:
    replay = block_pb2.Replay(block_id="play-1f0c/3/1", match_index=2)
    assert file_name(replay, ".json") == "play-1f0c-block-0003-match-2.json"
