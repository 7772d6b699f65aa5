"""The use cases of a ladder."""

import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlmodel import Session

from tradepit_ladder import leases, record, store
from tradepit_ladder.client import (
    BotRecord,
    LadderError,
    Leaderboard,
    Progress,
    TournamentOrder,
    TournamentReport,
)
from tradepit_ladder.database import Database
from tradepit_ladder.entering import enter
from tradepit_ladder.models import Tournament
from tradepit_ladder.orders import check_command, check_name, check_order
from tradepit_ladder.replays import ReplayStore
from tradepit_ladder.runner import OpenBlock, Runner
from tradepit_ladder.standings import leaderboard, void_blocks
from tradepit_ladder.worker import RunShard, Worker


class Ladder:
    """A ladder in this process: a LadderClient. Close it, or use it as a context manager."""

    def __init__(
        self,
        database_url: str,
        run_shard: RunShard,
        executor_factory: Callable[[], Executor],
        *,
        replays: Path,
        house_bots: Collection[str],
        read_only: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Opens the record at *database_url* and, unless it is to be *read_only*, brings its tables up to date.

        *replays* is the folder for replays. The names in *house_bots* are not for others. *clock* counts seconds.
        Raises LadderError.
        """
        self._database = Database(database_url, read_only=read_only)
        self._clock = clock
        self._replays = ReplayStore(replays)
        self._house_bots = frozenset(house_bots)
        self._run_shard = run_shard
        self._executor_factory = executor_factory

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give back the database."""
        self._database.close()

    def add_bot(self, name: str, command: Sequence[str], working_directory: str) -> BotRecord:
        """See LadderClient."""
        check_name("bot", name)
        check_command(name, tuple(command), working_directory)
        if name in self._house_bots:
            raise LadderError(f"bot name {name!r} belongs to a house bot")
        with self._database.writing() as session:
            if store.find_bot(session, name) is not None:
                raise LadderError(f"there is a bot {name!r} already")
            store.add_bot(session, name, command, working_directory)
        return BotRecord(name, tuple(command), working_directory)

    def set_bot(self, name: str, command: Sequence[str], working_directory: str) -> BotRecord:
        """See LadderClient."""
        check_command(name, tuple(command), working_directory)
        with self._database.writing() as session:
            bot = store.find_bot(session, name)
            if bot is None or bot.house:
                raise LadderError(f"there is no bot {name!r} that was added")
            store.set_bot(session, bot, command, working_directory)
        return BotRecord(name, tuple(command), working_directory)

    def bots(self) -> list[BotRecord]:
        """See LadderClient."""
        with self._database.reading() as session:
            added = store.added_bots(session)
        return [BotRecord(bot.name, tuple(now.command), now.working_directory) for bot, now in added]

    def leaderboard(self, game: str) -> Leaderboard:
        """See LadderClient."""
        with self._database.reading() as session:
            return leaderboard(game, record.of_game(session, game))

    def run_tournament(self, order: TournamentOrder, progress: Callable[[Progress], None]) -> TournamentReport:
        """See LadderClient."""
        check_order(order)
        with self._database.writing() as session:
            tournament = enter(session, order)
            session.expunge(tournament)
        runner = Runner(order, tournament.public_id, self._database, self._replays, self._clock)
        return self._report(tournament, runner, *self._play(tournament, runner, progress))

    def _play(self, tournament: Tournament, runner: Runner, progress: Callable[[Progress], None]) -> tuple[int, bool]:
        """Play what is open of *tournament*. How many blocks have finished now, and whether somebody stopped it."""
        with self._database.writing() as session:
            blocks = _queue(session, tournament)
            finished = _Counter(tournament.name, store.count_blocks(session, store.key(tournament)), progress)
        finished(0, 0)
        try:
            with Worker(self._run_shard, self._executor_factory) as worker:
                runner.run(blocks, worker, finished)
        except KeyboardInterrupt:
            return finished.now, True
        with self._database.writing() as session:
            # Another program may have taken it for stopped and released it.
            store.enqueue(session, store.key(tournament))
        return finished.now, False

    def _report(self, tournament: Tournament, runner: Runner, played: int, interrupted: bool) -> TournamentReport:
        with self._database.reading() as session:
            counts = store.count_blocks(session, store.key(tournament))
            blocks = record.of_tournament(session, store.key(tournament))
        return TournamentReport(
            tournament=tournament.name,
            id=tournament.public_id,
            reproducible=tournament.reproducible,
            interrupted=interrupted,
            blocks=sum(counts.values()),
            blocks_complete=counts.get(store.COMPLETE, 0),
            blocks_open=counts.get(None, 0),
            blocks_played=played,
            void=void_blocks(blocks),
            ended_processes=runner.conduct.ended_processes,
            faults=runner.conduct.faults,
            idle=runner.conduct.idle,
            standings=leaderboard(tournament.game, blocks),
        )


def _queue(session: Session, tournament: Tournament) -> list[OpenBlock]:
    """The blocks of *tournament* that are to be played, given their places in the queue."""
    blocks = store.open_blocks(session, store.key(tournament))
    if blocks:
        leases.release_stopped(session, tournament, time.time())
        store.enqueue(session, store.key(tournament))
    return [OpenBlock(store.key(block), block.block_index, tuple(block.entrants)) for block in blocks]


class _Counter:
    """Adds up what a run reports and passes it on."""

    def __init__(self, tournament: str, counts: dict[str | None, int], progress: Callable[[Progress], None]) -> None:
        self._tournament = tournament
        self._blocks = sum(counts.values())
        self._void = counts.get(store.VOID, 0)
        self._finished = self._void + counts.get(store.COMPLETE, 0)
        self._progress = progress
        self.now = 0
        """Blocks that have finished in this run."""

    def __call__(self, finished: int, void: int) -> None:
        self._finished += finished
        self.now += finished
        self._void += void
        self._progress(Progress(self._tournament, self._finished, self._blocks, self._void))
