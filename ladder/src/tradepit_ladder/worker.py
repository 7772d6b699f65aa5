"""Having shards of blocks played by workers, several at once, whatever becomes of them."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from google.protobuf.message import DecodeError

from tradepit.v1 import block_pb2, referee_pb2
from tradepit_ladder.deadlines import GRACE_SECONDS, deadline_seconds
from tradepit_ladder.pool import ProcessDied
from tradepit_ladder.timing import Timing

RunShard = Callable[[bytes], bytes]
"""Plays the blocks of a serialised RunShardRequest and returns the serialised RunShardResponse. Must be picklable."""


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """Blocks that are being played together."""

    blocks: tuple[block_pb2.BlockSpecification, ...]
    alone: bool
    """Nothing else is played meanwhile."""
    deadline: float | None
    """When it is given up, by the clock; None: never, since its clocks have no limit."""


@dataclass(frozen=True, slots=True)
class Played:
    """A shard that has ended."""

    shard: Shard
    results: tuple[block_pb2.BlockResult, ...]
    """One for each block, in order; void ones, with the reason, for whatever was not played."""
    lost: bool
    """Its worker gave no answer, so that nobody knows which of the blocks is to blame, if any."""
    suspect: bool
    """It was lost, and nothing else can have brought its worker down."""


class Worker:
    """Plays as many shards at once as there are *places*, through one executor; a broken one is replaced.

    A context manager: it begins with no executor, and has none when it ends.
    """

    def __init__(
        self, run_shard: RunShard, executor_factory: Callable[[], Executor], places: int, timing: Timing
    ) -> None:
        self._run_shard = run_shard
        self._executor_factory = executor_factory
        self._places = places
        self._timing = timing
        self._executor: Executor | None = None
        self._calls: dict[Shard, Future[bytes]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._calls.clear()
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None

    @property
    def playing(self) -> int:
        """How many shards have begun and not ended."""
        return len(self._calls)

    def has_place(self, *, alone: bool = False) -> bool:
        """Whether another shard may begin; *alone*: one beside which nothing else is to be played."""
        if any(shard.alone for shard in self._calls):
            return False
        return len(self._calls) < (1 if alone else self._places)

    def begin(self, blocks: Sequence[block_pb2.BlockSpecification], *, alone: bool = False) -> Shard:
        """Have *blocks* played."""
        limit = deadline_seconds(blocks)
        deadline = None if limit is None else self._timing.clock() + limit + GRACE_SECONDS
        shard = Shard(tuple(blocks), alone, deadline)
        request = referee_pb2.RunShardRequest(blocks=blocks, deadline_seconds=limit or 0)
        self._calls[shard] = self._submit(request.SerializeToString())
        return shard

    def _submit(self, request: bytes) -> Future[bytes]:
        if self._executor is None:
            self._executor = self._executor_factory()
        try:
            return self._executor.submit(self._run_shard, request)
        except (RuntimeError, OSError) as error:  # RuntimeError: broken, or shutting down
            failed: Future[bytes] = Future()
            failed.set_exception(error if isinstance(error, OSError) else BrokenExecutor(str(error)))
            return failed

    def wait(self, seconds: float) -> list[Played]:
        """The shards that have ended; if none has, wait for one, but at most so many *seconds*.

        Raises KeyboardInterrupt when somebody wants to stop, here or at a worker.
        """
        now = self._timing.clock()
        deadlines = [shard.deadline - now for shard in self._calls if shard.deadline is not None]
        self._timing.wait(self._calls.values(), max(0.0, min([seconds, *deadlines])))
        return [*self._answered(), *self._broken(), *self._overdue()]

    def _answered(self) -> Iterator[Played]:
        """Those whose worker has answered, or failed by itself."""
        for shard, call in list(self._calls.items()):
            if not call.done() or _is_broken(call):
                continue
            error = call.exception()
            if isinstance(error, KeyboardInterrupt):
                raise error
            del self._calls[shard]
            yield _read(shard, call.result()) if error is None else _lost(shard, _failure(error), suspect=True)

    def _broken(self) -> Iterator[Played]:
        """All of them, if the executor has broken: then what they did is lost, whoever broke it."""
        if any(call.done() and _is_broken(call) for call in self._calls.values()):
            yield from self._abandon(_failure(BrokenExecutor()), suspect=len(self._calls) == 1)

    def _overdue(self) -> Iterator[Played]:
        """Those whose deadline has passed. Their worker is ended, and if that cannot be done, all of them."""
        now = self._timing.clock()
        late = [shard for shard in self._calls if shard.deadline is not None and shard.deadline <= now]
        ended = [self._calls.pop(shard).cancel() for shard in late]
        for shard in late:
            yield _lost(shard, "the process that played it gave no answer by its deadline", suspect=True)
        if not all(ended):
            yield from self._abandon("its worker was ended with another one, which did not answer", suspect=False)

    def _abandon(self, reason: str, *, suspect: bool) -> Iterator[Played]:
        """Replace the executor, and lose what it plays."""
        lost, self._calls = list(self._calls), {}
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None
        for shard in lost:
            yield _lost(shard, reason, suspect=suspect)


def _is_broken(call: Future[bytes]) -> bool:
    return call.cancelled() or isinstance(call.exception(), BrokenExecutor | CancelledError)


def _read(shard: Shard, answer: bytes) -> Played:
    try:
        results = referee_pb2.RunShardResponse.FromString(answer).results
    except DecodeError:
        return _lost(shard, "the process that played it gave an answer that cannot be read", suspect=True)
    by_id = {result.block_id: result for result in results}
    played = (by_id.get(block.block_id) or _void(block, "the worker returned no result") for block in shard.blocks)
    return Played(shard, tuple(played), lost=False, suspect=False)


def _lost(shard: Shard, reason: str, *, suspect: bool) -> Played:
    results = tuple(_void(block, f"{reason}; at the table: {_bots(block)}") for block in shard.blocks)
    return Played(shard, results, lost=True, suspect=suspect)


def _void(block: block_pb2.BlockSpecification, reason: str) -> block_pb2.BlockResult:
    return block_pb2.BlockResult(
        block_id=block.block_id,
        outcome=block_pb2.BLOCK_OUTCOME_VOID,
        reason=reason,
        void_cause=block_pb2.VOID_CAUSE_INFRASTRUCTURE,
    )


def _bots(block: block_pb2.BlockSpecification) -> str:
    return ", ".join(entrant.bot for entrant in block.entrants)


def _failure(error: BaseException) -> str:
    """What became of the worker, in words: how it is built means nothing to whoever reads them."""
    if isinstance(error, ProcessDied | BrokenExecutor | SystemExit):
        return "the process that played it was ended from outside, or died for want of memory"
    return f"the process that played it failed: {_sentence(error)}"


def _sentence(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
