"""The tables of the record.

*Results* are the finished blocks, their matches and their seats. They are append-only: unique keys refuse a
second result, and triggers (in the migrations) refuse to change or delete one. So are the attempts that have ended.
"""

from typing import ClassVar

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Index,
    MetaData,
    UniqueConstraint,
    text,
)
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


class BotVersion(_Base, table=True):
    """What a bot's name stood for from some time on; the version with the highest number is in force."""

    __tablename__ = "bot_versions"

    bot_id: int = Field(foreign_key="bots.id", primary_key=True)
    number: int = Field(primary_key=True)
    """From 1."""
    command: list[str] = Field(sa_column=Column(JSON, nullable=False))
    """Program and arguments; of a house bot none."""
    working_directory: str
    program_sha256: str
    """The digest of its file, in hex; empty: not known yet."""


class Tournament(_Base, table=True):
    """A tournament, running or over."""

    __tablename__ = "tournaments"
    __table_args__ = (
        # What blocks refer to, so that theirs is the tournament's game.
        UniqueConstraint("id", "game"),
        CheckConstraint("state IN ('open', 'paused', 'cancelled')", name="state"),
    )

    id: int | None = Field(default=None, primary_key=True)
    public_id: str = Field(unique=True)
    """What its block ids begin with."""
    name: str = Field(unique=True)
    game: str = Field(index=True)
    arguments: dict[str, object] = Field(sa_column=Column(JSON, nullable=False))
    """The order that it was begun with, to tell whether another one goes on with it."""
    reproducible: bool
    root_seed: str = ""
    """The 32 bytes that its chance follows from, in hex; empty: chance is drawn, or revision 0001 did not keep it."""
    edition_toml: str = ""
    """The text of its edition; empty: the one that the game comes with, or revision 0001 did not keep it."""
    state: str = "open"
    """``open``: its blocks are played; ``paused``: none is begun; ``cancelled``: those that were open are void."""


class Entrant(_Base, table=True):
    """A bot of a tournament."""

    __tablename__ = "entrants"
    __table_args__ = (ForeignKeyConstraint(["bot_id", "bot_version"], ["bot_versions.bot_id", "bot_versions.number"]),)

    tournament_id: int = Field(foreign_key="tournaments.id", primary_key=True)
    bot_id: int = Field(primary_key=True)
    bot_version: int
    """With which it plays now."""


class Withdrawal(_Base, table=True):
    """A bot that left a tournament before its end."""

    __tablename__ = "withdrawals"
    __table_args__ = (ForeignKeyConstraint(["tournament_id", "bot_id"], ["entrants.tournament_id", "entrants.bot_id"]),)

    tournament_id: int = Field(primary_key=True)
    bot_id: int = Field(primary_key=True)
    reason: str
    at: float
    """Seconds since the epoch."""


class Block(_Base, table=True):
    """A block of a tournament: scheduled or leased while its *outcome* is None, then complete or void."""

    __tablename__ = "blocks"
    __table_args__ = (
        UniqueConstraint("tournament_id", "block_index"),
        UniqueConstraint("game", "number"),
        ForeignKeyConstraint(["tournament_id", "game"], ["tournaments.id", "tournaments.game"]),
        CheckConstraint("outcome IN ('complete', 'void')", name="outcome"),
        CheckConstraint("(outcome IS NULL) = (public_id IS NULL)", name="recorded"),
        Index("ix_blocks_finished", "game", "outcome", "number"),
        Index(
            "ix_blocks_open",
            "tournament_id",
            "block_index",
            sqlite_where=text("outcome IS NULL"),
            postgresql_where=text("outcome IS NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int
    game: str
    """The tournament's; here too, so that the queue of a game is one index."""
    block_index: int
    """Its place in the tournament, from 0."""
    number: int | None = None
    """Its place in the game's queue: ratings fold blocks in this order. None: its tournament stopped before it was
    counted."""
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


class Attempt(_Base, table=True):
    """One attempt at a block: its lease while it lasts, then how it ended."""

    __tablename__ = "attempts"
    __table_args__ = (
        UniqueConstraint("block_id", "number"),
        CheckConstraint("ended IN ('complete', 'void', 'expired', 'released')", name="ended"),
        # A block is leased once at a time.
        Index(
            "ix_attempts_open",
            "block_id",
            unique=True,
            sqlite_where=text("ended IS NULL"),
            postgresql_where=text("ended IS NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    """Its fencing token: attempts are never deleted, so that a later one has a higher token."""
    block_id: int = Field(foreign_key="blocks.id")
    number: int
    """Of this block, from 1."""
    owner: str
    """Which process holds the lease (see owners.py)."""
    taken_at: float
    """Seconds since the epoch."""
    until: float
    """When the lease expires; seconds since the epoch."""
    ended: str | None = None
    """``complete`` or ``void``: the result was recorded; ``expired``: somebody else took the block; ``released``: its
    owner gave it back; None: it lasts."""
    reason: str = ""
    """Why it is void."""


class Match(_Base, table=True):
    """A match of a complete block. What was measured is None where nothing was."""

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
    requests: int | None = None
    """How many requests the referee sent."""
    overhead_ns: int | None = Field(default=None, sa_type=BigInteger)
    """What the referee itself took for them, in all."""
    overhead_longest_ns: int | None = Field(default=None, sa_type=BigInteger)
    """What it took for the slowest."""
    overhead_buckets: list[int] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    """How many took at most 0.1 ms * 2^i, by i, the last all that took longer."""
    late_answers: list[int] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    """Answers that came after their deadline, by seat."""


class Seat(_Base, table=True):
    """What came of a match for the bot in one seat."""

    __tablename__ = "seats"
    __table_args__ = (
        UniqueConstraint("match_id", "bot_id"),
        ForeignKeyConstraint(["bot_id", "bot_version"], ["bot_versions.bot_id", "bot_versions.number"]),
        CheckConstraint("placement >= 1", name="placement"),
        CheckConstraint("faults >= 0", name="faults"),
        Index("ix_seats_bot_id", "bot_id", "match_id"),
    )

    match_id: int = Field(foreign_key="matches.id", primary_key=True)
    seat: int = Field(primary_key=True)
    bot_id: int
    bot_version: int
    """The number of the version that played."""
    score: int = Field(sa_type=BigInteger)
    """In the game's own unit."""
    placement: int
    """1 is best, ties share."""
    termination: str
    """In lower case, for example ``completed``."""
    faults: int
    """How many the bot committed in this match."""
