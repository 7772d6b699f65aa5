"""A referee with very many bots, whose lines break now and then, for a long time; fails if anything is lost or grows.

    python tests/benchmarks/soak.py [--minutes N | --blocks N] [--bots N] [--in-flight N] [--drops PERCENT] [--hosted N]

The referee is ``tradepit referee`` in a process of its own, on TCP and on a unix socket. The bots are a few processes,
each with its share of the bots, every bot with a connection of its own. An organiser has blocks of Long Short played
between two bots at random; with --hosted, so many further blocks are played by a pool's worker, whose bots are started
for them. Prints how it goes once a period, and in the end what did not hold; the exit status is 1 if anything did not:

* every block that began is complete, and no bot, all of which are honest, is charged with a fault or sent away;
* memory, descriptors and threads do not grow from the second period to the last. A period is a minute, or a quarter of
  the blocks; a run that is shorter than four minutes has four periods.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import IO, Any

from grpc import aio
from soak_gauge import Gauge, growth
from soak_hosted import Worker
from soak_organiser import Organiser, Tally

ORGANISER, BOTS = "the-token-of-the-organiser", "the-token-of-all-the-bots"
SAMPLE_SECONDS = 0.25
PERIODS = 4
MATCHES_AT_ONCE = 8
CROWDS = 4
"""Processes that the bots share."""

_CROWD = str(Path(__file__).with_name("soak_crowd.py"))
_Process = subprocess.Popen[str]


def main() -> int:
    """The exit status."""
    wanted = _arguments()
    with tempfile.TemporaryDirectory(prefix="tradepit-soak-") as folder, ExitStack() as ends:
        soak = Soak(wanted, Path(folder), ends)
        asyncio.run(soak.run())
    for complaint in soak.complaints:
        print(f"does not hold: {complaint}")
    return bool(soak.complaints)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play very many blocks on one referee.")
    parser.add_argument("--minutes", type=float, default=10, help="for so long blocks begin")
    parser.add_argument("--blocks", type=int, default=0, help="so many blocks, however long it takes")
    parser.add_argument("--bots", type=int, default=1000, help="connected at once")
    parser.add_argument("--in-flight", type=int, default=200, help="blocks at a time")
    parser.add_argument("--drops", type=float, default=5, help="percent of the lines that break in a minute")
    parser.add_argument("--think", type=float, default=0.5, help="seconds that a bot takes at most for an answer")
    parser.add_argument("--hosted", type=int, default=0, help="so many blocks more by bots that are started for them")
    parser.add_argument("--time-control", default="decision=30s,startup=30s,resume_window=30s")
    return parser.parse_args()


class Soak:
    """One run. What it starts ends with *ends*."""

    def __init__(self, wanted: argparse.Namespace, folder: Path, ends: ExitStack) -> None:
        self.complaints: list[str] = []
        """What did not hold."""
        self._wanted = wanted
        self._folder = folder
        self._ends = ends
        self._tally = Tally()

    async def run(self) -> None:
        """From the start of the referee to its end."""
        referee, addresses = self._start_referee()
        gauges = [Gauge("referee", referee.pid)]
        async with aio.insecure_channel(addresses[0], (("grpc.max_receive_message_length", -1),)) as channel:
            organiser = Organiser(channel, ORGANISER, self._wanted.time_control, self._tally)
            following = asyncio.create_task(organiser.follow_sessions())
            crowds = await self._gather_crowds(addresses)
            blocks = [asyncio.create_task(organiser.play(self._goes_on())) for _ in range(self._wanted.in_flight)]
            if self._wanted.hosted:
                worker = self._ends.enter_context(Worker(self._wanted.time_control))
                gauges.append(Gauge("worker", worker.pid))
                blocks.append(asyncio.create_task(worker.play(self._wanted.hosted, self._tally)))
            await self._watch(organiser, gauges, asyncio.gather(*blocks))
            following.cancel()
        self._part(crowds, referee)
        self._judge(gauges)

    def _goes_on(self) -> Any:
        if self._wanted.blocks:
            return lambda: self._tally.begun < self._wanted.blocks
        until = monotonic() + self._wanted.minutes * 60
        return lambda: monotonic() < until

    def _start_referee(self) -> tuple[_Process, list[str]]:
        tokens = self._folder / "tokens.txt"
        tokens.write_text(f"organiser soak {ORGANISER}\nbot crowd {BOTS}\n")
        tokens.chmod(0o600)
        listen = ["--listen", "127.0.0.1:0", "--listen", f"unix:{self._folder}/referee"]
        referee = self._start(
            [sys.executable, "-m", "tradepit", "referee", "--tokens", str(tokens), "--log", "warning", *listen]
        )
        return referee, [_line(referee).split()[-1] for _ in range(2)]

    async def _gather_crowds(self, addresses: Sequence[str]) -> list[_Process]:
        begun = monotonic()
        shares = [len(range(number, self._wanted.bots, CROWDS)) for number in range(CROWDS)]
        words = [sys.executable, _CROWD, str(MATCHES_AT_ONCE), str(self._wanted.think), str(self._wanted.drops)]
        crowds = [
            self._start([*words, str(share), addresses[number % len(addresses)]])
            for number, share in enumerate(shares)
            if share
        ]
        for crowd in crowds:
            if await asyncio.to_thread(_line, crowd) != "connected":
                raise SystemExit("soak: the bots cannot connect")
        print(f"{self._wanted.bots} bots are connected after {monotonic() - begun:.0f} s", flush=True)
        return crowds

    def _start(self, words: Sequence[str]) -> _Process:
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "TRADEPIT_TOKEN": BOTS}
        )
        self._ends.callback(process.wait)
        self._ends.callback(process.kill)
        return process

    async def _watch(self, organiser: Organiser, gauges: Sequence[Gauge], blocks: "asyncio.Future[Any]") -> None:
        begun = monotonic()
        ended = 0.0
        while not blocks.done():
            await asyncio.wait([blocks], timeout=SAMPLE_SECONDS)
            try:
                for gauge in gauges:
                    gauge.read()
            except OSError:
                self.complaints.append(f"the {gauge.name} is gone")
                return
            if self._progress(begun) - ended >= 1:
                ended += 1
                self._report(gauges, monotonic() - begun, await organiser.count_matches())
        await blocks

    def _progress(self, begun: float) -> float:
        """In periods."""
        if self._wanted.blocks:
            return self._tally.done * PERIODS / float(self._wanted.blocks)
        period: float = min(60, self._wanted.minutes * 60 / PERIODS)
        return (monotonic() - begun) / period

    def _report(self, gauges: Sequence[Gauge], seconds: float, in_play: int) -> None:
        tally = self._tally
        held = "; ".join(gauge.end_period() for gauge in gauges)
        print(
            f"{seconds:6.0f} s: {tally.done} blocks, {tally.lost.total()} lost, {tally.decisions} decisions, "
            f"{in_play} matches in play; {held}; overhead 99 %: {tally.overhead_percentile(0.99)}",
            flush=True,
        )

    def _part(self, crowds: Sequence[_Process], referee: _Process) -> None:
        """Send everybody home."""
        went_through: Counter[str] = Counter()
        for crowd in crowds:
            said = json.loads(crowd.communicate(timeout=60)[0] or "{}")
            sent_away = said.pop("sent_away", ["a process of bots died"])
            self.complaints += [f"a bot was sent away: {reason}" for reason in sent_away]
            went_through.update(said)
        referee.terminate()
        _, status = referee.communicate(timeout=60), referee.returncode
        if status:
            self.complaints.append(f"the referee ended with status {status}")
        print(f"lines: {dict(went_through)}")

    def _judge(self, gauges: Sequence[Gauge]) -> None:
        tally = self._tally
        print(
            f"{tally.done} blocks, {tally.matches} matches, {tally.decisions} decisions, {tally.late_answers} late "
            f"answers, {tally.retried} blocks asked for again; overhead 50 %: {tally.overhead_percentile(0.5)}, "
            f"99 %: {tally.overhead_percentile(0.99)}"
        )
        if not tally.done:
            self.complaints.append("no block was played")
        self.complaints += [f"{number} blocks lost: {reason}" for reason, number in tally.lost.items()]
        self.complaints += [f"honest bots charged {number} times: {fault}" for fault, number in tally.charged.items()]
        for gauge in gauges:
            whole = gauge.periods[:-1]  # the last one was cut short
            self.complaints += [f"the {gauge.name}'s {complaint}" for complaint in growth(whole)]


def _line(process: _Process) -> str:
    stdout: IO[str] | None = process.stdout
    assert stdout is not None
    return stdout.readline().rstrip()


if __name__ == "__main__":
    sys.exit(main())
