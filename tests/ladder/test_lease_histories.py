"""Long histories of leases, told by chance, against a model that fits on a page."""

from dataclasses import dataclass, field
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule, run_state_machine_as_test
from recording import begin, public_id_of, result_of
from sqlmodel import Session, col, func, select

from tradepit_ladder import leases, owners, record, store
from tradepit_ladder.database import Database
from tradepit_ladder.leases import Answer, Lease
from tradepit_ladder.models import Attempt, Block, Match, Tournament
from tradepit_ladder.owners import Owner

BLOCKS = 4
SECONDS = 10.0
OWNERS = st.sampled_from([Owner("here"), Owner("there"), Owner("far")])


@dataclass
class Known:
    """What must be true of a block."""

    outcome: str | None = None
    public_id: str | None = None
    lease: Lease | None = None
    """The one that lasts."""
    owner: str = ""
    until: float = 0.0
    attempts: int = 0
    failures: int = 0

    def is_free(self, now: float, gone: set[str]) -> bool:
        return self.outcome is None and (self.lease is None or now >= self.until or self.owner in gone)


@dataclass
class Gone:
    """Which processes have ended."""

    owners: set[str] = field(default_factory=set)


class Histories(RuleBasedStateMachine):
    """Programs that take, renew, deliver, fail, give back and die, while an organiser pauses and cancels."""

    database: ClassVar[Database]
    gone: ClassVar[Gone]
    number: ClassVar[int] = 0

    taken = Bundle("taken")

    def __init__(self) -> None:
        super().__init__()
        type(self).number += 1
        self.gone.owners.clear()
        self.name = f"cup-{self.number}"
        self.cup = self.database.write(lambda session: begin(session, self.name, BLOCKS, self.name))
        self.blocks = [Known() for _ in range(BLOCKS)]
        self.now = 0.0
        self.paused = False
        self.cancelled = False
        self.last_token = 0
        self.folded: list[str] = []

    @rule(seconds=st.sampled_from([1.0, SECONDS / 2, SECONDS]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(owner=OWNERS)
    def owner_dies(self, owner: Owner) -> None:
        self.gone.owners.add(owner)

    @rule(
        target=taken, owner=OWNERS, limit=st.integers(1, BLOCKS), skip=st.sets(st.integers(0, BLOCKS - 1), max_size=2)
    )
    def take(self, owner: Owner, limit: int, skip: set[int]) -> object:
        self.gone.owners.discard(owner)
        keys = self.database.read(lambda session: self._keys(session, skip))
        held = self.database.write(
            lambda session: leases.take(session, store.key(self.cup), owner, self.now, SECONDS, limit, skip=keys)
        )
        free = [
            index
            for index, block in enumerate(self.blocks)
            if block.is_free(self.now, self.gone.owners) and index not in skip
        ]
        assert [lease.block_index for lease in held] == ([] if self.paused or self.cancelled else free[:limit])
        for lease in held:
            block = self.blocks[lease.block_index]
            assert lease.token > self.last_token
            assert (lease.attempt, lease.failures) == (block.attempts + 1, block.failures)
            self.last_token = lease.token
            block.lease, block.owner, block.until = lease, owner, self.now + SECONDS
            block.attempts += 1
        return multiple(*held)

    def _keys(self, session: Session, indexes: set[int]) -> list[int]:
        blocks = select(Block).where(Block.tournament_id == self.cup.id, col(Block.block_index).in_(indexes))
        return [store.key(block) for block in session.exec(blocks)]

    @rule(lease=taken)
    def renew(self, lease: Lease) -> None:
        block = self.blocks[lease.block_index]
        held = self.database.write(lambda session: leases.renew(session, [lease], self.now + SECONDS))
        assert held == ([lease] if block.lease == lease else [])
        if held:
            block.until = max(block.until, self.now + SECONDS)

    @rule(lease=taken)
    def give_back(self, lease: Lease) -> None:
        self.database.write(lambda session: leases.release(session, [lease]))
        if self.blocks[lease.block_index].lease == lease:
            self.blocks[lease.block_index].lease = None

    @rule(lease=taken, times=st.integers(1, 2))
    def deliver(self, lease: Lease, times: int) -> None:
        public_id = public_id_of(self.cup, lease)
        for _ in range(times):
            answer = self.database.write(
                lambda session: leases.complete(session, lease, public_id, result_of(public_id))
            )
            self._check(answer, lease, "complete", public_id)

    @rule(lease=taken, final=st.booleans())
    def fail(self, lease: Lease, final: bool) -> None:
        public_id = public_id_of(self.cup, lease)
        answer = self.database.write(lambda session: leases.fail(session, lease, public_id, "no", final=final))
        block = self.blocks[lease.block_index]
        if answer.fresh and not final:
            assert block.lease == lease
            block.failures += 1
            block.lease = None
        else:
            self._check(answer, lease, "void", public_id)

    def _check(self, answer: Answer, lease: Lease, outcome: str, public_id: str) -> None:
        block = self.blocks[lease.block_index]
        assert answer.fresh == (block.lease == lease)
        if answer.fresh:
            block.outcome, block.public_id, block.lease = outcome, public_id, None
        assert (answer.outcome, answer.public_id) == (block.outcome, block.public_id)

    @rule(paused=st.booleans())
    def pause_or_reopen(self, paused: bool) -> None:
        if not self.cancelled:
            change = store.pause if paused else store.reopen
            self.database.write(lambda session: change(session, self.cup))
            self.paused = paused

    @rule()
    def another_tournament_begins(self) -> None:
        """Whoever stopped loses its place; nothing that counts does."""
        other = Tournament(id=-1, public_id="", name="", game=self.name, arguments={}, reproducible=False)
        self.database.write(lambda session: leases.release_stopped(session, other, self.now))

    @rule()
    def cancel_now_and_then(self) -> None:
        if self.now < 4 * SECONDS:
            return
        self.cancelled = True
        self.database.write(lambda session: store.cancel(session, self.cup))
        for index, block in enumerate(self.blocks):
            if block.outcome is None:
                block.outcome, block.lease = "void", None
                block.public_id = f"{self.name}/{index}" + (f"/{block.attempts}" if block.attempts else "")

    @invariant()
    def the_record_is_the_model(self) -> None:
        self.database.read(self._compare)

    def _compare(self, session: Session) -> None:
        stored = session.exec(select(Block).where(Block.tournament_id == self.cup.id).order_by(col(Block.block_index)))
        for block, known in zip(stored, self.blocks, strict=True):
            assert (block.outcome, block.public_id, block.attempts) == (known.outcome, known.public_id, known.attempts)
            matches = session.exec(select(func.count()).select_from(Match).where(Match.block_id == block.id)).one()
            assert matches == (2 if known.outcome == "complete" else 0)
            lasting = select(Attempt.id).where(Attempt.block_id == block.id, col(Attempt.ended).is_(None))
            assert list(session.exec(lasting)) == ([known.lease.token] if known.lease is not None else [])
        counted = [block.public_id for block in record.finished_after(session, self.name, 0, 99)]
        assert counted[: len(self.folded)] == self.folded  # what counts once stays, in its place
        self.folded = counted


def test_the_record_agrees_with_the_model(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = Gone()
    monkeypatch.setattr(owners, "is_gone", lambda owner: owner in gone.owners)
    examples = 40 if "sqlite" in database.shown else 8

    class Bound(Histories):
        pass

    Bound.database, Bound.gone = database, gone
    run_state_machine_as_test(Bound, settings=settings(max_examples=examples, stateful_step_count=25, deadline=None))
