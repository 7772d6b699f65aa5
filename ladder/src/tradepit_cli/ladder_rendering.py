"""Shows leaderboards and what went wrong in tournaments."""

from collections.abc import Iterator, Sequence

from rich.console import Console

from tradepit_cli.play_rendering import exit_words, fault_line
from tradepit_cli.rendering import output_lines, print_table
from tradepit_cli.text import plural
from tradepit_ladder.client import (
    BotFaults,
    EndedProcess,
    Leaderboard,
    PairCount,
    Standing,
    TournamentState,
    TournamentSummary,
    VoidBlock,
    Withdrawal,
)

VOID_SHOWN = 5
"""Void blocks told one by one; more are counted."""

PAIRS_SHOWN = 8
"""More bots than that make a table that nobody reads."""

INSEPARABLE = "~"
"""Marks a rank that may as well be the next one's."""

LEADERBOARD_COLUMNS = ["rank", "bot", "mu", "sigma", "mu - 3 sigma", "matches", "mean\nplacement", "faults"]


def show_leaderboard(board: Leaderboard, title: str, screen: Console) -> None:
    """Print ratings, the pairwise table, and what does not count yet."""
    if not board.standings:
        rated = f"there are no more than {plural(board.bots, 'bot')}" if board.bots else "nothing has been rated yet"
        screen.print(f"{title}: {rated}")
        return
    _show_ratings(board.standings, title, screen)
    for line in _legend(board):
        screen.print(line, soft_wrap=True)
    _show_pairs(board, screen)
    if board.blocks_waiting:
        screen.print(f"{plural(board.blocks_waiting, 'complete block')} wait behind an unfinished one")


def _show_ratings(standings: Sequence[Standing], title: str, screen: Console) -> None:
    rows = [
        [
            f"{INSEPARABLE if row.separable is False else ''}{row.rank:,}",
            row.bot,
            f"{row.mu:.2f}",
            f"{row.sigma:.2f}",
            f"{row.conservative:.2f}",
            f"{row.matches:,}",
            f"{row.mean_placement:.2f}",
            f"{row.faults:,}",
        ]
        for row in standings
    ]
    print_table(screen, title, LEADERBOARD_COLUMNS, rows, words={1})


def _legend(board: Leaderboard) -> Iterator[str]:
    if any(row.separable is False for row in board.standings):
        yield f"{INSEPARABLE} not separable from the next: the intervals mu +- 2 sigma overlap"
    if len(board.standings) < board.bots:
        yield f"{len(board.standings):,} of {plural(board.bots, 'bot')}; others: --limit N, --skip N"
    if board.draw_measured:
        measured = f"measured in the first {plural(board.draw_measured, 'match')}"
        yield f"Draw probability {board.draw_probability:.3f}, {measured} (version {board.fold_version})"


def _show_pairs(board: Leaderboard, screen: Console) -> None:
    """Row above column; ties behind a +."""
    pairs = {(pair.bot, pair.other): pair for pair in board.pairs}
    bots = [row.bot for row in board.standings[:PAIRS_SHOWN]]
    rows = [[bot, *(_pair(pairs.get((bot, other))) for other in bots)] for bot in bots]
    among = f" among the first {PAIRS_SHOWN}" if len(board.standings) > PAIRS_SHOWN else ""
    print_table(screen, f"Who finished above whom{among} (matches; + ties)", ["above", *bots], rows)


def _pair(pair: PairCount | None) -> str:
    if pair is None:
        return "-"
    return f"{pair.above:,}+{pair.ties:,}" if pair.ties else f"{pair.above:,}"


def show_void(blocks: Sequence[VoidBlock], screen: Console) -> None:
    """Print why blocks do not count."""
    for block in blocks[:VOID_SHOWN]:
        screen.print(f"block {block.block_id} does not count: {block.reason}", soft_wrap=True)
    if len(blocks) > VOID_SHOWN:
        screen.print(f"... and {plural(len(blocks) - VOID_SHOWN, 'more void block')}")


def show_withdrawals(withdrawals: Sequence[Withdrawal], screen: Console) -> None:
    """Print which bots left, and why."""
    for left in withdrawals:
        reason = f" ({left.reason})" if left.reason else ""
        screen.print(f"{left.bot} was withdrawn{reason}: what it had played counts", soft_wrap=True)


def show_tournaments(tournaments: Sequence[TournamentSummary], screen: Console) -> None:
    """Print one line a tournament."""
    if not tournaments:
        screen.print("There are no tournaments yet; to begin one: tradepit tournament run GAME BOT BOT ...")
        return
    rows = [
        [
            each.tournament,
            each.game,
            ", ".join(each.bots),
            state_word(each),
            f"{each.blocks_complete:,} of {each.blocks:,}",
            f"{each.blocks_void:,}",
        ]
        for each in tournaments
    ]
    columns = ["tournament", "game", "bots", "state", "blocks\ncomplete", "void"]
    print_table(screen, "Tournaments", columns, rows, words=(0, 1, 2, 3))


def state_word(tournament: TournamentSummary) -> str:
    """What becomes of it: ``finished``, ``cancelled``, ``running``, ``paused``, or ``stopped``: nobody plays it."""
    if tournament.state == TournamentState.CANCELLED:
        return "cancelled"
    if tournament.blocks_complete + tournament.blocks_void == tournament.blocks:
        return "finished"
    if tournament.running:
        return "running"
    return "paused" if tournament.state == TournamentState.PAUSED else "stopped"


def show_faults(faults: Sequence[BotFaults], screen: Console) -> None:
    """Print what bots did wrong: how often in each way, and the first time."""
    for each in faults:
        place = f"match {each.match_id}"
        line = fault_line(each.bot, each.kind, each.count, place, each.decision, each.message)
        screen.print(line, soft_wrap=True)


def show_processes(processes: Sequence[EndedProcess], screen: Console) -> None:
    """Print how bots' processes ended, and the last that they wrote."""
    for ended in processes:
        how = exit_words(ended.exit_status)
        screen.print(f"{ended.bot}: in block {ended.block_id} its process {how}", soft_wrap=True)
        for line in output_lines(ended.bot, ended.last_output):
            screen.print(line, soft_wrap=True)
