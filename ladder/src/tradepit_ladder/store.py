"""Queries on the record. Each works in the session that it is given and commits nothing."""

from collections.abc import Iterable, Sequence

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from tradepit_ladder.models import Block, Bot, Match, Seat, Tournament
from tradepit_ladder.results import PlayedMatch, PlayedSeat

COMPLETE = "complete"
VOID = "void"


def key(row: Bot | Tournament | Block | Match) -> int:
    """The primary key of a stored *row*."""
    if row.id is None:
        raise AssertionError(f"{row!r} has not been stored")
    return row.id


def find_bot(session: Session, name: str) -> Bot | None:
    """The bot called *name*."""
    return session.exec(select(Bot).where(col(Bot.name) == name)).one_or_none()


def added_bots(session: Session) -> Sequence[Bot]:
    """The bots that are not of the house, by name."""
    return session.exec(select(Bot).where(col(Bot.house).is_(False)).order_by(col(Bot.name))).all()


def find_tournament(session: Session, name: str) -> Tournament | None:
    """The tournament called *name*."""
    return session.exec(select(Tournament).where(col(Tournament.name) == name)).one_or_none()


def find_tournament_by_id(session: Session, public_id: str) -> Tournament | None:
    """The tournament whose block ids begin with *public_id*."""
    return session.exec(select(Tournament).where(col(Tournament.public_id) == public_id)).one_or_none()


def add_tournament(session: Session, tournament: Tournament, entrants: Iterable[list[str]]) -> None:
    """Store a new *tournament* and its blocks, in order; *entrants* are the bots of each."""
    session.add(tournament)
    session.flush()
    session.add_all(
        Block(tournament_id=key(tournament), block_index=index, entrants=at_table)
        for index, at_table in enumerate(entrants)
    )
    session.flush()


def enqueue(session: Session, tournament_id: int) -> None:
    """Give every block of the tournament that has no place in the queue the next one, in order."""
    last = session.exec(select(func.max(Block.number))).one()
    waiting = select(Block).where(Block.tournament_id == tournament_id, col(Block.number).is_(None))
    for number, block in enumerate(session.exec(waiting.order_by(col(Block.block_index))), start=(last or 0) + 1):
        block.number = number
    session.flush()


def release_stopped(session: Session, tournament: Tournament) -> None:
    """Take every other tournament of the same game out of the queue from its first unfinished block on.

    Nothing behind an unfinished block has been counted, so this changes no rating; without it a tournament that
    was stopped would hold up all later ones. Its blocks return to the end of the queue when it goes on.
    """
    others = select(Tournament.id).where(Tournament.game == tournament.game, Tournament.id != tournament.id)
    unfinished = (
        select(Block.tournament_id, func.min(Block.number))
        .where(col(Block.tournament_id).in_(others), col(Block.outcome).is_(None), col(Block.number).is_not(None))
        .group_by(col(Block.tournament_id))
    )
    for stopped, first in session.exec(unfinished).all():
        behind = update(Block).where(col(Block.tournament_id) == stopped, col(Block.number) >= first)
        session.exec(behind.values(number=None))


def open_blocks(session: Session, tournament_id: int) -> Sequence[Block]:
    """The unfinished blocks of the tournament, in order."""
    unfinished = select(Block).where(Block.tournament_id == tournament_id, col(Block.outcome).is_(None))
    return session.exec(unfinished.order_by(col(Block.block_index))).all()


def count_blocks(session: Session, tournament_id: int) -> dict[str | None, int]:
    """How many blocks of the tournament have each outcome; None: unfinished."""
    counts = select(Block.outcome, func.count()).where(Block.tournament_id == tournament_id)
    return dict(session.exec(counts.group_by(col(Block.outcome))).all())


def begin_attempts(session: Session, block_ids: Sequence[int]) -> dict[int, int]:
    """Count another attempt at each block and return its number, from 1, by the block's key."""
    session.exec(update(Block).where(col(Block.id).in_(block_ids)).values(attempts=Block.attempts + 1))
    begun = session.exec(select(Block).where(col(Block.id).in_(block_ids))).all()
    return {key(block): block.attempts for block in begun}


def record_void(session: Session, block_id: int, public_id: str, reason: str) -> bool:
    """Finish the block as void. Says whether it did: a block that is finished stays what it is."""
    return _finish(session, block_id, public_id, VOID, reason)


def record_complete(
    session: Session, block_id: int, public_id: str, matches: Sequence[tuple[PlayedMatch, str]]
) -> bool:
    """Finish the block with *matches*, each with its replay's digest.

    Says whether it did: a block that is finished stays what it is.
    """
    if not _finish(session, block_id, public_id, COMPLETE, ""):
        return False
    names = {seat.bot for match, _ in matches for seat in match.seats}
    bots = {bot.name: key(bot) for bot in session.exec(select(Bot).where(col(Bot.name).in_(names)))}
    for index, (match, digest) in enumerate(matches):
        row = Match(block_id=block_id, match_index=index, public_id=match.match_id, replay_sha256=digest)
        session.add(row)
        session.flush()
        session.add_all(_seat(key(row), number, seat, bots) for number, seat in enumerate(match.seats))
    session.flush()
    return True


def _finish(session: Session, block_id: int, public_id: str, outcome: str, reason: str) -> bool:
    unfinished = update(Block).where(col(Block.id) == block_id, col(Block.outcome).is_(None))
    return session.exec(unfinished.values(public_id=public_id, outcome=outcome, reason=reason)).rowcount == 1


def _seat(match_id: int, number: int, seat: PlayedSeat, bots: dict[str, int]) -> Seat:
    return Seat(
        match_id=match_id,
        seat=number,
        bot_id=bots[seat.bot],
        score=seat.score,
        placement=seat.placement,
        termination=seat.termination,
        faults=seat.faults,
    )
