"""Blocks by bots that the referee starts, as the ladder has them played: shards, in a worker of a pool."""

import asyncio
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from pathlib import Path
from typing import Self

from soak_organiser import Tally

from tradepit.v1 import block_pb2, referee_pb2
from tradepit_server.node import SHARD_BLOCKS, run_shard
from tradepit_server.referee.time_control import parse

_BOT = str(Path(__file__).with_name("idle_bot.py"))


class Worker:
    """A worker of a pool, which lives as long as the soak; its bots are started anew for every shard."""

    def __init__(self, time_control: str) -> None:
        self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        self.pid = self._pool.submit(os.getpid).result()
        self._time_control = parse(time_control).to_message()
        self._numbers = count()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    async def play(self, blocks: int, tally: Tally) -> None:
        """So many blocks, a shard after the other."""
        loop = asyncio.get_running_loop()
        for begin in range(0, blocks, SHARD_BLOCKS):
            shard = referee_pb2.RunShardRequest(
                blocks=[self._block() for _ in range(min(SHARD_BLOCKS, blocks - begin))], deadline_seconds=600
            )
            response = await loop.run_in_executor(self._pool, run_shard, shard.SerializeToString())
            for result in referee_pb2.RunShardResponse.FromString(response).results:
                tally.add_whole(result)

    def _block(self) -> block_pb2.BlockSpecification:
        command = block_pb2.Command(arguments=[sys.executable, _BOT, str(SHARD_BLOCKS)])
        return block_pb2.BlockSpecification(
            block_id=f"hosted/{next(self._numbers)}",
            game="long-short",
            entrants=[block_pb2.Entrant(bot=name, command=command) for name in ("a", "b")],
            time_control=self._time_control,
        )
