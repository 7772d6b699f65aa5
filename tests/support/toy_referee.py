"""``tradepit referee`` with the toy game, and bots of it as processes that connect by themselves."""

import sys
from collections.abc import Sequence
from pathlib import Path

import library_bot
import toy_game
import wire_bot
import wire_tricks
from referee_process import Process, RefereeProcess

TOY = f"""
import os, sys
os.environ["GRPC_VERBOSITY"] = "NONE"
sys.path.insert(0, {str(Path(toy_game.__file__).parent)!r})
import toy_game
from tradepit_server import registry
installed = registry.get
registry.get = lambda name: toy_game.PLUGIN if name == "toy" else installed(name)
"""
"""Installs the toy game in the referee's process."""


def command(behaviour: str, prelude: str = "") -> list[str]:
    """The command of a bot that behaves so; *prelude* is Python text that runs before it."""
    scripts = (library_bot, wire_tricks, wire_bot)
    script = next(str(script.__file__) for script in scripts if behaviour in script.BEHAVIOURS)
    if not prelude:
        return [sys.executable, script, behaviour]
    run = f"import runpy, sys; sys.path.insert(0, {str(Path(script).parent)!r})"
    return [sys.executable, "-c", f"{prelude}\n{run}; runpy.run_path({script!r}, run_name='__main__')", behaviour]


def start(
    referee: RefereeProcess,
    name: str,
    words: Sequence[str],
    address: str,
    **environment: str,
) -> Process:
    """A bot that connects by itself, with the token of *name*."""
    token = (referee.folder / f"{name}.token").read_text().strip()
    return referee.start_bot(name, words, TRADEPIT_REFEREE=address, TRADEPIT_TOKEN=token, **environment)
