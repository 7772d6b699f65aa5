"""Tournaments of ann against bob, and results for their blocks, put in a record past runner and worker."""

from collections.abc import Sequence
from typing import NamedTuple

import fake_worker
from sqlmodel import Session, col, select

from tradepit.v1 import block_pb2
from tradepit_ladder import leases, record, store
from tradepit_ladder.leases import Answer, Lease
from tradepit_ladder.models import Block, Tournament
from tradepit_ladder.owners import Owner
from tradepit_ladder.results import PlayedMatch, played_matches

BOTS = ("ann", "bob")


class Queue(NamedTuple):
    """What is finished of a game."""

    counted: list[record.FinishedBlock]
    """Before the first open block."""
    waiting: list[str | None]
    """The ids of those behind it, or without a place."""

    @property
    def matches(self) -> list[list[record.SeatRecord]]:
        return [match.seats for block in self.counted for match in block.matches]


def of_game(session: Session, game: str) -> Queue:
    counted = record.finished_after(session, game, 0, 1000)
    finished = select(Block.public_id).where(Block.game == game, col(Block.outcome).is_not(None))
    behind = session.exec(finished.order_by(col(Block.number).is_(None), col(Block.number))).all()
    return Queue(counted, list(behind[len(counted) :]))


def begin(
    session: Session, name: str, blocks: int, game: str = "toy", *, now: float = 0.0, bots: Sequence[str] = BOTS
) -> Tournament:
    """Store a tournament with so many blocks of *bots*, and queue it, as a run does."""
    for bot in bots:
        if store.find_bot(session, bot) is None:
            store.add_bot(session, bot, house=True)
    tournament = Tournament(public_id=name, name=name, game=game, arguments={"bots": [*bots]}, reproducible=False)
    store.add_tournament(session, tournament, [list(bots)] * blocks)
    leases.release_stopped(session, tournament, now)
    store.enqueue(session, store.key(tournament))
    return tournament


def result_of(public_id: str, bots: Sequence[str] = BOTS) -> list[tuple[PlayedMatch, str]]:
    """A result that follows from the block's tournament and index, whatever its attempt."""
    block = block_pb2.BlockSpecification(block_id=public_id, entrants=[block_pb2.Entrant(bot=bot) for bot in bots])
    return [(match, "00" * 32) for match in played_matches(block, fake_worker.fabricate(block))]


def block_of(session: Session, tournament: Tournament, index: int) -> Block:
    of_tournament = select(Block).where(Block.tournament_id == tournament.id, Block.block_index == index)
    return session.exec(of_tournament).one()


def public_id_of(tournament: Tournament, lease: Lease) -> str:
    return f"{tournament.public_id}/{lease.block_index}/{lease.attempt}"


def deliver(session: Session, tournament: Tournament, lease: Lease) -> Answer:
    """Record a result for *lease*."""
    public_id = public_id_of(tournament, lease)
    return leases.complete(session, lease, public_id, result_of(public_id, lease.entrants))


def finish(session: Session, tournament: Tournament, *indexes: int) -> None:
    """Record these open blocks, which nobody holds, as complete, in this order."""
    owner, now = Owner("finisher"), -1000.0
    for index in indexes:
        others = [
            store.key(block)
            for block in store.open_blocks(session, store.key(tournament))
            if block.block_index != index
        ]
        (lease,) = leases.take(session, store.key(tournament), owner, now, 1.0, 1, skip=others)
        assert deliver(session, tournament, lease).fresh


def queue(session: Session) -> list[tuple[str, int]]:
    """Tournament and index of every block that has a place in a queue, in order."""
    places = select(Block.number, Tournament.name, Block.block_index).join(
        Tournament, col(Block.tournament_id) == col(Tournament.id)
    )
    numbered = session.exec(places.where(col(Block.number).is_not(None)).order_by(col(Block.number)))
    return [(name, index) for _, name, index in numbered]
