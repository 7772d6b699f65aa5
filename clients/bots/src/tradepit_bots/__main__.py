"""``python -m tradepit_bots GAME NAME [--referee TARGET] [--token-file FILE]``: run one house bot."""

import sys
from typing import NoReturn

from tradepit_bots import games, make, names

_USAGE = "usage: python -m tradepit_bots GAME NAME [--referee TARGET] [--token-file FILE]"


def main() -> None:
    """Run the bot that the arguments name. Raises SystemExit: 0 after help, 2 for a bot that there is not."""
    arguments = sys.argv[1:]
    if arguments[:1] in (["-h"], ["--help"]):
        print(_USAGE)
        print("\n".join(f"  {game}: {', '.join(names(game))}" for game in games()))
        return
    if len(arguments) < 2:
        _wrong_use(_USAGE)
    try:
        bot = make(arguments[0], arguments[1])
    except LookupError as error:
        _wrong_use(str(error))
    bot.run(arguments[2:])


def _wrong_use(line: str) -> NoReturn:
    print(line, file=sys.stderr)
    raise SystemExit(2)


if __name__ == "__main__":
    main()
