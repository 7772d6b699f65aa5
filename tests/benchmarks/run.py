"""Run every benchmark and write build/bench.json: ``{name: {ratio, spread, target}}``, larger is better.

Each figure is a ratio of two rates that were measured turn by turn in the same run, so a machine that is
slow or busy slows both. ``ratio`` is the median of the rounds, ``spread`` their least and greatest.

    python tests/benchmarks/run.py [--rounds N] [NAME ...]
"""

import argparse
import json
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import engine
import fold
import idle_memory
import leaderboard
import ping_pong
import throughput
import workers

ROUNDS = 5
OUTPUT = Path("build/bench.json")


class Benchmark(NamedTuple):
    """Two rates of which the first is to be large against the second."""

    ours: Callable[[], float]
    """Ours, per second."""
    peer: Callable[[], float]
    """What it is held against, per second."""
    target: float | None
    """The ratio that is aimed at; None: reported alone."""


BENCHMARKS = {
    "lockstep_vs_raw_grpc": Benchmark(throughput.lockstep, ping_pong.grpc_lockstep, 0.75),
    "in_flight_vs_line_pipe": Benchmark(throughput.in_flight, ping_pong.line_pipe, 1.5),
    "in_flight_vs_raw_pipe": Benchmark(throughput.in_flight, ping_pong.raw_pipe, None),
    "in_flight_vs_raw_grpc": Benchmark(throughput.in_flight, ping_pong.grpc_lockstep, 8),
    "engine_vs_rlcard_uno": Benchmark(engine.long_short, engine.rlcard_uno, 4),
    "two_workers_vs_one": Benchmark(workers.two, workers.one, 1.6),
    "fold_on_sqlite_vs_bare_trueskill": Benchmark(fold.on_sqlite, fold.bare, 0.9),
    "fold_on_postgresql_vs_bare_trueskill": Benchmark(fold.on_postgresql, fold.bare, 0.9),
    "leaderboard_of_a_million_seats_vs_ten_thousand_on_sqlite": Benchmark(
        leaderboard.large_on_sqlite, leaderboard.small_on_sqlite, 0.5
    ),
    "leaderboard_of_a_million_seats_vs_ten_thousand_on_postgresql": Benchmark(
        leaderboard.large_on_postgresql, leaderboard.small_on_postgresql, 0.5
    ),
    "idle_bots_vs_raw_grpc": Benchmark(idle_memory.bots_per_gigabyte, idle_memory.raw_streams_per_gigabyte, 1 / 1.3),
}


def measure(benchmark: Benchmark, rounds: int) -> dict[str, object]:
    """The figures of one benchmark."""
    ours, peers, ratios = [], [], []
    for _ in range(rounds):
        ours.append(benchmark.ours())
        peers.append(benchmark.peer())
        ratios.append(ours[-1] / peers[-1])
    return {
        "ratio": round(statistics.median(ratios), 3),
        "spread": [round(min(ratios), 3), round(max(ratios), 3)],
        "target": benchmark.target,
        "ours_per_second": round(statistics.median(ours), 1),
        "peer_per_second": round(statistics.median(peers), 1),
    }


def main() -> None:
    """Measure, print and write down."""
    parser = argparse.ArgumentParser(description="Measure ratios and write them to build/bench.json.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of: {', '.join(BENCHMARKS)}")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in BENCHMARKS]
    if unknown or arguments.rounds < 1:
        parser.error(f"no benchmark {unknown[0]!r}" if unknown else f"--rounds cannot be {arguments.rounds}")
    figures = {}
    for name in arguments.names or BENCHMARKS:
        try:
            figures[name] = measure(BENCHMARKS[name], arguments.rounds)
        except engine.PeerMissing as error:
            print(f"{name}: left out: {error}")
            continue
        print(f"{name}: {figures[name]}", flush=True)
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
