"""run_shard, alone and in the workers of a pool."""

import json
import multiprocessing
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import wire_bot

from tradepit.v1 import block_pb2, referee_pb2
from tradepit_server import node as module
from tradepit_server.node import run_shard
from tradepit_server.referee import SpecificationError

Script = Callable[[str], list[str]]


@pytest.fixture(autouse=True)
def close_own_node() -> Iterator[None]:
    """This process's own node does not outlive its test."""
    yield
    module._close_worker_node()


@pytest.fixture
def installed_toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The toy game is installed for other processes too, as anybody's game is: by an entry point."""
    package = tmp_path / "site" / "toy-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[tradepit.games]\ntoy = toy_game:PLUGIN\n")
    monkeypatch.syspath_prepend(str(package.parent))
    return package.parent


def request(*blocks: block_pb2.BlockSpecification, deadline: int = 0) -> bytes:
    return referee_pb2.RunShardRequest(blocks=blocks, deadline_seconds=deadline).SerializeToString()


def results(response: bytes) -> list[block_pb2.BlockResult]:
    return list(referee_pb2.RunShardResponse.FromString(response).results)


def confided(response: bytes) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(results(response)[0].processes[0].last_output)
    return told


def test_results_come_in_the_order_of_the_blocks(make_block: Any) -> None:
    blocks = [make_block("honest", "honest#2", block_id=block_id) for block_id in ("c", "a", "b")]
    assert [result.block_id for result in results(run_shard(request(*blocks)))] == ["c", "a", "b"]


VANDAL = """
import os, sys
sys.path[:0] = {path!r}
import wire_bot

class Vandal(wire_bot.WireBot):
    def accept(self, invitation):
        os.remove(os.environ["TRADEPIT_REFEREE"].removeprefix("unix:"))
        super().accept(invitation)

Vandal().run()
"""

SLOW_STARTER = """
import os, sys, threading
while os.path.exists(os.environ["TRADEPIT_REFEREE"].removeprefix("unix:")):
    threading.Event().wait(0.01)
sys.exit("there is no referee")
"""


def test_a_bot_that_removes_the_referees_socket_has_nobody_else_blamed(make_block: Any, tmp_path: Path) -> None:
    programs = {"vandal": VANDAL.format(path=[str(Path(wire_bot.__file__).parent)]), "slow": SLOW_STARTER}
    entrants = []
    for name, text in programs.items():
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        command = block_pb2.Command(arguments=[sys.executable, str(path)])
        entrants.append(block_pb2.Entrant(bot=name, command=command))
    (spoilt,) = results(run_shard(request(make_block(*entrants))))
    assert (spoilt.outcome, spoilt.void_cause) == (block_pb2.BLOCK_OUTCOME_VOID, block_pb2.VOID_CAUSE_INFRASTRUCTURE)
    assert spoilt.reason == "infrastructure: the referee's socket was removed, and bots could not reach it"
    assert [report.last_output.strip() for report in spoilt.processes] == ["", "there is no referee"]
    (next_one,) = results(run_shard(request(make_block("honest", "library"))))
    assert next_one.outcome == block_pb2.BLOCK_OUTCOME_COMPLETE, "the worker has made itself another"


def test_a_shard_has_a_deadline(make_block: Any) -> None:
    block = make_block("never-connects", "never-connects#2", time_control="training")
    (result,) = results(run_shard(request(block, deadline=1)))
    assert (result.outcome, result.reason) == (
        block_pb2.BLOCK_OUTCOME_VOID,
        "infrastructure: not ended after 1 seconds",
    )


def test_a_shard_has_at_most_32_blocks(make_block: Any) -> None:
    with pytest.raises(ValueError, match="a shard has at most 32 blocks, not 33"):
        run_shard(request(*[make_block("honest", "honest#2", block_id=str(n)) for n in range(33)]))


def test_the_referee_of_a_process_is_started_once_and_again_only_after_a_failure(
    make_block: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play() -> str:
        target: str = confided(run_shard(request(make_block("confides", "honest"))))["TRADEPIT_REFEREE"]
        return target

    first = play()
    assert play() == first
    with pytest.raises(SpecificationError):
        run_shard(request(make_block("honest")))
    assert play() == first
    with monkeypatch.context() as broken:
        broken.setattr("tradepit_server.referee.Referee.received", lambda *_: 1 / 0)
        with pytest.raises(RuntimeError, match="the referee failed"):
            run_shard(request(make_block("honest", "honest#2")))
    assert not Path(first.removeprefix("unix:")).exists()
    assert play() != first


@pytest.mark.usefixtures("installed_toy")
def test_a_worker_keeps_its_referee_and_leaves_nothing_when_its_pool_ends(make_block: Any) -> None:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        told = [confided(pool.submit(run_shard, request(make_block("confides", "honest"))).result()) for _ in range(2)]
        with pytest.raises(SpecificationError, match="toy is played by 2 to 4 bots, not 1"):
            pool.submit(run_shard, request(make_block("honest"))).result()
        folder = Path(told[0]["TRADEPIT_REFEREE"].removeprefix("unix:")).parent
        assert told[0]["TRADEPIT_REFEREE"] == told[1]["TRADEPIT_REFEREE"]
        assert told[0]["pid"] != told[1]["pid"], "a process is kept for a shard, not for ever"
        assert folder.exists()
    assert not folder.exists()


@pytest.mark.parametrize("obstacle", ["", "node._ORPHAN_SECONDS, node.Node.close = 0, lambda _: Event().wait()"])
def test_a_worker_and_its_bots_do_not_outlive_a_pool_that_was_killed(
    make_block: Any, installed_toy: Path, tmp_path: Path, script: Script, obstacle: str
) -> None:
    """Not even one that hangs."""
    os.mkfifo(tmp_path / "news")
    bot = f"""
import os, signal
worker = open(f"/proc/{{os.getppid()}}/stat").read().split()[3]  # the parent of its keeper
open({str(tmp_path / "news")!r}, "w").write(f"{{os.getpid()}} {{worker}}")
signal.pause()
"""
    command = block_pb2.Command(arguments=[sys.executable, "-c", bot])
    block = make_block(block_pb2.Entrant(bot="stuck", command=command), "honest", time_control="training")
    owner = f"""
import multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor
from threading import Event
from tradepit_server import node
{obstacle}
if __name__ == "__main__":
    sys.path[:0] = {[str(installed_toy), *sys.path]!r}
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        pool.submit(node.run_shard, {request(block)!r}).result()
"""
    with subprocess.Popen(script(owner), stderr=subprocess.DEVNULL) as process:
        ends = [os.pidfd_open(int(pid)) for pid in (tmp_path / "news").read_text().split()]
        process.kill()
        for end in ends:
            assert select.select([end], [], [], 30)[0], "readable when the process has ended"
            os.close(end)
