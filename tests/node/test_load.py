"""Much at once, and much one after the other."""

import gc
import os
import resource
import sys
from collections import Counter
from pathlib import Path
from time import monotonic

import library_bot
import pytest
import wire_bot

from tradepit.v1 import block_pb2
from tradepit_server.node import Node, run_blocks
from tradepit_server.referee.time_control import parse

IDLE_BOT = Path(__file__).parents[1] / "benchmarks" / "idle_bot.py"
MEBIBYTE = 2**20


def entrant(name: str, *arguments: object) -> block_pb2.Entrant:
    command = block_pb2.Command(arguments=[sys.executable, *map(str, arguments)])
    return block_pb2.Entrant(bot=name, command=command)


def crowded_block(index: int, in_flight: int) -> block_pb2.BlockSpecification:
    """Twice as many matches as are in flight, each between two honest bots, one that floods and one that is deaf."""
    return block_pb2.BlockSpecification(
        block_id=f"load/{index}",
        game="long-short",
        matches=2 * in_flight,
        entrants=[
            entrant("honest", IDLE_BOT, in_flight),
            entrant("honest#2", IDLE_BOT, in_flight),
            entrant("floods", wire_bot.__file__, "floods"),
            entrant("deaf", wire_bot.__file__, "deaf"),
        ],
        time_control=parse("decision=500ms,startup=30s").to_message(),
    )


def faults(result: block_pb2.BlockResult) -> Counter[tuple[str, str]]:
    """How often each bot committed each kind of fault."""
    return Counter(
        (replay.bots[fault.seat], block_pb2.FaultKind.Name(fault.kind).removeprefix("FAULT_KIND_"))
        for replay in result.replays
        for fault in replay.result.faults
    )


def resident() -> int:
    """This process's resident memory, in bytes."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def peak() -> int:
    """The most that was resident since ``forget_peak``, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024


def forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


@pytest.mark.parametrize("in_flight", [200])
def test_honest_bots_play_on_beside_one_that_floods_and_one_that_does_not_read(in_flight: int) -> None:
    """The referee's memory grows by less than 96 MiB at any time, and by less than 24 MiB from block to block."""
    forget_peak()
    before, after = resident(), []
    with Node() as node:
        for index in range(3):
            (result,) = node.run([crowded_block(index, in_flight)], deadline=60)
            assert (result.outcome, len(result.replays)) == (block_pb2.BLOCK_OUTCOME_COMPLETE, 2 * in_flight)
            assert {bot for bot, _ in faults(result)} == {"floods", "deaf"}
            del result
            after.append(resident())
    assert peak() - before < 96 * MEBIBYTE
    assert after[-1] - after[0] < 24 * MEBIBYTE


def shard(number: int, blocks: int) -> list[block_pb2.BlockSpecification]:
    """So many blocks at once between the same two bots, in one of them with a third that dies."""
    honest = [entrant("library", library_bot.__file__, "library"), entrant("honest", wire_bot.__file__, "honest")]
    dies = entrant("dies", wire_bot.__file__, "dies")
    return [
        block_pb2.BlockSpecification(
            block_id=f"load/{number}/{index}",
            game="toy",
            entrants=[*honest, dies] if index == 0 else honest,
            time_control=parse("decision=20s,startup=30s").to_message(),
        )
        for index in range(blocks)
    ]


def held(folder: Path) -> Counter[str]:
    """How many of everything this process has, and how many sockets and files are in *folder*."""
    tasks = list(Path("/proc/self/task").iterdir())
    return Counter(
        threads=len(tasks),
        children=sum(len(read(task / "children").split()) for task in tasks),
        descriptors=len(os.listdir("/proc/self/fd")),
        sockets=read(Path("/proc/net/unix")).count(str(folder)),
        files=len(list(folder.rglob("*"))),
    )


def read(path: Path) -> str:
    try:
        return path.read_text()
    except FileNotFoundError:  # a thread that has just ended
        return ""


@pytest.mark.parametrize("blocks", [300])
def test_many_blocks_leave_nothing_behind(blocks: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No child, descriptor, socket file or thread beyond what the first shard left, which comes once a process."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    at_first, before = held(tmp_path), Counter[str]()
    for number in range(blocks // 30):
        results = run_blocks(shard(number, 30))
        assert {result.outcome for result in results} == {block_pb2.BLOCK_OUTCOME_COMPLETE}
        before = before or held(tmp_path)
    patience = monotonic() + 10  # a thread that waited for a child may take a moment to end
    while held(tmp_path) - before and monotonic() < patience:
        pass
    assert held(tmp_path) - before == Counter()
    # Other tests in this process may have left a child of the language's own, as multiprocessing's tracker.
    left = before - at_first
    assert (left["children"], left["sockets"], left["files"]) == (0, 0, 0)
