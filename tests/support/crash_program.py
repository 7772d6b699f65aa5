"""The ``tradepit`` command, given the same arguments, with probes round what it does; at a chosen one it is killed.

Run as the main program, ``python crash_program.py tournament run ...``: the workers of a pool are spawned and
load their parent's main program again, so they have the probes too. The product knows nothing of them.

CRASH_FOLDER in the environment names a folder for what happens: ``points`` has a line for each point that was reached,
``pid kind``. CRASH_AT, a JSON object with kind, count and victim, is where to kill: when *kind* is reached for the
*count*-th time in one process. It happens once a folder, whatever starts anew. CRASH_GRACE, whole seconds, is what
a worker has beyond all clocks of its shard.
"""

import json
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

FOLDER, AT, GRACE = "CRASH_FOLDER", "CRASH_AT", "CRASH_GRACE"

PARENT, WORKER, BOT = "parent", "worker", "bot"
"""Who may be killed. With a bot, which alone would have lost a match, the parent goes before its result can count."""

_WRITES = ("INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP")

_IS_WORKER = __name__ == "__mp_main__"
"""So a spawned process calls its parent's main program; who its parent is, it learns later."""

_UNTOLD = {"tradepit_ladder.database"}
"""Modules through which all use cases commit."""


class Probes:
    """The points of one process."""

    def __init__(self, folder: Path, at: dict[str, Any]) -> None:
        self._folder = folder
        self._at = at
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._points = os.open(folder / "points", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self._last_moments = False
        """A bot is dead already; the next point is the parent's."""

    def reached(self, family: str, place: str) -> None:
        """A point of the kind ``family: place`` is reached, which may be the last one."""
        kind = f"{family}: {place}"
        with self._lock:
            self._counts[kind] += 1
            os.write(self._points, f"{os.getpid()} {kind}\n".encode())
            if self._last_moments:
                os.kill(os.getppid(), signal.SIGKILL)
                self._last_moments = False
            if self._at and self._at["kind"] == kind and self._at["count"] == self._counts[kind] and self._first():
                self._strike(self._at["victim"])

    def _first(self) -> bool:
        try:
            os.close(os.open(self._folder / "struck", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        return True

    def _strike(self, victim: str) -> None:
        if not _IS_WORKER or victim == WORKER:
            _end()
        if victim == BOT:
            for bot in _bots()[:1]:
                os.kill(bot, signal.SIGKILL)
            self._last_moments = True
        else:
            os.kill(os.getppid(), signal.SIGKILL)


def _end() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    while True:
        signal.pause()


def _bots() -> list[int]:
    """The processes of this worker's bots: the children of its children, which keep them."""
    return [bot for keeper in _children(os.getpid()) for bot in _children(keeper)]


def _children(pid: int) -> list[int]:
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for children in lists for child in children.read_text().split()]


def probe_database(reached: Callable[[str, str], None]) -> None:
    """Points before and after each commit of something written, by use case, and before each statement that writes."""
    from sqlalchemy import Engine, event
    from sqlalchemy.engine.default import DefaultDialect

    written: set[int] = set()

    def statement(connection: Any, _cursor: Any, text: str, *_: Any) -> None:
        verb, *words = text.replace('"', "").split(maxsplit=3)
        if verb in _WRITES:
            written.add(id(connection.connection.dbapi_connection))
            table = words[0] if verb == "UPDATE" else words[1]
            reached("statement", f"{verb} {table}" if verb in _WRITES[:3] else "schema")

    event.listen(Engine, "before_cursor_execute", statement)
    commit: Any = DefaultDialect.do_commit

    def do_commit(self: DefaultDialect, connection: Any) -> None:
        inner = getattr(connection, "dbapi_connection", connection)
        wrote, case = id(inner) in written, _use_case(sys._getframe())
        written.discard(id(inner))
        if wrote:
            reached("before commit", case)
        commit(self, connection)
        if wrote:
            reached("after commit", case)

    DefaultDialect.do_commit = do_commit  # type: ignore[method-assign]  # a probe


def _use_case(frame: FrameType | None) -> str:
    """Who commits: the innermost function of the ladder outside what all of them use."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith("tradepit_ladder.") and module not in _UNTOLD:
            return f"{module.removeprefix('tradepit_ladder.')}.{frame.f_code.co_qualname}"
        frame = frame.f_back
    return "unknown"


def probe_replays(reached: Callable[[str, str], None]) -> None:
    """Points before and after a replay gets its name."""
    replace = os.replace

    @wraps(replace)
    def probed(source: Any, target: Any, **others: Any) -> None:
        ours = ".replay" in os.fspath(target)
        if ours:
            reached("replay", "before it has its name")
        replace(source, target, **others)
        if ours:
            reached("replay", "after it has its name")

    os.replace = probed  # type: ignore[assignment]  # a probe


def probe_pool(reached: Callable[[str, str], None]) -> None:
    """Points round handing out a shard, and where its result is back."""
    from concurrent.futures import Future, ProcessPoolExecutor

    submit = ProcessPoolExecutor.submit

    def probed(self: Any, task: Any, *arguments: Any, **named: Any) -> Future[Any]:
        reached("submit", "before")
        future: Future[Any] = submit(self, task, *arguments, **named)
        future.add_done_callback(lambda _: reached("result", "back"))
        reached("submit", "after")
        return future

    ProcessPoolExecutor.submit = probed  # type: ignore[assignment]  # a probe


def probe_shards(reached: Callable[[str, str], None]) -> None:
    """Points where a worker begins a shard and where it returns one."""
    from tradepit_server import node

    run_shard = node.run_shard

    @wraps(run_shard)
    def probed(request: bytes) -> bytes:
        reached("shard", "begun")
        response = run_shard(request)
        reached("shard", "returned")
        return response

    node.run_shard = probed


def probe_frames(reached: Callable[[str, str], None]) -> None:
    """Points at each frame of a bot's stream, by the last message in it."""
    import grpc

    from tradepit.v1 import play_pb2

    handler = grpc.stream_stream_rpc_method_handler

    class Context:
        def __init__(self, inner: Any) -> None:
            self._inner = inner

        def __getattr__(self, name: str) -> Any:
            return getattr(self._inner, name)

        async def read(self) -> Any:
            frame = await self._inner.read()
            if isinstance(frame, bytes):
                reached("frame read", _last(play_pb2.PlayRequest.FromString(frame)))
            return frame

        async def write(self, frame: bytes) -> None:
            await self._inner.write(frame)
            reached("frame sent", _last(play_pb2.PlayResponse.FromString(frame)))

    def probed(behaviour: Any, *arguments: Any, **named: Any) -> Any:
        async def play(requests: Any, context: Any) -> None:
            await behaviour(requests, Context(context))

        return handler(play, *arguments, **named)

    grpc.stream_stream_rpc_method_handler = probed  # type: ignore[assignment]  # a probe


def _last(frame: Any) -> str:
    return str(frame.messages[-1].WhichOneof("kind")) if frame.messages else "nothing"


def _hurry() -> None:
    """A run lasts seconds, in which leases are to be renewed too."""
    from tradepit_ladder import runner

    runner.RENEW_SECONDS = 0.2


def _probe(folder: str) -> None:
    """Set the probes of this process. The streams of bots are the workers' alone."""
    reached = Probes(Path(folder), json.loads(os.environ.get(AT, "{}"))).reached
    if _IS_WORKER:
        probe_frames(reached)
        probe_shards(reached)
    else:
        _hurry()
        probe_database(reached)
        probe_replays(reached)
        probe_pool(reached)


def _shorten(seconds: int) -> None:
    """Nobody wants to wait as long as in earnest."""
    from tradepit_ladder import deadlines, worker

    deadlines.GRACE_SECONDS = worker.GRACE_SECONDS = seconds  # type: ignore[attr-defined]  # a probe


if GRACE in os.environ:
    _shorten(int(os.environ[GRACE]))

if FOLDER in os.environ:
    _probe(os.environ[FOLDER])

if __name__ == "__main__":
    from tradepit.__main__ import main

    main()
