"""Leases, versions of bots, states of tournaments, withdrawals; triggers on every database."""

import json
from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from tradepit_ladder.migrations.guards import guard, unguard

revision = "0002"
down_revision = "0001"

_RESULT = ("id", "tournament_id", "game", "block_index", "entrants", "attempts", "public_id", "outcome", "reason")
"""The columns of a block that are its result. Its place in the queue is not among them: that may still change."""

_TOURNAMENT_COLUMNS = ("root_seed", "edition_toml", "state")

_TAKEN = ("id", "block_id", "number", "owner", "taken_at")
"""The columns of an attempt that never change."""


def upgrade() -> None:
    """Keeps every result: what was played so far was played by each bot's version 1."""
    for table in ("blocks", "matches", "seats"):
        unguard(op.get_bind(), f"{table}_update_refused", table)
        unguard(op.get_bind(), f"{table}_delete_refused", table)
    _add_bot_versions()
    _add_tournament_state()
    _add_entrants()
    _add_block_game()
    _add_attempts()
    _add_timing()
    _add_seat_version()
    _guard_results()


def _add_bot_versions() -> None:
    op.create_table(
        "bot_versions",
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("command", sa.JSON(), nullable=False),
        sa.Column("working_directory", sa.String(), nullable=False),
        sa.Column("program_sha256", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_bot_versions_bot_id_bots"),
        sa.PrimaryKeyConstraint("bot_id", "number", name="pk_bot_versions"),
    )
    op.execute(
        "INSERT INTO bot_versions (bot_id, number, command, working_directory, program_sha256) "
        "SELECT id, 1, command, working_directory, '' FROM bots"
    )
    known = sa.text(
        "UPDATE bot_versions SET program_sha256 = :digest WHERE bot_id = (SELECT id FROM bots WHERE name = :bot)"
    )
    for bot, digest in _last_digests().items():
        op.get_bind().execute(known, {"bot": bot, "digest": digest})
    op.drop_column("bots", "command")
    op.drop_column("bots", "working_directory")


def _tournament_arguments() -> Sequence[tuple[int, dict[str, object]]]:
    """Every tournament's key and what it was ordered with, oldest first."""
    rows = op.get_bind().execute(sa.text("SELECT id, CAST(arguments AS TEXT) FROM tournaments ORDER BY id"))
    return [(key, json.loads(arguments)) for key, arguments in rows]


def _last_digests() -> dict[str, str]:
    """The digest with which each bot last entered a tournament."""
    known: dict[str, str] = {}
    for _, arguments in _tournament_arguments():
        programs = arguments.get("programs")
        if isinstance(programs, dict):
            known.update(programs)
    return known


# SQLite changes a table by making it anew. What it is made of is told here, since how much Alembic finds out by itself
# depends on its version.


def _tournaments() -> sa.Table:
    return sa.Table(
        "tournaments",
        sa.MetaData(),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("reproducible", sa.Boolean(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=True) for name in _TOURNAMENT_COLUMNS),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("public_id", name="uq_tournaments_public_id"),
        sa.UniqueConstraint("name", name="uq_tournaments_name"),
        sa.Index("ix_tournaments_game", "game"),
    )


def _blocks() -> sa.Table:
    return sa.Table(
        "blocks",
        sa.MetaData(),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("block_index", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("entrants", sa.JSON(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=True),
        sa.CheckConstraint("outcome IN ('complete', 'void')", name="ck_blocks_outcome"),
        sa.CheckConstraint("(outcome IS NULL) = (public_id IS NULL)", name="ck_blocks_recorded"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_blocks_tournament_id_tournaments"),
        sa.PrimaryKeyConstraint("id", name="pk_blocks"),
        sa.UniqueConstraint("tournament_id", "block_index", name="uq_blocks_tournament_id"),
        sa.UniqueConstraint("number", name="uq_blocks_number"),
        sa.UniqueConstraint("public_id", name="uq_blocks_public_id"),
    )


def _seats() -> sa.Table:
    return sa.Table(
        "seats",
        sa.MetaData(),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("placement", sa.Integer(), nullable=False),
        sa.Column("termination", sa.String(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("bot_version", sa.Integer(), nullable=True),
        sa.CheckConstraint("placement >= 1", name="ck_seats_placement"),
        sa.CheckConstraint("faults >= 0", name="ck_seats_faults"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_seats_match_id_matches"),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_seats_bot_id_bots"),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seats"),
        sa.UniqueConstraint("match_id", "bot_id", name="uq_seats_match_id"),
    )


def _add_tournament_state() -> None:
    for name in _TOURNAMENT_COLUMNS:
        op.add_column("tournaments", sa.Column(name, sa.String(), nullable=True))
    op.execute("UPDATE tournaments SET state = 'open', root_seed = '', edition_toml = ''")
    with op.batch_alter_table("tournaments", copy_from=_tournaments()) as batch:
        for name in _TOURNAMENT_COLUMNS:
            batch.alter_column(name, existing_type=sa.String(), nullable=False)
        batch.create_unique_constraint("uq_tournaments_id", ["id", "game"])
        batch.create_check_constraint("ck_tournaments_state", "state IN ('open', 'paused', 'cancelled')")


def _add_entrants() -> None:
    op.create_table(
        "entrants",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("bot_version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_entrants_tournament_id_tournaments"),
        sa.ForeignKeyConstraint(
            ["bot_id", "bot_version"],
            ["bot_versions.bot_id", "bot_versions.number"],
            name="fk_entrants_bot_id_bot_versions",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "bot_id", name="pk_entrants"),
    )
    op.create_table(
        "withdrawals",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "bot_id"],
            ["entrants.tournament_id", "entrants.bot_id"],
            name="fk_withdrawals_tournament_id_entrants",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "bot_id", name="pk_withdrawals"),
    )
    entered = sa.text(
        "INSERT INTO entrants (tournament_id, bot_id, bot_version) "
        "SELECT :tournament, id, 1 FROM bots WHERE name = :bot"
    )
    for key, arguments in _tournament_arguments():
        bots = arguments.get("bots")
        for bot in bots if isinstance(bots, list) else []:
            op.get_bind().execute(entered, {"tournament": key, "bot": bot})


def _add_block_game() -> None:
    op.add_column("blocks", sa.Column("game", sa.String(), nullable=True))
    op.execute("UPDATE blocks SET game = (SELECT game FROM tournaments WHERE tournaments.id = blocks.tournament_id)")
    with op.batch_alter_table("blocks", copy_from=_blocks()) as batch:
        batch.alter_column("game", existing_type=sa.String(), nullable=False)
        batch.drop_constraint("uq_blocks_number", type_="unique")
        batch.drop_constraint("fk_blocks_tournament_id_tournaments", type_="foreignkey")
        batch.create_unique_constraint("uq_blocks_game", ["game", "number"])
        batch.create_foreign_key(
            "fk_blocks_tournament_id_tournaments", "tournaments", ["tournament_id", "game"], ["id", "game"]
        )
    open_blocks = sa.text("outcome IS NULL")
    op.create_index(
        "ix_blocks_open",
        "blocks",
        ["tournament_id", "block_index"],
        sqlite_where=open_blocks,
        postgresql_where=open_blocks,
    )


def _add_attempts() -> None:
    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("block_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("taken_at", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("ended", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.CheckConstraint("ended IN ('complete', 'void', 'expired', 'released')", name="ck_attempts_ended"),
        sa.ForeignKeyConstraint(["block_id"], ["blocks.id"], name="fk_attempts_block_id_blocks"),
        sa.PrimaryKeyConstraint("id", name="pk_attempts"),
        sa.UniqueConstraint("block_id", "number", name="uq_attempts_block_id"),
    )
    lasting = sa.text("ended IS NULL")
    op.create_index(
        "ix_attempts_open", "attempts", ["block_id"], unique=True, sqlite_where=lasting, postgresql_where=lasting
    )


def _add_timing() -> None:
    for name, kind in (
        ("requests", sa.Integer()),
        ("overhead_ns", sa.BigInteger()),
        ("overhead_longest_ns", sa.BigInteger()),
        ("overhead_buckets", sa.JSON()),
        ("late_answers", sa.JSON()),
    ):
        op.add_column("matches", sa.Column(name, kind, nullable=True))


def _add_seat_version() -> None:
    op.add_column("seats", sa.Column("bot_version", sa.Integer(), nullable=True))
    op.execute("UPDATE seats SET bot_version = 1")
    op.drop_index("ix_seats_bot_id", "seats")
    with op.batch_alter_table("seats", copy_from=_seats()) as batch:
        batch.alter_column("bot_version", existing_type=sa.Integer(), nullable=False)
        batch.drop_constraint("fk_seats_bot_id_bots", type_="foreignkey")
        batch.create_foreign_key(
            "fk_seats_bot_id_bot_versions", "bot_versions", ["bot_id", "bot_version"], ["bot_id", "number"]
        )
    op.create_index("ix_seats_bot_id", "seats", ["bot_id", "match_id"])


def _guard_results() -> None:
    bind = op.get_bind()
    for table in ("matches", "seats"):
        guard(bind, table, "UPDATE", table)
        guard(bind, table, "DELETE", table)
    guard(bind, "blocks", "UPDATE", "finished blocks", when="OLD.outcome IS NOT NULL", columns=_RESULT)
    guard(bind, "blocks", "DELETE", "finished blocks", when="OLD.outcome IS NOT NULL")
    guard(bind, "attempts", "UPDATE", "ended attempts", when="OLD.ended IS NOT NULL")
    guard(bind, "attempts", "UPDATE", "attempts", columns=_TAKEN, name="attempts_change_refused")
    guard(bind, "attempts", "DELETE", "attempts")
