"""Blocks a second of a tournament whose bots play in its workers, which so have all the work: with two and with one."""

import sys
import tempfile
from functools import partial
from pathlib import Path
from time import perf_counter

import tradepit_bots
from tradepit import local
from tradepit.v1 import block_pb2, referee_pb2
from tradepit_ladder.application import Ladder
from tradepit_ladder.client import EntrantSpec, Progress, TournamentOrder
from tradepit_ladder.pool import WorkerPool
from tradepit_server.referee.time_control import parse

GAME = "long-short"
BOTS = ("greedy", "hand_reader", "passive", "random")
BLOCKS = 64
BEGUN = 16
"""When so many blocks have ended, all workers are at work."""


def two() -> float:
    """With two workers."""
    return _blocks_per_second(2)


def one() -> float:
    """With one worker."""
    return _blocks_per_second(1)


def run_shard(request: bytes) -> bytes:
    """As a node's, but the bots are in this process."""
    blocks = referee_pb2.RunShardRequest.FromString(request).blocks
    return referee_pb2.RunShardResponse(results=[_play(block) for block in blocks]).SerializeToString()


def _play(block: block_pb2.BlockSpecification) -> block_pb2.BlockResult:
    return local.play_block(block, [tradepit_bots.make(block.game, entrant.bot) for entrant in block.entrants])


def _blocks_per_second(workers: int) -> float:
    """From the end of the first few blocks to that of the last: without starting processes, but with all recording."""
    ends: list[tuple[int, float]] = []

    def progress(now: Progress) -> None:
        if now.blocks_finished >= BEGUN:
            ends.append((now.blocks_finished, perf_counter()))

    with (
        tempfile.TemporaryDirectory() as folder,
        Ladder(
            f"sqlite:///{folder}/ladder.db",
            run_shard,
            partial(WorkerPool, workers),
            replays=Path(folder),
            house_bots=BOTS,
            workers=workers,
        ) as ladder,
    ):
        ladder.run_tournament(_order(), progress)
    (first, begun), (last, ended) = ends[0], ends[-1]
    return (last - first) / (ended - begun)


def _order() -> TournamentOrder:
    return TournamentOrder(
        game=GAME,
        min_seats=2,
        max_seats=6,
        entrants=tuple(EntrantSpec(bot, (sys.executable,), "", house=True) for bot in BOTS),
        blocks=BLOCKS,
        table_size=len(BOTS),
        options={},
        time_control=parse("training").to_message(),
        deal=block_pb2.DEAL_INDEPENDENT,
        root_seed=bytes(32),
    )
