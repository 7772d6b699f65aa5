"""Reading an edition file: a TOML table whose every key is asked for, and whose refusals name key and value."""

import tomllib
from typing import Any

from tradepit_server.games.base import EditionError

LARGEST = 1_000_000
"""No number of an edition may be larger, so that cash always fits the 64 bits of the messages."""

LARGEST_FILE = 256 * 1024
"""Bytes: an edition travels within one message, and is a part of every replay."""


def parse(toml: bytes) -> "Reader":
    """The top table of an edition file. Raises EditionError unless it is TOML of a bearable size."""
    if len(toml) > LARGEST_FILE:
        raise EditionError(f"the edition file has more than {LARGEST_FILE} bytes")
    try:
        return Reader(tomllib.loads(toml.decode()), "")
    except RecursionError:
        raise EditionError("the edition file is nested too deep") from None
    except ValueError as error:  # no UTF-8, no TOML, or a number of thousands of digits
        raise EditionError(f"the edition file is no TOML: {error}") from error


class Reader:
    """One table of the file and where it stands in it."""

    def __init__(self, values: dict[str, Any], path: str) -> None:
        self._values = values
        self.path = path

    def key(self, name: str) -> str:
        """The full name of a key, for messages."""
        return f"{self.path}.{name}" if self.path else name

    def names(self) -> list[str]:
        """The keys of the table."""
        return list(self._values)

    def expect(self, *names: str) -> None:
        """Raises EditionError unless the table has exactly these keys."""
        for name in names:
            if name not in self._values:
                raise EditionError(f"{self.key(name)} is missing")
        for name, value in self._values.items():
            if name not in names:
                raise EditionError(f"{self.key(name)} = {value!r} is not a key of an edition")

    def whole(self, name: str, least: int) -> int:
        """A whole number from *least* up."""
        value = self._values[name]
        if type(value) is not int:
            raise EditionError(f"{self.key(name)} = {value!r} is not a whole number")
        if not least <= value <= LARGEST:
            raise EditionError(f"{self.key(name)} = {value} is not from {least} to {LARGEST}")
        return value

    def wholes(self, name: str, least: int) -> tuple[int, ...]:
        """A list of one or more whole numbers from *least* up."""
        entries = self._entries(name, "a list with something in it")
        return tuple(entries.whole(index, least) for index in entries.names())

    def change(self, name: str) -> int:
        """A whole number, up or down but not zero."""
        value = self.whole(name, -LARGEST)
        if value == 0:
            raise EditionError(f"{self.key(name)} = 0 changes nothing")
        return value

    def text(self, name: str) -> str:
        """A text that is not empty."""
        value = self._values[name]
        if type(value) is not str or not value:
            raise EditionError(f"{self.key(name)} = {value!r} is not a text")
        return value

    def word(self, name: str, known: tuple[str, ...]) -> str:
        """One of the *known* words."""
        value = self.text(name)
        if value not in known:
            raise EditionError(f"{self.key(name)} = {value!r} is none of: {', '.join(known)}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of one or more texts."""
        entries = self._entries(name, "a list with something in it")
        return tuple(entries.text(index) for index in entries.names())

    def words(self, name: str, known: tuple[str, ...]) -> tuple[str, ...]:
        """A list of one or more of the *known* words."""
        entries = self._entries(name, "a list with something in it")
        return tuple(entries.word(index, known) for index in entries.names())

    def table(self, name: str) -> "Reader":
        """A table within this one."""
        value = self._values[name]
        if type(value) is not dict:
            raise EditionError(f"{self.key(name)} = {value!r} is not a table")
        return Reader(value, self.key(name))

    def tables(self, name: str) -> list["Reader"]:
        """A list of tables, one or more."""
        entries = self._entries(name, "a list of tables")
        return [entries.table(index) for index in entries.names()]

    def _entries(self, name: str, wanted: str) -> "Reader":
        """A list that is not empty, its entries under their index."""
        values = self._values[name]
        if type(values) is not list or not values:
            raise EditionError(f"{self.key(name)} = {values!r} is not {wanted}")
        return Reader({str(index): value for index, value in enumerate(values)}, self.key(name))


def distinct(key: str, values: list[str]) -> tuple[str, ...]:
    """*values*, none of them twice. Raises EditionError."""
    seen = set()
    for value in values:
        if value in seen:
            raise EditionError(f"{key} = {value!r} stands twice")
        seen.add(value)
    return tuple(values)
