"""Tables and bars for terminals of 80 columns, and for pipes, where nothing is coloured."""

import json
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from tradepit_cli.text import visible, visible_lines

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

NARROW = 60
"""Columns of a terminal below which a table that does not fit is not squeezed into it."""

OUTPUT_LINES = 25
"""So much of a bot's last output is shown; the end of a traceback tells most."""


def console() -> Console:
    """Standard output. Bots choose names and messages, so nothing in them is markup."""
    return Console(markup=False, highlight=False, emoji=False)


def print_table(
    screen: Console, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, words: Container[int] = (0,)
) -> None:
    """Print a table whose columns hold numbers, but for those with an index among *words*.

    On a terminal too narrow for it, row by row instead: columns of one letter can be read by nobody.
    """
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0))
    for index, column in enumerate(columns):
        table.add_column(Text(column), justify="left" if index in words else "right", overflow="fold")
    shown = [[visible(cell) for cell in row] for row in rows]
    for row in shown:
        table.add_row(*map(Text, row))
    screen.print(title, soft_wrap=True)
    if screen.width < NARROW and _widest(columns, shown) > screen.width:
        _print_rows(screen, columns, shown)
    else:
        screen.print(table)


def _widest(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """The width of a table in which nothing is folded."""
    cells = [[column.splitlines() for column in columns], *([[cell] for cell in row] for row in rows)]
    return sum(2 + max(len(line) for cell in column for line in cell) for column in zip(*cells, strict=True))


def _print_rows(screen: Console, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    for row in rows:
        screen.print()
        for column, cell in zip(columns, row, strict=True):
            screen.print(f"{column.replace(chr(10), ' ')}: {cell}", soft_wrap=True)
    screen.print()


def print_json(rows: Sequence["DataclassInstance"]) -> None:
    """Print *rows* as a JSON list of objects."""
    print(json.dumps([asdict(row) for row in rows], indent=2))


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error while the block runs, if that is a terminal; told (done, of how many)."""
    screen = Console(file=sys.stderr, markup=False)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    shown = screen.is_terminal
    with Progress(*columns, TimeElapsedColumn(), console=screen, transient=True, disable=not shown) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def output_lines(bot: str, output: str) -> Iterator[str]:
    """The end of a bot's last *output*, line by line."""
    lines = visible_lines(output)
    if not lines:
        yield f"{bot}: it wrote nothing"
        return
    yield f"{bot}: the last it wrote:"
    yield from (f"    {line}" for line in lines[-OUTPUT_LINES:])
