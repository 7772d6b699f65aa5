"""What a command can end with, and how that is told: one line, never a traceback.

Errors::

    CommandError       what was asked for failed (exit status 1)
    +-- Misuse         the command was used wrongly (exit status 2)
    +-- Stopped        somebody stopped it (exit status 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP)
"""

import errno
import io
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from tradepit_cli import stopping
from tradepit_cli.text import shortened, visible

DEBUG_VARIABLE = "TRADEPIT_DEBUG"
"""Set to anything but nothing, it shows the traceback of an unexpected error."""

LADDER_PACKAGES = {"sqlmodel", "sqlalchemy", "alembic", "trueskill"}
"""Top-level modules that only the extra ``ladder`` installs."""


class CommandError(Exception):
    """What was asked for failed; the message is one clear line."""

    exit_status = 1


class Misuse(CommandError):
    """The command was used wrongly; the message quotes the value and says what would be right."""

    exit_status = 2


class Stopped(CommandError):
    """Somebody stopped the command: Ctrl-C, SIGTERM, or a terminal that was closed."""

    exit_status = 130  # 128 + SIGINT, as shells have it


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""What a disk has to say about writing, wherever that was: not a bug of ours."""


def prepare_streams() -> None:
    """Have standard output and error take every text. Ends the command if there is no standard output."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # for as long as the process lives
    if sys.stdout is None:
        leave("standard output is closed; where nothing shall be seen, use > /dev/null", 1)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def told() -> Iterator[None]:
    """Turn whatever ends the block early into one line on standard error and SystemExit."""
    try:
        yield
    except Stopped as error:
        leave(str(error), stopping.exit_status())
    except CommandError as error:
        leave(str(error), error.exit_status)
    except typer.TyperException as error:
        leave(_parser_line(error), error.exit_code)
    except KeyboardInterrupt:
        leave("stopped", stopping.exit_status())
    except BrokenPipeError:
        _silence_stdout()
        sys.exit(1)
    except UnicodeEncodeError as error:
        # Python reads bytes that are no UTF-8 as what cannot be encoded again.
        leave(f"{error.object!r} is no UTF-8: names of files and folders must be", 1)
    except OSError as error:
        if error.errno not in _FULL:
            leave(_unexpected(error), 1)
        _silence_stdout()
        leave(f"cannot write: {error.strerror}", 1)
    except Exception as error:
        leave(_unexpected(error), 1)


def leave(line: str, status: int) -> NoReturn:
    """Print *line* on standard error and raise SystemExit with *status*."""
    print(f"tradepit: {shortened(visible(line))}", file=sys.stderr)
    sys.exit(status)


def _parser_line(error: typer.TyperException) -> str:
    """What the argument parser has to say, and where the command is explained."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "tradepit"
    message = error.format_message().rstrip(".").replace("Value error, ", "")  # as the parser's own library has it
    return f"{message[:1].lower()}{message[1:]}; see '{command} --help'"


def _unexpected(error: Exception) -> str:
    """One line for an error that nobody foresaw: an extra that is missing, or a bug."""
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in LADDER_PACKAGES:
        return f'this command needs the ladder ({error.name} is missing); run: pip install "tradepit[ladder]"'
    if os.environ.get(DEBUG_VARIABLE):
        traceback.print_exception(error)
    return (
        f"unexpected {type(error).__name__}: {' '.join(str(error).split()) or 'no details'} (a bug of tradepit's: "
        f"please report it with the command and, run again with {DEBUG_VARIABLE}=1, its traceback)"
    )


def _silence_stdout() -> None:
    """Whoever read our output has gone; what is still buffered must not raise at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
