"""Holds a rated tournament and shows what came of it."""

from collections.abc import Sequence

from tradepit.v1 import block_pb2
from tradepit_cli.arguments import Settings
from tradepit_cli.errors import CommandError, Misuse, Stopped
from tradepit_cli.ladder_rendering import show_leaderboard, show_processes, show_void
from tradepit_cli.ladders import targets_of
from tradepit_cli.rendering import console, progress_bar
from tradepit_cli.targets import Target, check_text, house_names, house_target, looks_started, unknown
from tradepit_cli.text import plural
from tradepit_ladder.client import EntrantSpec, LadderClient, Progress, TournamentOrder, TournamentReport


def entrants(names: Sequence[str], game: str, ladder: LadderClient) -> tuple[EntrantSpec, ...]:
    """The bots called *names*, each once. Raises Misuse."""
    for index, name in enumerate(names):
        if name in names[:index]:
            raise Misuse(
                f"{name!r} is named twice; in a tournament every bot enters once ('tradepit play' takes doubles)"
            )
    added = targets_of(ladder)
    return tuple(_entrant(_known(name, game, added)) for name in names)


def _known(name: str, game: str, added: Sequence[Target]) -> Target:
    check_text(name)
    if name in house_names(game):
        return house_target(game, name)
    for target in added:
        if target.name == name:
            return target
    if looks_started(name):
        raise Misuse(f"a tournament takes bots by name, not {name!r}; first: tradepit bot add NAME {name!r}")
    raise Misuse(unknown(name, game, added))


def _entrant(target: Target) -> EntrantSpec:
    return EntrantSpec(target.name, target.command, target.working_directory, target.house)


def order(
    settings: Settings,
    bots: tuple[EntrantSpec, ...],
    blocks: int,
    table_size: int,
    deal: block_pb2.Deal.ValueType = block_pb2.DEAL_INDEPENDENT,
    name: str | None = None,
) -> TournamentOrder:
    """A tournament of *bots* with so many *blocks* a table."""
    return TournamentOrder(
        game=settings.info.name,
        min_seats=settings.info.min_seats,
        max_seats=settings.info.max_seats,
        entrants=bots,
        blocks=blocks,
        table_size=table_size,
        options=settings.options,
        time_control=settings.time_control,
        deal=deal,
        root_seed=settings.root_seed,
        name=name,
        edition_toml=settings.edition_toml,
    )


def hold(ladder: LadderClient, wanted: TournamentOrder) -> None:
    """Play *wanted* with a bar, then print what came of it. Raises CommandError unless every block is complete."""
    with progress_bar("Blocks") as bar:

        def progress(now: Progress) -> None:
            bar(now.blocks_finished, now.blocks)

        report = ladder.run_tournament(wanted, progress)
    _show(report)
    if report.interrupted:
        raise Stopped(
            f"stopped; what is complete is kept, and the same command with --name {report.tournament} goes on"
        )
    if report.blocks_complete < report.blocks:
        raise CommandError(
            f"{plural(report.blocks - report.blocks_complete, 'block')} of {report.blocks:,} do not count"
        )


def _show(report: TournamentReport) -> None:
    screen = console()
    chance = " (reproducible)" if report.reproducible else ""
    blocks = f"{report.blocks_complete:,} of {plural(report.blocks, 'block')} complete"
    screen.print(f"Tournament {report.tournament}{chance}: {blocks}", soft_wrap=True)
    show_leaderboard(report.standings, "Ratings of this tournament alone", screen)
    show_void(report.void, screen)
    show_processes(report.ended_processes, screen)
