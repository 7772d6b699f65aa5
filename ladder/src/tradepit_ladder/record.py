"""The finished blocks of the record in the order in which ratings fold them."""

from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col, select

from tradepit_ladder.models import Block, Bot, Match, Seat, Tournament
from tradepit_ladder.store import VOID


class SeatRecord(NamedTuple):
    """What counts of one seat of a match."""

    bot: str
    placement: int
    """1 is best, ties share."""
    faults: int


class BlockRecord(NamedTuple):
    """A block in the order of the fold."""

    place: int | None
    """Where in that order; None: it has left the queue."""
    public_id: str | None
    outcome: str | None
    """``complete``, ``void``, or None: not finished."""
    reason: str
    reproducible: bool

    @property
    def is_void(self) -> bool:
        """Nothing of it counts."""
        return self.outcome == VOID


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of a game or a tournament."""

    counted: list[BlockRecord]
    """The finished blocks before the first unfinished one, void ones among them."""
    waiting: list[BlockRecord]
    """The finished blocks behind it, which do not count yet."""
    matches: list[list[SeatRecord]]
    """The matches of the counted blocks, in order: by block, then by match index."""


def of_game(session: Session, game: str) -> Record:
    """All blocks of *game*, in the order of the queue."""
    return _read(session, col(Tournament.game) == game, col(Block.number))


def of_tournament(session: Session, tournament_id: int) -> Record:
    """The blocks of one tournament, in its own order."""
    return _read(session, col(Tournament.id) == tournament_id, col(Block.block_index))


def _read(session: Session, scope: ColumnElement[bool], place: Mapped[Any]) -> Record:
    columns = select(place, Block.public_id, Block.outcome, Block.reason, Tournament.reproducible)  # type: ignore[call-overload]  # SQLModel has overloads for up to four columns
    rows = session.exec(columns.join(Tournament).where(scope).order_by(place.is_(None), place))
    blocks = [BlockRecord(*row) for row in rows]
    counted = list(takewhile(lambda block: block.place is not None and block.outcome is not None, blocks))
    waiting = [block for block in blocks[len(counted) :] if block.outcome is not None]
    matches = _matches(session, scope, place, counted[-1].place) if counted else []
    return Record(counted, waiting, matches)


def _matches(
    session: Session, scope: ColumnElement[bool], place: Mapped[Any], last: int | None
) -> list[list[SeatRecord]]:
    seats = select(Seat.match_id, Bot.name, Seat.placement, Seat.faults).join(Bot).join(Match).join(Block)
    counted = seats.join(Tournament).where(scope, place <= last).order_by(place, col(Match.match_index), col(Seat.seat))
    by_match = groupby(session.exec(counted), key=lambda row: row[0])
    return [[SeatRecord(*row[1:]) for row in rows] for _, rows in by_match]
