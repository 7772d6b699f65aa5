"""Arguments that several commands share, and what they mean."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from tradepit_cli import editions
from tradepit_cli.errors import Misuse

if TYPE_CHECKING:
    from tradepit.v1.block_pb2 import TimeControl
    from tradepit_server.games.base import Edition, Game, GameInfo

MAX_BLOCKS = 10_000
"""Of one table; more is taken for a slip of the finger."""

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The game, for example long-short.")]
BotsArgument = Annotated[list[str], typer.Argument(metavar="BOT", help="The bots.")]
SeedOption = Annotated[
    str | None,
    typer.Option(
        "--seed", metavar="HEX", help="64 hex digits that all chance follows from: the same again plays the same."
    ),
]
PresetOption = Annotated[
    str | None, typer.Option("--preset", metavar="P", help="A named choice of options of the game.")
]
OptionOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="K=V", help="One option of the game; may be given several times."),
]
EditionOption = Annotated[
    str | None,
    typer.Option("--edition", metavar="FILE", help="Play with this edition (TOML) of the game; default: its own."),
]
TimeControlOption = Annotated[
    str,
    typer.Option(
        "--time-control",
        metavar="T",
        help="blitz, standard, training (no limits), or values: decision=2s,bank=60s,increment=100ms,startup=10s; also "
        "strikes=3 (faults that forfeit a match) and resume_window=10s (to come back after a lost connection).",
    ),
]


def whole_number(option: str, largest: int, least: int = 1) -> Callable[[str | int], int]:
    """A parser for the value of *option*, from *least* to *largest*; it raises Misuse, which quotes the value."""

    def parse(text: str | int) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", str(text)) or not least <= int(text) <= largest:
            raise Misuse(f"{option} {str(text)!r} is not a whole number from {least} to {largest}")
        return int(text)

    return parse


BlocksOption = Annotated[
    int,
    typer.Option(
        "--blocks",
        metavar="N",
        parser=whole_number("--blocks", MAX_BLOCKS),
        help="Blocks a table; in a block every bot has every seat once.",
    ),
]
DatabaseOption = Annotated[
    str | None,
    typer.Option("--db", metavar="URL", help="The ladder's database; default: ladder.db under TRADEPIT_HOME."),
]


@dataclass(frozen=True)
class Settings:
    """How matches are to be played, checked."""

    game: "Game"
    options: dict[str, str]
    """The game's options that differ from its defaults."""
    time_control: "TimeControl"
    root_seed: bytes | None
    """32 bytes that all chance follows from; None: chance is drawn."""
    edition: "Edition"

    @property
    def info(self) -> "GameInfo":
        """What there is to know about the game."""
        return self.game.info

    @property
    def edition_toml(self) -> bytes:
        """The text of the edition; empty: the one that the game comes with."""
        return b"" if self.edition.toml == self.game.editions[0].toml else self.edition.toml

    def check_seats(self, seats: int) -> None:
        """Raises Misuse unless *seats* bots can play so."""
        editions.check_seats(self.game, self.edition, self.options, seats)


def settings(
    game: str,
    preset: str | None,
    option: Sequence[str] | None,
    clocks: str,
    seed: str | None,
    edition: str | None = None,
) -> Settings:
    """What the arguments of the same names mean. Raises Misuse."""
    rules = installed_game(game)
    return Settings(
        rules,
        game_options(rules.info, preset, option or []),
        time_control(clocks),
        root_seed(seed),
        rules.editions[0] if edition is None else editions.read(edition, rules),
    )


def examples(*lines: str) -> str:
    """The end of a command's help: *lines* to copy."""
    heading = "Example:" if len(lines) == 1 else "Examples:"
    return "\n".join(["\b", heading, *(f"  {line}" for line in lines)])


def game_info(name: str) -> "GameInfo":
    """What there is to know about the installed game called *name*. Raises Misuse, which lists the games."""
    return installed_game(name).info


def installed_game(name: str) -> "Game":
    """The installed game called *name*. Raises Misuse, which lists the games."""
    from tradepit_server import registry

    try:
        return registry.get(name).game
    except registry.UnknownGame as error:
        raise Misuse(str(error)) from error


def game_options(info: "GameInfo", preset: str | None, pairs: Sequence[str]) -> dict[str, str]:
    """The options that differ from the game's defaults, as messages carry them. Raises Misuse."""
    from tradepit_server.games.base import OptionError

    try:
        chosen = info.resolve(_split(pairs), preset)
    except OptionError as error:
        raise Misuse(str(error)) from error
    return {option.name: str(chosen[option.name]) for option in info.options if chosen[option.name] != option.default}


def _split(pairs: Sequence[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name or not value:
            raise Misuse(f"--option {pair!r} is not of the form name=value")
        if name in given:
            raise Misuse(f"--option {name!r} is given twice: {given[name]!r} and {value!r}")
        given[name] = value
    return given


def root_seed(text: str | None) -> bytes | None:
    """The 32 bytes that *text* writes in hex. Raises Misuse."""
    if text is None:
        return None
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise Misuse(f"--seed {text!r} is not 64 hex digits (it has {len(text)} characters)")
    return bytes.fromhex(text)


def time_control(text: str) -> "TimeControl":
    """The clocks that *text* names or spells out. Raises Misuse."""
    from tradepit_server.referee.time_control import parse

    try:
        return parse(text).to_message()
    except ValueError as error:
        raise Misuse(f"--time-control: {error}") from error
