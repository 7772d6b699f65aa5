"""Whatever becomes of a worker, every block has a result."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import fake_worker
import pytest

from tradepit.v1 import block_pb2, referee_pb2
from tradepit_ladder.pool import WorkerPool
from tradepit_ladder.worker import Worker, deadline_seconds

COMPLETE = block_pb2.BLOCK_OUTCOME_COMPLETE
VOID = block_pb2.BLOCK_OUTCOME_VOID
BLOCKS = [
    block_pb2.BlockSpecification(
        block_id=f"cup/{index}/1", entrants=[block_pb2.Entrant(bot=bot) for bot in ("ann", "bob")]
    )
    for index in range(3)
]


def play(run_shard: Callable[[bytes], bytes]) -> Sequence[block_pb2.BlockResult]:
    with Worker(run_shard, fake_worker.Inline) as worker:
        return worker.play(BLOCKS)


def outcomes(results: Sequence[block_pb2.BlockResult]) -> list[tuple[str, int]]:
    return [(result.block_id, result.outcome) for result in results]


def answering(*results: block_pb2.BlockResult) -> Callable[[bytes], bytes]:
    return lambda _: referee_pb2.RunShardResponse(results=results).SerializeToString()


def test_results_come_in_the_order_asked_whatever_the_order_answered() -> None:
    results = play(answering(*map(fake_worker.fabricate, reversed(BLOCKS))))
    assert outcomes(results) == [(block.block_id, COMPLETE) for block in BLOCKS]


def test_a_block_without_an_answer_is_void_and_one_that_nobody_asked_for_is_ignored() -> None:
    foreign = block_pb2.BlockSpecification(block_id="cup/9/1", entrants=BLOCKS[0].entrants)
    results = play(answering(*map(fake_worker.fabricate, (BLOCKS[1], foreign))))
    assert [result.outcome for result in results] == [VOID, COMPLETE, VOID]
    assert results[0].reason == "the worker returned no result"


def test_a_worker_that_raises_voids_its_shard_with_the_reason_on_one_line() -> None:
    def raising(_: bytes) -> bytes:
        raise OSError("no\nsocket")

    assert {result.reason for result in play(raising)} == {
        "the process that played it failed: OSError: no socket; at the table: ann, bob"
    }


def test_a_worker_that_was_told_to_leave_is_told_in_plain_words() -> None:
    def leaving(_: bytes) -> bytes:
        raise SystemExit(143)

    (reason,) = {result.reason for result in play(leaving)}
    assert "ended from outside" in reason
    assert "143" not in reason


def test_an_answer_that_cannot_be_read_voids_its_shard() -> None:
    assert [result.outcome for result in play(lambda _: b"\xff\xff")] == [VOID] * 3


def test_an_executor_that_fails_is_shut_down_and_replaced() -> None:
    made: list[Executor] = []
    ended: list[Executor] = []

    class Once(fake_worker.Inline):
        def __init__(self) -> None:
            made.append(self)

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            if len(made) == 1:
                raise BrokenProcessPool("it is broken")
            return super().submit(fn, *args, **kwargs)

        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            assert cancel_futures
            ended.append(self)

    with Worker(fake_worker.run_shard, Once) as worker:
        assert [result.outcome for result in worker.play(BLOCKS)] == [VOID] * 3
        assert [result.outcome for result in worker.play(BLOCKS)] == [COMPLETE] * 3
        assert (len(made), ended) == (2, made[:1])
    assert (len(made), ended) == (2, made)


@pytest.mark.parametrize("error", [TimeoutError, KeyboardInterrupt, SystemExit])
def test_a_worker_without_an_answer_by_its_deadline_is_given_up_and_ctrl_c_goes_on_to_the_caller(
    error: type[BaseException],
) -> None:
    class Waiting(Future[bytes]):
        def exception(self, timeout: float | None = None) -> BaseException | None:
            raise error

    class Never(fake_worker.Inline):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            return Waiting()

    executor: Callable[[], Executor] = Never
    with Worker(fake_worker.run_shard, executor) as worker:
        if error is TimeoutError:
            assert [result.outcome for result in worker.play(BLOCKS)] == [VOID] * 3
        else:
            with pytest.raises(error):
                worker.play(BLOCKS)


def test_a_process_that_dies_voids_its_shard_and_a_new_one_plays_the_next(tmp_path: Path) -> None:
    with Worker(partial(fake_worker.die_once, str(tmp_path / "died")), WorkerPool) as worker:
        first = worker.play(BLOCKS)
        assert [result.outcome for result in first] == [VOID] * 3
        assert first[0].reason == (
            "the process that played it was ended from outside, or died for want of memory; at the table: ann, bob"
        )
        assert outcomes(worker.play(BLOCKS)) == [(block.block_id, COMPLETE) for block in BLOCKS]


def clocks(**seconds: float) -> block_pb2.BlockSpecification:
    control = block_pb2.TimeControl()
    for field, value in seconds.items():
        getattr(control, field).FromTimedelta(timedelta(seconds=value))
    return block_pb2.BlockSpecification(entrants=[block_pb2.Entrant()] * 3, time_control=control)


def test_the_deadline_allows_for_every_clock_one_after_another() -> None:
    block = clocks(startup=10, bank=60, increment=0.1, decision=2)
    assert deadline_seconds([block, block]) == 60 + 2 * (10 + 9 * (60 + 200 * 0.1))
    assert deadline_seconds([clocks(startup=10, decision=0.1)]) == 60 + 10 + 9 * 200 * 0.1
    assert deadline_seconds([clocks(startup=10, bank=1e9)]) == 7 * 24 * 3600


def test_without_limits_there_is_no_deadline() -> None:
    assert deadline_seconds([clocks()]) is None
    assert deadline_seconds([clocks(startup=10)]) is None
    assert deadline_seconds([clocks(decision=1)]) is None


def test_the_worker_is_told_the_deadline() -> None:
    told = []

    def listen(request: bytes) -> bytes:
        told.append(referee_pb2.RunShardRequest.FromString(request).deadline_seconds)
        return b""

    with Worker(listen, fake_worker.Inline) as worker:
        worker.play([clocks(startup=10, decision=1)])
        worker.play([clocks()])
    assert told == [60 + 10 + 9 * 200, 0]
