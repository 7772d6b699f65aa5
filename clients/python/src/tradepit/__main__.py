"""The ``tradepit`` command; with the light installation it says which extra it needs."""

import sys

COMMAND_PACKAGES = {"typer", "rich"}
"""What the command needs beyond the light installation."""


def main() -> None:
    """Run the command line. Raises SystemExit."""
    try:
        from tradepit_cli.app import main as run
    except KeyboardInterrupt:
        print("tradepit: stopped", file=sys.stderr)
        sys.exit(130)  # as after Ctrl-C in a command
    except ModuleNotFoundError as missing:
        if missing.name not in COMMAND_PACKAGES:
            raise
        sys.exit(
            f"tradepit: bots run as it is, but the commands need more ({missing.name} is missing); run:"
            ' pip install "tradepit[ladder]"'
        )
    run()


if __name__ == "__main__":
    main()
