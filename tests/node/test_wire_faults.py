"""Bots that misbehave, connected by themselves to one ``tradepit referee`` on TCP and on a unix socket, all at once.

Each plays in a block with two honest bots, which play in all blocks and lose nothing by it.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import NamedTuple

import pytest
from referee_process import Club, Process, RefereeProcess, left
from toy_referee import TOY, command, start

from tradepit.v1 import block_pb2

COMPLETED = block_pb2.TERMINATION_COMPLETED
TIME = block_pb2.TERMINATION_FORFEITED_TIME
ILLEGAL = block_pb2.TERMINATION_FORFEITED_ILLEGAL
LOST = block_pb2.TERMINATION_FORFEITED_DISCONNECTED
NO_SHOW = block_pb2.TERMINATION_FORFEITED_NO_SHOW

TIMEOUT = block_pb2.FAULT_KIND_TIMEOUT

PATIENT = "decision=30s,startup=30s"
"""Nobody is charged for being slow on a machine that is busy."""

QUICK = "decision=2s,strikes=1,startup=30s"
LIMIT = 2.0
"""Seconds for a decision."""

SLACK = 8.0
"""Seconds that so many processes on a busy machine may add."""


class Case(NamedTuple):
    """A kind of bot, and what is to come of each of its matches."""

    behaviour: str
    faults: list[block_pb2.FaultKind.ValueType]
    termination: block_pb2.Termination.ValueType
    control: str
    message: str = ""
    """Part of what the last fault says."""
    seconds: float = 0.0
    """What the clocks may add to the block."""


CASES = [
    Case("honest", [], COMPLETED, PATIENT),
    Case("slow", [], COMPLETED, PATIENT),
    Case("twice", [], COMPLETED, PATIENT),
    Case("reorders", [], COMPLETED, PATIENT),
    Case("for-others", [], COMPLETED, PATIENT),
    Case("withholds", [], COMPLETED, PATIENT),
    Case("resumes", [], COMPLETED, f"{PATIENT},resume_window=30s"),
    Case("silent", [TIMEOUT], TIME, QUICK, "no answer within 2 s", LIMIT),
    Case("late", [TIMEOUT] * 2, TIME, "decision=2s,strikes=2", "no answer within 2 s", 2 * LIMIT),
    Case("wrong-ids", [TIMEOUT], TIME, QUICK, "no answer within 2 s", LIMIT),
    Case("elsewhere", [TIMEOUT], TIME, QUICK, "no answer within 2 s", LIMIT),
    Case("floods", [TIMEOUT], TIME, QUICK, "no answer within 2 s", LIMIT),
    Case("deaf", [TIMEOUT], TIME, QUICK, "no answer within 2 s", LIMIT),
    Case("illegal", [block_pb2.FAULT_KIND_ILLEGAL_ACTION], ILLEGAL, f"{PATIENT},strikes=1", "0 to 9, not 99"),
    Case("garbage", [block_pb2.FAULT_KIND_MALFORMED], ILLEGAL, f"{PATIENT},strikes=1", "11 bytes that are no frame"),
    Case("raises", [block_pb2.FAULT_KIND_BOT_ERROR], ILLEGAL, f"{PATIENT},strikes=1", "ZeroDivisionError"),
    Case("hangs-up", [block_pb2.FAULT_KIND_DISCONNECTED], LOST, f"{PATIENT},resume_window=50ms", "not resumed in time"),
    Case("dies", [block_pb2.FAULT_KIND_DISCONNECTED], LOST, f"{PATIENT},resume_window=50ms", "not resumed in time"),
    Case("declines", [block_pb2.FAULT_KIND_NO_SHOW], NO_SHOW, PATIENT, "the bot refused the invitation: not on a Fri"),
    Case("short-nonce", [block_pb2.FAULT_KIND_NO_SHOW], NO_SHOW, "startup=5s", "its nonce has 5 bytes", 5),
    Case("never-accepts", [block_pb2.FAULT_KIND_NO_SHOW], NO_SHOW, "startup=5s", "did not accept", 5),
]

HONEST = ("library", "honest")

TRANSPORTS = ("tcp", "unix")
ROLES = [*HONEST, *(case.behaviour for case in CASES)]
"""What is to be started on each transport: "honest" twice, once as a case."""


class Played(NamedTuple):
    """What came of everything."""

    referee: RefereeProcess
    bots: list[Process]
    results: dict[str, block_pb2.BlockResult]
    """By the block."""
    seconds: dict[str, float]
    """How long each block took."""
    descriptors: int
    """That the referee had before anybody came."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """All blocks, at once."""
    folder = tmp_path_factory.mktemp("faults")
    names = [f"{role}-{transport}" for transport in TRANSPORTS for role in {*ROLES, "case"}]
    listen = ("--listen", "localhost:0", "--listen", f"unix:{folder}/referee")
    with RefereeProcess(folder, names, *listen, prelude=TOY) as referee:
        club = Club(referee.channel())
        club.matches()
        before = descriptors(referee)
        bots = [start_as(referee, *name.rsplit("-", 1)) for name in names]
        results, seconds = play(club, club.sessions(len(bots)))
        yield Played(referee, bots, results, seconds, before)


def start_as(referee: RefereeProcess, role: str, transport: str) -> Process:
    """The bot of a role on a transport."""
    address = referee.addresses[TRANSPORTS.index(transport)]
    return start(referee, f"{role}-{transport}", command("honest" if role == "case" else role), address)


def play(club: Club, sessions: dict[str, str]) -> tuple[dict[str, block_pb2.BlockResult], dict[str, float]]:
    """What came of a block for each case and transport, and how long it took."""

    def play_one(transport: str, case: Case) -> tuple[str, block_pb2.BlockResult, float]:
        culprit = "case" if case.behaviour == "honest" else case.behaviour
        bots = [f"{role}-{transport}" for role in (HONEST[0], culprit, HONEST[1])]
        block = club.block(f"{case.behaviour}/{transport}", {bot: sessions[bot] for bot in bots}, case.control)
        block.game = "toy"
        begun = monotonic()
        result = club.result(club.start(block))
        return block.block_id, result, monotonic() - begun

    jobs = [(transport, case) for transport in TRANSPORTS for case in CASES]
    with ThreadPoolExecutor(len(jobs)) as pool:
        ended = list(pool.map(lambda job: play_one(*job), jobs))
    return {block: result for block, result, _ in ended}, {block: seconds for block, _, seconds in ended}


def descriptors(referee: RefereeProcess) -> int:
    """How many the referee has."""
    return len(os.listdir(f"/proc/{referee.process.pid}/fd"))


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.behaviour)
def test_the_result_names_the_fault_and_nobody_else_loses_by_it(case: Case, transport: str, played: Played) -> None:
    result = played.results[f"{case.behaviour}/{transport}"]
    assert (result.outcome, result.reason, len(result.replays)) == (block_pb2.BLOCK_OUTCOME_COMPLETE, "", 3)
    for replay in result.replays:
        culprit = [bot.split("-")[0] in HONEST for bot in replay.bots].index(False)
        outcome = replay.result
        assert [fault.kind for fault in outcome.faults] == case.faults
        assert {fault.seat for fault in outcome.faults} <= {culprit}
        assert all(case.message in fault.message for fault in outcome.faults)
        assert list(outcome.terminations) == [case.termination if seat == culprit else COMPLETED for seat in range(3)]
        assert all(score >= 21 for seat, score in enumerate(outcome.scores) if seat != culprit)


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.behaviour)
def test_a_block_takes_no_longer_than_its_clocks_allow(case: Case, transport: str, played: Played) -> None:
    assert played.seconds[f"{case.behaviour}/{transport}"] < case.seconds + SLACK


def test_nothing_is_left_and_the_referee_goes_in_good_order(played: Played) -> None:
    club = Club(played.referee.channel())
    assert not club.matches()
    for bot in played.bots:
        bot.kill()
        bot.wait()
    patience = monotonic() + 20
    while descriptors(played.referee) > played.descriptors and monotonic() < patience:
        pass
    assert descriptors(played.referee) == played.descriptors
    played.referee.process.terminate()
    assert left(played.referee.process) == (0, "")
