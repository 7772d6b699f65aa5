# src/sealed_bids/edition.py
"""The data of the game's box, read from TOML and checked."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files

from tradepit_server.games.base import Edition, EditionError


@dataclass(frozen=True, slots=True)
class SealedBidsEdition(Edition):
    """A purse and the values of lots."""

    purse: int
    """What each seat begins with, in coins."""
    values: tuple[int, ...]
    """What lots can be worth, in coins; each once."""


def load(toml: bytes) -> SealedBidsEdition:
    """Read and check an edition file. Raises EditionError, which names key and value."""
    try:
        data = tomllib.loads(toml.decode())
    except ValueError as error:
        raise EditionError(f"this is no TOML: {error}") from error
    if set(data) != {"id", "purse", "values"}:
        raise EditionError(f"an edition has the keys id, purse and values, not {', '.join(data) or 'none'}")
    if type(data["purse"]) is not int or data["purse"] < 1:
        raise EditionError(f"purse {data['purse']!r} is no whole number above 0")
    values = data["values"]
    if type(values) is not list or any(type(value) is not int or value < 1 for value in values):
        raise EditionError(f"values {values!r} are not whole numbers above 0")
    if len(set(values)) < len(values) or len(values) < 8:
        raise EditionError(f"values {values!r} are not 8 or more different ones")
    return SealedBidsEdition(str(data["id"]), toml, data["purse"], tuple(values))


FIRST = load(files(__package__).joinpath("edition.toml").read_bytes())
