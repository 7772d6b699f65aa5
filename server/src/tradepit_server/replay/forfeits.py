"""Strikes, clocks and forfeits of a match, worked out again from its decisions, its faults and its time control.

Written anew from ``docs/protocol.md``, and not shared with the referee: a check that shares the code that it checks
would prove nothing.
"""

from collections.abc import Iterator, Sequence

from tradepit.v1 import block_pb2
from tradepit_server.replay.base import NANOSECONDS, ReplayError, word

DEFAULT_STRIKES = 3
"""Where a replay says nothing of its time control."""

_TIMEOUT = block_pb2.FAULT_KIND_TIMEOUT
_ENDINGS = {
    block_pb2.FAULT_KIND_TIMEOUT: block_pb2.TERMINATION_FORFEITED_TIME,
    block_pb2.FAULT_KIND_ILLEGAL_ACTION: block_pb2.TERMINATION_FORFEITED_ILLEGAL,
    block_pb2.FAULT_KIND_MALFORMED: block_pb2.TERMINATION_FORFEITED_ILLEGAL,
    block_pb2.FAULT_KIND_BOT_ERROR: block_pb2.TERMINATION_FORFEITED_ILLEGAL,
    block_pb2.FAULT_KIND_DISCONNECTED: block_pb2.TERMINATION_FORFEITED_DISCONNECTED,
    block_pb2.FAULT_KIND_CRASHED: block_pb2.TERMINATION_FORFEITED_DISCONNECTED,
    block_pb2.FAULT_KIND_NO_SHOW: block_pb2.TERMINATION_FORFEITED_NO_SHOW,
}
_LOSSES = (block_pb2.FAULT_KIND_DISCONNECTED, block_pb2.FAULT_KIND_CRASHED, block_pb2.FAULT_KIND_NO_SHOW)
"""Faults that forfeit a seat at once; the others are strikes."""

_Fault = tuple[str, block_pb2.Fault]
"""With its place, for messages."""


class _Seat:
    """What a match keeps of one seat."""

    def __init__(self, bank: int | None) -> None:
        self.bank = bank
        """Nanoseconds; None: no bank is kept."""
        self.strikes = 0
        self.forfeit = block_pb2.FAULT_KIND_UNSPECIFIED
        """The fault that forfeited the seat."""
        self.forfeited_at = 0
        """The index of the first decision of that moment."""


class Forfeits:
    """Is told every moment of a match in order; raises ReplayError where its record contradicts itself."""

    def __init__(self, replay: block_pb2.Replay) -> None:
        clocks = replay.time_control
        self._clocks = clocks if clocks.strikes else None
        self._strikes = clocks.strikes or DEFAULT_STRIKES
        bank = clocks.bank.ToNanoseconds() if clocks.HasField("bank") else None
        self._seats = [_Seat(bank) for _ in replay.bots]
        self._recorded = [(f"result.faults[{number}]", fault) for number, fault in enumerate(replay.result.faults)]
        # The published form leaves it open whether a result lists its faults: the decisions tell of most.
        self._all_recorded = bool(self._recorded)

    def moment(self, first: int, decisions: Sequence[block_pb2.ReplayDecision]) -> None:
        """Take the *decisions* of one moment; *first* is the index of the first of them."""
        struck: set[int] = set()
        for place, fault in self._due(first, decisions):
            if fault.seat >= len(self._seats) or fault.kind not in _ENDINGS:
                raise ReplayError(f"{place} is of seat {fault.seat} and kind {fault.kind}; there is no such")
            if self._seats[fault.seat].forfeit:
                raise ReplayError(f"{place} is of seat {fault.seat}, which had forfeited before")
            if fault.kind in _LOSSES:
                self._lose(place, fault, first)
            else:
                self._strike(place, fault, first, decisions[fault.decision_index - first], struck)
        for index, decision in enumerate(decisions, start=first):
            self._check_marked(index, decision, first, struck)
            if not decision.fault or decision.seat in struck:
                self._charge(index, decision)

    def _due(self, first: int, decisions: Sequence[block_pb2.ReplayDecision]) -> Iterator[_Fault]:
        """The faults of this moment."""
        if not self._all_recorded:
            yield from self._marked(first, decisions)
        while self._recorded and self._recorded[0][1].decision_index < first + len(decisions):
            place, fault = self._recorded.pop(0)
            if not fault.HasField("decision_index") or fault.decision_index < first:
                raise ReplayError(f"{place} is not where it belongs: faults are in the order of decisions")
            yield place, fault

    def _marked(self, first: int, decisions: Sequence[block_pb2.ReplayDecision]) -> Iterator[_Fault]:
        """The faults that the decisions tell of: the marks of a seat before it forfeits."""
        for index, decision in enumerate(decisions, start=first):
            if decision.fault and not self._seats[decision.seat].forfeit:
                at = first if decision.fault in _LOSSES else index
                yield (
                    f"decision {index}",
                    block_pb2.Fault(seat=decision.seat, kind=decision.fault, decision_index=at),
                )

    def _lose(self, place: str, fault: block_pb2.Fault, first: int) -> None:
        if fault.decision_index != first:
            raise ReplayError(f"{place} is of decision {fault.decision_index}; a seat is lost at the first of a moment")
        self._forfeit(fault, first)

    def _strike(
        self, place: str, fault: block_pb2.Fault, first: int, decision: block_pb2.ReplayDecision, struck: set[int]
    ) -> None:
        if (decision.seat, decision.fault) != (fault.seat, fault.kind) or fault.seat in struck:
            kind = word(block_pb2.FaultKind, fault.kind)
            raise ReplayError(f"{place} is a {kind} of seat {fault.seat}, unlike decision {fault.decision_index}")
        struck.add(fault.seat)
        self._seats[fault.seat].strikes += 1
        if self._seats[fault.seat].strikes >= self._strikes:
            self._forfeit(fault, first)

    def _forfeit(self, fault: block_pb2.Fault, first: int) -> None:
        self._seats[fault.seat].forfeit = fault.kind
        self._seats[fault.seat].forfeited_at = first

    def _check_marked(self, index: int, decision: block_pb2.ReplayDecision, first: int, struck: set[int]) -> None:
        """The decision is marked with a fault if, and only if, a default was played."""
        seat = self._seats[decision.seat]
        if decision.fault and decision.seat not in struck and decision.fault != seat.forfeit:
            kind = word(block_pb2.FaultKind, decision.fault)
            raise ReplayError(f"decision {index} is marked {kind}, and no fault of seat {decision.seat} says so")
        if not decision.fault and seat.forfeit and seat.forfeited_at < first:
            before = f"seat {decision.seat} had forfeited at decision {seat.forfeited_at}"
            raise ReplayError(f"decision {index} is not marked as a default, and {before}")

    def _allowed(self, clocks: block_pb2.TimeControl, seat: _Seat) -> int | None:
        """Nanoseconds for the seat's next decision; None: no limit."""
        limits = [] if seat.bank is None else [seat.bank + clocks.increment.ToNanoseconds()]
        if clocks.HasField("decision"):
            limits.append(clocks.decision.ToNanoseconds())
        return min(limits, default=None)

    def _charge(self, index: int, decision: block_pb2.ReplayDecision) -> None:
        """Hold the time that was used against the clock."""
        if self._clocks is None or not decision.HasField("thought"):
            return
        seat, used = self._seats[decision.seat], decision.thought.ToNanoseconds()
        allowed = self._allowed(self._clocks, seat)
        too_long = used < 0 or (allowed is not None and used > allowed)
        if too_long or (decision.fault == _TIMEOUT and used != allowed):
            mark = "is marked timeout after" if decision.fault == _TIMEOUT else "took"
            limit = "no limit" if allowed is None else f"{allowed / NANOSECONDS:g} s"
            raise ReplayError(f"decision {index} {mark} {used / NANOSECONDS:g} s; its clock allowed {limit}")
        if seat.bank is not None:
            seat.bank += self._clocks.increment.ToNanoseconds() - used

    def finish(self) -> None:
        """The match is over. Raises ReplayError when a fault is of a decision that it does not have."""
        for place, fault in self._recorded:
            raise ReplayError(f"{place} is of decision {fault.decision_index}, which the match does not have")

    def terminations(self) -> list[block_pb2.Termination.ValueType]:
        """How the match ended for each seat."""
        return [_ENDINGS[seat.forfeit] if seat.forfeit else block_pb2.TERMINATION_COMPLETED for seat in self._seats]

    def placements(self, own: Sequence[int]) -> list[int]:
        """By the game's *own* placements, with forfeited seats last, an earlier forfeit below a later one."""
        keys = [
            (1, -seat.forfeited_at) if seat.forfeit else (0, placement)
            for seat, placement in zip(self._seats, own, strict=True)
        ]
        return [1 + sum(other < key for other in keys) for key in keys]
