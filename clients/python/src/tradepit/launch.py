"""Starts a bot's process: reads its options, plays, and turns what goes wrong into one clear line."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from tradepit.bot import Bot, bot_name
from tradepit.errors import TradepitError, UsageError

_WRONG_USE = 2
_FAILED = 1


class Target(NamedTuple):
    """Where a bot plays, and as whom."""

    referee: str
    """A gRPC target: host:port or unix:/path."""
    token: str
    """A secret: never shown."""
    hosted: bool = False
    """The referee has started the process, and it is of no use without it."""


def launch(bot: Bot, argv: Sequence[str] | None = None) -> None:
    """Play *bot* as *argv* and the environment say. Raises SystemExit after one clear line if that fails."""
    try:
        target = read_target(bot_name(bot), sys.argv[1:] if argv is None else argv, os.environ)
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # one clear line is ours to write
        from tradepit.transport import play  # after the options: whoever asks for help need not wait for grpc

        play(bot, target.referee, target.token, hosted=target.hosted)
    except KeyboardInterrupt:
        return  # before play took over the signals
    except TradepitError as error:
        print(f"{bot_name(bot)}: {error}", file=sys.stderr)
        raise SystemExit(_WRONG_USE if isinstance(error, UsageError) else _FAILED) from None


def read_target(name: str, argv: Sequence[str], environment: Mapping[str, str]) -> Target:
    """The target that options or *environment* give. Raises UsageError, which never quotes a token."""
    options = _parser(name).parse_args(argv)
    referee = options.referee or environment.get("TRADEPIT_REFEREE", "")
    if not referee:
        raise UsageError("no referee: give --referee or set TRADEPIT_REFEREE, for example to localhost:7070")
    # A referee tells the processes that it starts by the environment, and listens for them on a socket of its own.
    hosted = not options.referee and referee.startswith("unix:")
    return Target(referee, _token(options.token_file, environment), hosted)


def _token(token_file: str | None, environment: Mapping[str, str]) -> str:
    token = environment.get("TRADEPIT_TOKEN", "") if token_file is None else _read_token(token_file)
    if not token.strip():
        raise UsageError("no token: give --token-file or set TRADEPIT_TOKEN")
    if not (token.isascii() and token.strip().isprintable()) or len(token.split()) > 1:
        raise UsageError("the token has characters that no token has")
    return token.strip()


def _read_token(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is no text"
        raise UsageError(f"cannot read --token-file {path!r}: {reason}") from None


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def _parser(name: str) -> argparse.ArgumentParser:
    parser = _Parser(
        prog=name,
        description=f"Plays {name} at a referee until that is done.",
        epilog="example: --referee localhost:7070 --token-file token.txt",
        allow_abbrev=False,
    )
    parser.add_argument("--referee", metavar="TARGET", help="host:port or unix:/path; default: TRADEPIT_REFEREE")
    parser.add_argument("--token-file", metavar="FILE", help="holds the bot's token; default: TRADEPIT_TOKEN itself")
    return parser
