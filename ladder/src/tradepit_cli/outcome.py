"""What came of the blocks that were played, gathered bot by bot."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from tradepit.v1 import block_pb2


@dataclass(frozen=True)
class SeatOutcome:
    """How a match ended for one bot."""

    score: int
    """In the game's own unit."""
    placement: int
    """1 is best, ties share."""
    termination: block_pb2.Termination.ValueType


@dataclass(frozen=True)
class FaultSeen:
    """Something that a bot did wrong."""

    match: str
    """Where: "block 2, match 1", counted from 0 as in match ids."""
    decision: int | None
    """The index of the decision in the match's record, from 0."""
    kind: block_pb2.FaultKind.ValueType
    message: str
    """A sentence that quotes the offending value."""


@dataclass
class BotOutcome:
    """What came of all matches of one bot."""

    bot: str
    seats: list[SeatOutcome] = field(default_factory=list)
    """One a match, in order."""
    faults: list[FaultSeen] = field(default_factory=list)
    own_decisions: int = 0
    """Those that were played as it made them, no default in their place."""
    exit_status: int | None = None
    """Of its process, below zero for a signal; None: it ran until it was ended."""
    last_output: str = ""
    """The end of what its process wrote."""

    @property
    def mean_placement(self) -> float:
        """1 is best; at least one match has been played."""
        return fmean(seat.placement for seat in self.seats)

    @property
    def mean_score(self) -> float:
        """In the game's own unit; at least one match has been played."""
        return fmean(seat.score for seat in self.seats)

    @property
    def wins(self) -> int:
        """Matches in which no bot was placed better."""
        return sum(seat.placement == 1 for seat in self.seats)


@dataclass(frozen=True)
class Outcome:
    """What came of all blocks."""

    bots: list[BotOutcome]
    """In the order in which they were named."""
    matches: list[str]
    """Each match as its id ends: "2/1" is match 1 of block 2, both counted from 0."""
    void: list[str]
    """A sentence for each block that does not count."""


def gather(results: Sequence[block_pb2.BlockResult], bots: Sequence[str]) -> Outcome:
    """The outcome of *results* for *bots*, which are the entrants of every block in their order."""
    outcome = Outcome([BotOutcome(bot) for bot in bots], [], [])
    for number, result in enumerate(results):
        _gather_processes(outcome.bots, result.processes)
        if result.outcome != block_pb2.BLOCK_OUTCOME_COMPLETE:
            outcome.void.append(f"block {number} does not count: {result.reason}")
        for replay in result.replays:
            place = f"block {number}, match {replay.match_index}"
            outcome.matches.append(f"{number}/{replay.match_index}")
            _gather_match(outcome.bots, replay, place)
    return outcome


def _gather_processes(bots: Sequence[BotOutcome], reports: Iterable[block_pb2.ProcessReport]) -> None:
    """A process serves many blocks, so the last word stands."""
    for report in reports:
        bot = bots[report.entrant]
        bot.last_output = report.last_output or bot.last_output
        if report.HasField("exit_status"):
            bot.exit_status = report.exit_status


def _gather_match(bots: Sequence[BotOutcome], replay: block_pb2.Replay, place: str) -> None:
    by_name = {bot.bot: bot for bot in bots}
    seated = [by_name[name] for name in replay.bots]
    result = replay.result
    endings = zip(result.scores, result.placements, result.terminations, strict=True)
    for bot, (score, placement, termination) in zip(seated, endings, strict=True):
        bot.seats.append(SeatOutcome(score, placement, termination))
    for decision in replay.decisions:
        seated[decision.seat].own_decisions += decision.fault == block_pb2.FAULT_KIND_UNSPECIFIED
    for fault in result.faults:
        seated[fault.seat].faults.append(_fault(fault, place))


def _fault(fault: block_pb2.Fault, place: str) -> FaultSeen:
    decision = fault.decision_index if fault.HasField("decision_index") else None
    return FaultSeen(place, decision, fault.kind, fault.message)


def failures(outcome: Outcome) -> Iterator[str]:
    """A sentence for each thing that kept *outcome* from being what was asked for."""
    yield from outcome.void
    for bot in outcome.bots:
        if bot.seats and not bot.own_decisions:
            yield f"{bot.bot} played no decision of its own"
