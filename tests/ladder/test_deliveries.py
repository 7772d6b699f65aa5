"""However results arrive, the ratings that are kept meanwhile are those that are made again from the first result."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random

import pytest
from bulk_record import Sat, add_bots, name
from rating_tables import current, expected, stored
from sqlmodel import Session

from tradepit_ladder import folding, leases, store
from tradepit_ladder.database import Database
from tradepit_ladder.leases import Answer, Lease
from tradepit_ladder.models import Tournament
from tradepit_ladder.owners import Owner
from tradepit_ladder.rebuilding import rebuild
from tradepit_ladder.results import PlayedMatch, PlayedSeat

BLOCKS = int(os.environ.get("TRADEPIT_TEST_BLOCKS", "400"))
"""So many blocks are delivered."""

MATCHES = 25
"""In a block, each of two or three bots."""
BOTS = 30
LEASE_SECONDS = 10.0
OWNERS = [Owner(f"elsewhere/{number}/1") for number in range(3)]


def played(block: int) -> list[list[Sat]]:
    """The matches of a block, whoever plays it: they follow from its index."""
    random = Random(block)
    bots = random.sample(range(1, BOTS + 1), random.choice((2, 2, 3)))
    return [[Sat(bot, random.choice((1, 1, 2, 3)), faults=random.randrange(2)) for bot in bots] for _ in range(MATCHES)]


@dataclass
class Deliveries:
    """Programs elsewhere that take blocks, are late, repeat themselves and overtake each other."""

    tournament: int
    random: Random
    now: float = 0.0
    held: list[Lease] = field(default_factory=list)
    """Taken and not delivered, whether the lease lasts or not."""
    delivered: list[tuple[Lease, Answer]] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("fresh", "late", "again", "failed"), 0))

    def turn(self, session: Session) -> list[tuple[str, Lease, Answer]]:
        """Take some blocks; deliver some results, in any order, and some of them again; time passes."""
        self.held += leases.take(
            session, self.tournament, self.random.choice(OWNERS), self.now, LEASE_SECONDS, self.random.randrange(30)
        )
        self.random.shuffle(self.held)
        count = self.random.randrange(25)
        due, self.held = self.held[:count], self.held[count:]
        again = self.random.sample(self.delivered, min(len(self.delivered), self.random.randrange(8)))
        done = [self._deliver(session, lease) for lease in due]
        self.delivered += [(lease, answer) for _, lease, answer in done]
        self.now += self.random.choice((0.0, 1.0, LEASE_SECONDS))
        for lease, first in again:
            self._deliver_again(session, lease, first)
        return done

    def _deliver(self, session: Session, lease: Lease) -> tuple[str, Lease, Answer]:
        if self.random.random() < 0.03:
            answer = leases.fail(session, lease, f"t/{lease.block_index}/{lease.attempt}", "no luck", final=False)
            self.kinds["failed"] += answer.fresh
            return "failed", lease, answer
        answer = leases.complete(session, lease, *result(lease))
        self.kinds["fresh" if answer.fresh else "late"] += 1
        return "complete", lease, answer

    def _deliver_again(self, session: Session, lease: Lease, first: Answer) -> None:
        """The stored answer: what it was, unless the block has been finished by another attempt since."""
        answer = leases.complete(session, lease, *result(lease))
        assert not answer.fresh
        assert first.outcome is None or (answer.outcome, answer.public_id) == (first.outcome, first.public_id)
        self.kinds["again"] += 1


def result(lease: Lease) -> tuple[str, list[tuple[PlayedMatch, str]]]:
    block_id = f"t/{lease.block_index}/{lease.attempt}"
    matches = [
        PlayedMatch(f"{block_id}/{index}", tuple(map(seat, match)), b"")
        for index, match in enumerate(played(lease.block_index))
    ]
    return block_id, [(match, "0" * 64) for match in matches]


def seat(sat: Sat) -> PlayedSeat:
    return PlayedSeat(name(sat.bot), -sat.placement, sat.placement, "completed", sat.faults)


def begun(database: Database) -> int:
    """The primary key of a tournament with all its blocks open."""
    add_bots(database, BOTS)

    def step(session: Session) -> int:
        tournament = Tournament(public_id="t", name="t", game="toy", arguments={}, reproducible=False)
        tables = ([name(sat.bot) for sat in played(block)[0]] for block in range(BLOCKS))
        store.add_tournament(session, tournament, tables)
        store.enqueue(session, store.key(tournament))
        return store.key(tournament)

    return database.write(step)


@pytest.mark.parametrize("seed", [1])
def test_results_in_any_order_late_and_twice_rebuild_to_the_running_table(
    database: Database, seed: int, record_property: Callable[[str, object], None]
) -> None:
    random = Random(seed)
    deliveries = Deliveries(begun(database), random)
    while None in database.read(partial(store.count_blocks, tournament_id=deliveries.tournament)):
        database.write(deliveries.turn)
        if random.random() < 0.3:
            folding.advance(database, "toy", commits=random.choice((1, 2, None)))
    folding.advance(database, "toy")
    record_property("deliveries", deliveries.kinds)
    assert all(deliveries.kinds.values())
    assert deliveries.kinds["fresh"] == BLOCKS

    running = stored(database)
    matches = [match for block in range(BLOCKS) for match in played(block)]
    fold = current(database)
    assert fold.matches == len(matches) == BLOCKS * MATCHES
    assert running == expected(matches, measured=fold.measured)
    done = rebuild(database, "toy")
    assert (done.matches, done.compared, done.differences) == (len(matches), True, ())
    assert stored(database) == running
