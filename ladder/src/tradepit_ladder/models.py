"""The tables of the record.

*Results* are the finished blocks, their matches and their seats. They are append-only: unique keys refuse a
second result, and on SQLite triggers (in the migration) refuse to change or delete one.
"""

from typing import ClassVar

from sqlalchemy import JSON, BigInteger, CheckConstraint, Column, MetaData, UniqueConstraint
from sqlmodel import Field, SQLModel


class _Base(SQLModel):
    # Apart from SQLModel's own, which other packages in the same process may use.
    metadata: ClassVar[MetaData] = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


METADATA = _Base.metadata
"""All tables of the record."""


class Bot(_Base, table=True):
    """A bot that was added, or a house bot that has entered a tournament."""

    __tablename__ = "bots"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    house: bool
    """It comes with the program, which knows how to start it."""
    command: list[str] = Field(sa_column=Column(JSON, nullable=False))
    """Program and arguments; of a house bot none."""
    working_directory: str


class Tournament(_Base, table=True):
    """A tournament, running or over."""

    __tablename__ = "tournaments"

    id: int | None = Field(default=None, primary_key=True)
    public_id: str = Field(unique=True)
    """What its block ids begin with."""
    name: str = Field(unique=True)
    game: str = Field(index=True)
    arguments: dict[str, object] = Field(sa_column=Column(JSON, nullable=False))
    """The order that it was begun with, to tell whether another one goes on with it."""
    reproducible: bool


class Block(_Base, table=True):
    """A block of a tournament, scheduled, complete or void."""

    __tablename__ = "blocks"
    __table_args__ = (
        UniqueConstraint("tournament_id", "block_index"),
        CheckConstraint("outcome IN ('complete', 'void')", name="outcome"),
        CheckConstraint("(outcome IS NULL) = (public_id IS NULL)", name="recorded"),
    )

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournaments.id")
    block_index: int
    """Its place in the tournament, from 0."""
    number: int | None = Field(default=None, unique=True)
    """Its place in the queue: ratings fold blocks in this order. None: its tournament stopped before it was counted."""
    entrants: list[str] = Field(sa_column=Column(JSON, nullable=False))
    """The names of its bots, in the order of the specification."""
    attempts: int = 0
    """How many attempts have begun; the number of the latest."""
    public_id: str | None = Field(default=None, unique=True)
    """The block id under which it finished."""
    outcome: str | None = None
    """``complete``, ``void``, or None: not finished."""
    reason: str = ""
    """Why it is void."""


class Match(_Base, table=True):
    """A match of a complete block."""

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("block_id", "match_index"),)

    id: int | None = Field(default=None, primary_key=True)
    block_id: int = Field(foreign_key="blocks.id")
    match_index: int
    """Its place in the block, from 0."""
    public_id: str = Field(unique=True)
    """The match id."""
    replay_sha256: str = Field(max_length=64)
    """The digest of its replay, in hex, by which the replay is stored."""


class Seat(_Base, table=True):
    """What came of a match for the bot in one seat."""

    __tablename__ = "seats"
    __table_args__ = (
        UniqueConstraint("match_id", "bot_id"),
        CheckConstraint("placement >= 1", name="placement"),
        CheckConstraint("faults >= 0", name="faults"),
    )

    match_id: int = Field(foreign_key="matches.id", primary_key=True)
    seat: int = Field(primary_key=True)
    bot_id: int = Field(foreign_key="bots.id", index=True)
    score: int = Field(sa_type=BigInteger)
    """In the game's own unit."""
    placement: int
    """1 is best, ties share."""
    termination: str
    """In lower case, for example ``completed``."""
    faults: int
    """How many the bot committed in this match."""
