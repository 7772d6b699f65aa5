"""What came of a block, held against what the ledger worked out, and replays against themselves."""

from collections.abc import Callable

from simulation.accounts import Block
from simulation.errors import Violation, require
from simulation.twin import Record, Twin
from tradepit.v1 import block_pb2
from tradepit_server.replay import ReplayError
from tradepit_server.replay.verification import verify

BUCKETS = 16
"""In which overheads are counted by length."""


def check(block: Block, result: block_pb2.BlockResult, sound: Callable[[str], bool]) -> None:
    """Raise a Violation where the *result* of a block is not what it must be."""
    require(
        result.block_id == block.id and result.outcome == block.outcome,
        "blocks end when they are over",
        f"{block.id} is reported as {result.block_id} {result.outcome}, not {block.outcome}",
    )
    require(
        result.reason == block.reason and result.void_cause == block.cause,
        "a void block says why",
        f"{block.id}: {result.reason!r} {result.void_cause}, not {block.reason!r} {block.cause}",
    )
    if block.outcome == block_pb2.BLOCK_OUTCOME_VOID:
        require(bool(result.reason) and not result.replays, "nothing of a void block counts", block.id)
        return
    require(len(result.replays) == len(block.twins), "every match has a replay", block.id)
    for twin, replay in zip(block.twins, result.replays, strict=True):
        _check_replay(block, twin, replay, sound)
    require(len(result.timings) == len(block.twins), "timings", block.id)
    for twin, timing in zip(block.twins, result.timings, strict=True):
        _check_timing(twin, timing)


def _check_timing(twin: Twin, timing: block_pb2.MatchTiming) -> None:
    overheads = twin.overheads
    _equal("timings", twin, timing.match_id, twin.id)
    _equal("timings", twin, timing.requests, len(overheads))
    _equal("timings", twin, timing.overhead_total.ToNanoseconds(), sum(overheads))
    _equal("timings", twin, timing.overhead_longest.ToNanoseconds(), max(overheads, default=0))
    buckets = [0] * BUCKETS
    for overhead in overheads:
        buckets[next((i for i in range(BUCKETS - 1) if overhead <= 100_000 << i), BUCKETS - 1)] += 1
    _equal("timings", twin, list(timing.overhead_buckets), buckets)
    _equal("timings", twin, list(timing.late_answers), twin.late)


def _check_replay(block: Block, twin: Twin, replay: block_pb2.Replay, sound: Callable[[str], bool]) -> None:
    _check_chance(block, twin, replay)
    _check_decisions(twin, replay)
    _check_faults(block, twin, replay, sound)
    result = replay.result
    _equal("scores and placements", twin, list(result.scores), list(twin.state.scores()))
    _equal("scores and placements", twin, list(result.placements), twin.placements())
    _equal("terminations", twin, list(result.terminations), twin.terminations())
    try:
        verify(replay)
    except ReplayError as error:
        raise Violation("replays verify", f"{twin.id}: {error}") from error


def _equal(invariant: str, twin: Twin, given: object, due: object) -> None:
    require(given == due, invariant, f"{twin.id} has {given}, should have {due}")


def _check_chance(block: Block, twin: Twin, replay: block_pb2.Replay) -> None:
    _equal("chance", twin, replay.match_id, twin.id)
    _equal("chance", twin, replay.secret, block.secret)
    _equal("chance", twin, list(replay.nonces), block.known_nonces())
    _equal("chance", twin, replay.seed, block.seeds[twin.index])
    seats = range(len(block.accounts))
    _equal("seatings", twin, list(replay.bots), [block.account(twin, seat).bot for seat in seats])


def _check_decisions(twin: Twin, replay: block_pb2.Replay) -> None:
    _equal("decisions are those that were sent", twin, len(replay.decisions), len(twin.records))
    for given, due in zip(replay.decisions, twin.records, strict=True):
        thought = given.thought.ToNanoseconds() if given.HasField("thought") else None
        record = Record(given.seat, given.kind, given.action.value, thought, given.fault, given.note)
        _equal("decisions are those that were sent", twin, record, due)
        _equal("decisions are those that were sent", twin, given.action.type_url, twin.type_url)


def _check_faults(block: Block, twin: Twin, replay: block_pb2.Replay, sound: Callable[[str], bool]) -> None:
    given = sorted((fault.seat, fault.decision_index, fault.kind) for fault in replay.result.faults)
    _equal("faults are charged to whom they belong, once", twin, given, sorted(twin.faults))
    for fault in replay.result.faults:
        bot = block.account(twin, fault.seat).bot
        require(not sound(bot), "an honest bot is never charged", f"{bot} in {twin.id}: {fault.message}")
