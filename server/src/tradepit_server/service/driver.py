"""Runs the sans-I/O referee in an asyncio loop: feeds it what arrives, hands on what it says, keeps its time."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from time import monotonic_ns
from typing import NamedTuple, TypeVarTuple

from tradepit.v1 import block_pb2, referee_pb2
from tradepit_server.games.base import Edition
from tradepit_server.referee import BlockSpec, Effects, Identity, Referee, Selection, SpecificationError, UnknownMatch
from tradepit_server.referee.endings import Ending
from tradepit_server.service import block_log
from tradepit_server.service.match_watch import MatchWatch
from tradepit_server.service.outbox import Outbox
from tradepit_server.service.session_watch import SessionWatch

Progress = Callable[[str, int, int], None]
"""Called with a block's id, how many of its matches have ended and how many there are."""

_HOPS = 3
"""Turns of the loop until everything readable is fed: the next one polls, and runs what was scheduled before the
poll's callbacks; these wake the tasks that read; and those run in the turn after, again behind what was scheduled."""

_LATE = 5_000_000
"""Nanoseconds. A timer that is later shows that the loop was busy."""

_LONGEST_PAUSE = 50_000_000
"""Nanoseconds for which a deadline is held back at most after the loop was busy."""

_log = logging.getLogger(__name__)
_Ts = TypeVarTuple("_Ts")


class CoreFailure(RuntimeError):
    """The referee's core raised: a bug of ours, after which nothing that it says can be trusted."""


class Draining(RuntimeError):
    """The referee is going away and begins no more blocks."""


class _Running(NamedTuple):
    spec: BlockSpec
    progress: Progress
    ended: asyncio.Future[block_pb2.BlockResult]


class Driver:
    """Gives the core its turns. Everything here runs in one loop."""

    def __init__(self, core: Referee) -> None:
        self.failure: CoreFailure | None = None
        """The core raised, and nothing goes on; None: all is well."""
        self.failed = asyncio.Event()
        """Set with the failure."""
        self._draining = False
        self._watchers: set[SessionWatch] = set()
        self._spectators: dict[int, MatchWatch] = {}
        self._core = core
        self._loop = asyncio.get_running_loop()
        self._numbers = count(1)
        self._streams: dict[int, Outbox] = {}
        self._blocks: dict[str, _Running] = {}
        self._turn_due = False
        self._timer: asyncio.TimerHandle | None = None
        self._settling = False
        """A deadline passed, and what can be read is being fed before it fires."""

    def connect(self, identity: Identity, outbox: Outbox) -> int:
        """A stream of *identity* opened, whose frames go to *outbox*. Returns its number. Raises CoreFailure."""
        self._check()
        connection = next(self._numbers)
        self._streams[connection] = outbox
        self._feed(self._core.connected, connection, identity, monotonic_ns())
        return connection

    def received(self, connection: int, frame: bytes) -> float:
        """A frame was read from a stream. Returns for how many seconds nothing more should be read from it."""
        now = monotonic_ns()
        self._feed(self._core.received, connection, frame, now)
        return self._core.pause(connection, now) / 1e9

    def disconnect(self, connection: int, reason: str) -> None:
        """A stream ended, however. The first call for a stream counts."""
        if self._streams.pop(connection, None) is not None:
            self._feed(self._core.disconnected, connection, reason, monotonic_ns())

    def reserve_session(self, bot: str) -> str:
        """A session for a process that is about to be started."""
        return self._core.reserve_session(bot)

    def release_session(self, session_id: str) -> None:
        """The process of a session is being ended by us."""
        self._feed(self._core.release_session, session_id, monotonic_ns())

    def process_ended(self, session_id: str, detail: str) -> None:
        """The process of a session ended by itself."""
        self._feed(self._core.process_ended, session_id, detail, monotonic_ns())

    def is_connected(self, session_id: str) -> bool:
        """A bot with this session is connected now."""
        return any(known == session_id and connected for known, _, connected in self._core.sessions())

    async def play(self, spec: BlockSpec, progress: Progress) -> block_pb2.BlockResult:
        """Play a block to its end; being cancelled voids it. Raises SpecificationError, CoreFailure or Draining."""
        self._check()
        if self._draining:
            raise Draining("the referee is going away and begins no more blocks")
        self._start(spec)
        running = self._blocks[spec.block_id] = _Running(spec, progress, self._loop.create_future())
        self._wake()
        try:
            return await running.ended
        except asyncio.CancelledError:
            self.void(spec.block_id, block_pb2.VOID_CAUSE_CANCELLED, "the organiser cancelled it")
            raise
        finally:
            del self._blocks[spec.block_id]

    def _start(self, spec: BlockSpec) -> None:
        with self._refusing(SpecificationError):
            self._core.start_block(spec, monotonic_ns())

    @contextmanager
    def _refusing(self, refusal: type[Exception]) -> Iterator[None]:
        """Inside the block the core may raise *refusal*, which is raised as it is; anything else is a CoreFailure."""
        try:
            yield
        except refusal:
            raise
        except Exception as error:  # a bug of ours: reported and final
            raise self._fail(error) from error

    def void(self, block_id: str, cause: block_pb2.VoidCause.ValueType, reason: str) -> None:
        """End a block, if it still runs; nothing of it counts."""
        if block_id in self._blocks:
            self._feed(self._core.cancel_block, block_id, cause, reason, monotonic_ns())

    def editions(self) -> list[tuple[str, Edition]]:
        """The editions of the running blocks, each with its game."""
        return [(running.spec.game, running.spec.edition) for running in self._blocks.values()]

    @contextmanager
    def watch_sessions(self) -> Iterator[SessionWatch]:
        """Inside the block, the watch hears of every session: of those that are connected, and of what changes."""
        watch = SessionWatch(self._core.sessions())
        self._watchers.add(watch)
        try:
            yield watch
        finally:
            self._watchers.discard(watch)

    def matches(self) -> list[referee_pb2.WatchedMatch]:
        """The matches in play."""
        return self._core.matches()

    @contextmanager
    def watch_matches(self, selection: Selection) -> Iterator[MatchWatch]:
        """Inside the block, the watch hears of the matches selected. Raises UnknownMatch and CoreFailure."""
        self._check()
        spectator, watch = next(self._numbers), MatchWatch()
        self._spectators[spectator] = watch
        try:
            with self._refusing(UnknownMatch):
                self._core.watch(spectator, selection)
            self._wake()
            yield watch
        finally:
            del self._spectators[spectator]
            self._feed(self._core.unwatch, spectator)

    async def drain(self, grace_seconds: float, reconnect_address: str) -> None:
        """Begin no more blocks, tell every bot, and wait until what runs has ended, which after the grace is void."""
        self._draining = True
        self._feed(self._core.drain, int(grace_seconds * 1e9), monotonic_ns(), reconnect_address)
        self._turn()  # now: a stream that is closed next has it before
        ending = [running.ended for running in self._blocks.values()]
        if ending:
            _, unfinished = await asyncio.wait(ending, timeout=grace_seconds)
            self.void_all(f"infrastructure: the referee went away, and gave it no more than {grace_seconds:g} seconds")
            if unfinished:
                await asyncio.wait(unfinished)

    def void_all(self, reason: str) -> None:
        """End every block that runs, by no fault of its bots; nothing of them counts."""
        for block_id in list(self._blocks):
            self.void(block_id, block_pb2.VOID_CAUSE_INFRASTRUCTURE, reason)

    def close_streams(self, reason: str) -> None:
        """End every stream and watch in good order, after what waits for it."""
        self._close_watches()
        for outbox in self._streams.values():
            outbox.close(reason)

    def _close_watches(self) -> None:
        watches: list[SessionWatch | MatchWatch] = [*self._watchers, *self._spectators.values()]
        for watch in watches:
            watch.close()

    def stop(self) -> None:
        """Take no more turns."""
        if self._timer is not None:
            self._timer.cancel()

    def _feed(self, step: Callable[[*_Ts], None], *arguments: *_Ts) -> None:
        if self.failure is not None:
            return
        try:
            step(*arguments)
        except Exception as error:  # a bug of ours: reported and final
            self._fail(error)
        else:
            self._wake()

    def _wake(self) -> None:
        if not self._turn_due:
            self._turn_due = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._turn_due = False
        if self.failure is not None:
            return
        try:
            self._hand_on(self._core.effects(monotonic_ns()))
            self._set_timer(self._core.next_deadline())
        except Exception as error:  # a bug of ours: reported and final
            self._fail(error)

    def _hand_on(self, effects: Effects) -> None:
        for bot, decision_id in effects.late_answers:
            _log.debug("late answer from %s to decision %d", bot, decision_id)
        for connection, frame in effects.frames:
            if connection in self._streams:
                self._streams[connection].put(frame)
        for connection, reason, ending in effects.closing:
            if connection in self._streams:
                self._streams[connection].close(reason, ending)
        for watch in self._watchers if effects.sessions_changed else ():
            watch.changed(effects.sessions_changed)
        for spectator, message in effects.shown:
            if spectator in self._spectators:
                self._spectators[spectator].show(message)
        for spectator in effects.satisfied:
            if spectator in self._spectators:
                self._spectators[spectator].close()
        for block_id, ended, matches in effects.matches_ended:
            if block_id in self._blocks:
                self._blocks[block_id].progress(block_id, ended, matches)
        for block_id, result in effects.blocks_ended:
            if _log.isEnabledFor(logging.INFO):
                _log.info("%s", block_log.describe(result))
            if block_id in self._blocks and not self._blocks[block_id].ended.done():
                self._blocks[block_id].ended.set_result(result)

    def _set_timer(self, deadline: int | None) -> None:
        # An early timer is left alone: most deadlines move on before they come, and a turn too many does no harm.
        armed = self._timer is not None and deadline is not None and self._timer.when() <= deadline / 1e9
        if deadline is None or self._settling or armed:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(deadline / 1e9, self._expired, deadline)

    def _expired(self, deadline: int) -> None:
        """A deadline passed; everything that could be read by now is fed before it fires."""
        self._timer, self._settling = None, True
        now = monotonic_ns()
        late = now - deadline
        if late > _LATE:
            # We were busy, and so may the threads have been that carry what bots send: they too get their time.
            self._loop.call_later(min(late, _LONGEST_PAUSE) / 1e9, self._settle, now, _HOPS)
        else:
            self._settle(now, _HOPS)

    def _settle(self, instant: int, hops: int) -> None:
        if hops:
            self._loop.call_soon(self._settle, instant, hops - 1)
        else:
            self._tick(instant)

    def _tick(self, instant: int) -> None:
        self._settling = False
        # Not the present: what arrived after the instant may not have been fed yet.
        self._feed(self._core.tick, instant)

    def _check(self) -> None:
        if self.failure is not None:
            raise self.failure

    def _fail(self, error: Exception) -> CoreFailure:
        _log.critical("the referee's core failed; nothing goes on", exc_info=error)
        failure = self.failure = CoreFailure(f"the referee failed: {error!r}")
        failure.__cause__ = error
        self.failed.set()
        self.stop()
        for running in self._blocks.values():
            if not running.ended.done():
                running.ended.set_exception(failure)
        self._close_watches()
        for outbox in list(self._streams.values()):
            outbox.abandon("the referee failed", Ending.UNREAD)
        return failure
