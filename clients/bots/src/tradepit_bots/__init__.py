"""The house bots: one module a bot, in one package a game. A module with a leading underscore is a bot's tool.

``python -m tradepit_bots long-short greedy --referee HOST:PORT --token-file FILE`` runs one.
"""

from importlib import import_module
from pkgutil import iter_modules

from tradepit.bot import Bot

SLOW = frozenset({"search"})
"""The bots that think long about each decision; a demonstration does without them."""


def games() -> list[str]:
    """The games for which there are house bots, sorted."""
    return sorted(module.name.replace("_", "-") for module in iter_modules(__path__) if module.ispkg)


def names(game: str) -> list[str]:
    """The house bots of *game*, sorted; none for a game without house bots."""
    if game not in games():
        return []
    package = import_module(f"{__name__}.{game.replace('-', '_')}")
    return sorted(module.name for module in iter_modules(package.__path__) if not module.name.startswith("_"))


def make(game: str, name: str) -> Bot:
    """The house bot *name* of *game*. Raises LookupError, listing what there is."""
    if name not in names(game):
        known = ", ".join(names(game)) or f"none; there are bots for: {', '.join(games())}"
        raise LookupError(f"no house bot {name!r} for {game!r}; there are: {known}")
    module = import_module(f"{__name__}.{game.replace('-', '_')}.{name}")
    bot: Bot = module.BOT()
    return bot
