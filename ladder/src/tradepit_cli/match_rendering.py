"""Shows matches of the record, and what the referee itself took for them."""

from collections.abc import Sequence

from rich.console import Console

from tradepit_cli.rendering import print_table
from tradepit_cli.text import plural
from tradepit_ladder.client import LateAnswers, MatchRecord, Overhead

SEAT_COLUMNS = ["seat", "bot", "version", "score", "placement", "ended", "faults", "late\nanswers"]


def show_matches(matches: Sequence[MatchRecord], screen: Console) -> None:
    """Print one row a match."""
    if not matches:
        screen.print("There are no such matches")
        return
    # The id has all the room that it needs: it is there to be copied.
    rows = [[match.match_id, _placements(match)] for match in matches]
    print_table(screen, "Matches, the latest first", ["match", "bots by seat: placement"], rows, words=(0, 1))


def _placements(match: MatchRecord) -> str:
    return ", ".join(f"{seat.bot}: {seat.placement}" for seat in match.seats)


def show_match(match: MatchRecord, screen: Console) -> None:
    """Print everything that the record holds of a match."""
    rows = [
        [
            str(number),
            seat.bot,
            str(seat.version),
            f"{seat.score:,}",
            str(seat.placement),
            seat.termination,
            f"{seat.faults:,}",
            "-" if seat.late_answers is None else f"{seat.late_answers:,}",
        ]
        for number, seat in enumerate(match.seats)
    ]
    print_table(screen, f"{match.match_id}: {match.game}, tournament {match.tournament}", SEAT_COLUMNS, rows, words={1})
    if match.overhead is not None:
        show_overhead(match.overhead, (), screen)
    screen.print(f"To see it again: tradepit replay show {match.match_id}", soft_wrap=True)


def show_overhead(overhead: Overhead, late_answers: Sequence[LateAnswers], screen: Console) -> None:
    """Print what clocks have to allow for beside thinking, and whose answers came too late."""
    screen.print(
        f"The referee's own time before a request: {_ms(overhead.mean_seconds)} on average, 99 of 100 at most"
        f" {_ms(overhead.percentile_99_seconds)}, at the longest {_ms(overhead.longest_seconds)}",
        soft_wrap=True,
    )
    for each in late_answers:
        screen.print(f"{each.bot}: {plural(each.count, 'answer')} came too late", soft_wrap=True)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"
