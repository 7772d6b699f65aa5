"""Stands in for the node: fabricates results from block ids, well and badly."""

import hashlib
import os
import signal
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import ParamSpec, TypeVar

from tradepit.v1 import block_pb2, referee_pb2

P = ParamSpec("P")
T = TypeVar("T")


def fabricate(block: block_pb2.BlockSpecification) -> block_pb2.BlockResult:
    """A complete result that follows from bots, tournament and index of *block*, now and then with ties and faults."""
    bots = [entrant.bot for entrant in block.entrants]
    replays = [_replay(block.block_id, index, bots) for index in range(len(bots))]
    return block_pb2.BlockResult(block_id=block.block_id, outcome=block_pb2.BLOCK_OUTCOME_COMPLETE, replays=replays)


def _replay(block_id: str, index: int, bots: list[str]) -> block_pb2.Replay:
    seated = [bots[(seat - index) % len(bots)] for seat in range(len(bots))]
    chance = ["/".join([*block_id.split("/")[:2], str(index), bot]) for bot in seated]
    scores = [hashlib.sha256(text.encode()).digest()[0] % 5 for text in chance]
    result = block_pb2.MatchResult(
        scores=scores,
        placements=[1 + sum(other > score for other in scores) for score in scores],
        terminations=[block_pb2.TERMINATION_COMPLETED] * len(bots),
        faults=[block_pb2.Fault(seat=seat) for seat, score in enumerate(scores) if score == 0],
    )
    return block_pb2.Replay(
        match_id=f"{block_id}/{index}", block_id=block_id, match_index=index, bots=seated, result=result
    )


def void(
    block: block_pb2.BlockSpecification,
    reason: str = "the roof fell in",
    cause: block_pb2.VoidCause.ValueType = block_pb2.VOID_CAUSE_INFRASTRUCTURE,
) -> block_pb2.BlockResult:
    outcome = block_pb2.BLOCK_OUTCOME_VOID
    return block_pb2.BlockResult(block_id=block.block_id, outcome=outcome, reason=reason, void_cause=cause)


def shard_of(play: Callable[[block_pb2.BlockSpecification], block_pb2.BlockResult]) -> Callable[[bytes], bytes]:
    """A run_shard that plays block by block."""

    def run(request: bytes) -> bytes:
        blocks = referee_pb2.RunShardRequest.FromString(request).blocks
        return referee_pb2.RunShardResponse(results=[play(block) for block in blocks]).SerializeToString()

    return run


def run_shard(request: bytes) -> bytes:
    """A well-behaved worker, for real processes too."""
    return shard_of(fabricate)(request)


def die_once(marker: str, request: bytes) -> bytes:
    """The process dies without a word, the first time."""
    if not Path(marker).exists():
        Path(marker).touch()
        os._exit(3)
    return run_shard(request)


def hang(started: str, request: bytes) -> bytes:
    """Says that it has started, then waits to be ended."""
    Path(started).write_bytes(b"")
    while True:
        signal.pause()


def interrupt_parent(_: bytes) -> bytes:
    """As if the user pressed Ctrl-C while the worker is busy."""
    os.kill(os.getppid(), signal.SIGINT)
    while True:
        signal.pause()


class Inline(Executor):
    """Runs what it is given at once, in this process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        pass
