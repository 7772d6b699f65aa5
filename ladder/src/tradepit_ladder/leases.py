"""Who plays which block, and what came of it: leases, attempts and their results.

A block is leased for one attempt at a time, by a token that is higher each time. A result is recorded for the lease
that lasts, once; whatever else arrives, late, twice, or by an older token, changes nothing and gets the stored answer.
Queries like those of the store: each works in the session that it is given and commits nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, func, update
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from tradepit_ladder import owners, store
from tradepit_ladder.models import Attempt, Block, Tournament
from tradepit_ladder.owners import Owner
from tradepit_ladder.results import PlayedMatch

EXPIRED = "expired"
RELEASED = "released"


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to play a block, for one attempt."""

    block_key: int
    """The block's primary key."""
    block_index: int
    """Its place in the tournament, from 0."""
    entrants: tuple[str, ...]
    """The names of its bots."""
    attempt: int
    """From 1; of this block."""
    token: int
    """Higher than that of any earlier lease."""
    failures: int
    """How many earlier attempts ended void."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the record holds of a block now."""

    outcome: str | None
    """``complete``, ``void``, or None: it is not finished."""
    public_id: str | None
    """The block id under which it finished; None: it is not finished."""
    fresh: bool
    """It was this delivery that counted."""


def take(
    session: Session,
    tournament_id: int,
    owner: Owner,
    now: float,
    seconds: float,
    limit: int,
    *,
    skip: Collection[int] = (),
) -> list[Lease]:
    """Lease up to *limit* open blocks of an open tournament that nobody holds, in order, until *now* + *seconds*.

    Nobody holds a block that was never leased, was released, whose lease has expired at *now*, or whose owner is
    gone. The blocks whose keys are in *skip* are left out. A block that had lost its place in the queue, since the
    tournament seemed to have stopped, gets a new one.
    """
    free = _open_blocks(tournament_id).where(_is_free(session, now), col(Block.id).not_in(skip))
    blocks = session.exec(free.order_by(col(Block.block_index)).limit(limit)).all()
    if not blocks:
        return []
    if any(block.number is None for block in blocks):
        store.enqueue(session, tournament_id)
    keys = [store.key(block) for block in blocks]
    # What is left of their earlier leases ends here: from now on only the new token is good for a result.
    session.exec(update(Attempt).where(*_lasting_of(keys)).values(ended=EXPIRED))
    failures = _failures(session, keys)
    attempts = [_begin(block, owner, now, now + seconds) for block in blocks]
    session.add_all(attempts)
    session.flush()
    return [_lease(*pair, failures) for pair in zip(blocks, attempts, strict=True)]


def _begin(block: Block, owner: Owner, now: float, until: float) -> Attempt:
    block.attempts += 1
    return Attempt(block_id=store.key(block), number=block.attempts, owner=owner, taken_at=now, until=until)


def _lease(block: Block, attempt: Attempt, failures: Mapping[int, int]) -> Lease:
    key = store.key(block)
    return Lease(
        block_key=key,
        block_index=block.block_index,
        entrants=tuple(block.entrants),
        attempt=attempt.number,
        token=store.key(attempt),
        failures=failures.get(key, 0),
    )


def _lasting_of(blocks: Collection[int]) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return col(Attempt.block_id).in_(blocks), col(Attempt.ended).is_(None)


def _open_blocks(tournament_id: int) -> SelectOfScalar[Block]:
    is_open = select(Tournament.id).where(col(Tournament.id) == tournament_id, col(Tournament.state) == store.OPEN)
    return select(Block).where(col(Block.tournament_id).in_(is_open), col(Block.outcome).is_(None))


def is_held(session: Session, now: float) -> ColumnElement[bool]:
    """Of an attempt: whether it is a lease that lasts at *now*, of an owner who may be alive."""
    lasting = select(Attempt.owner).where(col(Attempt.ended).is_(None)).distinct()
    gone = [owner for owner in session.exec(lasting) if owners.is_gone(Owner(owner))]
    return and_(col(Attempt.ended).is_(None), col(Attempt.until) > now, col(Attempt.owner).not_in(gone))


def _is_free(session: Session, now: float) -> ColumnElement[bool]:
    held = select(Attempt.id).where(col(Attempt.block_id) == col(Block.id), is_held(session, now))
    return ~held.exists()


def _failures(session: Session, blocks: Sequence[int]) -> dict[int, int]:
    """How many attempts at each of *blocks* ended void; those without are left out."""
    void = select(Attempt.block_id, func.count()).where(
        col(Attempt.block_id).in_(blocks), col(Attempt.ended) == store.VOID
    )
    return dict(session.exec(void.group_by(col(Attempt.block_id))).all())


def renew(session: Session, leases: Sequence[Lease], until: float) -> list[Lease]:
    """Have *leases* last until then at least, in seconds since the epoch. Returns those that still last at all."""
    tokens = [lease.token for lease in leases]
    lasting = and_(col(Attempt.id).in_(tokens), col(Attempt.ended).is_(None))
    session.exec(update(Attempt).where(lasting, col(Attempt.until) < until).values(until=until))
    still = set(session.exec(select(Attempt.id).where(lasting)))
    return [lease for lease in leases if lease.token in still]


def release(session: Session, leases: Sequence[Lease]) -> None:
    """Give back *leases*: somebody else may play the blocks, and the attempts do not count as failures."""
    lasting = col(Attempt.id).in_([lease.token for lease in leases]), col(Attempt.ended).is_(None)
    session.exec(update(Attempt).where(*lasting).values(ended=RELEASED))


def complete(session: Session, lease: Lease, public_id: str, matches: Sequence[tuple[PlayedMatch, str]]) -> Answer:
    """Record *matches*, each with its replay's digest, as the result of the block, under the block id *public_id*."""
    if not _end_attempt(session, lease, store.COMPLETE, ""):
        return _stored(session, lease)
    _finish(session, lease, public_id, store.COMPLETE, "")
    store.add_matches(session, lease.block_key, matches)
    return Answer(store.COMPLETE, public_id, fresh=True)


def fail(session: Session, lease: Lease, public_id: str, reason: str, *, final: bool) -> Answer:
    """Record that the attempt is void; when it is *final* the block too, under the block id *public_id*."""
    if not _end_attempt(session, lease, store.VOID, reason):
        return _stored(session, lease)
    if not final:
        return Answer(None, None, fresh=True)
    _finish(session, lease, public_id, store.VOID, reason)
    return Answer(store.VOID, public_id, fresh=True)


def _finish(session: Session, lease: Lease, public_id: str, outcome: str, reason: str) -> None:
    store.finish(session, lease.block_key, public_id, outcome, reason)
    # Its tournament seemed to have stopped; but what it has played counts.
    released = select(Block.tournament_id).where(Block.id == lease.block_key, col(Block.number).is_(None))
    for tournament_id in session.exec(released):
        store.enqueue(session, tournament_id)


def _end_attempt(session: Session, lease: Lease, ended: str, reason: str) -> bool:
    """Says whether *lease* lasted until now."""
    lasting = col(Attempt.id) == lease.token, col(Attempt.block_id) == lease.block_key, col(Attempt.ended).is_(None)
    result = session.exec(update(Attempt).where(*lasting).values(ended=ended, reason=reason).returning(col(Attempt.id)))
    return result.one_or_none() is not None


def _stored(session: Session, lease: Lease) -> Answer:
    stored = select(Block.outcome, Block.public_id).where(col(Block.id) == lease.block_key)
    outcome, public_id = session.exec(stored).one()
    return Answer(outcome, public_id, fresh=False)


def held_by_others(session: Session, tournament_id: int, owner: Owner, now: float) -> int:
    """How many blocks of the tournament others than *owner* hold at *now*."""
    held = (
        select(func.count())
        .select_from(Attempt)
        .join(Block)
        .where(col(Block.tournament_id) == tournament_id, col(Attempt.owner) != owner, is_held(session, now))
    )
    return session.exec(held).one()


def release_stopped(session: Session, tournament: Tournament, now: float) -> None:
    """Take every other tournament of the same game that nobody plays out of the queue, from its first open block on.

    Nothing behind an open block has been counted, so this changes no rating; without it a tournament that was stopped
    would hold up all later ones. Its blocks return to the end of the queue when it goes on.
    """
    played = select(Block.tournament_id).join(Attempt).where(is_held(session, now))
    unfinished = (
        select(Block.tournament_id, func.min(Block.number))
        .where(
            col(Block.game) == tournament.game,
            col(Block.tournament_id) != store.key(tournament),
            col(Block.tournament_id).not_in(played),
            col(Block.outcome).is_(None),
            col(Block.number).is_not(None),
        )
        .group_by(col(Block.tournament_id))
    )
    for stopped, first in session.exec(unfinished).all():
        behind = update(Block).where(col(Block.tournament_id) == stopped, col(Block.number) >= first)
        session.exec(behind.values(number=None))
