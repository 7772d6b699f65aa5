"""The tables of the ratings. All of it follows from the record and can be made again (see folding.py).

Rows of steps and pairs have no foreign keys: they are written in bulk, and what they name is never deleted.
"""

from typing import ClassVar

from sqlalchemy import CheckConstraint, Double, Index, MetaData, text
from sqlmodel import Field, SQLModel

from tradepit_ladder.models import METADATA


class _Base(SQLModel):
    metadata: ClassVar[MetaData] = METADATA


class FoldRow(_Base, table=True):
    """A fold of a game's results, by parameters that do not change; when they do, another one begins."""

    __tablename__ = "folds"
    __table_args__ = (
        CheckConstraint("state IN ('current', 'building', 'rebuilding', 'superseded')", name="state"),
        CheckConstraint("on_new_version IN ('keep', 'widen', 'reset')", name="on_new_version"),
        CheckConstraint("draw_probability > 0 AND draw_probability < 1", name="draw_probability"),
        Index(
            "ix_folds_state",
            "game",
            "state",
            unique=True,
            sqlite_where=text("state <> 'superseded'"),
            postgresql_where=text("state <> 'superseded'"),
        ),
        # Who holds a key must not find another fold under it.
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    game: str
    version: int
    """Of the parameters, by game from 1."""
    state: str
    """``current``: it is what is shown; ``building``: it is to become that; ``rebuilding``: it is made again to be
    compared with the current one; ``superseded``: its ratings are gone, and it tells by what they were made."""
    measured: int
    """On how many matches, the first of the game, the draw probability rests; 0: it is the default."""
    draw_probability: float = Field(sa_type=Double)
    on_new_version: str
    """What a new version of a bot does to its rating: ``keep``, ``widen`` or ``reset``."""
    through: int = 0
    """The number of the last block that is in it; 0: none is."""
    matches: int = 0
    """So many are in it."""
    blocks: int = 0
    """The complete ones among those up to *through*."""
    blocks_reproducible: int = 0
    """How many of them have chance that follows from a published root."""
    bots: int = 0
    """So many it rates."""


class RatingRow(_Base, table=True):
    """What a fold says of a bot."""

    __tablename__ = "ratings"
    __table_args__ = (Index("ix_ratings_leaderboard", "fold_id", "conservative"),)

    fold_id: int = Field(foreign_key="folds.id", primary_key=True)
    bot_id: int = Field(foreign_key="bots.id", primary_key=True)
    bot_version: int
    """With which it played last."""
    mu: float = Field(sa_type=Double)
    sigma: float = Field(sa_type=Double)
    conservative: float = Field(sa_type=Double)
    """mu - 3 sigma."""
    matches: int
    placements: int
    """Their sum."""
    faults: int


class StepRow(_Base, table=True):
    """A bot's rating after a match."""

    __tablename__ = "rating_steps"
    __table_args__ = ({"sqlite_with_rowid": False},)

    fold_id: int = Field(primary_key=True)
    bot_id: int = Field(primary_key=True)
    position: int = Field(primary_key=True)
    """Of the match in the fold, from 1."""
    match_id: int
    """The primary key of the match."""
    mu: float = Field(sa_type=Double)
    sigma: float = Field(sa_type=Double)


class PairRow(_Base, table=True):
    """How two bots finished in the matches in which both played."""

    __tablename__ = "rating_pairs"
    __table_args__ = (
        CheckConstraint("bot_id < other_id", name="order"),
        {"sqlite_with_rowid": False},
    )

    fold_id: int = Field(primary_key=True)
    bot_id: int = Field(primary_key=True)
    other_id: int = Field(primary_key=True)
    above: int
    """How often the bot was placed better than the other."""
    below: int
    """How often the other was placed better."""
    ties: int
