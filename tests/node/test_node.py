"""Blocks between real processes over a real socket, played by run_blocks."""

import asyncio
import errno
import gc
import json
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import toy_game

from tradepit.v1 import block_pb2
from tradepit_server.hosting.process import HostedProcess
from tradepit_server.node import Node, run_blocks
from tradepit_server.referee import Referee, SpecificationError
from tradepit_server.service import RefereeServer
from tradepit_server.service.driver import CoreFailure

Fault = block_pb2.FaultKind
COMPLETE, VOID = block_pb2.BLOCK_OUTCOME_COMPLETE, block_pb2.BLOCK_OUTCOME_VOID
COMPLETED = block_pb2.TERMINATION_COMPLETED
LOST = block_pb2.TERMINATION_FORFEITED_DISCONNECTED
NO_SHOW = block_pb2.TERMINATION_FORFEITED_NO_SHOW


def children() -> set[str]:
    """The process ids of our children, zombies included."""
    found: set[str] = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError):  # a thread that has just ended
            found.update((task / "children").read_text().split())
    return found


@pytest.fixture(autouse=True)
def no_children_left() -> Iterator[None]:
    """Every test leaves no child behind, not even a zombie."""
    before = children()
    yield
    assert children() == before


def by_bot(result: block_pb2.BlockResult, index: int = 0) -> dict[str, tuple[int, int, list[int]]]:
    """Placement, termination and kinds of faults of each bot in a match."""
    replay = result.replays[index]
    return {
        bot: (
            replay.result.placements[seat],
            replay.result.terminations[seat],
            [fault.kind for fault in replay.result.faults if fault.seat == seat],
        )
        for seat, bot in enumerate(replay.bots)
    }


def statuses(result: block_pb2.BlockResult) -> list[int | None]:
    return [report.exit_status if report.HasField("exit_status") else None for report in result.processes]


def test_a_block_is_played_in_all_seatings_and_its_processes_leave_in_good_order(
    make_block: Any, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[tuple[str, int, int]] = []
    (result,) = run_blocks([make_block("honest", "honest#2")], lambda *news: told.append(news))
    assert (result.block_id, result.outcome, result.reason) == ("test/0", COMPLETE, "")
    assert [list(replay.bots) for replay in result.replays] == [["honest", "honest#2"], ["honest#2", "honest"]]
    assert told == [("test/0", 1, 2), ("test/0", 2, 2)]
    assert statuses(result) == [None, None]
    assert caplog.text == ""


def test_a_bot_that_never_connects_does_not_show_up(make_block: Any) -> None:
    (result,) = run_blocks([make_block("honest", "never-connects", time_control="startup=3s")])
    assert by_bot(result)["never-connects"] == (2, NO_SHOW, [Fault.FAULT_KIND_NO_SHOW])


@pytest.mark.parametrize(
    ("arguments", "complaint", "status"),
    [
        (["no-such-program"], "program 'no-such-program' is not found on the PATH", 127),
        ([sys.executable, "no-such-file.py"], "No such file or directory", 2),
        ([sys.executable, "-c", "raise SystemExit('wrong version')"], "wrong version", 1),
    ],
)
def test_a_program_that_does_not_get_going_is_not_waited_for(
    make_block: Any, arguments: list[str], complaint: str, status: int
) -> None:
    broken = block_pb2.Entrant(bot="broken", command=block_pb2.Command(arguments=arguments))
    blocks = [make_block("honest", broken, block_id=f"test/{n}", time_control="training") for n in range(2)]
    for result in run_blocks(blocks):
        assert by_bot(result)["broken"] == (2, LOST, [Fault.FAULT_KIND_CRASHED])
        assert complaint in result.replays[0].result.faults[0].message
        assert complaint in result.processes[1].last_output
        assert statuses(result) == [None, status]


def test_nobody_waits_for_a_match_that_it_is_not_in(make_block: Any) -> None:
    ended: list[str] = []
    slow = make_block("honest", "silent", block_id="slow", time_control="decision=4s,strikes=1,startup=30s")
    quick = make_block("honest", "honest#2", block_id="quick")
    run_blocks([slow, quick], lambda block_id, *_: ended.append(block_id))
    assert ended == ["quick", "quick", "slow", "slow"]


def test_one_process_plays_all_the_blocks_of_a_bot(make_block: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRADEPIT_DATABASE", "postgresql://user:password@host")
    monkeypatch.setenv("TRADEPIT_TOKEN", "the organiser's")
    results = run_blocks([make_block("confides", "confides#2", block_id=f"test/{n}") for n in range(3)])
    told = [[json.loads(report.last_output) for report in result.processes] for result in results]
    assert told[0] == told[1] == told[2]
    first, second = told[0]
    assert first["pid"] != second["pid"]
    assert first["TRADEPIT_TOKEN"] not in (second["TRADEPIT_TOKEN"], "the organiser's")
    assert first["TRADEPIT_REFEREE"] == second["TRADEPIT_REFEREE"]
    assert set(first) == {"pid", "TRADEPIT_TOKEN", "TRADEPIT_REFEREE"}, "nothing else of ours is a bot's to read"


def test_what_a_process_finds_wrong_after_the_last_match_is_reported(make_block: Any) -> None:
    (result,) = run_blocks([make_block("honest", "complains")])
    assert by_bot(result)["complains"][1] == COMPLETED
    assert statuses(result) == [None, 1]
    assert result.processes[1].last_output == "the cards were not what the seed says\n"


def test_a_process_that_does_not_leave_is_made_to(make_block: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HostedProcess.end, "__defaults__", (0.05, 0.05))
    (result,) = run_blocks([make_block("honest", "lingers")])
    assert result.outcome == COMPLETE
    assert statuses(result)[1] is None, "we ended it"


def test_a_node_that_is_closed_while_processes_leave_waits_for_them(
    make_block: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    leaving, end = threading.Event(), HostedProcess.end

    async def told(process: HostedProcess) -> None:
        leaving.set()
        await end(process, 0.05, 0.05)

    def play(node: Node) -> None:
        with suppress(CancelledError):
            node.run([make_block("honest", "lingers")])

    monkeypatch.setattr(HostedProcess, "end", told)
    with Node() as node:
        playing = threading.Thread(target=play, args=[node])
        playing.start()
        assert leaving.wait(60)
    playing.join()
    assert caplog.text == ""


def test_what_has_not_ended_at_the_deadline_is_void_and_the_rest_counts(make_block: Any) -> None:
    stuck = make_block("honest", "silent", block_id="stuck", time_control="training")
    (void, complete) = run_blocks([stuck, make_block("honest", "honest#2")], deadline=3)
    assert (void.outcome, void.reason) == (VOID, "infrastructure: not ended after 3 seconds")
    assert void.void_cause == block_pb2.VOID_CAUSE_INFRASTRUCTURE
    assert (void.block_id, len(void.replays), len(void.processes)) == ("stuck", 0, 2)
    assert complete.outcome == COMPLETE


def test_a_machine_that_has_no_room_voids_the_blocks(make_block: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object) -> HostedProcess:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(HostedProcess, "start", full)
    (result,) = run_blocks([make_block("honest", "honest#2")])
    assert result.outcome == VOID
    assert result.reason.startswith("infrastructure: no process could be started: ")
    assert result.void_cause == block_pb2.VOID_CAUSE_INFRASTRUCTURE


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"deal": block_pb2.DEAL_DUPLICATE}, "block 'test/0' asks for duplicate deals"),
        ({"game": "chess"}, "block 'test/0': no game 'chess' is installed"),
        ({"block_id": "twin"}, "block 'twin' is asked for 2 times"),
        ({"entrants": [block_pb2.Entrant(bot="ada")]}, "block 'test/0': entrant 'ada' has no command"),
        (
            {"entrants": [block_pb2.Entrant(bot="ada", command=block_pb2.Command(arguments=["a\0b"]))]},
            "block 'test/0': entrant 'ada' has a NUL in its command",
        ),
        (
            {"entrants": [block_pb2.Entrant(bot="ada", command=block_pb2.Command(arguments=["true"]))] * 2},
            "block 'test/0': bot 'ada' is entered 2 times; a block has each bot once",
        ),
    ],
)
def test_blocks_that_cannot_be_played_are_refused_before_anything_starts(
    make_block: Any, change: dict[str, Any], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(HostedProcess, "start")
    block = make_block("honest", "honest#2")
    if "entrants" in change:
        del block.entrants[:]
    block.MergeFrom(block_pb2.BlockSpecification(**change))
    blocks = [block, block] if change == {"block_id": "twin"} else [make_block("honest", "silent", block_id="x"), block]
    with pytest.raises(SpecificationError) as caught:
        run_blocks(blocks)
    assert str(caught.value).startswith(complaint)


def test_whatever_stops_the_caller_stops_the_blocks(make_block: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HostedProcess.end, "__defaults__", (0.05, 0.05))

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_blocks([make_block("honest", "honest#2"), make_block("silent", "lingers", block_id="y")], interrupted)


def test_a_node_that_is_told_to_stop_begins_nothing_more(make_block: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is being started while its loop is closed would never be over."""
    refused: list[BaseException] = []
    stop = RefereeServer.stop

    def ask() -> None:
        with pytest.raises(CancelledError) as caught:
            node.run([make_block("honest", "honest#2")])
        refused.append(caught.value)

    async def ask_and_stop(self: RefereeServer, grace_seconds: float | None) -> None:
        await asyncio.to_thread(ask)
        await stop(self, grace_seconds)

    monkeypatch.setattr(RefereeServer, "stop", ask_and_stop)
    with Node() as node:
        pass
    assert len(refused) == 1


def test_a_bug_of_ours_reaches_the_caller(
    make_block: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug of ours")

    monkeypatch.setattr(toy_game.ToyState, "apply", broken)
    with pytest.raises(CoreFailure, match="a bug of ours"):
        run_blocks([make_block("honest", "honest#2")])
    assert "Traceback" in caplog.text


def test_nothing_is_left_behind(make_block: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def left() -> set[str]:
        threads = {thread.name for thread in threading.enumerate() if not thread.name.startswith("waitpid-")}
        return threads | set(os.listdir("/proc/self/fd"))

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    gc.collect()  # what earlier tests have left; its threads may take a moment longer
    before = left()
    gc.disable()  # nothing may depend on when it runs
    try:
        for _ in range(3):
            run_blocks([make_block("honest", "dies")])
        assert left() - before == set()
    finally:
        gc.enable()
    assert list(tmp_path.iterdir()) == []


def test_a_long_temporary_folder_makes_no_socket_path_too_long(
    make_block: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    long = tmp_path / ("long" * 25)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    assert run_blocks([make_block("honest", "honest#2")])[0].outcome == COMPLETE


def test_only_we_may_enter_the_folder_of_the_socket(make_block: Any) -> None:
    modes: list[int] = []

    def look(*_: object) -> None:
        folders = Path("/proc/net/unix").read_text().split()
        own = [Path(path).parent for path in folders if "/tradepit-" in path]
        modes.extend(folder.stat().st_mode & 0o777 for folder in own if folder.exists())

    run_blocks([make_block("honest", "honest#2")], look)
    assert set(modes) == {0o700}


def test_the_core_is_told_once_of_each_end(make_block: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    real = Referee.process_ended

    def note(self: Referee, session_id: str, detail: str, now: int) -> None:
        told.append(detail)
        real(self, session_id, detail, now)

    monkeypatch.setattr(Referee, "process_ended", note)
    run_blocks([make_block("honest", "exits", block_id=f"test/{n}") for n in range(2)])
    assert told == ["exit status 3: ZeroDivisionError: division by zero"]
