"""Edition files of the user's."""

from pathlib import Path
from typing import TYPE_CHECKING

from tradepit_cli.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradepit_server.games.base import Edition, Game


def read(name: str, game: "Game") -> "Edition":
    """The edition of *game* in the file *name*. Raises Misuse, which says what is wrong with it."""
    from tradepit_server.games.base import EditionError
    from tradepit_server.games.reading import LARGEST_FILE

    try:
        with Path(name).open("rb") as file:
            # One byte more than it may have, never a whole disk.
            return game.load_edition(file.read(LARGEST_FILE + 1))
    except OSError as error:
        raise Misuse(f"cannot read --edition {name!r}: {error.strerror}") from error
    except EditionError as error:
        raise Misuse(f"--edition {name!r}: {error}") from error


def check_seats(game: "Game", edition: "Edition", options: "Mapping[str, str]", seats: int) -> None:
    """Raises Misuse unless *seats* bots can play with *edition*: it may seat fewer than the game."""
    from tradepit.chance import SEED_BYTES, Chance
    from tradepit_server.games.base import GameError

    try:
        game.new(seats, options, Chance(bytes(SEED_BYTES)), edition)
    except GameError as error:
        raise Misuse(str(error)) from error
