"""``tradepit bot``: add, set, list and withdraw."""

from typing import Annotated

import typer

from tradepit_cli.arguments import DatabaseOption, examples

ADD_EXAMPLES = examples("tradepit bot add momentum ./momentum.py", "tradepit bot add js-bot 'node my_bot.js --fast'")
SET_EXAMPLES = examples("tradepit bot set momentum ./bots/momentum.py")
LIST_EXAMPLES = examples("tradepit bot list")
WITHDRAW_EXAMPLES = examples("tradepit bot withdraw momentum friday --reason 'its author asked for it'")

KnownArgument = Annotated[str, typer.Argument(metavar="NAME", help="The name of a bot that was added.")]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="What the bot is called from now on.")]
TargetArgument = Annotated[str, typer.Argument(metavar="TARGET", help="A Python file or a quoted command.")]

PlayingArgument = Annotated[str, typer.Argument(metavar="BOT", help="The bot.")]
TournamentArgument = Annotated[str, typer.Argument(metavar="TOURNAMENT", help="The tournament.")]
ReasonOption = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; shown with the tournament's table.")]


def add(name: NameArgument, target: TargetArgument, database: DatabaseOption = None) -> None:
    """Add a bot of yours, which then enters tournaments by its name.

    It runs in the folder in which you add it.
    """
    from tradepit_cli.ladders import open_ladder
    from tradepit_cli.targets import check_new_name, from_target

    check_new_name(name)
    bot = from_target(target)
    with open_ladder(database) as ladder:
        record = ladder.add_bot(name, bot.command, bot.working_directory)
    typer.echo(f"Added {record.name}. It enters tournaments by name: tradepit tournament run GAME {record.name} ...")


def set_target(name: KnownArgument, target: TargetArgument, database: DatabaseOption = None) -> None:
    """Say where a bot of yours is now: under its name, TARGET plays from now on.

    It runs in the folder in which you say so. What it has played stays, and its rating goes on from there; for a
    bot that is another one rather, add it under a name of its own.
    """
    from tradepit_cli.ladders import open_ladder
    from tradepit_cli.targets import from_target

    bot = from_target(target)
    with open_ladder(database) as ladder:
        record = ladder.set_bot(name, bot.command, bot.working_directory)
    typer.echo(f"{record.name} is {target} from now on; its results and its rating stay")


def list_bots(database: DatabaseOption = None) -> None:
    """List the bots that can enter tournaments: those of the house, and yours."""
    import shlex

    from tradepit_cli.ladders import open_ladder, targets_of
    from tradepit_cli.rendering import console, print_table
    from tradepit_cli.targets import house_names
    from tradepit_server import registry

    house = [[name, f"house bot for {game}"] for game in registry.names() for name in house_names(game)]
    with open_ladder(database, read_only=True) as ladder:
        added = [[bot.name, shlex.join(bot.command)] for bot in targets_of(ladder)]
    print_table(console(), "Bots", ["bot", "what it is"], [*house, *added], words=(0, 1))


def withdraw(
    bot: PlayingArgument, tournament: TournamentArgument, reason: ReasonOption = "", database: DatabaseOption = None
) -> None:
    """Take a bot out of a tournament that is not over: what it has played counts, its open blocks are void.

    Those that are being played are void too. The others go on without it, in whichever program plays them.
    """
    from tradepit_cli.ladders import open_existing
    from tradepit_cli.targets import check_text
    from tradepit_cli.text import plural

    check_text(bot)
    with open_existing(database) as ladder:
        void = ladder.withdraw_bot(bot, tournament, reason)
    typer.echo(
        f"{bot} is withdrawn from {tournament}: {plural(void, 'open block')} made void, what it has played counts"
    )
