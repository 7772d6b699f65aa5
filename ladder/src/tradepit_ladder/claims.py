"""The blocks of a tournament that one run holds, and what it delivers for them. Every step is one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from tradepit_ladder import leases, owners, store
from tradepit_ladder.client import TournamentState
from tradepit_ladder.database import Database
from tradepit_ladder.leases import Answer, Lease
from tradepit_ladder.models import Tournament
from tradepit_ladder.results import PlayedMatch
from tradepit_ladder.timing import Timing

LEASE_SECONDS = 60.0
"""How long a block stays ours when nothing is heard of us. That a program on this machine died is seen at once; this is
for machines that vanish. It is as long as a database may be away, so that what was played meanwhile counts."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What came of an attempt."""

    lease: Lease
    block_id: str
    """Under which it was played."""
    matches: Sequence[tuple[PlayedMatch, str]] = ()
    """Each with its replay's digest; of a void attempt none."""
    reason: str = ""
    """Why it is void; empty: it is complete."""
    final: bool = False
    """The void attempt was the last: the block is void."""
    counts: bool = True
    """It counts as an attempt that failed. False: nobody knows that this block failed, so it is only given back."""


@dataclass(frozen=True, slots=True)
class View:
    """What the record said of the tournament last."""

    state: TournamentState
    counts: dict[str | None, int]
    """Its blocks by outcome; None: open."""
    held_by_others: int
    """Open blocks that other programs hold."""


class Claims:
    """The leases of one run."""

    def __init__(self, database: Database, tournament: int, timing: Timing) -> None:
        """*tournament* is its primary key."""
        self._database = database
        self._tournament = tournament
        self._timing = timing
        self._owner = owners.me()
        self._held: dict[int, Lease] = {}
        self.view = database.read(self._look)

    @property
    def free(self) -> int:
        """How many open blocks nobody held when the record was last looked at."""
        return max(0, self.view.counts.get(None, 0) - len(self._held) - self.view.held_by_others)

    def take(self, limit: int) -> list[Lease]:
        """Up to *limit* open blocks that nobody holds, in order; none if the tournament is not to go on."""

        def step(session: Session) -> tuple[list[Lease], View]:
            now = self._timing.now()
            found = leases.take(session, self._tournament, self._owner, now, LEASE_SECONDS, limit)
            return found, self._look(session)

        found, self.view = self._database.write(step)
        self._held.update({lease.token: lease for lease in found})
        return found

    def renew(self) -> None:
        """Keep what is held."""

        def step(session: Session) -> View:
            leases.renew(session, list(self._held.values()), self._timing.now() + LEASE_SECONDS)
            return self._look(session)

        self.view = self._database.write(step)

    def deliver(self, deliveries: Sequence[Delivery]) -> list[Answer]:
        """Record what came of attempts. The answers tell what the record holds now."""

        def step(session: Session) -> tuple[list[Answer], View]:
            return [_deliver(session, delivery) for delivery in deliveries], self._look(session)

        answers, self.view = self._database.write(step)
        for delivery in deliveries:
            self._held.pop(delivery.lease.token, None)
        return answers

    def release(self) -> None:
        """Give back what is held."""
        if self._held:
            held, self._held = list(self._held.values()), {}
            self._database.write(lambda session: leases.release(session, held))

    def _look(self, session: Session) -> View:
        return View(
            state=TournamentState(session.get_one(Tournament, self._tournament).state),
            counts=store.count_blocks(session, self._tournament),
            held_by_others=leases.held_by_others(session, self._tournament, self._owner, self._timing.now()),
        )


def _deliver(session: Session, delivery: Delivery) -> Answer:
    if not delivery.reason:
        return leases.complete(session, delivery.lease, delivery.block_id, delivery.matches)
    if delivery.counts:
        return leases.fail(session, delivery.lease, delivery.block_id, delivery.reason, final=delivery.final)
    leases.release(session, [delivery.lease])
    return Answer(None, None, fresh=True)
