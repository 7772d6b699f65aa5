"""Checks of what a game says of itself, apart from any match."""

from tradepit.chance import SEED_BYTES, Chance
from tradepit_server.games.base import EditionError, GameError, OptionError
from tradepit_server.testing.records import require
from tradepit_server.testing.trials import Subject

_STRANGER = "no-such-word"


def information(subject: Subject) -> None:
    """Name, seats, options and presets fit together."""
    info = subject.game.info
    require(info.name == subject.name, f"it is registered as {subject.name!r} and calls itself {info.name!r}")
    require(1 <= info.min_seats <= info.max_seats, f"it is for {info.min_seats} to {info.max_seats} seats")
    require(bool(info.presets), "it has no preset")
    for option in info.options:
        require(option.default in option.values, f"option {option.name} has the default {option.default!r}")
    for preset in info.presets:
        info.resolve({}, preset)


def editions(subject: Subject) -> None:
    """The editions that come with the game are read from their own text; what is no edition is refused."""
    game = subject.game
    require(len({edition.id for edition in game.editions}) == len(game.editions) > 0, "two editions, or none")
    for edition in game.editions:
        again = game.load_edition(edition.toml)
        require((again.id, again.toml) == (edition.id, edition.toml), f"edition {edition.id} is read as {again.id}")
    for toml in (b"", b"\xff", b"= 1", f'id = "{_STRANGER}"\n{_STRANGER} = 1\n'.encode()):
        try:
            game.load_edition(toml)
        except EditionError:
            continue
        require(False, f"{toml!r} is taken for an edition")


def wrong_tables(subject: Subject) -> None:
    """Too few seats, too many, and options that it does not have are refused, naming the value."""
    info = subject.game.info
    for seats in (info.min_seats - 1, info.max_seats + 1):
        _refused(subject, seats, {}, GameError, str(seats))
    _refused(subject, info.min_seats, {_STRANGER: 1}, OptionError, _STRANGER)
    for option in info.options:
        _refused(subject, info.min_seats, {option.name: _STRANGER}, OptionError, _STRANGER)


def _refused(subject: Subject, seats: int, options: dict[str, str | int], wanted: type[GameError], named: str) -> None:
    try:
        subject.game.new(seats, options, Chance(bytes(SEED_BYTES)))
    except wanted as error:
        require(named in str(error), f"{seats} seats and options {options} are refused without naming it: {error}")
    else:
        require(False, f"{seats} seats and options {options} are accepted")
