"""Plays what is open of a tournament: takes blocks by lease, has them played, and delivers what came of them."""

from collections import deque
from collections.abc import Callable

from tradepit.v1 import block_pb2
from tradepit_ladder import store
from tradepit_ladder.claims import Claims, Delivery
from tradepit_ladder.client import LadderError, RecordError, TournamentState
from tradepit_ladder.conduct import Conduct
from tradepit_ladder.leases import Lease
from tradepit_ladder.replays import ReplayStore
from tradepit_ladder.results import ResultError, played_matches
from tradepit_ladder.scheduling.shards import Pace, Suspicion, shards
from tradepit_ladder.specifications import Specifications
from tradepit_ladder.timing import Timing
from tradepit_ladder.worker import Played, Shard, Worker

MAX_ATTEMPTS = 3
"""How many attempts at a block may fail, over all runs, before it is void for good."""

MAX_VOID_IN_A_ROW = 16
"""After so many blocks in a row that ended void, playing is broken, and the run gives up before it voids the rest."""

RENEW_SECONDS = 5.0
"""How often leases are renewed, and so how soon a run notices that its tournament is paused or cancelled."""

LEAST_BLOCKS = 2
"""Towards the end shards become smaller, so that all workers end at about the same time, but no smaller than this."""

POLL_SECONDS = 1.0
"""How often a run with nothing to do looks whether others have finished what they hold."""


class Runner:
    """One run of one tournament."""

    def __init__(
        self,
        claims: Claims,
        specifications: Specifications,
        replays: ReplayStore,
        timing: Timing,
        *,
        places: int,
        changed: Callable[[], None],
        notice: Callable[[str], None],
    ) -> None:
        """*places* is how many shards the worker plays at once.

        *changed* is called when the record may have changed, *notice* with a sentence when something is waited for.
        """
        self._claims = claims
        self._specifications = specifications
        self._replays = replays
        self._timing = timing
        self._changed = changed
        self._notice = notice
        self._places = places
        self._pace = Pace()
        self._suspicion = Suspicion()
        self._ready: deque[list[Lease]] = deque()
        self._playing: dict[Shard, tuple[list[Lease], float]] = {}
        self._renewed = timing.clock()
        self._void_in_a_row = 0
        self._waiting = False
        self.finished = 0
        """How many blocks this run has finished, complete or void."""
        self.conduct = Conduct()
        """Of the bots in this run."""

    def run(self, worker: Worker) -> None:
        """Play until nothing is left, here or with other programs, or the tournament is paused or cancelled.

        What is held then is given back. Raises LadderError when nothing can be played, KeyboardInterrupt when
        stopped; what is recorded stays.
        """
        try:
            while self._step(worker):
                pass
        except RecordError:
            raise  # nothing can be given back either
        except BaseException:
            self._claims.release()
            raise
        self._claims.release()

    def _step(self, worker: Worker) -> bool:
        """Go on a little. Says whether there is more to do."""
        self._fill(worker)
        view = self._claims.view
        if view.state == TournamentState.CANCELLED:
            return False
        if worker.playing:
            self._collect(worker)
            return True
        if view.state == TournamentState.PAUSED or not view.held_by_others:
            return False
        self._wait_for_others()
        return True

    def _fill(self, worker: Worker) -> None:
        """Begin as many shards as there is place for."""
        if self._claims.view.state != TournamentState.OPEN:
            self._ready.clear()
            return
        while worker.has_place() and (self._ready or self._take()):
            leases = self._ready[0]
            alone = any(self._suspicion.alone(lease.block_index) for lease in leases)
            if not worker.has_place(alone=alone):
                return
            self._ready.popleft()
            blocks = [self._specifications.make(lease.block_index, lease.entrants, lease.attempt) for lease in leases]
            self._playing[worker.begin(blocks, alone=alone)] = leases, self._timing.clock()

    def _take(self) -> bool:
        """Take blocks for the next shards. Says whether there were any."""
        found = self._claims.take(min(self._pace.blocks, max(LEAST_BLOCKS, self._claims.free // self._places)))
        for lease in found:
            if lease.failures:
                self._suspicion.failed(lease.block_index)
        self._ready.extend(shards(found, lambda lease: self._suspicion.most(lease.block_index)))
        return bool(found)

    def _collect(self, worker: Worker) -> None:
        """Wait for shards to end, but no longer than until leases have to be renewed."""
        for played in worker.wait(max(0.0, self._renewed + RENEW_SECONDS - self._timing.clock())):
            self._deliver(played)
        if self._timing.clock() >= self._renewed + RENEW_SECONDS:
            self._renew()

    def _renew(self) -> None:
        self._claims.renew()
        self._renewed = self._timing.clock()
        self._changed()

    def _wait_for_others(self) -> None:
        if not self._waiting:
            self._notice("waiting for another program, which plays the blocks that are left")
        self._waiting = True
        self._timing.wait((), POLL_SECONDS)
        self._renew()

    def _deliver(self, played: Played) -> None:
        leases, begun = self._playing.pop(played.shard)
        if played.lost:
            self._suspicion.lost([lease.block_index for lease in leases], suspect=played.suspect)
        else:
            self._pace.took(len(leases), self._timing.clock() - begun)
        blamed = not played.lost or (played.suspect and len(leases) == 1)
        attempts = list(zip(leases, played.shard.blocks, played.results, strict=True))
        answers = self._claims.deliver([self._delivery(*attempt, blamed=blamed) for attempt in attempts])
        for (_, _, result), answer in zip(attempts, answers, strict=True):
            if not answer.fresh or answer.outcome is None:
                continue  # somebody else finished it, or nobody yet
            self.finished += 1
            if answer.outcome == store.COMPLETE:
                self._void_in_a_row = 0
                for replay in result.replays:
                    self.conduct.add_match(replay)
        self._changed()

    def _delivery(
        self, lease: Lease, block: block_pb2.BlockSpecification, result: block_pb2.BlockResult, *, blamed: bool
    ) -> Delivery:
        self.conduct.add_processes(list(lease.entrants), result)
        try:
            matches = played_matches(block, result)
        except ResultError as error:
            return self._failed(lease, block, result, str(error), blamed=blamed)
        # Before the rows that name them: a row never points to a replay that is not there.
        kept = [(match, self._replays.keep(match.replay)) for match in matches]
        return Delivery(lease, block.block_id, kept)

    def _failed(
        self,
        lease: Lease,
        block: block_pb2.BlockSpecification,
        result: block_pb2.BlockResult,
        reason: str,
        *,
        blamed: bool,
    ) -> Delivery:
        """Only what the infrastructure did is tried again, and not for ever."""
        if not blamed:
            return Delivery(lease, block.block_id, reason=reason, counts=False)
        is_void = result.outcome == block_pb2.BLOCK_OUTCOME_VOID
        again = not is_void or result.void_cause == block_pb2.VOID_CAUSE_INFRASTRUCTURE
        final = not again or lease.failures + 1 >= MAX_ATTEMPTS
        if final:
            self._count_void(reason)
        return Delivery(lease, block.block_id, reason=reason, final=final)

    def _count_void(self, reason: str) -> None:
        self._void_in_a_row += 1
        if self._void_in_a_row > MAX_VOID_IN_A_ROW:
            raise LadderError(f"gave up: the last {MAX_VOID_IN_A_ROW} blocks were void; the reason now: {reason}")
