"""An executor whose calls take until somebody has waited in vain; then a plan says which of them ends, and how."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import fake_worker
from fake_time import FakeTime

from tradepit.v1 import block_pb2, referee_pb2


class Call(Future[Any]):
    """A shard that is being played; it can be ended."""

    def __init__(self, run: Callable[[], bytes], request: bytes) -> None:
        super().__init__()
        self._run = run
        self.blocks = list(referee_pb2.RunShardRequest.FromString(request).blocks)

    def end(self) -> None:
        """It answers."""
        try:
            self.set_result(self._run())
        except BaseException as error:
            self.set_exception(error)

    @property
    def indices(self) -> list[int]:
        """Of its blocks in the tournament."""
        return [index_of(block) for block in self.blocks]


class Busy:
    """Makes such executors; all share their *calls*."""

    def __init__(self, plan: Callable[["Busy"], None] | None = None) -> None:
        """*plan* is called when all wait; by default the call that began last ends."""
        self.time = FakeTime(lambda: (plan or Busy.end_last)(self))
        self.begun: list[Call] = []
        self.most = 0
        """So many calls ran at the same time."""

    @property
    def running(self) -> list[Call]:
        return [call for call in self.begun if not call.done()]

    def end_last(self) -> None:
        if self.running:
            self.running[-1].end()

    def break_pool(self) -> None:
        """As a pool of Python's own breaks: every call that runs is lost."""
        for call in self.running:
            call.set_exception(BrokenProcessPool("a process died"))

    def executor(self) -> Executor:
        busy = self

        class Executing(fake_worker.Inline):
            def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
                busy.begun.append(Call(lambda: fn(*args, **kwargs), args[0]))
                busy.most = max(busy.most, len(busy.running))
                return busy.begun[-1]

            def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
                for call in busy.running:
                    call.cancel()

        return Executing()


def index_of(block: block_pb2.BlockSpecification) -> int:
    return int(block.block_id.split("/")[1])
