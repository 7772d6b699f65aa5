"""Ratings in the database: folded as results arrive, shown, and made again from the first result.

The order is that of the queue: by block number, then by match index, up to the first block that is not finished. A
*fold* is stored with the parameters that it was made by. At fixed numbers of matches (see ratings.py) the draw
probability is estimated from exactly those first matches: another fold begins, with another version, at the first
result, and takes the place of the current one as soon as it has come as far. So the ratings follow from the
results alone, not from when somebody looked at them.

Every step is a transaction that changes something only if the fold still stands where the step began: programs
may fold the same game at once, and be killed at any moment.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlmodel import Session

from tradepit_ladder import rating_store as store
from tradepit_ladder import record
from tradepit_ladder.database import Database
from tradepit_ladder.rating_models import FoldRow
from tradepit_ladder.rating_store import BUILDING, CURRENT, SUPERSEDED, Known
from tradepit_ladder.ratings import (
    DRAW_PROBABILITY,
    Fold,
    Place,
    Policy,
    Rating,
    estimated_draw_probability,
    next_checkpoint,
)
from tradepit_ladder.record import FinishedBlock, FinishedMatch
from tradepit_ladder.standings import Rated, Tally, rated

BATCH = 125
"""Blocks that are folded in one transaction: mostly some 500 matches."""

Step = Callable[[Session], bool]
"""Stores what was computed. Says whether it did: not if another program was quicker."""


def advance(database: Database, game: str, commits: int | None = None) -> bool:
    """Fold in what has been finished of *game*, in at most so many *commits*; None: all of it.

    Says whether all of it is known to be folded. Raises LadderError.
    """
    while commits is None or commits > 0:
        step = database.read(partial(next_step, game=game))
        if step is None:
            return True
        database.write(step)
        commits = None if commits is None else commits - 1
    return False


def advance_all(database: Database) -> None:
    """Fold in what has been finished of every game. Raises LadderError."""
    for game in database.read(store.games):
        advance(database, game)


def next_step(session: Session, game: str) -> Step | None:
    """What is to be stored next; None: nothing."""
    current = store.fold_of(session, game, CURRENT)
    building = store.fold_of(session, game, BUILDING)
    if current is None:
        return None if not record.finished_after(session, game, 0, 1) else partial(_begin_first, game)
    if building is not None:
        if building.through == current.through:
            return partial(_take_over, building, current)
        return fold_step(session, building, until=current.through)
    if current.matches >= next_checkpoint(current.measured):
        return partial(begin, current, successor(session, current, next_checkpoint(current.measured)))
    return fold_step(session, current)


def first_fold(game: str) -> FoldRow:
    """The fold of a game before anything has been measured."""
    policy = Policy()
    return FoldRow(
        game=game,
        version=1,
        state=CURRENT,
        measured=0,
        draw_probability=policy.draw_probability,
        on_new_version=policy.on_new_version,
    )


def successor(session: Session, current: FoldRow, measured: int, on_new_version: str | None = None) -> FoldRow:
    """A fold that is to take the place of *current*: its draw probability rests on the first *measured* matches."""
    return FoldRow(
        game=current.game,
        version=current.version + 1,
        state=BUILDING,
        measured=measured,
        draw_probability=draw_probability(session, current.game, measured),
        on_new_version=on_new_version or current.on_new_version,
    )


def draw_probability(session: Session, game: str, measured: int) -> float:
    """As estimated from the first *measured* matches of *game*; of none: the default."""
    if not measured:
        return DRAW_PROBABILITY
    return estimated_draw_probability(store.first_placements(session, game, measured))


def begin(current: FoldRow, fold: FoldRow, session: Session) -> bool:
    """Begin *fold* beside *current*, unless there is one in the same state already."""
    if store.fold_of(session, fold.game, fold.state) or not store.stands(session, current):
        return False
    # A copy, since a step may be called again with another session.
    store.add_fold(session, FoldRow(**fold.model_dump(exclude={"id"})))
    return True


def _begin_first(game: str, session: Session) -> bool:
    if store.fold_of(session, game, CURRENT):
        return False
    store.add_fold(session, first_fold(game))
    return True


def _take_over(building: FoldRow, current: FoldRow, session: Session) -> bool:
    if not (store.stands(session, building) and store.stands(session, current)):
        return False
    store.set_state(session, store.key(current), SUPERSEDED)
    store.set_state(session, store.key(building), CURRENT)
    return True


def fold_step(session: Session, fold: FoldRow, until: int | None = None) -> Step | None:
    """Have the next blocks folded into *fold*, none behind number *until*; None: there are none."""
    blocks = record.finished_after(session, fold.game, fold.through, BATCH)
    if until is not None:
        blocks = [block for block in blocks if block.number <= until]
    if not blocks:
        return None
    return partial(_store, fold, blocks, folded(session, fold, blocks))


def _store(fold: FoldRow, blocks: Sequence[FinishedBlock], result: "Folded", session: Session) -> bool:
    if not store.move(session, fold, blocks, len(result.bots) - len(result.known)):
        return False
    steps = [
        (fold.id, result.bots[bot], position, match, *rating)
        for position, (match, after) in enumerate(result.steps, start=fold.matches + 1)
        for bot, rating in after.items()
    ]
    store.add_steps(session, steps)
    store.add_ratings(session, store.key(fold), result.bots, result.fold, result.tally)
    return True


@dataclass(frozen=True, slots=True)
class Folded:
    """What comes of blocks that are folded on top of a fold."""

    bots: Mapping[str, int]
    """The primary keys of the bots in them."""
    known: Mapping[str, Known]
    """What the fold says of those among them that it knows."""
    fold: Fold
    """Their ratings now."""
    tally: Tally
    """Of these blocks alone."""
    steps: Sequence[tuple[int, dict[str, Rating]]]
    """Each match's primary key, and the ratings of its bots after it."""

    def rows(self) -> list[Rated]:
        """The rows of the table that they change."""
        known = {bot: known.row for bot, known in self.known.items()}
        return [rated(bot, rating, self.tally, known.get(bot)) for bot, rating in self.fold.ratings.items()]


def folded(session: Session, fold: FoldRow, blocks: Iterable[FinishedBlock]) -> Folded:
    """What comes of *blocks* on top of *fold*."""
    matches = [match for block in blocks for match in block.matches]
    bots = store.bot_keys(session, {seat.bot for match in matches for seat in match.seats})
    known = store.known(session, store.key(fold), bots.values()) if fold.matches else {}
    ratings = {bot: Rating(known.row.mu, known.row.sigma) for bot, known in known.items()}
    versions = {bot: known.version for bot, known in known.items()}
    result = Folded(bots, known, Fold(store.policy(fold), ratings, versions), Tally(), [])
    return replace(result, steps=[(match.key, _add(match, result.fold, result.tally)) for match in matches])


def _add(match: FinishedMatch, fold: Fold, tally: Tally) -> dict[str, Rating]:
    tally.add(match.seats)
    return fold.add([Place(seat.placement, seat.bot, seat.version) for seat in match.seats])
