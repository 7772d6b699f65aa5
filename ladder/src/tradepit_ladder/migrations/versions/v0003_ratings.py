"""Ratings, stored as they are folded."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds empty tables: the ratings follow from the results, and are folded by the next command that rates."""
    _create_folds()
    _create_ratings()
    _create_steps()
    _create_pairs()
    # Finished blocks behind an unfinished one, and void ones, without a walk through those that are open.
    op.create_index("ix_blocks_finished", "blocks", ["game", "outcome", "number"])


def _create_folds() -> None:
    op.create_table(
        "folds",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("measured", sa.Integer(), nullable=False),
        sa.Column("draw_probability", sa.Double(), nullable=False),
        sa.Column("on_new_version", sa.String(), nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("blocks_reproducible", sa.Integer(), nullable=False),
        sa.Column("bots", sa.Integer(), nullable=False),
        sa.CheckConstraint("state IN ('current', 'building', 'rebuilding', 'superseded')", name="ck_folds_state"),
        sa.CheckConstraint("on_new_version IN ('keep', 'widen', 'reset')", name="ck_folds_on_new_version"),
        sa.CheckConstraint("draw_probability > 0 AND draw_probability < 1", name="ck_folds_draw_probability"),
        sa.PrimaryKeyConstraint("id", name="pk_folds"),
        sqlite_autoincrement=True,
    )
    alive = sa.text("state <> 'superseded'")
    op.create_index(
        "ix_folds_state", "folds", ["game", "state"], unique=True, sqlite_where=alive, postgresql_where=alive
    )


def _create_ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("fold_id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("bot_version", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("conservative", sa.Double(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("placements", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["fold_id"], ["folds.id"], name="fk_ratings_fold_id_folds"),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_ratings_bot_id_bots"),
        sa.PrimaryKeyConstraint("fold_id", "bot_id", name="pk_ratings"),
    )
    op.create_index("ix_ratings_leaderboard", "ratings", ["fold_id", "conservative"])


def _create_steps() -> None:
    op.create_table(
        "rating_steps",
        sa.Column("fold_id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("fold_id", "bot_id", "position", name="pk_rating_steps"),
        sqlite_with_rowid=False,
    )


def _create_pairs() -> None:
    op.create_table(
        "rating_pairs",
        sa.Column("fold_id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("other_id", sa.Integer(), nullable=False),
        sa.Column("above", sa.Integer(), nullable=False),
        sa.Column("below", sa.Integer(), nullable=False),
        sa.Column("ties", sa.Integer(), nullable=False),
        sa.CheckConstraint("bot_id < other_id", name="ck_rating_pairs_order"),
        sa.PrimaryKeyConstraint("fold_id", "bot_id", "other_id", name="pk_rating_pairs"),
        sqlite_with_rowid=False,
    )
