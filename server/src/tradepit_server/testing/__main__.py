"""``python -m tradepit_server.testing check GAME...`` and ``... transcripts FOLDER [GAME...]``."""

import sys
from collections.abc import Sequence
from pathlib import Path

from tradepit_server import registry
from tradepit_server.testing.suite import checks, failure
from tradepit_server.testing.transcripts import write
from tradepit_server.testing.trials import NoTrials, find

_USAGE = """\
usage: python -m tradepit_server.testing check GAME...
       python -m tradepit_server.testing transcripts FOLDER [GAME...]"""


def main(arguments: Sequence[str]) -> int:
    """Do what the arguments say; the exit status: 0, 1 when a check failed, 2 for wrong use."""
    try:
        match arguments:
            case ["check", *games] if games:
                return max(_check(game) for game in games)
            case ["transcripts", folder, *games]:
                for game in games or registry.names():
                    write(find(game), Path(folder, game))
                return 0
    except (registry.UnknownGame, NoTrials) as error:
        print(error.args[0], file=sys.stderr)
        return 2
    print(_USAGE, file=sys.stderr)
    return 2


def _check(game: str) -> int:
    """1 when a check of *game* failed; each is a line."""
    failed = 0
    for check in checks(game):
        error = failure(check)
        failed += error is not None
        print(f"{check}: passed" if error is None else f"{check}: FAILED\n    {type(error).__name__}: {error}")
    print(f"{game}: {f'{failed} checks failed' if failed else 'all checks passed'}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
