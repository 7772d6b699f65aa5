"""The use cases of a ladder."""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlmodel import Session

from tradepit_ladder import leaderboards, matches, store, tournaments
from tradepit_ladder.client import (
    BotRecord,
    LadderError,
    Leaderboard,
    MatchRecord,
    Progress,
    RecordError,
    TournamentOrder,
    TournamentReport,
    TournamentSummary,
)
from tradepit_ladder.database import Database
from tradepit_ladder.orders import check_command, check_name, check_order
from tradepit_ladder.rating_reports import RatingHistory, Rebuilt
from tradepit_ladder.rebuilding import rebuild
from tradepit_ladder.replays import ReplayStore
from tradepit_ladder.running import Run, Workers
from tradepit_ladder.timing import Timing
from tradepit_ladder.worker import RunShard


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
        workers: int = 1,
        read_only: bool = False,
        timing: Timing | None = None,
        notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Opens the record at *database_url* and, unless it is to be *read_only*, prepares one that is empty.

        *replays* is the folder for replays. The names in *house_bots* are not for others. *workers* is how many shards
        an executor plays at once. *notice* is told, in a sentence, what has to be waited for. Raises LadderError.
        """
        self._notice = notice
        self._timing = timing or Timing()
        self._database = Database(database_url, read_only=read_only, on_wait=notice)
        self._replays = ReplayStore(replays)
        self._house_bots = frozenset(house_bots)
        self._workers = Workers(run_shard, executor_factory, workers)

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

        def step(session: Session) -> None:
            if store.find_bot(session, name) is not None:
                raise LadderError(f"there is a bot {name!r} already")
            store.add_bot(session, name, command, working_directory)

        self._database.write(step)
        return BotRecord(name, tuple(command), working_directory)

    def set_bot(self, name: str, command: Sequence[str], working_directory: str) -> BotRecord:
        """See LadderClient."""
        check_command(name, tuple(command), working_directory)

        def step(session: Session) -> None:
            bot = store.find_bot(session, name)
            if bot is None or bot.house:
                raise LadderError(f"there is no bot {name!r} that was added")
            store.set_bot(session, bot, command, working_directory)

        self._database.write(step)
        return BotRecord(name, tuple(command), working_directory)

    def bots(self) -> list[BotRecord]:
        """See LadderClient."""
        added = self._database.read(store.added_bots)
        return [BotRecord(bot.name, tuple(now.command), now.working_directory) for bot, now in added]

    def leaderboard(self, game: str, *, limit: int = 100, skip: int = 0) -> Leaderboard:
        """See LadderClient."""
        return self._database.read(partial(leaderboards.of_game, game=game, limit=limit, skip=skip))

    def rating_history(self, bot: str, game: str) -> RatingHistory:
        """See LadderClient."""
        return self._database.read(partial(leaderboards.history, game=game, bot=bot))

    def rebuild_ratings(self, game: str, on_new_version: str | None = None) -> Rebuilt:
        """See LadderClient."""
        return rebuild(self._database, game, on_new_version)

    def run_tournament(self, order: TournamentOrder, progress: Callable[[Progress], None]) -> TournamentReport:
        """See LadderClient."""
        check_order(order)
        run = Run(order, self._database, self._replays, self._timing, progress, self._notice)
        return run.play(self._workers)

    def tournament_order(self, name: str) -> TournamentOrder:
        """See LadderClient."""
        return self._database.read(lambda session: tournaments.order(session, tournaments.known(session, name)))

    def tournaments(self) -> list[TournamentSummary]:
        """See LadderClient."""
        return self._database.read(partial(tournaments.summaries, now=self._timing.now()))

    def pause_tournament(self, name: str) -> TournamentSummary:
        """See LadderClient."""
        return self._database.write(partial(tournaments.pause, name=name, now=self._timing.now()))

    def cancel_tournament(self, name: str) -> TournamentSummary:
        """See LadderClient."""
        return self._database.write(partial(tournaments.cancel, name=name, now=self._timing.now()))

    def withdraw_bot(self, bot: str, tournament: str, reason: str) -> int:
        """See LadderClient."""
        now = self._timing.now()
        return self._database.write(partial(tournaments.withdraw, bot=bot, name=tournament, reason=reason, now=now))

    def matches(self, *, bot: str | None = None, tournament: str | None = None, limit: int) -> list[MatchRecord]:
        """See LadderClient."""
        return self._database.read(partial(matches.listed, bot=bot, tournament=tournament, limit=limit))

    def match(self, match_id: str) -> MatchRecord:
        """See LadderClient."""
        return self._database.read(partial(matches.find, match_id=match_id))

    def replay(self, match_id: str) -> bytes:
        """See LadderClient."""
        digest = self.match(match_id).replay_sha256
        try:
            return self._replays.read(digest)
        except RecordError as error:
            raise RecordError(f"match {match_id!r}: {error}") from error
