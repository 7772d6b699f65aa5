"""What a worker sends back about a block, checked and taken apart."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tradepit.v1 import block_pb2
from tradepit_ladder.scheduling.identifiers import match_id


class ResultError(ValueError):
    """A result that cannot be of the block that was asked for; the message quotes what is wrong."""


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """What came of a match for the bot in one seat."""

    bot: str
    score: int
    """In the game's own unit."""
    placement: int
    """1 is best, ties share."""
    termination: str
    """In lower case, for example ``completed``."""
    faults: int


@dataclass(frozen=True, slots=True)
class PlayedTiming:
    """What the referee measured in a match."""

    requests: int
    """How many requests it sent."""
    overhead_ns: int
    """What it took itself for them, in all."""
    overhead_longest_ns: int
    """What it took for the slowest."""
    overhead_buckets: tuple[int, ...]
    """How many took at most 0.1 ms * 2^i, by i, the last all that took longer."""
    late_answers: tuple[int, ...]
    """Answers that came after their deadline, by seat."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that counts."""

    match_id: str
    seats: tuple[PlayedSeat, ...]
    """By seat."""
    replay: bytes
    """The serialised replay."""
    timing: PlayedTiming | None = None
    """None: nothing was measured."""


def played_matches(specification: block_pb2.BlockSpecification, result: block_pb2.BlockResult) -> list[PlayedMatch]:
    """The matches of a complete block by index. Raises ResultError where *result* does not fit *specification*."""
    if result.outcome != block_pb2.BLOCK_OUTCOME_COMPLETE:
        raise ResultError(" ".join(result.reason.split()) or f"the worker gave no reason for outcome {result.outcome}")
    bots = [entrant.bot for entrant in specification.entrants]
    if len(result.replays) != len(bots):
        raise ResultError(f"a result with {len(result.replays)} replays for {len(bots)} matches")
    timings = {timing.match_id: timing for timing in result.timings}
    return [_match(specification.block_id, bots, index, replay, timings) for index, replay in enumerate(result.replays)]


def _match(
    block: str,
    bots: Sequence[str],
    index: int,
    replay: block_pb2.Replay,
    timings: Mapping[str, block_pb2.MatchTiming],
) -> PlayedMatch:
    expected = match_id(block, index)
    if replay.match_id != expected:
        raise ResultError(f"a replay of match {replay.match_id!r} in place of {expected!r}")
    seated = [bots[(seat - index) % len(bots)] for seat in range(len(bots))]
    if list(replay.bots) != seated:
        raise ResultError(f"match {expected!r} has bots {list(replay.bots)} in place of {seated}")
    seats = _seats(expected, seated, replay.result)
    content = replay.SerializeToString(deterministic=True)
    return PlayedMatch(expected, seats, content, _timing(timings.get(expected), len(bots)))


def _timing(timing: block_pb2.MatchTiming | None, seats: int) -> PlayedTiming | None:
    """What a result does not depend on: where it does not fit, it is left out."""
    if timing is None or len(timing.late_answers) != seats:
        return None
    return PlayedTiming(
        requests=timing.requests,
        overhead_ns=timing.overhead_total.ToNanoseconds(),
        overhead_longest_ns=timing.overhead_longest.ToNanoseconds(),
        overhead_buckets=tuple(timing.overhead_buckets),
        late_answers=tuple(timing.late_answers),
    )


def _seats(match: str, bots: Sequence[str], result: block_pb2.MatchResult) -> tuple[PlayedSeat, ...]:
    _check(match, len(bots), result)
    faults = Counter(fault.seat for fault in result.faults)
    return tuple(
        PlayedSeat(bot, result.scores[seat], result.placements[seat], _word(result.terminations[seat]), faults[seat])
        for seat, bot in enumerate(bots)
    )


def _check(match: str, seats: int, result: block_pb2.MatchResult) -> None:
    for word, values in (
        ("scores", result.scores),
        ("placements", result.placements),
        ("terminations", result.terminations),
    ):
        if len(values) != seats:
            raise ResultError(f"match {match!r} has {len(values)} {word} for {seats} seats")
    if not all(1 <= placement <= seats for placement in result.placements):
        raise ResultError(f"match {match!r} has placements {list(result.placements)} for {seats} seats")
    if not all(fault.seat < seats for fault in result.faults):
        raise ResultError(f"match {match!r} has faults of seats {sorted({fault.seat for fault in result.faults})}")


def _word(termination: block_pb2.Termination.ValueType) -> str:
    try:
        return block_pb2.Termination.Name(termination).removeprefix("TERMINATION_").lower()
    except ValueError:
        raise ResultError(f"a termination {termination} that this version does not know") from None
