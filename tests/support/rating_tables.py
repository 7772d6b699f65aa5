"""What the ratings of a record should be, and what they are."""

from collections.abc import Iterable, Sequence
from functools import partial

from bulk_record import Sat, name
from sqlmodel import select

from tradepit_ladder import leaderboards, rating_store
from tradepit_ladder.client import Leaderboard
from tradepit_ladder.database import Database
from tradepit_ladder.rating_models import FoldRow
from tradepit_ladder.ratings import Place, Policy, Rating, estimated_draw_probability, fold

EVERYBODY = 1_000_000
"""More bots than any test has."""


def expected(matches: Sequence[Sequence[Sat]], measured: int = 0, on_new_version: str = "widen") -> dict[str, Rating]:
    """The ratings after *matches*, the draw probability resting on so many of them."""
    policy = Policy(on_new_version=on_new_version)  # type: ignore[arg-type]  # a test may choose any
    if measured:
        first = [[sat.placement for sat in match] for match in matches[:measured]]
        policy = policy._replace(draw_probability=estimated_draw_probability(first))
    return fold(([Place(sat.placement, name(sat.bot), sat.version) for sat in match] for match in matches), policy)


def board(database: Database, game: str = "toy", limit: int = EVERYBODY, skip: int = 0) -> Leaderboard:
    """What is shown."""
    return database.read(partial(leaderboards.of_game, game=game, limit=limit, skip=skip))


def shown(database: Database, game: str = "toy") -> dict[str, Rating]:
    """The ratings that are shown, by bot."""
    return {row.bot: Rating(row.mu, row.sigma) for row in board(database, game).standings}


def stored(database: Database, game: str = "toy") -> dict[str, Rating]:
    """The ratings that are stored, by bot."""
    fold = current(database, game)
    rows = database.read(partial(rating_store.known, fold_id=rating_store.key(fold))).values()
    return {known.row.bot: Rating(known.row.mu, known.row.sigma) for known in rows}


def current(database: Database, game: str = "toy") -> FoldRow:
    """The fold that is shown."""
    fold = database.read(lambda session: rating_store.fold_of(session, game, rating_store.CURRENT))
    assert fold is not None
    return fold


def folds(database: Database) -> Iterable[FoldRow]:
    """All folds there are, oldest first."""
    return database.read(lambda session: session.exec(select(FoldRow).order_by(FoldRow.id)).all())  # type: ignore[arg-type]  # a column
