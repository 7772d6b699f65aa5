"""Reading actions from JSON."""

from collections.abc import Mapping
from typing import Any, TypeVar

from tradepit_server.codecs.base import MalformedAction
from tradepit_server.games.quoting import quote

_T = TypeVar("_T")


def get(entry: Any, key: str, wanted: type[_T]) -> _T:
    """The value of *key* in an object, of exactly the type *wanted*: true is no number, and 1.5 no whole one.

    Raises MalformedAction, quoting what is wrong.
    """
    if not isinstance(entry, Mapping) or key not in entry:
        raise MalformedAction(f"{quote(entry)} has no {key}")
    return check(key, entry[key], wanted)


def texts(entry: Any, key: str) -> tuple[str, ...]:
    """The list of texts under *key*. Raises MalformedAction."""
    return tuple(check(key, value, str) for value in get(entry, key, list))


def check(key: str, value: Any, wanted: type[_T]) -> _T:
    """*value*, found under *key*, if it is of exactly the type *wanted*. Raises MalformedAction."""
    if type(value) is not wanted:
        raise MalformedAction(f"{key} {quote(value)} is no {wanted.__name__}")
    return value
