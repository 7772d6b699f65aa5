"""What a BOT on the command line stands for."""

import hashlib
import os
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tradepit_cli.errors import CommandError, Misuse

FORMS = "a Python file (./my_bot.py) or a quoted command ('node my_bot.js')"
"""The ways to name a bot that tradepit does not know yet."""

MAX_NAME_LENGTH = 40
"""Longer names of files and commands are cut, so that tables stay readable."""


SCRIPTS = {".cjs", ".jar", ".js", ".lua", ".mjs", ".php", ".pl", ".py", ".pyz", ".rb", ".sh", ".ts"}
"""Endings of files that some program runs."""


@dataclass(frozen=True)
class Target:
    """A bot that can be started."""

    name: str
    """What results call it."""
    command: tuple[str, ...]
    """Program and arguments."""
    working_directory: str
    """Absolute; the folder it runs in."""
    house: bool = False
    """It comes with tradepit."""


def house_names(game: str) -> list[str]:
    """The house bots that play *game*."""
    import tradepit_bots

    return list(tradepit_bots.names(game))


def house_target(game: str, name: str) -> Target:
    """The house bot *name* of *game*."""
    return Target(name, (sys.executable, "-m", "tradepit_bots", game, name), _current_folder(), house=True)


def _current_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise CommandError("the current folder has been deleted; go to another one") from None


def resolve(text: str, game: str, added: Callable[[], Sequence[Target]]) -> Target:
    """The bot that *text* names: a house bot of *game*, one that was *added*, a Python file, a command.

    Raises CommandError.
    """
    check_text(text)
    if text in house_names(game):
        return house_target(game, text)
    if looks_started(text):
        return from_target(text)
    for known in added():
        if known.name == text:
            check_startable(known)
            return known
    if shutil.which(text) or os.path.exists(text):
        return from_target(text)
    raise Misuse(unknown(text, game, added()))


def unknown(text: str, game: str, added: Iterable[Target]) -> str:
    """The line for a name that no bot has."""
    return f"{unknown_name(text, game, added)}; or give {FORMS}"


def unknown_name(text: str, game: str, added: Iterable[Target]) -> str:
    """The same where nothing but a name will do."""
    house = f"house bots are {names}" if (names := ", ".join(house_names(game))) else f"{game} has no house bots"
    return f"no bot {text!r}: {house}; added bots: {', '.join(target.name for target in added) or 'none'}"


def looks_started(text: str) -> bool:
    """Whether *text* is a path or a command rather than a bot's name."""
    return "/" in text or os.sep in text or text.endswith(".py") or any(c.isspace() for c in text)


def check_text(text: str) -> None:
    """Raises Misuse for a BOT that can be neither name, file nor command."""
    if not text.strip():
        raise Misuse(f"a bot cannot be {text!r}: give a house bot's name, {FORMS}")
    if not text.isprintable():
        raise Misuse(f"a bot cannot be {text!r}: it holds characters that cannot be shown")


def check_new_name(name: str) -> None:
    """Raises Misuse unless a bot of the user's may be called *name*."""
    from tradepit_ladder.scheduling.identifiers import NAME_RULE, is_name
    from tradepit_server import registry

    if not is_name(name):
        raise Misuse(f"a bot cannot be called {name!r}: a name is {NAME_RULE}")
    if looks_started(name):
        raise Misuse(f"a bot cannot be called {name!r}: that would be taken for a file")
    for game in registry.names():
        if name in house_names(game):
            raise Misuse(f"a bot cannot be called {name!r}: that is a house bot of {game}")


def check_startable(target: Target) -> None:
    """Raises CommandError where the folder, the program or the file of an added bot is not there any more."""
    missing = next(_missing(target), None)
    if missing is not None:
        raise CommandError(
            f"bot {target.name!r} cannot be started: {missing}; "
            f"to say where it is now: tradepit bot set {target.name} TARGET"
        )


def _missing(target: Target) -> Iterator[str]:
    folder, program = target.working_directory, target.command[0]
    if not os.path.isdir(folder):
        yield f"its folder {folder!r} is not there"
    elif shutil.which(os.path.join(folder, program)) is None:
        yield f"its program {program!r} is not there or cannot be run"
    elif (named := _named_file(target.command)) and not os.path.isfile(path := os.path.join(folder, named)):
        yield f"its file {path!r} is not there"


def _named_file(command: Sequence[str]) -> str | None:
    """The first argument of *command*, where it can only be the name of a file to run."""
    first = command[1] if len(command) > 1 else ""
    return first if not first.startswith("-") and Path(first).suffix in SCRIPTS else None


def program_sha256(target: Target) -> str:
    """The digest, in hex, of the first file that the command of *target* names, else of its program."""
    paths = [os.path.join(target.working_directory, word) for word in (*target.command[1:], target.command[0])]
    path = next(path for path in paths if os.path.isfile(path))
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise CommandError(f"bot {target.name!r}: cannot read {path!r}: {error.strerror}") from error


def from_target(text: str) -> Target:
    """The bot in the file *text*, or that the command *text* starts. Raises Misuse."""
    check_text(text)
    # os.path, unlike pathlib, takes what no file can be called for a file that is not there.
    path = os.path.expanduser(text)
    if os.path.isdir(path):
        raise Misuse(f"{text!r} is a folder; a bot is {FORMS}")
    if os.path.isfile(path):
        return _from_file(text, Path(path).absolute())
    if text.endswith(".py") and not any(c.isspace() for c in text):
        raise Misuse(f"there is no file {text!r}")
    return _from_command(text)


def _from_file(text: str, path: Path) -> Target:
    if not os.access(path, os.R_OK):
        raise Misuse(f"cannot read the file {text!r}")
    if path.suffix == ".py":
        return Target(_short(path.stem), (sys.executable, str(path)), _current_folder())
    if os.access(path, os.X_OK):
        return Target(_short(path.stem), (str(path),), _current_folder())
    raise Misuse(f"{text!r} is neither a Python file (.py) nor executable; a bot is {FORMS}")


def _from_command(text: str) -> Target:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise Misuse(f"cannot read the command {text!r}: {error}") from error
    program = shutil.which(os.path.expanduser(words[0])) if words and words[0] else None
    if program is None:
        raise Misuse(f"the command {text!r} starts {words[0] if words else ''!r}, which is no program that can be run")
    return Target(_short(_command_name(words)), (os.path.abspath(program), *words[1:]), _current_folder())


def _command_name(words: Sequence[str]) -> str:
    """The stem of the first file that a command names, else of its program: ``my_bot`` of ``node my_bot.js --fast``."""
    files = [word for word in words[1:] if os.path.isfile(word)]
    return Path((files or words)[0]).stem


def _short(name: str) -> str:
    return name[:MAX_NAME_LENGTH]


def numbered(targets: Sequence[Target]) -> list[Target]:
    """*targets* under names of their own: the second ``random`` becomes ``random#2``."""
    seen: Counter[str] = Counter()
    taken = {target.name for target in targets}
    named = []
    for target in targets:
        seen[target.name] += 1
        name = target.name
        while seen[target.name] > 1 and (name := f"{target.name}#{seen[target.name]}") in taken:
            seen[target.name] += 1
        taken.add(name)
        named.append(replace(target, name=name))
    return named
