"""Having blocks played by a worker, whatever becomes of it."""

from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from types import TracebackType
from typing import Self

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError

from tradepit.v1 import block_pb2, referee_pb2

RunShard = Callable[[bytes], bytes]
"""Plays the blocks of a serialised RunShardRequest and returns the serialised RunShardResponse. Must be picklable."""

DECISIONS = 200
"""More decisions than one seat takes in one match of any game here; only to set the worker's deadline."""

_GRACE_SECONDS = 60
"""What a worker may take beyond all clocks: to start bots, and to notice that its deadline has passed."""

_LONGEST_SECONDS = 7 * 24 * 3600
"""No deadline is further away than a week."""


class Worker:
    """Plays blocks through an executor, one shard at a time; a broken executor is replaced.

    A context manager: it begins with no executor, and has none when it ends.
    """

    def __init__(self, run_shard: RunShard, executor_factory: Callable[[], Executor]) -> None:
        self._run_shard = run_shard
        self._executor_factory = executor_factory
        self._executor: Executor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None

    def play(self, blocks: Sequence[block_pb2.BlockSpecification]) -> list[block_pb2.BlockResult]:
        """A result for each of *blocks*, in order; void ones, with the reason, for whatever the worker did not play.

        Raises KeyboardInterrupt when somebody wants to stop, here or at the worker.
        """
        deadline = deadline_seconds(blocks)
        request = referee_pb2.RunShardRequest(blocks=blocks, deadline_seconds=deadline or 0)
        try:
            answer = self._answer(request.SerializeToString(), deadline)
            results = referee_pb2.RunShardResponse.FromString(answer).results
        except DecodeError:
            return [_void(block, "the process that played it gave an answer that cannot be read") for block in blocks]
        except _WorkerFailed as failure:
            return [_void(block, f"{failure}; at the table: {_bots(block)}") for block in blocks]
        by_id = {result.block_id: result for result in results}
        return [by_id.get(block.block_id) or _void(block, "the worker returned no result") for block in blocks]

    def _answer(self, request: bytes, deadline: int | None) -> bytes:
        if self._executor is None:
            self._executor = self._executor_factory()
        try:
            future = self._executor.submit(self._run_shard, request)
            error = future.exception(None if deadline is None else deadline + _GRACE_SECONDS)
        except (CancelledError, TimeoutError, RuntimeError) as failure:  # RuntimeError: broken, or shutting down
            error = failure
        if error is None:
            return future.result()
        if isinstance(error, KeyboardInterrupt):
            raise error
        self._replace()
        raise _WorkerFailed(_failure(error, deadline))

    def _replace(self) -> None:
        # Whatever failed, a fresh process is the state of which we know most.
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None


class _WorkerFailed(Exception):
    """The worker answered nothing; the message says why."""


def deadline_seconds(blocks: Sequence[block_pb2.BlockSpecification]) -> int | None:
    """Longer than *blocks* can take, one after another, if every clock is used up; None if a clock has no limit."""
    total = 0.0
    for block in blocks:
        seat = _seat_seconds(block.time_control)
        if seat is None or not block.time_control.HasField("startup"):
            return None
        seats = len(block.entrants)
        total += _seconds(block.time_control.startup) + seats * seats * seat
    return min(_GRACE_SECONDS + int(total), _LONGEST_SECONDS)


def _seat_seconds(control: block_pb2.TimeControl) -> float | None:
    """The most that one seat can take for a match."""
    limits = []
    if control.HasField("bank"):
        limits.append(_seconds(control.bank) + DECISIONS * _seconds(control.increment))
    if control.HasField("decision"):
        limits.append(DECISIONS * _seconds(control.decision))
    return min(limits, default=None)


def _seconds(duration: Duration) -> float:
    return duration.seconds + duration.nanos / 1e9


def _void(block: block_pb2.BlockSpecification, reason: str) -> block_pb2.BlockResult:
    return block_pb2.BlockResult(block_id=block.block_id, outcome=block_pb2.BLOCK_OUTCOME_VOID, reason=reason)


def _bots(block: block_pb2.BlockSpecification) -> str:
    return ", ".join(entrant.bot for entrant in block.entrants)


def _failure(error: BaseException, deadline: int | None) -> str:
    """What became of the worker, in words: how it is built means nothing to whoever reads them."""
    if isinstance(error, TimeoutError):
        return f"the process that played it gave no answer within {(deadline or 0) + _GRACE_SECONDS} s"
    if isinstance(error, BrokenExecutor | CancelledError | SystemExit):
        return "the process that played it was ended from outside, or died for want of memory"
    return f"the process that played it failed: {_sentence(error)}"


def _sentence(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
