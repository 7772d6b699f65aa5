"""Whatever becomes of workers, every block has a result, and a shard that is stuck or lost costs no other."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import fake_worker
import pytest
from fake_time import FakeTime

from tradepit.v1 import block_pb2, referee_pb2
from tradepit_ladder.deadlines import GRACE_SECONDS
from tradepit_ladder.pool import WorkerPool
from tradepit_ladder.timing import Timing
from tradepit_ladder.worker import Played, Worker

COMPLETE = block_pb2.BLOCK_OUTCOME_COMPLETE
VOID = block_pb2.BLOCK_OUTCOME_VOID
MANY_SECONDS = 60.0


def make_block(index: int, **clocks: float) -> block_pb2.BlockSpecification:
    control = block_pb2.TimeControl()
    for field, seconds in clocks.items():
        getattr(control, field).FromTimedelta(timedelta(seconds=seconds))
    entrants = [block_pb2.Entrant(bot=bot) for bot in ("ann", "bob")]
    return block_pb2.BlockSpecification(block_id=f"cup/{index}/1", entrants=entrants, time_control=control)


BLOCKS = [make_block(index) for index in range(3)]
TIMED = [make_block(index, startup=10, decision=1) for index in range(3)]
LIMIT = 60 + 10 + 4 * 200
"""The deadline of one of them, in seconds."""


class Held(fake_worker.Inline):
    """Keeps what it is given until the test says what comes of it."""

    def __init__(self, *, ends: bool = True) -> None:
        self.calls: list[Held.Call] = []
        self.requests: list[referee_pb2.RunShardRequest] = []
        self.ended = False
        self._ends = ends

    class Call(Future[Any]):
        def __init__(self, ends: bool) -> None:
            super().__init__()
            self._ends = ends

        def cancel(self) -> bool:
            return self._ends and super().cancel()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.calls.append(Held.Call(self._ends))
        self.requests.append(referee_pb2.RunShardRequest.FromString(args[0]))
        return self.calls[-1]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        assert cancel_futures
        self.ended = True

    def answer(self, index: int) -> None:
        request = self.requests[index].SerializeToString()
        self.calls[index].set_result(fake_worker.run_shard(request))


def worker_of(executor: Executor, time: FakeTime | None = None, places: int = 3) -> Worker:
    return Worker(fake_worker.run_shard, lambda: executor, places, (time or FakeTime()).timing)


def play(run_shard: Callable[[bytes], bytes]) -> Played:
    with Worker(run_shard, fake_worker.Inline, 1, FakeTime().timing) as worker:
        worker.begin(BLOCKS)
        (played,) = worker.wait(MANY_SECONDS)
        assert worker.playing == 0
        return played


def outcomes(results: Sequence[block_pb2.BlockResult]) -> list[tuple[str, int]]:
    return [(result.block_id, result.outcome) for result in results]


def answering(*results: block_pb2.BlockResult) -> Callable[[bytes], bytes]:
    return lambda _: referee_pb2.RunShardResponse(results=results).SerializeToString()


def told(played: Sequence[Played]) -> list[tuple[str, bool, bool]]:
    """Of each shard the first block, whether it was lost, and whether it is to blame."""
    return [(each.shard.blocks[0].block_id, each.lost, each.suspect) for each in played]


def test_results_come_in_the_order_asked_whatever_the_order_answered() -> None:
    played = play(answering(*map(fake_worker.fabricate, reversed(BLOCKS))))
    assert outcomes(played.results) == [(block.block_id, COMPLETE) for block in BLOCKS]
    assert not played.lost


def test_a_block_without_an_answer_is_void_and_one_that_nobody_asked_for_is_ignored() -> None:
    foreign = block_pb2.BlockSpecification(block_id="cup/9/1", entrants=BLOCKS[0].entrants)
    played = play(answering(*map(fake_worker.fabricate, (BLOCKS[1], foreign))))
    assert [result.outcome for result in played.results] == [VOID, COMPLETE, VOID]
    assert played.results[0].reason == "the worker returned no result"
    assert played.results[0].void_cause == block_pb2.VOID_CAUSE_INFRASTRUCTURE


def test_a_worker_that_raises_loses_its_shard_with_the_reason_on_one_line() -> None:
    def raising(_: bytes) -> bytes:
        raise OSError("no\nsocket")

    played = play(raising)
    assert (played.lost, played.suspect) == (True, True)
    assert {(result.reason, result.void_cause) for result in played.results} == {
        (
            "the process that played it failed: OSError: no socket; at the table: ann, bob",
            block_pb2.VOID_CAUSE_INFRASTRUCTURE,
        )
    }


def test_a_worker_that_was_told_to_leave_is_told_in_plain_words() -> None:
    def leaving(_: bytes) -> bytes:
        raise SystemExit(143)

    (reason,) = {result.reason for result in play(leaving).results}
    assert "ended from outside" in reason
    assert "143" not in reason


def test_an_answer_that_cannot_be_read_loses_its_shard() -> None:
    played = play(lambda _: b"\xff\xff")
    assert (played.lost, [result.outcome for result in played.results]) == (True, [VOID] * 3)


def test_ctrl_c_at_a_worker_goes_on_to_the_caller() -> None:
    def interrupted(_: bytes) -> bytes:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(interrupted)


def test_each_shard_is_returned_when_it_has_ended_whatever_the_others_do() -> None:
    executor = Held()
    with worker_of(executor) as worker:
        for block in BLOCKS:
            worker.begin([block])
        assert not worker.has_place()
        executor.answer(1)
        assert told(worker.wait(MANY_SECONDS)) == [("cup/1/1", False, False)]
        assert worker.has_place()
        executor.answer(0)
        executor.answer(2)
        assert told(worker.wait(MANY_SECONDS)) == [("cup/0/1", False, False), ("cup/2/1", False, False)]
        assert worker.playing == 0
    assert executor.ended


def test_it_waits_no_longer_than_it_is_told() -> None:
    time = FakeTime()
    with worker_of(Held(), time) as worker:
        worker.begin(BLOCKS)
        before = time.seconds
        assert worker.wait(5.0) == []
        assert time.seconds - before == 5.0


def test_a_shard_that_is_stuck_is_given_up_at_its_own_deadline_and_delays_no_other() -> None:
    time, executor = FakeTime(), Held()
    with worker_of(executor, time) as worker:
        begun = time.seconds
        worker.begin([TIMED[0]])
        time.seconds += 100
        worker.begin([TIMED[1]])
        (late,) = worker.wait(1e9)
        assert time.seconds == begun + LIMIT + GRACE_SECONDS
        assert executor.calls[0].cancelled()
        executor.answer(1)
        assert told([late, *worker.wait(MANY_SECONDS)]) == [("cup/0/1", True, True), ("cup/1/1", False, False)]
        assert late.results[0].reason.startswith("the process that played it gave no answer by its deadline")
    assert not executor.calls[1].cancelled()


def test_an_executor_that_cannot_end_a_call_is_replaced_and_what_else_it_played_is_not_to_blame() -> None:
    time, made = FakeTime(), [Held(ends=False), Held()]
    executors = iter(made)
    with Worker(fake_worker.run_shard, lambda: next(executors), 3, time.timing) as worker:
        worker.begin([TIMED[0]])
        worker.begin([BLOCKS[1]])
        time.seconds += LIMIT + GRACE_SECONDS
        assert told(worker.wait(0)) == [("cup/0/1", True, True), ("cup/1/1", True, False)]
        assert made[0].ended
        worker.begin([BLOCKS[1]])
        made[1].answer(0)
        assert told(worker.wait(0)) == [("cup/1/1", False, False)]


def test_a_broken_executor_loses_all_that_it_played_and_the_blame_is_open_unless_there_was_but_one() -> None:
    made = [Held(), Held()]
    executors = iter(made)
    with Worker(fake_worker.run_shard, lambda: next(executors), 3, FakeTime().timing) as worker:
        for block in BLOCKS:
            worker.begin([block])
        made[0].answer(0)
        made[0].calls[1].set_exception(BrokenProcessPool("it is broken"))
        assert told(worker.wait(0)) == [
            ("cup/0/1", False, False),
            ("cup/1/1", True, False),
            ("cup/2/1", True, False),
        ]
        assert made[0].ended
        worker.begin([BLOCKS[1]])
        made[1].calls[0].set_exception(BrokenProcessPool("it is broken"))
        assert told(worker.wait(0)) == [("cup/1/1", True, True)]


def test_an_executor_that_takes_nothing_is_replaced() -> None:
    class Broken(Held):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            raise BrokenProcessPool("it is broken")

    made: list[Executor] = [Broken(), fake_worker.Inline()]
    executors = iter(made)
    with Worker(fake_worker.run_shard, lambda: next(executors), 1, FakeTime().timing) as worker:
        worker.begin(BLOCKS)
        assert told(worker.wait(0)) == [("cup/0/1", True, True)]
        worker.begin(BLOCKS)
        assert told(worker.wait(0)) == [("cup/0/1", False, False)]


def test_beside_a_shard_that_is_to_be_alone_nothing_begins() -> None:
    executor = Held()
    with worker_of(executor) as worker:
        worker.begin([BLOCKS[0]])
        assert (worker.has_place(), worker.has_place(alone=True)) == (True, False)
        executor.answer(0)
        worker.wait(0)
        assert worker.has_place(alone=True)
        worker.begin([BLOCKS[1]], alone=True)
        assert not worker.has_place()


def test_the_worker_is_told_the_deadline() -> None:
    executor = Held()
    with worker_of(executor) as worker:
        worker.begin([TIMED[0]])
        worker.begin([BLOCKS[0]])
    assert [request.deadline_seconds for request in executor.requests] == [LIMIT, 0]


def test_a_process_that_dies_loses_its_shard_alone_and_a_new_one_plays_the_next(tmp_path: Path) -> None:
    run_shard = partial(fake_worker.die_once, str(tmp_path / "died"))
    with Worker(run_shard, partial(WorkerPool, 1), 1, Timing()) as worker:
        worker.begin(BLOCKS)
        (first,) = worker.wait(MANY_SECONDS)
        assert (first.lost, first.suspect) == (True, True)
        assert first.results[0].reason == (
            "the process that played it was ended from outside, or died for want of memory; at the table: ann, bob"
        )
        worker.begin(BLOCKS)
        (second,) = worker.wait(MANY_SECONDS)
        assert outcomes(second.results) == [(block.block_id, COMPLETE) for block in BLOCKS]
