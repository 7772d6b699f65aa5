"""Holds a rated tournament and shows what came of it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tradepit.v1 import block_pb2
from tradepit_cli.arguments import Settings, installed_game
from tradepit_cli.errors import CommandError, Misuse, Stopped
from tradepit_cli.ladder_rendering import (
    show_faults,
    show_leaderboard,
    show_processes,
    show_void,
    show_withdrawals,
)
from tradepit_cli.ladders import targets_of
from tradepit_cli.match_rendering import show_overhead
from tradepit_cli.rendering import console, progress_bar
from tradepit_cli.targets import (
    Target,
    check_startable,
    check_text,
    house_names,
    house_target,
    looks_started,
    program_sha256,
    unknown_name,
)
from tradepit_cli.text import plural
from tradepit_ladder.client import (
    EntrantSpec,
    LadderClient,
    Progress,
    RecordError,
    TournamentOrder,
    TournamentReport,
    TournamentState,
)


def entrants(names: Sequence[str], game: str, ladder: LadderClient) -> tuple[EntrantSpec, ...]:
    """The bots called *names*, each once. Raises Misuse."""
    for index, name in enumerate(names):
        if name in names[:index]:
            raise Misuse(
                f"{name!r} is named twice; in a tournament every bot enters once ('tradepit play' takes doubles)"
            )
    added = targets_of(ladder)
    known = [_known(name, game, added) for name in names]
    for target in known:
        check_startable(target)
    return tuple(_entrant(target) for target in known)


def _known(name: str, game: str, added: Sequence[Target]) -> Target:
    check_text(name)
    if name in house_names(game):
        return house_target(game, name)
    for target in added:
        if target.name == name:
            return target
    if looks_started(name):
        raise Misuse(f"a tournament takes bots by name, not {name!r}; first: tradepit bot add NAME {name!r}")
    raise Misuse(f"{unknown_name(name, game, added)}; more are added with: tradepit bot add NAME TARGET")


def _entrant(target: Target) -> EntrantSpec:
    digest = "" if target.house else program_sha256(target)
    return EntrantSpec(target.name, target.command, target.working_directory, target.house, digest)


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


def again(name: str, ladder: LadderClient) -> TournamentOrder:
    """The order by which the tournament *name* goes on. Raises Misuse."""
    stored = ladder.tournament_order(name)
    installed_game(stored.game)
    return replace(stored, entrants=entrants([entrant.bot for entrant in stored.entrants], stored.game, ladder))


def hold(ladder: LadderClient, wanted: TournamentOrder, *, goes_on: bool = True) -> None:
    """Play *wanted* with a bar, then print what came of it.

    Raises CommandError unless every block is complete and every bot played; Stopped, which says how it *goes_on*.
    """
    report = _report(ladder, wanted, goes_on)
    _show(report)
    if report.interrupted:
        raise Stopped(f"stopped; {_kept(report)}" if goes_on else "stopped")
    if report.blocks_open and report.state == TournamentState.PAUSED:
        raise CommandError(f"paused; {_kept(report)}")
    if report.state == TournamentState.CANCELLED:
        raise CommandError(f"cancelled; {plural(report.blocks_complete, 'complete block')} of {report.blocks:,} kept")
    if problems := [*_uncounted(report), *_idle(report)]:
        raise CommandError("; ".join(problems))


def _report(ladder: LadderClient, wanted: TournamentOrder, goes_on: bool) -> TournamentReport:
    """What comes of *wanted*. Raises CommandError, which says how it goes on, when the record fails on the way."""
    begun: list[str] = []
    with progress_bar("Blocks") as bar:

        def progress(now: Progress) -> None:
            begun.append(now.tournament)
            bar(now.blocks_finished, now.blocks)

        try:
            return ladder.run_tournament(wanted, progress)
        except RecordError as error:
            if not (begun and goes_on):
                raise
            raise CommandError(f"{error}; what is complete is kept; {_to_go_on(begun[0])}") from error


def _to_go_on(tournament: str) -> str:
    return f"to go on: tradepit tournament resume {tournament}"


def _kept(report: TournamentReport) -> str:
    kept = f"{plural(report.blocks_complete, 'complete block')} of {report.blocks:,} kept"
    return f"{kept}; {_to_go_on(report.tournament)}"


def _uncounted(report: TournamentReport) -> Iterator[str]:
    if uncounted := report.blocks - report.blocks_complete - report.blocks_withdrawn:
        yield f"{plural(uncounted, 'block')} of {report.blocks:,} {'does' if uncounted == 1 else 'do'} not count"


def _idle(report: TournamentReport) -> Iterator[str]:
    """A sentence for each bot that was rated for what was played in its place."""
    for bot in report.idle:
        first = next((f": {faults.message}" for faults in report.faults if faults.bot == bot), "")
        yield f"{bot} played no decision of its own{first}"


def _show(report: TournamentReport) -> None:
    screen = console()
    chance = " (reproducible)" if report.reproducible else ""
    blocks = f"{report.blocks_complete:,} of {plural(report.blocks, 'block')} complete"
    void = f", {len(report.void):,} void" if report.void else ""
    screen.print(f"Tournament {report.tournament}{chance}: {blocks}{void}", soft_wrap=True)
    if report.blocks_complete == report.blocks and not report.blocks_played:
        screen.print("It was complete already: nothing was played; give another --seed or --name", soft_wrap=True)
    show_leaderboard(report.standings, "Ratings of this tournament alone", screen)
    show_withdrawals(report.withdrawals, screen)
    show_void(report.void, screen)
    if report.overhead is not None:
        show_overhead(report.overhead, report.late_answers, screen)
    show_faults(report.faults, screen)
    show_processes(report.ended_processes, screen)
