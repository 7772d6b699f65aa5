"""How a database answers what it is asked: by index, or by looking at every row."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import event
from sqlmodel import Session

from tradepit_ladder.database import Database


def scans(database: Database, step: Callable[[Session], object], *, if_it_can_help_it: bool = False) -> list[str]:
    """A line for each table that *step* has the database look through, row by row.

    A database that thinks a table small enough looks through it though there is an index. With *if_it_can_help_it* it
    is told not to (PostgreSQL; SQLite, which has no statistics, never does).
    """

    def explained(session: Session) -> list[str]:
        connection = session.connection()
        asked: list[tuple[str, Any]] = []

        def listen(_c: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> None:
            asked.append((statement, parameters))

        event.listen(connection, "before_cursor_execute", listen)
        step(session)
        event.remove(connection, "before_cursor_execute", listen)
        if connection.dialect.name == "sqlite":
            return [line for each in asked for line in _sqlite(connection, *each)]
        if if_it_can_help_it:
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        return [line for each in asked for line in _postgresql(connection, *each)]

    return database.read(explained)


def _sqlite(connection: Any, statement: str, parameters: Any) -> Iterator[str]:
    for *_, detail in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters):
        # What it computed itself, as a subquery, it may look through.
        if detail.startswith("SCAN ") and not detail.startswith(("SCAN anon", "SCAN CONSTANT", "SCAN (subquery")):
            yield f"{detail}: {statement}"


def _postgresql(connection: Any, statement: str, parameters: Any) -> Iterator[str]:
    (plan,) = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", parameters).scalars()
    whole = plan if isinstance(plan, list) else json.loads(plan)
    for node in _nodes(whole[0]["Plan"]):
        if node["Node Type"] == "Seq Scan":
            yield f"{node['Relation Name']}: {statement}"


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", []):
        yield from _nodes(below)
