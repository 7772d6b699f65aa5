"""What the stored ratings show: tables and histories. What is finished but not stored yet is folded on top."""

from collections.abc import Iterator
from difflib import get_close_matches

from sqlmodel import Session, select

from tradepit_ladder import rating_store, record, store
from tradepit_ladder.client import LadderError, Leaderboard
from tradepit_ladder.folding import BATCH, Folded, first_fold, folded
from tradepit_ladder.models import Bot
from tradepit_ladder.rating_models import FoldRow
from tradepit_ladder.rating_reports import RatingHistory, RatingPoint
from tradepit_ladder.rating_store import CURRENT
from tradepit_ladder.record import FinishedBlock
from tradepit_ladder.standings import Rated, Tally, pair_counts, ranked


def of_game(session: Session, game: str, limit: int, skip: int) -> Leaderboard:
    """The ratings of *game* over all tournaments: of the first *limit* bots behind *skip*.

    They are read by index, however many bots and results there are.
    """
    fold, rest = _stored(session, game)
    on_top = folded(session, fold, rest)
    # One more, with which the last is compared.
    shown = ranked(_top(session, fold, on_top, skip + limit + 1))[skip : skip + limit]
    bots = [standing.bot for standing in shown]
    complete = [block for block in rest if not block.reason]
    last = rest[-1].number if rest else fold.through
    return Leaderboard(
        game=game,
        standings=tuple(shown),
        pairs=pair_counts(bots, _pairs(session, fold, on_top.tally, bots)),
        blocks_counted=fold.blocks + len(complete),
        blocks_reproducible=fold.blocks_reproducible + sum(block.reproducible for block in complete),
        blocks_waiting=rating_store.waiting(session, game, last),
        void=rating_store.void(session, game),
        bots=fold.bots + len(on_top.bots) - len(on_top.known),
        fold_version=fold.version,
        draw_probability=fold.draw_probability,
        draw_measured=fold.measured,
    )


def history(session: Session, game: str, bot: str) -> RatingHistory:
    """How the rating of *bot* in *game* came about. Raises LadderError where there is no such bot."""
    found = store.find_bot(session, bot)
    if found is None:
        raise LadderError(_no_bot(session, bot))
    fold, rest = _stored(session, game)
    stored = rating_store.steps(session, rating_store.key(fold), store.key(found)) if fold.matches else []
    new = _points(session, rest, folded(session, fold, rest), bot)
    return RatingHistory(game, bot, (*stored, *new), fold.version)


def _stored(session: Session, game: str) -> tuple[FoldRow, list[FinishedBlock]]:
    """The fold that is shown, and the finished blocks behind it."""
    fold = rating_store.fold_of(session, game, CURRENT) or first_fold(game)
    rest: list[FinishedBlock] = []
    while found := record.finished_after(session, game, rest[-1].number if rest else fold.through, BATCH):
        rest += found
    return fold, rest


def _top(session: Session, fold: FoldRow, on_top: Folded, rows: int) -> list[Rated]:
    """The first *rows* of the table, and perhaps some more that are not the next."""
    if not fold.matches:
        return on_top.rows()
    # Those that have played since may have fallen; so many others may be needed in their place.
    stored = rating_store.top(session, rating_store.key(fold), rows + len(on_top.known))
    both = [*on_top.rows(), *(row for row in stored if row.bot not in on_top.known)]
    return sorted(both, key=lambda row: (-row.conservative, row.bot))[:rows]


def _pairs(session: Session, fold: FoldRow, new: Tally, bots: list[str]) -> Tally:
    tally = rating_store.pairs(session, rating_store.key(fold), bots) if fold.matches else Tally()
    for pair in new.pairs():
        tally.add_pair(*pair)
    return tally


def _points(session: Session, blocks: list[FinishedBlock], on_top: Folded, bot: str) -> Iterator[RatingPoint]:
    matches = [match for block in blocks for match in block.matches]
    mine = [
        (match.key, seat, after[bot])
        for match, (_, after) in zip(matches, on_top.steps, strict=True)
        for seat in match.seats
        if seat.bot == bot
    ]
    ids = rating_store.match_ids(session, [key for key, _, _ in mine])
    for key, seat, rating in mine:
        yield RatingPoint(ids[key], seat.placement, seat.version, *rating)


def _no_bot(session: Session, name: str) -> str:
    near = get_close_matches(name, session.exec(select(Bot.name)).all())
    hint = f"; near: {', '.join(near)}" if near else "; those that play are in: tradepit ratings"
    return f"there is no bot {name!r}{hint}"
