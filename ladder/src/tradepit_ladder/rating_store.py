"""Queries on ratings and on the results that they follow from. Each works in the session that it is given."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, delete, except_, func, literal_column, text, update
from sqlalchemy import select as sql_select
from sqlmodel import Session, col, select

from tradepit_ladder.client import VoidBlock
from tradepit_ladder.models import METADATA, Block, Bot, Match, Seat, Tournament
from tradepit_ladder.rating_models import FoldRow, PairRow, RatingRow, StepRow
from tradepit_ladder.rating_reports import RatingPoint
from tradepit_ladder.ratings import Fold, Policy
from tradepit_ladder.record import FinishedBlock
from tradepit_ladder.standings import Rated, Tally
from tradepit_ladder.store import COMPLETE, VOID

CURRENT = "current"
BUILDING = "building"
REBUILDING = "rebuilding"
SUPERSEDED = "superseded"


_RATINGS, _STEPS, _PAIRS = (METADATA.tables[row.__tablename__] for row in (RatingRow, StepRow, PairRow))


class Known(NamedTuple):
    """What a fold says of a bot."""

    row: Rated
    version: int
    """With which it played last."""


def fold_of(session: Session, game: str, state: str) -> FoldRow | None:
    """The game's fold in this *state*, of which there can be one: not ``superseded``."""
    # Written out, so that the index of such folds is seen to hold it.
    alone = col(FoldRow.state) != literal_column(f"'{SUPERSEDED}'")
    return session.exec(select(FoldRow).where(FoldRow.game == game, FoldRow.state == state, alone)).one_or_none()


def policy(fold: FoldRow) -> Policy:
    """By what *fold* goes."""
    return Policy(fold.draw_probability, fold.on_new_version)  # type: ignore[arg-type]  # the database checks it


def games(session: Session) -> Sequence[str]:
    """The games that tournaments have been begun in."""
    return session.exec(select(Tournament.game).distinct().order_by(Tournament.game)).all()


def first_placements(session: Session, game: str, matches: int) -> Iterator[list[int]]:
    """The placements in the first so many *matches* of the game's fold."""
    first = (
        select(Match.id, Block.number, Match.match_index)
        .join(Block)
        .where(Block.game == game, col(Block.number).is_not(None), Block.outcome == COMPLETE)
        .order_by(col(Block.number), col(Match.match_index))
        .limit(matches)
        .subquery()
    )
    seats = select(Seat.match_id, Seat.placement).join(first, first.c.id == Seat.match_id)
    rows = session.exec(seats.order_by(first.c.number, first.c.match_index, col(Seat.seat)))
    return ([placement for _, placement in seats] for _, seats in groupby(rows, lambda row: row[0]))


def bot_keys(session: Session, names: Collection[str]) -> dict[str, int]:
    """The primary keys of the bots with these *names*."""
    return dict(session.exec(select(Bot.name, Bot.id).where(col(Bot.name).in_(names))).all())  # type: ignore[arg-type]  # a stored bot has a key


def known(session: Session, fold_id: int, bots: Collection[int] | None = None) -> dict[str, Known]:
    """What the fold says of the *bots* with these primary keys, as far as it knows them; None: of all."""
    columns = _rated().add_columns(col(RatingRow.bot_version)).where(RatingRow.fold_id == fold_id)
    rows = session.exec(columns if bots is None else columns.where(col(RatingRow.bot_id).in_(bots)))
    return {row[0]: Known(Rated(*row[:-1]), row[-1]) for row in rows}


def top(session: Session, fold_id: int, rows: int) -> list[Rated]:
    """The first *rows* of the fold's table."""
    falling = col(RatingRow.conservative).desc()
    found = session.exec(_rated().where(RatingRow.fold_id == fold_id).order_by(falling, Bot.name).limit(rows))
    return [Rated(*row) for row in found]


def _rated() -> Any:
    """The columns of Rated."""
    return select(  # type: ignore[call-overload]  # SQLModel has overloads for up to four columns
        Bot.name,
        RatingRow.mu,
        RatingRow.sigma,
        RatingRow.conservative,
        RatingRow.matches,
        RatingRow.placements,
        RatingRow.faults,
    ).join(Bot, RatingRow.bot_id == Bot.id)


def pairs(session: Session, fold_id: int, bots: Collection[str]) -> Tally:
    """How often each two of *bots* finished one above the other."""
    keys = {key: name for name, key in bot_keys(session, bots).items()}
    # By the first bot alone: to look up every two, PostgreSQL would rather read the whole table.
    other = (col(PairRow.other_id) + 0).in_(keys)
    columns = select(PairRow.bot_id, PairRow.other_id, PairRow.above, PairRow.below, PairRow.ties)  # type: ignore[call-overload]  # SQLModel has overloads for up to four columns
    tally = Tally()
    for row in session.exec(columns.where(PairRow.fold_id == fold_id, col(PairRow.bot_id).in_(keys), other)):
        tally.add_pair(keys[row.bot_id], keys[row.other_id], row.above, row.below, row.ties)
    return tally


def steps(session: Session, fold_id: int, bot_id: int) -> Iterator[RatingPoint]:
    """The rating of the bot after each of its matches, in order."""
    columns = select(  # type: ignore[call-overload]  # SQLModel has overloads for up to four columns
        Match.public_id, Seat.placement, Seat.bot_version, StepRow.mu, StepRow.sigma
    )
    joined = columns.join(Match, Match.id == StepRow.match_id).join(
        Seat, (col(Seat.match_id) == StepRow.match_id) & (col(Seat.bot_id) == StepRow.bot_id)
    )
    mine = joined.where(StepRow.fold_id == fold_id, StepRow.bot_id == bot_id)
    return (RatingPoint(*row) for row in session.exec(mine.order_by(col(StepRow.position))))


def match_ids(session: Session, keys: Collection[int]) -> dict[int, str]:
    """The ids of the matches with these primary *keys*."""
    return dict(session.exec(select(Match.id, Match.public_id).where(col(Match.id).in_(keys))).all())  # type: ignore[arg-type]  # a stored match has a key


def waiting(session: Session, game: str, after: int) -> int:
    """How many complete blocks of *game* are behind that number of the queue, or have no place in it."""
    complete = select(func.count()).where(Block.game == game, Block.outcome == COMPLETE)
    # Two questions: each is a range of the index, and "or" would be all of it.
    behind, without_place = col(Block.number) > after, col(Block.number).is_(None)
    return sum(session.exec(complete.where(where)).one() for where in (behind, without_place))


def void(session: Session, game: str) -> tuple[VoidBlock, ...]:
    """The void blocks of *game*, in the order of the queue."""
    blocks = select(Block.public_id, Block.reason).where(Block.game == game, Block.outcome == VOID)
    rows = session.exec(blocks.order_by(col(Block.number).is_(None), col(Block.number)))
    return tuple(VoidBlock(str(public_id), reason) for public_id, reason in rows)


def add_fold(session: Session, fold: FoldRow) -> int:
    """Store a new *fold*. Returns its primary key."""
    session.add(fold)
    session.flush()
    return key(fold)


def key(fold: FoldRow) -> int:
    """The primary key of a stored *fold*."""
    if fold.id is None:
        raise AssertionError(f"{fold!r} has not been stored")
    return fold.id


def move(session: Session, fold: FoldRow, blocks: Sequence[FinishedBlock], new_bots: int) -> bool:
    """Have *fold* stand behind *blocks*, in which so many bots are new to it.

    Says whether it did: not if it is no longer where *fold* says.
    """
    stands = update(FoldRow).where(
        col(FoldRow.id) == fold.id, col(FoldRow.through) == fold.through, col(FoldRow.state) == fold.state
    )
    complete = [block for block in blocks if not block.reason]
    moved = stands.values(
        through=blocks[-1].number,
        matches=fold.matches + sum(len(block.matches) for block in complete),
        blocks=fold.blocks + len(complete),
        blocks_reproducible=fold.blocks_reproducible + sum(block.reproducible for block in complete),
        bots=fold.bots + new_bots,
    )
    return session.exec(moved).rowcount == 1


def stands(session: Session, fold: FoldRow) -> bool:
    """Whether *fold* is still where and what it says."""
    where = select(FoldRow.id).where(
        FoldRow.id == fold.id, FoldRow.through == fold.through, FoldRow.state == fold.state
    )
    return session.exec(where).one_or_none() is not None


def set_state(session: Session, fold_id: int, state: str) -> None:
    """Have the fold be in *state*; the ratings of one that is superseded are deleted."""
    if state == SUPERSEDED:
        clear(session, fold_id)
    session.exec(update(FoldRow).where(col(FoldRow.id) == fold_id).values(state=state))


def clear(session: Session, fold_id: int) -> None:
    """Delete the ratings of the fold."""
    for table in (_RATINGS, _STEPS, _PAIRS):
        session.connection().execute(delete(table).where(table.c.fold_id == fold_id))


def remove(session: Session, fold_id: int) -> None:
    """Delete the fold with its ratings."""
    clear(session, fold_id)
    session.exec(delete(FoldRow).where(col(FoldRow.id) == fold_id))


_REPLACE_RATING = (
    "ON CONFLICT (fold_id, bot_id) DO UPDATE SET bot_version = excluded.bot_version, mu = excluded.mu, "
    "sigma = excluded.sigma, conservative = excluded.conservative, matches = ratings.matches + excluded.matches, "
    "placements = ratings.placements + excluded.placements, faults = ratings.faults + excluded.faults"
)

_ADD_PAIR = (
    "ON CONFLICT (fold_id, bot_id, other_id) DO UPDATE SET above = rating_pairs.above + excluded.above, "
    "below = rating_pairs.below + excluded.below, ties = rating_pairs.ties + excluded.ties"
)


def add_ratings(session: Session, fold_id: int, bots: Mapping[str, int], fold: Fold, tally: Tally) -> None:
    """Store what *fold* says of the *bots*, and add *tally* to theirs."""
    rows = [
        (
            fold_id,
            bots[bot],
            fold.versions[bot],
            *rating,
            rating.conservative,
            tally.matches[bot],
            tally.placements[bot],
            tally.faults[bot],
        )
        for bot, rating in fold.ratings.items()
    ]
    _insert(session.connection(), _RATINGS, rows, _REPLACE_RATING)
    pairs = [_pair(fold_id, bots[one], bots[other], *counts) for one, other, *counts in tally.pairs()]
    _insert(session.connection(), _PAIRS, pairs, _ADD_PAIR)


def _pair(fold_id: int, one: int, other: int, above: int, below: int, ties: int) -> tuple[int, ...]:
    return (fold_id, one, other, above, below, ties) if one < other else (fold_id, other, one, below, above, ties)


def add_steps(session: Session, rows: Sequence[tuple[Any, ...]]) -> None:
    """Store *rows*, each of the fold, the bot, the position, the match, mu and sigma."""
    _insert(session.connection(), _STEPS, rows)


def _insert(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]], conflict: str = "") -> None:
    """Insert *rows*, each with all columns, in one statement: row by row would take longer than the fold itself."""
    if not rows:
        return
    names = ", ".join(table.columns.keys())
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" * len(table.columns))
        connection.exec_driver_sql(f"INSERT INTO {table.name} ({names}) VALUES ({marks}) {conflict}", list(rows))  # noqa: S608  # nothing in it is a user's
        return
    arrays = ", ".join(
        f"CAST(:{column.name} AS {column.type.compile(connection.dialect)}[])" for column in table.columns
    )
    values = dict(zip(table.columns.keys(), map(list, zip(*rows, strict=True)), strict=True))
    statement = f"INSERT INTO {table.name} ({names}) SELECT * FROM unnest({arrays}) {conflict}"  # noqa: S608  # as above
    connection.execute(text(statement), values)


def unshared(session: Session, one: int, other: int) -> dict[str, tuple[int, int]]:
    """By table: how many rows of its histories and pairs either of two folds has that the other has not."""
    both = ((one, other), (other, one))
    return {
        table.name: tuple(_only(session.connection(), table, *folds) for folds in both)  # type: ignore[misc]  # two
        for table in (_STEPS, _PAIRS)
    }


def _only(connection: Connection, table: Table, one: int, other: int) -> int:
    columns = [column for column in table.columns if column.name != "fold_id"]
    mine, theirs = (sql_select(*columns).where(table.c.fold_id == fold) for fold in (one, other))
    return connection.execute(sql_select(func.count()).select_from(except_(mine, theirs).subquery())).scalar_one()
