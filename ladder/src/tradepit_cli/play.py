"""``tradepit play``."""

from typing import TYPE_CHECKING, Annotated

import typer

from tradepit_cli import arguments as arg
from tradepit_cli.errors import CommandError, Misuse, Stopped
from tradepit_cli.text import visible

if TYPE_CHECKING:
    from tradepit_cli.playing import PlayOrder

EXAMPLES = arg.examples(
    "tradepit play long-short random greedy",
    "tradepit play long-short ./my_bot.py 'node other_bot.js' random --blocks 5 --export replays",
    "tradepit play long-short random greedy --edition my_box.toml",
)

ExportOption = Annotated[
    str | None,
    typer.Option(
        "--export",
        metavar="DIR",
        help="Write a replay of each match into DIR, packed and as JSON; one of the same match there is replaced.",
    ),
]


def play(
    game: arg.GameArgument,
    bots: arg.BotsArgument,
    blocks: arg.BlocksOption = 1,
    seed: arg.SeedOption = None,
    preset: arg.PresetOption = None,
    option: arg.OptionOption = None,
    edition: arg.EditionOption = None,
    time_control: arg.TimeControlOption = "standard",
    export: ExportOption = None,
) -> None:
    """Play bots against each other; nothing is rated or stored.

    A BOT is the name of a house bot, the name of a bot of yours ('tradepit bot add'), a Python file, or a quoted
    command. Each is started as a process of its own, and there are as many seats as BOTs. A bot given twice plays
    twice: as random and random#2.
    """
    from tradepit_cli import export as replays
    from tradepit_cli import play_rendering, playing, rendering
    from tradepit_cli.outcome import failures, gather

    order = _order(arg.settings(game, preset, option, time_control, seed, edition), bots, blocks)
    folder = None if export is None else replays.prepared(export)
    try:
        with rendering.progress_bar("Playing") as progress:
            results = playing.play(order, progress)
    except KeyboardInterrupt:
        raise Stopped("stopped; nothing of it is kept") from None
    outcome = gather(results, [bot.name for bot in order.bots])
    screen = rendering.console()
    play_rendering.show(outcome, screen)
    if folder is not None:
        screen.print(f"{replays.write(folder, results):,} replays written to {visible(str(folder))}", soft_wrap=True)
    if problems := list(failures(outcome)):
        raise CommandError("; ".join(problems))


def _order(settings: arg.Settings, bots: list[str], blocks: int) -> "PlayOrder":
    from tradepit_cli.ladders import added_targets
    from tradepit_cli.playing import PlayOrder
    from tradepit_cli.targets import numbered, resolve

    info = settings.info
    if not info.min_seats <= len(bots) <= info.max_seats:
        raise Misuse(f"{info.name} is played by {info.min_seats} to {info.max_seats} bots, not {len(bots)}")
    settings.check_seats(len(bots))
    return PlayOrder(
        game=info.name,
        bots=tuple(numbered([resolve(text, info.name, added_targets) for text in bots])),
        blocks=blocks,
        options=settings.options,
        time_control=settings.time_control,
        root_seed=settings.root_seed,
        edition_toml=settings.edition_toml,
    )
