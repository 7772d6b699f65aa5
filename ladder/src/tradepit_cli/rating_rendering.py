"""Shows how ratings came about, and what came of rebuilding them."""

from itertools import pairwise

from rich.console import Console

from tradepit_cli.rating_chart import chart
from tradepit_cli.text import plural
from tradepit_ladder.rating_reports import RatingDifference, RatingHistory, Rebuilt

DIFFERENCES_SHOWN = 20
"""More are counted."""


def show_history(history: RatingHistory, screen: Console) -> None:
    """Print the rating as a chart, and which version of the bot played from when on."""
    if not history.points:
        screen.print(f"{history.bot} in {history.game}: no match counts yet", soft_wrap=True)
        return
    last = history.points[-1]
    now = f"mu {last.mu:.2f}, sigma {last.sigma:.2f} after {plural(len(history.points), 'match')}"
    screen.print(f"{history.bot} in {history.game}: {now}", soft_wrap=True)
    screen.print()
    for line in chart(history.points, screen.width):
        screen.print(line, soft_wrap=True)
    screen.print()
    for index, (before, after) in enumerate(pairwise(history.points), start=2):
        if before.version != after.version:
            screen.print(f"version {after.version} from match {index:,} on ({after.match_id})", soft_wrap=True)


def show_rebuilt(rebuilt: Rebuilt, screen: Console) -> None:
    """Print whether the ratings were as they should be, and what was not."""
    screen.print(f"{rebuilt.game}: {_outcome(rebuilt)}", soft_wrap=True)
    for difference in rebuilt.differences[:DIFFERENCES_SHOWN]:
        screen.print(f"  {_words(difference)}", soft_wrap=True)
    if len(rebuilt.differences) > DIFFERENCES_SHOWN:
        screen.print(f"  ... and {plural(len(rebuilt.differences) - DIFFERENCES_SHOWN, 'more difference')}")


def _outcome(rebuilt: Rebuilt) -> str:
    if not rebuilt.matches:
        return "nothing has been rated yet"
    folded = f"{plural(rebuilt.matches, 'match')} folded again, version {rebuilt.fold_version}"
    if not rebuilt.compared:
        return f"{folded}; new versions of bots: {rebuilt.on_new_version}"
    if not rebuilt.differences:
        return f"{folded}: identical"
    return f"{folded}; {plural(len(rebuilt.differences), 'difference')}, put right:"


def _words(difference: RatingDifference) -> str:
    whose = f"{difference.bot}: " if difference.bot else ""
    return f"{whose}{difference.what} {difference.stored} is {difference.rebuilt}"
