"""Triggers by which a database refuses to change or delete what is append-only."""

from collections.abc import Sequence

import sqlalchemy as sa

_FUNCTION = """
    CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = '{message}'; END $$
"""


def guard(
    bind: sa.Connection,
    table: str,
    event: str,
    what: str,
    *,
    when: str = "",
    columns: Sequence[str] = (),
    name: str = "",
) -> None:
    """Have the database refuse *event*, UPDATE (of these *columns*; none: of all) or DELETE, *when* that holds."""
    name = name or f"{table}_{event.lower()}_refused"
    message = f"{what} are append-only"
    of = f" OF {', '.join(columns)}" if columns else ""
    condition = f"WHEN ({when})" if when else ""
    head = f"CREATE TRIGGER {name} BEFORE {event}{of} ON {table}"
    if bind.dialect.name == "sqlite":
        bind.execute(sa.text(f"{head} {condition} BEGIN SELECT RAISE(ABORT, '{message}'); END"))
        return
    bind.execute(sa.text(_FUNCTION.format(name=name, message=message)))
    bind.execute(sa.text(f"{head} FOR EACH ROW {condition} EXECUTE FUNCTION {name}()"))
    if event == "DELETE":
        bind.execute(
            sa.text(
                f"CREATE TRIGGER {table}_truncate_refused BEFORE TRUNCATE ON {table} "
                f"FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
            )
        )


def unguard(bind: sa.Connection, name: str, table: str) -> None:
    """Remove a trigger, where there is one."""
    place = "" if bind.dialect.name == "sqlite" else f" ON {table}"
    bind.execute(sa.text(f"DROP TRIGGER IF EXISTS {name}{place}"))
