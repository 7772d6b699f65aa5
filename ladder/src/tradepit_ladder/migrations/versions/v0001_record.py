"""The record: bots, tournaments, blocks, matches and seats."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_APPEND_ONLY = """
    CREATE TRIGGER {table}_{event}_refused BEFORE {event} ON {table}
    BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END
"""

# A block's place in the queue may still change: it is no part of the result.
_FINISHED_BLOCKS = (
    """
    CREATE TRIGGER blocks_update_refused
    BEFORE UPDATE OF id, tournament_id, block_index, entrants, attempts, public_id, outcome, reason ON blocks
    WHEN OLD.outcome IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'finished blocks are append-only'); END
    """,
    """
    CREATE TRIGGER blocks_delete_refused BEFORE DELETE ON blocks WHEN OLD.outcome IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'finished blocks are append-only'); END
    """,
)


def upgrade() -> None:
    """Create the tables and, on SQLite, the triggers that guard the results."""
    _create_bots()
    _create_tournaments()
    _create_blocks()
    _create_matches()
    _create_seats()
    if op.get_bind().dialect.name == "sqlite":
        _guard_results()


def _create_bots() -> None:
    op.create_table(
        "bots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("house", sa.Boolean(), nullable=False),
        sa.Column("command", sa.JSON(), nullable=False),
        sa.Column("working_directory", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_bots"),
        sa.UniqueConstraint("name", name="uq_bots_name"),
    )


def _create_tournaments() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("reproducible", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("public_id", name="uq_tournaments_public_id"),
        sa.UniqueConstraint("name", name="uq_tournaments_name"),
    )
    op.create_index("ix_tournaments_game", "tournaments", ["game"])


def _create_blocks() -> None:
    op.create_table(
        "blocks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("block_index", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("entrants", sa.JSON(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.CheckConstraint("outcome IN ('complete', 'void')", name="ck_blocks_outcome"),
        sa.CheckConstraint("(outcome IS NULL) = (public_id IS NULL)", name="ck_blocks_recorded"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_blocks_tournament_id_tournaments"),
        sa.PrimaryKeyConstraint("id", name="pk_blocks"),
        sa.UniqueConstraint("tournament_id", "block_index", name="uq_blocks_tournament_id"),
        sa.UniqueConstraint("number", name="uq_blocks_number"),
        sa.UniqueConstraint("public_id", name="uq_blocks_public_id"),
    )


def _create_matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("block_id", sa.Integer(), nullable=False),
        sa.Column("match_index", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(), nullable=False),
        sa.Column("replay_sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["block_id"], ["blocks.id"], name="fk_matches_block_id_blocks"),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.UniqueConstraint("block_id", "match_index", name="uq_matches_block_id"),
        sa.UniqueConstraint("public_id", name="uq_matches_public_id"),
    )


def _create_seats() -> None:
    op.create_table(
        "seats",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("placement", sa.Integer(), nullable=False),
        sa.Column("termination", sa.String(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.CheckConstraint("placement >= 1", name="ck_seats_placement"),
        sa.CheckConstraint("faults >= 0", name="ck_seats_faults"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_seats_match_id_matches"),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_seats_bot_id_bots"),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seats"),
        sa.UniqueConstraint("match_id", "bot_id", name="uq_seats_match_id"),
    )
    op.create_index("ix_seats_bot_id", "seats", ["bot_id"])


def _guard_results() -> None:
    for table in ("matches", "seats"):
        for event in ("UPDATE", "DELETE"):
            op.execute(_APPEND_ONLY.format(table=table, event=event))
    for trigger in _FINISHED_BLOCKS:
        op.execute(trigger)
