"""Making the ratings of a game again from the first result, beside those that are stored, to compare them.

The new place is another fold of the same version, its draw probability estimated again from the results. A program that
is killed meanwhile leaves it behind, where nothing reads it; the next rebuilding removes it.
"""

from collections.abc import Iterator
from functools import partial

from sqlmodel import Session

from tradepit_ladder import rating_store as store
from tradepit_ladder.client import LadderError
from tradepit_ladder.database import Database
from tradepit_ladder.folding import Step, advance, begin, draw_probability, fold_step, successor
from tradepit_ladder.rating_models import FoldRow
from tradepit_ladder.rating_reports import RatingDifference, Rebuilt
from tradepit_ladder.rating_store import CURRENT, REBUILDING, Known
from tradepit_ladder.ratings import ON_NEW_VERSION


def rebuild(database: Database, game: str, on_new_version: str | None = None) -> Rebuilt:
    """Make the ratings of *game* again from the first result, compare them with the stored ones and replace these.

    Another policy *on_new_version* than before makes another version, with nothing to compare. Raises LadderError.
    """
    if on_new_version not in (None, *ON_NEW_VERSION):
        raise LadderError(f"policy {on_new_version!r} is none of {', '.join(ON_NEW_VERSION)}")
    advance(database, game)
    current = database.read(lambda session: store.fold_of(session, game, CURRENT))
    if current is None:
        return Rebuilt(game, 0, 0, "", compared=False, differences=())
    compared = on_new_version in (None, current.on_new_version)
    differences = _compared(database, game) if compared else ()
    if not compared:
        fold = database.read(
            partial(successor, current=current, measured=current.measured, on_new_version=on_new_version)
        )
        database.write(partial(begin, current, fold))
        advance(database, game)
    now = database.read(partial(_current, game=game))
    return Rebuilt(game, now.matches, now.version, now.on_new_version, compared, differences)


def _current(session: Session, game: str) -> FoldRow:
    found = store.fold_of(session, game, CURRENT)
    if found is None:
        raise AssertionError(f"{game} has been folded")
    return found


def _compared(database: Database, game: str) -> tuple[RatingDifference, ...]:
    """What the stored ratings and those from the first result, which take their place, do not share."""
    place = database.write(partial(new_place, game=game))
    while True:
        step = database.read(partial(next_step, game=game, place=place))
        if step is not None:
            database.write(step)
            continue
        differences = database.write(partial(_replace, game=game, place=place))
        if differences is not None:
            return differences


def new_place(session: Session, game: str) -> int:
    """Make a new place, in which nothing is folded yet, and remove one that was left. Returns its primary key."""
    left = store.fold_of(session, game, REBUILDING)
    if left is not None:
        store.remove(session, store.key(left))
    current = _current(session, game)
    fresh = FoldRow(
        game=game,
        version=current.version,
        state=REBUILDING,
        measured=current.measured,
        draw_probability=draw_probability(session, game, current.measured),
        on_new_version=current.on_new_version,
    )
    return store.add_fold(session, fresh)


def _both(session: Session, game: str, place: int) -> tuple[FoldRow, FoldRow]:
    """The current fold and the one that is made again."""
    current, rebuilt = _current(session, game), store.fold_of(session, game, REBUILDING)
    if rebuilt is None or rebuilt.id != place:
        raise LadderError(f"another program has begun to rebuild the ratings of {game}")
    if rebuilt.version != current.version:
        raise LadderError(f"meanwhile the ratings of {game} have got other parameters; rebuild them again")
    return current, rebuilt


def next_step(session: Session, game: str, place: int) -> Step | None:
    """What is to be stored next in this *place*; None: it is as far as the current fold. Raises LadderError."""
    current, rebuilt = _both(session, game, place)
    return fold_step(session, rebuilt, until=current.through)


def _replace(session: Session, game: str, place: int) -> tuple[RatingDifference, ...] | None:
    """None: more has been folded meanwhile."""
    current, rebuilt = _both(session, game, place)
    if rebuilt.through < current.through:
        return None
    differences = tuple(_differences(session, current, rebuilt))
    store.remove(session, store.key(current))
    store.set_state(session, place, CURRENT)
    return differences


def _differences(session: Session, stored: FoldRow, rebuilt: FoldRow) -> Iterator[RatingDifference]:
    for what in ("through", "matches", "blocks", "blocks_reproducible", "bots", "draw_probability"):
        yield from _difference("", what, getattr(stored, what), getattr(rebuilt, what))
    keys = store.key(stored), store.key(rebuilt)
    ours, theirs = (store.known(session, key) for key in keys)
    for bot in sorted(ours.keys() | theirs.keys()):
        yield from _of_bot(bot, ours.get(bot), theirs.get(bot))
    for table, (only_stored, only_rebuilt) in store.unshared(session, *keys).items():
        if only_stored or only_rebuilt:
            what = f"rows of {table} that the other has not"
            yield RatingDifference("", what, str(only_stored), str(only_rebuilt))


def _of_bot(bot: str, stored: Known | None, rebuilt: Known | None) -> Iterator[RatingDifference]:
    if stored is None or rebuilt is None:
        yield RatingDifference(bot, "rating", *("none" if one is None else "one" for one in (stored, rebuilt)))
        return
    yield from _difference(bot, "version", stored.version, rebuilt.version)
    for what, ours, theirs in zip(stored.row._fields, stored.row, rebuilt.row, strict=True):
        yield from _difference(bot, what, ours, theirs)


def _difference(bot: str, what: str, stored: object, rebuilt: object) -> Iterator[RatingDifference]:
    # As text, which is different for any two numbers whose bits are.
    if repr(stored) != repr(rebuilt):
        yield RatingDifference(bot, what, str(stored), str(rebuilt))
