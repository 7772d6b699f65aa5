"""Blocks of the toy game between processes that behave as told."""

import sys
from collections.abc import Callable
from pathlib import Path

import library_bot
import pytest
import toy_game
import wire_bot

from tradepit.v1 import block_pb2
from tradepit_server import registry
from tradepit_server.referee.time_control import parse

QUICK = "decision=800ms,strikes=1,startup=30s"
"""Loses little time with a bot that is silent, and leaves an honest one enough on a machine that is busy."""

MakeBlock = Callable[..., block_pb2.BlockSpecification]


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy game is installed."""
    installed = registry.get
    monkeypatch.setattr(registry, "get", lambda name: toy_game.PLUGIN if name == "toy" else installed(name))
    monkeypatch.setattr(registry, "names", lambda: ["toy"])


def entrant(behaviour: str) -> block_pb2.Entrant:
    """A process that behaves so; "honest#2" is a second honest one."""
    kind = behaviour.split("#")[0]
    script = library_bot.__file__ if kind in library_bot.BEHAVIOURS else wire_bot.__file__
    arguments = [sys.executable, script, kind]
    return block_pb2.Entrant(bot=behaviour, command=block_pb2.Command(arguments=arguments))


@pytest.fixture
def make_block() -> MakeBlock:
    """``make_block("honest", "silent")``: a block of the toy game between new processes."""

    def make(
        *bots: str | block_pb2.Entrant, block_id: str = "test/0", time_control: str = QUICK, **fields: object
    ) -> block_pb2.BlockSpecification:
        return block_pb2.BlockSpecification(
            block_id=block_id,
            game="toy",
            entrants=[entrant(bot) if isinstance(bot, str) else bot for bot in bots],
            time_control=parse(time_control).to_message(),
            **fields,  # type: ignore[arg-type]  # whatever the test gives
        )

    return make


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], list[str]]:
    """``script("print(1)")``: the arguments that run this Python text."""

    def write(text: str) -> list[str]:
        path = tmp_path / "script.py"
        path.write_text(text)
        return [sys.executable, str(path)]

    return write
