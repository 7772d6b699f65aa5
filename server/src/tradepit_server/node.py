"""A node: a referee with its launchers, in a thread of its own, and no database."""

import asyncio
import atexit
import multiprocessing
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from multiprocessing import connection
from queue import SimpleQueue
from secrets import token_bytes
from types import TracebackType
from typing import Self

from tradepit.v1 import block_pb2, referee_pb2
from tradepit_server.hosting.folder import private_folder
from tradepit_server.hosting.shard import Shard, is_reachable
from tradepit_server.referee import Referee, SpecificationError
from tradepit_server.service import RefereeServer, Tokens
from tradepit_server.service.driver import Progress

SHARD_BLOCKS = 32
"""The most blocks of a shard."""

_ORPHAN_SECONDS = 15.0
"""How long the worker of a pool whose owner is gone may take to end its bots and remove its socket."""


def run_shard(request: bytes) -> bytes:
    """Play the blocks of a serialised RunShardRequest on this process's own referee; a RunShardResponse.

    For the workers of a pool, which must be spawned: gRPC does not survive a fork. The referee is started with
    the first call and lives as long as the process. Raises SpecificationError, and CoreFailure for a bug of ours.
    """
    shard = referee_pb2.RunShardRequest.FromString(request)
    if len(shard.blocks) > SHARD_BLOCKS:
        raise ValueError(f"a shard has at most {SHARD_BLOCKS} blocks, not {len(shard.blocks)}")
    with _worker_node() as node:
        results = node.run(shard.blocks, deadline=shard.deadline_seconds or None)
    return referee_pb2.RunShardResponse(results=results).SerializeToString()


def run_blocks(
    blocks: Sequence[block_pb2.BlockSpecification],
    progress: Progress | None = None,
    deadline: float | None = None,
) -> list[block_pb2.BlockResult]:
    """Play *blocks* at the same time on a referee in this process, and return their results in the same order.

    *progress* is called in this thread. What has not ended after *deadline* seconds is void.
    Raises SpecificationError, and CoreFailure for a bug of ours.
    """
    with Node() as node:
        return node.run(blocks, progress, deadline)


class Node:
    """A referee on a private unix socket, its loop in a thread. A context manager; starts with the block."""

    def __init__(self) -> None:
        self._target = ""
        self._ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._serve, name="tradepit-node", daemon=True)
        self._loop: asyncio.AbstractEventLoop
        self._server: RefereeServer
        self._stopping: asyncio.Event
        self._shards: set[asyncio.Task[list[block_pb2.BlockResult]]] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            self._ready.result()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def run(
        self,
        blocks: Sequence[block_pb2.BlockSpecification],
        progress: Progress | None = None,
        deadline: float | None = None,
    ) -> list[block_pb2.BlockResult]:
        """As run_blocks, on this node. Raises CancelledError if it is being closed."""
        news: SimpleQueue[tuple[str, int, int] | None] = SimpleQueue()
        results = asyncio.run_coroutine_threadsafe(self._play(blocks, news, deadline), self._loop)
        results.add_done_callback(lambda _: news.put(None))
        while (item := news.get()) is not None:
            if progress is not None:
                progress(*item)
        return results.result()

    @property
    def reachable(self) -> bool:
        """Bots can find it; for good not, once somebody has removed its socket."""
        return is_reachable(self._target)

    def close(self) -> None:
        """Void what still runs, end its processes, stop, and leave nothing behind. May be called again."""
        if self._thread.is_alive() and self._ready.exception() is None:
            self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()

    async def _play(
        self,
        blocks: Sequence[block_pb2.BlockSpecification],
        news: SimpleQueue[tuple[str, int, int] | None],
        deadline: float | None,
    ) -> list[block_pb2.BlockResult]:
        if self._stopping.is_set():
            # Nobody would wait for it any more, and a process that is being started while its loop is closed hangs.
            raise asyncio.CancelledError
        shard = asyncio.create_task(
            Shard(self._server, self._target).play(blocks, lambda *item: news.put(item), deadline)
        )
        self._shards.add(shard)
        shard.add_done_callback(self._shards.discard)
        return await shard

    def _serve(self) -> None:
        try:
            with private_folder() as folder:
                self._target = f"unix:{folder}/referee"
                asyncio.run(self._main())
        except BaseException as error:
            if self._ready.done():
                raise
            self._ready.set_exception(error)

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        self._server = RefereeServer(Referee(entropy=token_bytes), Tokens())
        await self._server.start([self._target])
        self._ready.set_result(None)
        await self._stopping.wait()
        await self._end_shards()
        await self._server.stop(None)
        del self._server

    async def _end_shards(self) -> None:
        for shard in self._shards:
            shard.cancel()
        await asyncio.gather(*self._shards, return_exceptions=True)


_own: Node | None = None
"""The node of a pool's worker."""

_owning = threading.Lock()
"""Held while that node starts or stops; for good, once the pool's owner is gone."""


@contextmanager
def _worker_node() -> Iterator[Node]:
    """This process's own node; one that failed or was interrupted is closed, and the next call starts another."""
    _watch_parent()
    node = _started_node()
    try:
        yield node
    except SpecificationError:
        raise
    except BaseException:
        _close_worker_node()
        raise


def _started_node() -> Node:
    global _own
    with _owning:
        if _own is not None and not _own.reachable:
            _own.close()
            _own = None
        if _own is None:
            _own = Node().__enter__()
            atexit.register(_close_worker_node)
        return _own


def _close_worker_node() -> None:
    global _own
    with _owning:
        if _own is not None:
            atexit.unregister(_close_worker_node)
            node, _own = _own, None
            node.close()


@cache
def _watch_parent() -> None:
    """The worker of a pool whose owner was killed is told by nobody, and would live for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=[parent.sentinel], name="tradepit-orphan", daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    # Whatever hangs meanwhile: nobody is left who could end us.
    threading.Timer(_ORPHAN_SECONDS, os._exit, [1]).start()
    with _owning:
        if _own is not None:
            _own.close()
        os._exit(1)
