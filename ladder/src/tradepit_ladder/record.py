"""The finished blocks of the record in the order in which ratings fold them."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Any, NamedTuple

from sqlalchemy import Select
from sqlmodel import Session, col, select

from tradepit_ladder.models import Block, Bot, Match, Seat, Tournament
from tradepit_ladder.store import VOID


class SeatRecord(NamedTuple):
    """What counts of one seat of a match."""

    bot: str
    placement: int
    """1 is best, ties share."""
    faults: int
    version: int = 1
    """Which version of the bot played."""


class BlockRecord(NamedTuple):
    """A block of a tournament."""

    public_id: str | None
    outcome: str | None
    """``complete``, ``void``, or None: not finished."""
    reason: str
    reproducible: bool

    @property
    def is_void(self) -> bool:
        """Nothing of it counts."""
        return self.outcome == VOID


class FinishedMatch(NamedTuple):
    """A match that counts."""

    key: int
    """Its primary key."""
    seats: list[SeatRecord]
    """By seat."""


class FinishedBlock(NamedTuple):
    """A block of a game's queue, complete or void."""

    number: int
    """Its place in the queue."""
    public_id: str
    reason: str
    """Why it is void; empty: it is complete."""
    reproducible: bool
    matches: list[FinishedMatch]
    """By index; of a void block none."""


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of a tournament."""

    counted: list[BlockRecord]
    """The finished blocks before the first unfinished one, void ones among them."""
    waiting: list[BlockRecord]
    """The finished blocks behind it, which do not count yet."""
    matches: list[list[SeatRecord]]
    """The matches of the counted blocks, in order: by block, then by match index."""


def of_tournament(session: Session, tournament_id: int) -> Record:
    """The blocks of one tournament, in its own order."""
    columns = select(Block.public_id, Block.outcome, Block.reason, Tournament.reproducible)
    joined = columns.join(Tournament, col(Block.tournament_id) == col(Tournament.id))
    rows = session.exec(joined.where(col(Block.tournament_id) == tournament_id).order_by(col(Block.block_index)))
    blocks = [BlockRecord(*row) for row in rows]
    counted = list(takewhile(lambda block: block.outcome is not None, blocks))
    waiting = [block for block in blocks[len(counted) :] if block.outcome is not None]
    return Record(counted, waiting, _matches(session, tournament_id, len(counted)))


def finished_after(session: Session, game: str, number: int, limit: int) -> list[FinishedBlock]:
    """The finished blocks of *game* behind place *number* of its queue and before the first open one, at most *limit*.

    No block ever gets a place before these, so whoever has folded them goes on behind the last.
    """
    columns = select(Block.id, Block.number, Block.public_id, Block.outcome, Block.reason, Tournament.reproducible)  # type: ignore[call-overload]  # SQLModel has overloads for up to four columns
    behind = columns.join(Tournament, col(Block.tournament_id) == col(Tournament.id)).where(
        col(Block.game) == game, col(Block.number) > number
    )
    rows = session.exec(behind.order_by(col(Block.number)).limit(limit)).all()
    finished = list(takewhile(lambda row: row.outcome is not None, rows))
    if not finished:
        return []
    matches = _matches_by_block(session, game, finished[0].number, finished[-1].number)
    return [
        FinishedBlock(row.number, row.public_id, row.reason, row.reproducible, matches.get(row.id, []))
        for row in finished
    ]


def _matches_by_block(session: Session, game: str, first: int, last: int) -> dict[int, list[FinishedMatch]]:
    seats = _seats().where(col(Block.game) == game, col(Block.number).between(first, last))
    ordered = seats.order_by(col(Block.number), col(Match.match_index), col(Seat.seat))
    found: dict[int, list[FinishedMatch]] = defaultdict(list)
    for (block, match), rows in groupby(_read_seats(session, ordered), lambda row: (row.block, row.match)):
        found[block].append(FinishedMatch(match, [row.record for row in rows]))
    return found


def _matches(session: Session, tournament_id: int, blocks: int) -> list[list[SeatRecord]]:
    """The matches of the first *blocks* of a tournament."""
    first = _seats().where(col(Block.tournament_id) == tournament_id, col(Block.block_index) < blocks)
    ordered = first.order_by(col(Block.block_index), col(Match.match_index), col(Seat.seat))
    return [[row.record for row in rows] for _, rows in groupby(_read_seats(session, ordered), _match_of)]


class _SeatRow(NamedTuple):
    match: int
    block: int
    record: SeatRecord


def _match_of(row: _SeatRow) -> int:
    return row.match


def _seats() -> Select[Any]:
    columns = select(Match.id, Match.block_id, Bot.name, Seat.placement, Seat.faults, Seat.bot_version)  # type: ignore[call-overload]  # SQLModel has overloads for up to four columns
    by_match = columns.select_from(Block).join(Match, col(Match.block_id) == col(Block.id))
    return by_match.join(Seat, col(Seat.match_id) == col(Match.id)).join(Bot, col(Seat.bot_id) == col(Bot.id))  # type: ignore[no-any-return]  # the same


def _read_seats(session: Session, seats: Select[Any]) -> Iterator[_SeatRow]:
    for match, block, *columns in session.execute(seats):
        yield _SeatRow(match, block, SeatRecord(*columns))
