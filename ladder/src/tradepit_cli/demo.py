"""``tradepit demo``."""

import tempfile
from pathlib import Path

from tradepit_cli.arguments import examples

EXAMPLES = examples("tradepit demo")

BLOCKS = 48
"""Of each game: enough for the ratings to part, and over within half a minute on two cores."""

NEXT_STEPS = """\
To try next:
  tradepit play {game} {best} {last}
      one block between two of them, not rated
  tradepit play {game} ./my_bot.py {best} --export replays
      a bot of your own, and a JSON replay of every match
  tradepit tournament run {game} {bots}
      a rated tournament that counts; then: tradepit ratings"""


def demo() -> None:
    """Watch the quick house bots of each game play a short rated tournament; it leaves nothing behind.

    Each bot is a process of its own that speaks gRPC to the referee. It takes about half a minute.
    """
    from tradepit_bots import SLOW
    from tradepit_cli.rendering import console
    from tradepit_cli.targets import house_names
    from tradepit_server import registry

    quick = {game: [name for name in house_names(game) if name not in SLOW] for game in registry.names()}
    games = {game: bots for game, bots in quick.items() if bots}
    for game, bots in games.items():
        _hold(game, bots)
    for game, bots in list(games.items())[:1]:
        steps = NEXT_STEPS.format(game=game, best=bots[0], last=bots[-1], bots=" ".join(bots))
        console().print(steps, soft_wrap=True)


def _hold(game: str, bots: list[str]) -> None:
    from tradepit_cli import contest
    from tradepit_cli.arguments import settings
    from tradepit_cli.ladders import open_ladder, sqlite_url
    from tradepit_cli.rendering import console

    rules = settings(game, None, None, "standard", None)
    seats = min(len(bots), rules.info.max_seats)
    console().print(
        f"{len(bots)} house bots, each a process of its own, play {BLOCKS} blocks of {rules.info.title} ..."
    )
    # A demonstration must not mix with ratings that mean something.
    with tempfile.TemporaryDirectory(prefix="tradepit-demo-") as folder:
        database = sqlite_url(Path(folder) / "demo.db")
        with open_ladder(database, replays=Path(folder) / "replays") as ladder:
            contest.hold(
                ladder, contest.order(rules, contest.entrants(bots, game, ladder), BLOCKS, seats), goes_on=False
            )
