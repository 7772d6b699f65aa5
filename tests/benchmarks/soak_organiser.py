"""Has blocks played between the bots that are connected, so many at a time, and counts what comes of them."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import Any

import grpc
from grpc import aio

from tradepit.v1 import block_pb2, referee_pb2, referee_pb2_grpc
from tradepit_server.referee.time_control import parse

SEATS = 2
BUCKET_MS = 0.1
"""The overhead's first bucket holds what took no longer; each of the others, what took up to twice as long."""
LAST_BUCKET = 15
"""What took longer than the one before allows."""


class Tally:
    """What came of the blocks."""

    def __init__(self) -> None:
        self.begun = 0
        self.done = 0
        """Blocks that are complete."""
        self.lost: Counter[str] = Counter()
        """Blocks that are not, by reason."""
        self.charged: Counter[str] = Counter()
        """Faults of bots, all of which are honest."""
        self.retried = 0
        """Blocks that did not begin, because a bot had just gone."""
        self.matches = 0
        self.decisions = 0
        self.late_answers = 0
        self.overhead: Counter[int] = Counter()
        """By bucket."""

    def add(self, result: block_pb2.BlockResult) -> None:
        """A block ended, complete or void."""
        if result.outcome != block_pb2.BLOCK_OUTCOME_COMPLETE:
            self.lost[result.reason] += 1
            return
        self.done += 1
        for timing in result.timings:
            self.overhead.update(dict(enumerate(timing.overhead_buckets)))
            self.late_answers += sum(timing.late_answers)

    def add_whole(self, result: block_pb2.BlockResult) -> None:
        """A block ended, whose replays came with it."""
        for replay in result.replays:
            self.add_replay(replay)
        self.add(result)

    def add_replay(self, replay: block_pb2.Replay) -> None:
        """One of its matches."""
        self.matches += 1
        self.decisions += len(replay.decisions)
        self.charged.update(
            f"{block_pb2.FaultKind.Name(fault.kind)}: {fault.message}" for fault in replay.result.faults
        )

    def overhead_percentile(self, share: float) -> str:
        """Within which time that share of the requests left: the bound of their bucket."""
        total = seen = self.overhead.total()
        if not total:
            return "not known"
        bucket = LAST_BUCKET
        while bucket and seen - self.overhead[bucket] >= share * total:
            seen -= self.overhead[bucket]
            bucket -= 1
        longest = bucket == LAST_BUCKET
        return f"{'more than' if longest else 'at most'} {BUCKET_MS * 2 ** (bucket - longest):g} ms"


class Organiser:
    """Somebody with a token of an organiser."""

    def __init__(self, channel: aio.Channel, token: str, time_control: str, tally: Tally) -> None:
        self.tally = tally
        self._stub: Any = referee_pb2_grpc.RefereeServiceStub(channel)  # the stub's types know of no aio
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._time_control = parse(time_control).to_message()
        self._connected: dict[str, None] = {}
        self._numbers = count()

    async def follow_sessions(self) -> None:
        """Know who is there, until cancelled."""
        async for news in self._stub.WatchSessions(referee_pb2.WatchSessionsRequest(), metadata=self._metadata):
            for session in news.sessions:
                if session.connected:
                    self._connected[session.session_id] = None
                else:
                    self._connected.pop(session.session_id, None)

    async def await_bots(self, number: int) -> None:
        """Until so many are there at once."""
        while len(self._connected) < number:
            await asyncio.sleep(0.05)

    async def count_matches(self) -> int:
        """That are in play now."""
        matches = await self._stub.ListMatches(referee_pb2.ListMatchesRequest(), metadata=self._metadata)
        return len(matches.matches)

    async def play(self, wanted: Callable[[], bool]) -> None:
        """One block after the other, as long as they are *wanted*."""
        while wanted():
            self.tally.begun += 1
            try:
                await self._play_block(self._block())
            except aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.INVALID_ARGUMENT and "connected" in (error.details() or ""):
                    self.tally.begun -= 1
                    self.tally.retried += 1
                    await asyncio.sleep(0.05)
                else:
                    self.tally.lost[f"{error.code().name}: {error.details()}"] += 1
                    return

    async def _play_block(self, block: block_pb2.BlockSpecification) -> None:
        request = referee_pb2.RunBlockRequest(block=block)
        result = None
        async for message in self._stub.RunBlock(request, metadata=self._metadata):
            if message.HasField("replay"):
                self.tally.add_replay(message.replay)
            elif message.HasField("result"):
                result = message.result
        self.tally.add(result or block_pb2.BlockResult(reason="the call ended without a result"))

    def _block(self) -> block_pb2.BlockSpecification:
        bots = random.sample(list(self._connected), k=min(SEATS, len(self._connected)))
        entrants = [
            block_pb2.Entrant(bot=f"bot {index}", connected=block_pb2.Connected(session_id=session_id))
            for index, session_id in enumerate(bots)
        ]
        return block_pb2.BlockSpecification(
            block_id=f"soak/{next(self._numbers)}",
            game="long-short",
            entrants=entrants,
            time_control=self._time_control,
        )
