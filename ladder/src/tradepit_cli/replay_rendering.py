"""Shows a replay: in tables and colours for people, or line by line for pipes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import typer
from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tradepit_cli.charts import Series, panels
from tradepit_cli.rendering import print_table
from tradepit_cli.replay_story import RESULT_COLUMNS, Story, moved_seats, movement
from tradepit_cli.text import visible

if TYPE_CHECKING:
    from tradepit_server.codecs.narration import Look
    from tradepit_server.replay.telling import Scene

NOTHING = "Nothing comes of it."
"""Where a decision led to no event, as when a seat makes no day trade."""


def show(story: Story, scenes: Iterable["Scene"], screen: Console) -> None:
    """Print the match in tables and colours."""
    _print_heading(story, screen)
    for scene in scenes:
        screen.print()
        screen.print(Text(visible(story.scene(scene)), style="bold"))
        for line in scene.lines:
            screen.print(_indented(sentence(line.sentence, line.remark)))
        if not scene.lines:
            screen.print(_indented(Text(NOTHING, style="dim")))
        for trouble in story.troubles(scene):
            screen.print(_indented(Text(f"! {visible(trouble)}", style="yellow")))
        for note in story.notes(scene):
            screen.print(_indented(Text(visible(note), style="italic")))
        if scene.after is not None:
            _print_prices(scene.before, scene.after, screen)
            _print_seats(story, scene.before, scene.after, screen)
    _print_results(story, screen)


def plot(story: Story, scenes: Iterable["Scene"], screen: Console) -> None:
    """Print prices and cash through the match as charts."""
    _print_heading(story, screen)
    looks = [scene.after for scene in scenes if scene.after is not None]
    for title, series in _charted(story, looks):
        screen.print(f"\n{title}, moment by moment\n")
        for line in panels(series, screen.width):
            screen.print(Text(visible(line)), soft_wrap=True)
    _print_results(story, screen)


def show_plain(story: Story, scenes: Iterable["Scene"]) -> None:
    """Print the match line by line, the same wherever it goes."""
    for line in (*story.heading(), *(line for scene in scenes for line in _plain_scene(story, scene))):
        typer.echo(visible(line))
    _echo_results(story)


def plot_plain(story: Story, scenes: Iterable["Scene"]) -> None:
    """Print prices and cash through the match as numbers, a series a line."""
    for line in story.heading():
        typer.echo(visible(line))
    looks = [scene.after for scene in scenes if scene.after is not None]
    for title, series in _charted(story, looks):
        for each in series:
            values = " ".join("-" if value is None else str(value) for value in each.values)
            typer.echo(visible(f"{title}, {each.name}: {values}"))
    _echo_results(story)


def _charted(story: Story, looks: Sequence["Look"]) -> Iterator[tuple[str, list[Series]]]:
    """What is charted, each with its title: the first prices, and the cash."""
    if not looks:
        return
    first = looks[0]
    title = next(iter(first.prices), None)
    if title is not None:
        goods = enumerate(first.goods)
        yield f"Prices ({title})", [Series(name, [look.prices[title][good] for look in looks]) for good, name in goods]
    names = [_seat_name(story, seat) for seat in range(len(first.cash))]
    yield "Cash", [Series(name, [look.cash[seat] for look in looks]) for seat, name in enumerate(names)]


def _seat_name(story: Story, seat: int) -> str:
    name = story.bot(seat)
    return f"seat {seat}" if name == "?" else f"seat {seat} {name}"


def _print_heading(story: Story, screen: Console) -> None:
    first, *others = story.heading()
    screen.print(Text(visible(first), style="bold"))
    for line in others:
        screen.print(Text(visible(line), style="dim"))


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, 2), expand=False)


def sentence(words: str, remark: str) -> Text:
    """What happened, and for those who need it a remark behind."""
    text = Text(visible(words))
    return text.append(f" ({visible(remark)})", style="dim") if remark else text


def changed(value: int, by: int) -> Text:
    """A value with its movement: green up, red down; the arrow says the same without colour."""
    text = Text(f"{value:,}")
    if by:
        text.append(f" {'▲' if by > 0 else '▼'}{abs(by):,}", style="green" if by > 0 else "red")
    return text


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(Text(column), overflow="fold")
    return table


def _print_prices(before: "Look | None", after: "Look", screen: Console) -> None:
    if before is not None and before.prices == after.prices:
        return
    table = _table("prices", *map(visible, after.goods))
    for name, values in after.prices.items():
        moved = movement(before.prices[name] if before else None, values)
        cells = [Text("-") if value is None else changed(value, by) for value, by in zip(values, moved, strict=True)]
        table.add_row(Text(visible(name)), *cells)
    screen.print(table)


def _print_seats(story: Story, before: "Look | None", after: "Look", screen: Console) -> None:
    moved = movement(before.cash if before else None, after.cash)
    seats = moved_seats(before, after)
    if not seats:
        return
    table = _table("seat", "cash", "holds")
    for seat in seats:
        name, holds = _seat_name(story, seat), after.holdings[seat] or "nothing"
        table.add_row(Text(visible(name)), changed(after.cash[seat], moved[seat]), Text(visible(holds)))
    screen.print(table)


def _print_results(story: Story, screen: Console) -> None:
    screen.print()
    print_table(screen, "The end", RESULT_COLUMNS, story.results(), words=(0, 1, 4))


def _plain_scene(story: Story, scene: "Scene") -> Iterator[str]:
    yield f"== {story.scene(scene)}"
    for line in scene.lines:
        yield f"{line.sentence}{f' ({line.remark})' if line.remark else ''}"
    if not scene.lines:
        yield NOTHING
    yield from (f"! {trouble}" for trouble in story.troubles(scene))
    yield from story.notes(scene)
    if scene.after is not None:
        yield from _plain_look(story, scene.before, scene.after)


def _plain_look(story: Story, before: "Look | None", after: "Look") -> Iterator[str]:
    for name, values in after.prices.items():
        moved = movement(before.prices[name] if before else None, values)
        if before is None or before.prices[name] != values:
            cells = zip(after.goods, values, moved, strict=True)
            yield f"{name}: {', '.join(f'{good} {plain_change(value, by)}' for good, value, by in cells)}"
    moved = movement(before.cash if before else None, after.cash)
    for seat in moved_seats(before, after):
        cash = plain_change(after.cash[seat], moved[seat])
        yield f"{_seat_name(story, seat)}: cash {cash}, holds {after.holdings[seat] or 'nothing'}"


def plain_change(value: int | None, by: int) -> str:
    """A value with its movement."""
    return "-" if value is None else f"{value}{f' ({by:+})' if by else ''}"


def _echo_results(story: Story) -> None:
    typer.echo("== The end")
    for row in story.results():
        typer.echo(visible(", ".join(f"{name} {cell}" for name, cell in zip(RESULT_COLUMNS, row, strict=True))))
