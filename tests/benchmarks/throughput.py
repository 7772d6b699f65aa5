"""Decisions a second of a referee with two bot processes: clocks and replays on, over gRPC on a unix socket."""

import sys
from itertools import count
from pathlib import Path
from time import perf_counter

from tradepit.v1 import block_pb2
from tradepit_server.node import Node
from tradepit_server.referee.time_control import parse

IN_FLIGHT = 128

_BOT = str(Path(__file__).parent / "idle_bot.py")
_numbers = count()


def lockstep() -> float:
    """One match at a time."""
    return _decisions_per_second(blocks=1, matches=80, concurrent=1)


def in_flight() -> float:
    """As many matches at a time as IN_FLIGHT."""
    return _decisions_per_second(blocks=4, matches=320, concurrent=IN_FLIGHT)


def _decisions_per_second(blocks: int, matches: int, concurrent: int) -> float:
    """While all places are taken: from the end of the first match after a start-up to that of the last but so many."""
    ends: list[float] = []
    with Node() as node:
        specifications = [_specification(matches, concurrent) for _ in range(blocks)]
        results = node.run(specifications, lambda *_: ends.append(perf_counter()))
    decisions = [len(replay.decisions) for result in results for replay in result.replays]
    first, last = concurrent, len(ends) - concurrent
    return sum(decisions) / len(decisions) * (last - first) / (ends[last] - ends[first])


def _specification(matches: int, concurrent: int) -> block_pb2.BlockSpecification:
    command = block_pb2.Command(arguments=[sys.executable, _BOT, str(concurrent)])
    return block_pb2.BlockSpecification(
        block_id=f"benchmark/{next(_numbers)}",
        game="long-short",
        options={"end_of_game_card": "removed"},
        matches=matches,
        entrants=[block_pb2.Entrant(bot=name, command=command) for name in ("a", "b")],
        time_control=parse("standard").to_message(),
        reproducible_secret=bytes(32),
    )
