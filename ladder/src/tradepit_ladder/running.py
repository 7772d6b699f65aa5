"""Playing a tournament, from its order to the report."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from sqlmodel import Session

from tradepit_ladder import folding, leases, matches, record, store, tournaments
from tradepit_ladder.claims import Claims
from tradepit_ladder.client import Progress, TournamentOrder, TournamentReport, TournamentState, Withdrawal
from tradepit_ladder.database import Database
from tradepit_ladder.entering import enter
from tradepit_ladder.models import Tournament
from tradepit_ladder.replays import ReplayStore
from tradepit_ladder.runner import Runner
from tradepit_ladder.specifications import Specifications
from tradepit_ladder.standings import leaderboard, void_blocks
from tradepit_ladder.timing import Timing
from tradepit_ladder.worker import RunShard, Worker

FOLD_COMMITS = 2
"""How many batches of results are folded into the ratings after a delivery: leases must be renewed meanwhile."""


@dataclass(frozen=True, slots=True)
class Workers:
    """What plays shards."""

    run_shard: RunShard
    executor_factory: Callable[[], Executor]
    places: int
    """How many shards the executor plays at once."""


class Run:
    """One run of one tournament."""

    def __init__(
        self,
        order: TournamentOrder,
        database: Database,
        replays: ReplayStore,
        timing: Timing,
        progress: Callable[[Progress], None],
        notice: Callable[[str], None],
    ) -> None:
        """Enters *order* in the record. Raises LadderError."""
        self._database = database
        self._progress = progress
        self._told: Progress | None = None
        self._timing = timing
        self._tournament = database.write(partial(_begun, order=order, now=timing.now()))
        self._key = store.key(self._tournament)
        self._claims = Claims(database, self._key, timing)
        specifications = Specifications(order, self._tournament.public_id)
        self._runner = partial(
            Runner, self._claims, specifications, replays, timing, changed=self._changed, notice=notice
        )

    def play(self, workers: Workers) -> TournamentReport:
        """Play what is open."""
        self._changed()
        runner, interrupted = self._runner(places=workers.places), False
        try:
            with Worker(workers.run_shard, workers.executor_factory, workers.places, self._timing) as worker:
                runner.run(worker)
            folding.advance(self._database, self._tournament.game)
        except KeyboardInterrupt:
            interrupted = True
        return self._database.read(partial(self._report, runner, interrupted))

    def _changed(self) -> None:
        counts = self._claims.view.counts
        void = counts.get(store.VOID, 0)
        finished = void + counts.get(store.COMPLETE, 0)
        now = Progress(self._tournament.name, finished, sum(counts.values()), void)
        if now != self._told:
            self._told = now
            self._progress(now)
            folding.advance(self._database, self._tournament.game, FOLD_COMMITS)

    def _report(self, runner: Runner, interrupted: bool, session: Session) -> TournamentReport:
        tournament = session.get_one(Tournament, self._key)
        counts = store.count_blocks(session, self._key)
        blocks = record.of_tournament(session, self._key)
        withdrawals = tuple(Withdrawal(*left) for left in store.withdrawals(session, self._key))
        overhead, late_answers = matches.measured(session, self._key)
        return TournamentReport(
            tournament=tournament.name,
            id=tournament.public_id,
            reproducible=tournament.reproducible,
            interrupted=interrupted,
            state=TournamentState(tournament.state),
            blocks=sum(counts.values()),
            blocks_complete=counts.get(store.COMPLETE, 0),
            blocks_open=counts.get(None, 0),
            blocks_played=runner.finished,
            void=void_blocks(blocks),
            ended_processes=runner.conduct.ended_processes,
            faults=runner.conduct.faults,
            idle=runner.conduct.idle,
            withdrawals=withdrawals,
            blocks_withdrawn=tournaments.void_with(session, self._key, {left.bot for left in withdrawals}),
            overhead=overhead,
            late_answers=late_answers,
            standings=leaderboard(tournament.game, blocks),
        )


def _begun(session: Session, order: TournamentOrder, now: float) -> Tournament:
    """The tournament of *order*, its blocks in the queue."""
    tournament = enter(session, order)
    store.reopen(session, tournament)
    if None in store.count_blocks(session, store.key(tournament)):
        leases.release_stopped(session, tournament, now)
    store.enqueue(session, store.key(tournament))
    return tournament
