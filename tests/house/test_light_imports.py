"""What is loaded for nothing costs every bot its start: who is imported without what."""

import subprocess
import sys

import pytest

WITHOUT_GRPC = [
    "tradepit",
    "tradepit.long_short",
    "tradepit.buy_low_sell_high",
    "tradepit.session",
    "tradepit.long_short.testing",
    "tradepit.buy_low_sell_high.testing",
    "tradepit_server.games.buy_low_sell_high",
    "tradepit_server.games.long_short",
    "tradepit_server.codecs.buy_low_sell_high",
    "tradepit_server.codecs.long_short",
    "tradepit_server.referee",
    "tradepit_server.registry",
    "tradepit_server.replay",
    "tradepit_ladder.ratings",
    "tradepit_ladder.scheduling",
]


def loaded(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after *statement*."""
    program = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("module", WITHOUT_GRPC)
def test_does_not_load_grpc(module: str) -> None:
    assert "grpc" not in loaded(f"import {module}")


def test_a_loaded_grpc_is_seen() -> None:
    assert "grpc" in loaded("import tradepit.v1.referee_pb2_grpc")


def test_tradepit_alone_loads_no_protobuf() -> None:
    assert "google.protobuf" not in loaded("import tradepit")


@pytest.mark.parametrize("game", ["long_short", "buy_low_sell_high"])
def test_tests_of_an_authors_load_nothing_of_the_server(game: str) -> None:
    modules = loaded(f"from tradepit.{game}.testing import *; view_of(Situation())")
    assert [module for module in modules if module.startswith("tradepit_")] == []


@pytest.mark.parametrize("game", ["buy_low_sell_high", "long_short"])
def test_games_load_no_protobuf(game: str) -> None:
    assert "google.protobuf" not in loaded(f"import tradepit_server.games.{game}.game")


def test_the_command_line_loads_server_and_ladder_only_when_a_command_needs_them() -> None:
    """A node has no ladder, and `tradepit --help` should not wait for a database library."""
    modules = loaded("import tradepit_cli.app")
    assert {"tradepit_server", "tradepit_ladder.application", "sqlmodel", "trueskill", "grpc"} & modules == set()
