"""The record in one file, from which it can be made again in any database.

The file is compressed with gzip. Each line is JSON: first what the file is, with the schema of the database and the
columns of each table; then every row, as the number of its table and its values; last the SHA-256 of all lines before.
"""

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Connection, MetaData, Table, func, insert, select, text

from tradepit_ladder import schema
from tradepit_ladder.client import RecordError
from tradepit_ladder.database import Database
from tradepit_ladder.files import sync_folder

FORMAT = "tradepit-backup/1"

_ROWS_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a backup."""

    revision: str
    """The schema of the database that it was made of."""
    rows: int


def backup(database: Database, path: Path) -> Contents:
    """Write one state of *database* to the new file *path*, whatever is written meanwhile. Raises RecordError."""
    if path.exists():
        raise RecordError(f"{str(path)!r} exists; a backup never overwrites anything")
    with database.reading() as session, _new_file(path) as file:
        connection = session.connection()
        revision = schema.revision_of(connection, database.shown)
        if revision is None:
            raise RecordError(f"database {database.shown} is empty: there is nothing to back up")
        schema.check_not_newer(revision, f"database {database.shown}")
        return Contents(revision, _write(_Writer(file), connection, revision))


@contextmanager
def _new_file(path: Path) -> Iterator[gzip.GzipFile]:
    """A file that has its name, and is on the disk, only when it is whole."""
    part = path.with_name(f".{path.name}.part")
    try:
        with open(part, "wb") as raw:
            try:
                # Without time and name: the same state makes the same file.
                with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file:
                    yield file
                raw.flush()
                os.fsync(raw.fileno())
                os.replace(part, path)
                sync_folder(path.parent)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise RecordError(f"backup {str(path)!r} cannot be written: {error.strerror}") from error


class _Writer:
    """Lines of JSON, and the digest over them."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file
        self._digest = hashlib.sha256()

    def add(self, value: object) -> None:
        line = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        self._digest.update(line)
        self._file.write(line)

    def end(self, rows: int) -> None:
        self.add({"rows": rows, "sha256": self._digest.hexdigest()})


def _write(writer: _Writer, connection: Connection, revision: str) -> int:
    tables = _tables(connection, schema.tables(revision))
    columns = {table.name: [column.name for column in table.columns] for table in tables}
    writer.add({"format": FORMAT, "schema": revision, "tables": columns})
    rows = 0
    for number, table in enumerate(tables):
        ordered = select(table).order_by(*table.primary_key).execution_options(yield_per=_ROWS_AT_ONCE)
        for row in connection.execute(ordered):
            writer.add([number, *row])
            rows += 1
    writer.end(rows)
    return rows


def _tables(connection: Connection, names: Iterable[str]) -> Sequence[Table]:
    """The tables with these *names*, as the database has them, each behind those that it refers to."""
    metadata = MetaData()
    metadata.reflect(connection, only=list(names))
    for table in metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, JSON):
                # Where nothing is, there is no JSON either: not even null.
                column.type = JSON(none_as_null=True)
    return metadata.sorted_tables


def restore(database: Database, path: Path) -> Contents:
    """Fill *database*, which must hold nothing, from the file *path*. All of it is stored, or nothing.

    The database then has this program's schema, whatever older one the backup is of. Raises RecordError, also for a
    file that is damaged or of a newer version.
    """
    with _readable(path):
        contents = _checked(path)
    schema.check_not_newer(contents.revision, f"backup {str(path)!r}")

    def fill(connection: Connection) -> None:
        if schema.revision_of(connection, database.shown) is not None:
            raise RecordError(
                f"database {database.shown} is refused: it holds a record; restore into one that is empty"
            )
        schema.migrate(connection, contents.revision)
        with _readable(path):
            _insert(connection, path)
        schema.migrate(connection)

    database.migrating(fill)
    return contents


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise RecordError(f"there is no backup {str(path)!r}") from error
    except (EOFError, zlib.error, gzip.BadGzipFile, ValueError, LookupError, TypeError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(f"backup {str(path)!r} is damaged, or is none: {error}") from error
    except OSError as error:
        raise RecordError(f"backup {str(path)!r} cannot be read: {error.strerror}") from error


def _checked(path: Path) -> Contents:
    """What the file says that it holds. Raises ValueError, or what reading raises, where that is not so."""
    digest = hashlib.sha256()
    with gzip.open(path) as file:
        first = last = file.readline()
        head = json.loads(first)
        if head["format"] != FORMAT:
            raise ValueError(f"its format is {head['format']!r}, not {FORMAT!r}")
        lines = 1
        for line in file:
            digest.update(last)
            last, lines = line, lines + 1
    end = json.loads(last)
    if (end["sha256"], end["rows"]) != (digest.hexdigest(), lines - 2):
        raise ValueError("its lines are not those that were written")
    return Contents(head["schema"], end["rows"])


def _insert(connection: Connection, path: Path) -> None:
    with gzip.open(path) as file:
        columns: dict[str, list[str]] = json.loads(file.readline())["tables"]
        tables = {table.name: table for table in _tables(connection, columns)}
        rows = (values for line in file if isinstance(values := json.loads(line), list))
        for number, of_table in groupby(rows, key=lambda values: values[0]):
            name = list(columns)[number]
            _insert_rows(connection, tables[name], columns[name], of_table)
    if connection.dialect.name == "postgresql":
        for table in tables.values():
            _continue_sequence(connection, table)


def _insert_rows(connection: Connection, table: Table, columns: Sequence[str], rows: Iterator[list[Any]]) -> None:
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        connection.execute(insert(table), [dict(zip(columns, values[1:], strict=True)) for values in some])


def _continue_sequence(connection: Connection, table: Table) -> None:
    """Have the next row numbered behind those that were inserted with their numbers."""
    key = table.columns.get("id")
    if key is not None and (last := connection.execute(select(func.max(key))).scalar_one()) is not None:
        sequence = text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)")
        connection.execute(sequence, {"table": table.name, "last": last})
