"""Reads who may call from a file: a line each, ``bot NAME TOKEN``, ``organiser NAME TOKEN``, ``spectator NAME TOKEN``.

Blanks separate the three words; empty lines and lines that begin with # are left out.
"""

import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from tradepit_server.referee import Identity
from tradepit_server.service.tokens import Holder, Organiser, Spectator, Tokens

LEAST_CHARACTERS = 16
"""Of a token: a shorter one can be guessed."""

LARGEST_BYTES = 1024 * 1024
"""Of the file; more is a slip of the finger."""

_KINDS: dict[str, Callable[[str], Holder]] = {"bot": Identity, "organiser": Organiser, "spectator": Spectator}


class TokenFileError(ValueError):
    """A file that grants no tokens; the message names the line and never quotes a token."""


def read(path: Path) -> Tokens:
    """The tokens that the file grants. Raises TokenFileError."""
    tokens = Tokens()
    lines: dict[str, int] = {}
    for number, holder, token in _grants(_text(path)):
        if token in lines:
            raise TokenFileError(f"line {number}: the token of line {lines[token]} again; each needs one of its own")
        lines[token] = number
        tokens.grant(token, holder)
    if not lines:
        raise TokenFileError("it grants no token: a line is 'bot', 'organiser' or 'spectator', NAME, TOKEN")
    return tokens


def is_exposed(path: Path) -> bool:
    """Whether every user of the machine may read the file."""
    return bool(path.stat().st_mode & stat.S_IROTH)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise TokenFileError(error.strerror or "it cannot be read") from error
    if len(data) > LARGEST_BYTES:
        raise TokenFileError(f"it has more than {LARGEST_BYTES} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise TokenFileError(f"line {data[: error.start].count(10) + 1}: it is not UTF-8") from error


def _grants(text: str) -> Iterator[tuple[int, Holder, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 3:
            raise TokenFileError(f"line {number}: it has {len(words)} words, not 3: a kind, NAME, TOKEN")
        kind, name, token = words
        _check_token(number, token)
        yield number, _holder(number, kind, name), token


def _holder(number: int, kind: str, name: str) -> Holder:
    # Whoever swaps the words would have a token where a name or a kind belongs, so neither is quoted.
    if not name.isprintable():
        raise TokenFileError(f"line {number}: the name has characters that cannot be shown")
    if kind not in _KINDS:
        raise TokenFileError(f"line {number}: it begins with neither 'bot' nor 'organiser' nor 'spectator'")
    return _KINDS[kind](name)


def _check_token(number: int, token: str) -> None:
    if not token.isascii() or not token.isprintable():
        raise TokenFileError(f"line {number}: the token has characters that no token has")
    if len(token) < LEAST_CHARACTERS:
        raise TokenFileError(f"line {number}: the token has {len(token)} characters; {LEAST_CHARACTERS} is the least")
