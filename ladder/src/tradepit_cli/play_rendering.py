"""Shows what came of ``tradepit play``."""

import signal
from collections import Counter
from collections.abc import Iterator

from rich.console import Console

from tradepit.v1 import block_pb2
from tradepit_cli.outcome import BotOutcome, Outcome, SeatOutcome
from tradepit_cli.rendering import output_lines, print_table
from tradepit_cli.text import plural, shortened, visible

MATCHES_SHOWN = 12
"""With more matches than this the summary says more than a line for each."""

_FAULT_WORDS = {
    "timeout": "did not answer in time",
    "illegal_action": "broke the rules",
    "malformed": "sent bytes that are no message",
    "bot_error": "raised an exception",
    "disconnected": "lost its connection",
    "no_show": "did not take its seat",
    "crashed": "ended its process",
}

_FORFEIT_WORDS = {
    block_pb2.TERMINATION_FORFEITED_TIME: "for time",
    block_pb2.TERMINATION_FORFEITED_ILLEGAL: "for its actions",
    block_pb2.TERMINATION_FORFEITED_DISCONNECTED: "for leaving",
    block_pb2.TERMINATION_FORFEITED_NO_SHOW: "for not showing up",
}


def show(outcome: Outcome, screen: Console) -> None:
    """Print scores, summary, and what went wrong for whom."""
    if outcome.matches and len(outcome.matches) <= MATCHES_SHOWN:
        _show_matches(outcome, screen)
    if outcome.matches:
        _show_summary(outcome, screen)
    for bot in outcome.bots:
        for line in _trouble(bot):
            screen.print(line, soft_wrap=True)


def _show_matches(outcome: Outcome, screen: Console) -> None:
    rows = [
        [place, *(_ending(bot.seats[index]) for bot in outcome.bots)] for index, place in enumerate(outcome.matches)
    ]
    print_table(screen, "Scores (placement)", ["block/\nmatch", *(bot.bot for bot in outcome.bots)], rows)


def _ending(seat: SeatOutcome) -> str:
    forfeited = "" if seat.termination == block_pb2.TERMINATION_COMPLETED else " forfeited"
    return f"{seat.score:,} ({seat.placement}){forfeited}"


def _show_summary(outcome: Outcome, screen: Console) -> None:
    best_first = sorted(outcome.bots, key=lambda bot: bot.mean_placement)
    rows = [
        [
            bot.bot,
            f"{len(bot.seats):,}",
            f"{bot.mean_placement:.2f}",
            f"{bot.mean_score:,.0f}",
            f"{bot.wins:,}",
            f"{len(bot.faults):,}",
        ]
        for bot in best_first
    ]
    print_table(screen, "Summary", ["bot", "matches", "mean\nplacement", "mean\nscore", "wins", "faults"], rows)


def _trouble(bot: BotOutcome) -> Iterator[str]:
    """What went wrong for *bot*, line by line: nothing for most."""
    yield from _faults(bot)
    yield from _forfeits(bot)
    if bot.exit_status is not None:
        yield f"{bot.bot}: its process {exit_words(bot.exit_status)}"
    if bot.faults or bot.exit_status is not None:
        yield from output_lines(bot.bot, bot.last_output)


def _faults(bot: BotOutcome) -> Iterator[str]:
    from tradepit_server.replay.base import word

    for kind, count in Counter(fault.kind for fault in bot.faults).items():
        first = next(fault for fault in bot.faults if fault.kind == kind)
        name = word(block_pb2.FaultKind, kind)
        yield fault_line(bot.bot, name, count, first.match, first.decision, first.message)


def fault_line(bot: str, kind: str, count: int, match: str, decision: int | None, message: str) -> str:
    """What *bot* did wrong so often; the first time in *match* at the *decision* with this index, with *message*."""
    where = match if decision is None else f"{match}, decision {decision}"
    more = "" if count == 1 else f" {count:,} times, first"
    return visible(f"{bot}: {_FAULT_WORDS.get(kind, 'did wrong')}{more} in {where}: {shortened(visible(message))}")


def _forfeits(bot: BotOutcome) -> Iterator[str]:
    for termination, count in Counter(seat.termination for seat in bot.seats).items():
        if words := _FORFEIT_WORDS.get(termination):
            yield f"{bot.bot}: forfeited {plural(count, 'match')} {words}"


def exit_words(status: int) -> str:
    """How a process ended, from its exit status: "ended with status 3", "was ended by SIGKILL"."""
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"
