"""Deliberate bugs in a copy of the referee's core: the simulator finds every one of them within a thousand seeds."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
from simulation.seeds import run_one

SEEDS = 1000
ROOT = Path(__file__).parents[2]
SERVER = ROOT / "server/src/tradepit_server"


class Mutation(NamedTuple):
    """One bug: *old* is replaced by *new*, once, in a module of the core."""

    module: str
    old: str
    new: str


MUTATIONS = {
    "a late answer is accepted": Mutation(
        "core.py", "self._alarms.set(deadline, ", "self._alarms.set(deadline + 50_000_000, "
    ),
    "the clock is not stopped": Mutation(
        "tables.py", "decide(seat, action, request.used(now), note)", "decide(seat, action, request.allowed or 0, note)"
    ),
    "the increment is added twice": Mutation(
        "match.py", "place.bank += self._time_control.increment", "place.bank += 2 * self._time_control.increment"
    ),
    "a strike hits the wrong seat": Mutation(
        "match.py", "            self._forfeit(seat, kind)", "            self._forfeit(seat - 1, kind)"
    ),
    "a fault costs two strikes": Mutation("match.py", "place.strikes += 1", "place.strikes += 2"),
    "a match's seed is in a message": Mutation(
        "block.py", "bot_seed=chance.bot_seed(self._seeds[match.index], seat)", "bot_seed=self._seeds[match.index]"
    ),
    "the secret is in the invitation": Mutation(
        "block.py",
        "commitment=chance.commitment(self._secret),\n            reproducible=",
        "commitment=self._secret,\n            reproducible=",
    ),
    "an observation is another seat's": Mutation(
        "match.py", "self._codec.observation(self.state, seat)", "self._codec.observation(self.state, seat - 1)"
    ),
    "a second answer is accepted": Mutation(
        "tables.py",
        "        self._close(table, seat, missed=False)",
        "        if len(table.requests) == 1:\n            self._close(table, seat, missed=False)",
    ),
    "a decided request is sent again": Mutation("session.py", "        request.close()\n", ""),
    "what was not acknowledged is not sent again": Mutation(
        "session.py", "for entry in (*sent, *self._outbox) if", "for entry in self._outbox if"
    ),
    "a lost stream forfeits at once": Mutation(
        "tables.py", "self._alarms.set(now + window, window_over)", "self._alarms.set(now, window_over)"
    ),
    "the window never ends": Mutation(
        "tables.py", "self._alarms.set(now + window, window_over)", "self._alarms.set(now + 10**15, window_over)"
    ),
    "a forfeit is placed above": Mutation("match.py", "else (0, place.forfeited_at)", "else (2, place.forfeited_at)"),
    "an earlier forfeit is placed above a later one": Mutation(
        "match.py", "else (0, place.forfeited_at)", "else (0, -place.forfeited_at)"
    ),
    "nonces are ignored": Mutation("block.py", 'b"" if self.spec.reproducible_secret is not None else nonce', 'b""'),
    "nothing bounds what is kept for a bot": Mutation(
        "session.py", "if self._backlog > BACKLOG_BYTES:", "if self._backlog > 100 * BACKLOG_BYTES:"
    ),
    "a boast is believed": Mutation("session.py", "if sequence > self._sequence:", "if sequence > 2**63:"),
    "anybody resumes a session": Mutation(
        "sessions.py", "if session is None or identity != ", "if session is None or identity == "
    ),
    "garbage is charged for what was never sent": Mutation(
        "hearing.py", "open_request.open and open_request.departed is not None", "open_request.open"
    ),
    "an answer for another match is accepted": Mutation(
        "hearing.py", "elif request.match.id != answer.match_id:", "elif not answer.match_id:"
    ),
    "a bot plays more than it can": Mutation("session.py", "playing < self.capacity", "playing <= self.capacity"),
    "spectators see at once": Mutation(
        "gallery.py",
        "self._withheld[0].decisions + self._delay <= decisions",
        "self._withheld[0].decisions <= decisions",
    ),
    "sessions are not forgotten": Mutation(
        "sessions.py",
        "        if session.connection is None and not session.reserved and not session.entries:",
        "        if session.lost is not None and not session.reserved and not session.entries:",
    ),
}


def mutate(mutation: Mutation, folder: Path) -> None:
    """A copy of the server's package in *folder*, with one bug."""
    shutil.copytree(SERVER, folder / SERVER.name, ignore=shutil.ignore_patterns("__pycache__"))
    module = folder / SERVER.name / "referee" / mutation.module
    text = module.read_text()
    assert text.count(mutation.old) == 1, f"{mutation.module} holds {text.count(mutation.old)} times: {mutation.old}"
    module.write_text(text.replace(mutation.old, mutation.new))


def search(name: str, folder: Path, inherited: Mapping[str, str]) -> str:
    """What the simulator says to the bug *name*: a seed, the rule it breaks, and what was seen; empty: nothing."""
    mutate(MUTATIONS[name], folder)
    command = [sys.executable, str(ROOT / "tests/simulation/run.py"), "--search", "--seeds", str(SEEDS)]
    environment = {**inherited, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def searches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, "Future[str]"]]:
    """What the simulator says to each bug, as many at a time as there are processors."""
    inherited = dict(os.environ)  # here: pytest changes it while the searches go on
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {name: pool.submit(search, name, tmp_path_factory.mktemp("core"), inherited) for name in MUTATIONS}


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_bug_is_found(name: str, searches: dict[str, "Future[str]"]) -> None:
    found = searches[name].result()
    assert found, f"{name}: {SEEDS} seeds do not show it"
    seed, invariant, _ = found.split("\t", 2)
    assert run_one(int(seed))[1] is None, f"seed {seed} fails without the bug too"
    print(f"{name}: seed {seed}, {invariant}")


def test_a_bug_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="holds 0 times"):
        mutate(Mutation("core.py", "no such text", ""), tmp_path)
