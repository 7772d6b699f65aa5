"""Draws a stage: one match large, the others by name."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from tradepit.v1.block_pb2 import TERMINATION_COMPLETED
from tradepit.v1.referee_pb2 import WatchedMatchOver
from tradepit_cli.charts import bar, spark
from tradepit_cli.replay_rendering import changed, sentence
from tradepit_cli.replay_story import movement
from tradepit_cli.stage import Stage, Watched
from tradepit_cli.text import plural, visible

if TYPE_CHECKING:
    from tradepit_server.codecs.narration import Look

BAR_COLUMNS = 20
"""Of the largest cash."""

SPARK_COLUMNS = 24
"""So many of the last moments are charted."""

LEAST_EVENTS = 3
"""Lines, however low the terminal is."""

KEYS = "left/right or 1-9: another match   q: leave"


class Scene:
    """The stage as large as the terminal."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def __rich_console__(self, screen: Console, options: ConsoleOptions) -> RenderResult:
        """The match, what happened last as far as there is room, and the names of the others."""
        watched = self._stage.selected
        if watched is None:
            yield from (Text(line, style="dim") for line in _waiting(self._stage))
            return
        above = Group(*_above(watched))
        below = Group(*_below(self._stage))
        taken = sum(len(screen.render_lines(part, options.update(height=None))) for part in (above, below))
        room = max(LEAST_EVENTS, (options.height or screen.height) - taken)
        yield above
        yield from _events(watched, room)
        yield below


def _waiting(stage: Stage) -> Iterator[str]:
    yield "No match has begun." if stage.ended else "Waiting for a match to begin."
    yield "q: leave"


def _above(watched: Watched) -> Iterator[RenderableType]:
    match = watched.match
    clock = "" if watched.look is None else f": {watched.look.clock}"
    yield Text(visible(f"{watched.playbill.title}, match {match.match_id}{clock}"), style="bold")
    yield Text(visible(_circumstances(watched)), style="dim")
    if watched.look is not None:
        yield _prices(watched, watched.look)
        yield _seats(watched, watched.look)
    yield from _result(watched)


def _circumstances(watched: Watched) -> str:
    """How far the match is, how late it is shown, and what is missing."""
    delay = plural(watched.match.delay, "decision")
    if watched.over is not None:
        told = "The match is over"
    elif watched.decisions is None:
        return (
            f"Nothing to see before {delay} more: everything is shown so late" if watched.match.delay else "It begins"
        )
    else:
        told = f"After {plural(watched.decisions, 'decision')}, shown {delay} late"
    return f"{told}; {plural(watched.skipped, 'moment')} missed" if watched.skipped else told


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(Text(visible(column)))
    return table


def _prices(watched: Watched, look: "Look") -> Table:
    before = watched.before
    table = _table("price", *look.prices, "of late")
    moved = {title: movement(before.prices[title] if before else None, values) for title, values in look.prices.items()}
    sparks = _sparks(watched)
    for good, name in enumerate(look.goods):
        values = [
            Text("-") if value is None else changed(value, moved[title][good])
            for title, value in ((title, values[good]) for title, values in look.prices.items())
        ]
        table.add_row(Text(visible(name)), *values, Text(sparks[good], style="cyan"))
    return table


def _sparks(watched: Watched) -> list[str]:
    """The first price of each of the goods through the last moments, all on one scale."""
    looks = list(watched.looks)[-SPARK_COLUMNS:]
    rows = [next(iter(look.prices.values()), ()) for look in looks]
    known = [value for row in rows for value in row if value is not None]
    if not known:
        return [""] * len(looks[-1].goods)
    return [spark([row[good] for row in rows], min(known), max(known)) for good in range(len(looks[-1].goods))]


def _seats(watched: Watched, look: "Look") -> Table:
    before = watched.before
    table = _table("seat", "cash", "", "holds")
    moved = movement(before.cash if before else None, look.cash)
    most = max(map(abs, look.cash), default=0)
    for seat, cash in enumerate(look.cash):
        bars = Text(bar(abs(cash), most, BAR_COLUMNS), style="green" if cash >= 0 else "red")
        holds = Text(visible(look.holdings[seat] or "nothing"))
        table.add_row(Text(visible(watched.seat(seat))), bars, changed(cash, moved[seat]), holds)
    return table


def _result(watched: Watched) -> Iterator[Text]:
    if watched.over is None:
        return
    if watched.over.void_reason:
        yield Text(visible(f"It does not count: {watched.over.void_reason}"), style="yellow")
    for line in placed(watched, watched.over):
        yield Text(visible(line), style="bold")


def placed(watched: Watched, over: WatchedMatchOver) -> Iterator[str]:
    """How a match ended for each seat, best first; nothing if it does not count."""
    for placement, seat in sorted(zip(over.placements, range(len(over.placements)), strict=True)):
        forfeited = "" if over.terminations[seat] == TERMINATION_COMPLETED else " (forfeited)"
        yield f"{placement}. {watched.seat(seat)}: {over.scores[seat]:,}{forfeited}"


def _events(watched: Watched, room: int) -> Iterator[Text]:
    for event in list(watched.events)[-room:]:
        text = sentence(event.sentence, event.remark)
        text.no_wrap, text.overflow = True, "ellipsis"
        yield text


def _below(stage: Stage) -> Iterator[Text]:
    yield Text()
    yield Text.assemble(*_names(stage), overflow="ellipsis", no_wrap=True)
    missed = f"; {plural(stage.missed, 'match')} missed" if stage.missed else ""
    end = "; there is no more to come" if stage.ended else ""
    yield Text(f"{KEYS}{missed}{end}", style="dim")


def _names(stage: Stage) -> Iterable[tuple[str, str]]:
    """The matches from the one before the selected one on, with their numbers."""
    first = max(0, stage.position - 1)
    for number, watched in list(enumerate(stage.matches.values(), start=1))[first:]:
        name = visible(f" {number} {watched.match.match_id}{' (over)' if watched.over is not None else ''} ")
        yield name, "reverse" if watched is stage.selected else "dim" if watched.over is not None else ""
