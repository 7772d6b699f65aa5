"""Checks across processes: a game plays the same in another one, and over gRPC."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from tradepit.v1 import block_pb2
from tradepit_server.referee.time_control import parse
from tradepit_server.testing.bot import trial_bot
from tradepit_server.testing.records import Case, cases, require
from tradepit_server.testing.transcripts import transcripts
from tradepit_server.testing.trials import Subject


def another_process(subject: Subject) -> None:
    """A process in which sets and dictionaries of words have another order plays the very same matches."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tradepit_server.testing", "transcripts", folder, subject.name]
        environment = {**os.environ, "PYTHONHASHSEED": "1"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        require(done.returncode == 0, f"the other process failed: {done.stderr}")
        for name, text in transcripts(subject).items():
            found = Path(folder, subject.name, name).read_text(encoding="utf-8")
            require(found == text, f"{name} differs in another process, from {_first_difference(found, text)}")


def _first_difference(found: str, known: str) -> str:
    pairs = zip(found.splitlines(), known.splitlines(), strict=False)
    return next((f"{one!r}, here {other!r}" for one, other in pairs if one != other), "the shorter one's end")


def wire(subject: Subject) -> None:
    """Blocks between bots in processes of their own, over gRPC, end like the same blocks in this process."""
    from tradepit.local import play_block  # these two load all of the referee
    from tradepit_server.node import run_blocks

    blocks = [_block(subject, case) for case in cases(subject)]
    here = [play_block(block, [trial_bot(subject) for _ in block.entrants]) for block in blocks]
    there = run_blocks(blocks)
    for block, one, other in zip(blocks, here, there, strict=True):
        _compare(block.block_id, one, other)


def _block(subject: Subject, case: Case) -> block_pb2.BlockSpecification:
    command = block_pb2.Command(
        arguments=[sys.executable, "-m", "tradepit_server.testing.bot", subject.name], working_directory=os.getcwd()
    )
    return block_pb2.BlockSpecification(
        block_id=f"{subject.name}/{case}",
        game=subject.name,
        options={name: str(value) for name, value in case.options(subject).items()},
        entrants=[block_pb2.Entrant(bot=f"trial-{entrant}", command=command) for entrant in range(case.seats)],
        time_control=parse("training").to_message(),
        reproducible_secret=sha256(str(case).encode()).digest(),
    )


def _compare(block_id: str, here: block_pb2.BlockResult, there: block_pb2.BlockResult) -> None:
    complete = block_pb2.BLOCK_OUTCOME_COMPLETE
    require(there.outcome == complete, f"block {block_id} is void over gRPC: {there.reason}")
    for one, other in zip(here.replays, there.replays, strict=True):
        faults = [fault.message for replay in (one, other) for fault in replay.result.faults]
        require(not faults, f"match {one.match_id}: the game's own random actions are faults: {faults[:1]}")
        same = _course(one) == _course(other)
        require(same, f"match {one.match_id} goes otherwise over gRPC than in one process")


def _course(replay: block_pb2.Replay) -> tuple[object, ...]:
    """What happened in a match: all but measured times, and what is computed over them."""
    decisions = [(d.seat, d.kind, d.action.type_url, d.action.value, d.fault) for d in replay.decisions]
    return replay.seed, list(replay.bots), dict(replay.options), decisions, replay.result
