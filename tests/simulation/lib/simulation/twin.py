"""What a match must be: played along from the answers that were fed, apart from the referee."""

from typing import Any, NamedTuple, TypeAlias

from google.protobuf.any_pb2 import Any as AnyMessage

from simulation.clocks import Clocks
from tradepit.v1 import block_pb2
from tradepit_server.codecs.base import MalformedAction
from tradepit_server.games.base import IllegalAction, State
from tradepit_server.registry import Plugin

RECORDED_BYTES = 1024
"""An action of more bytes is recorded as the codec encodes it."""

ENDINGS = {
    block_pb2.FAULT_KIND_UNSPECIFIED: block_pb2.TERMINATION_COMPLETED,
    block_pb2.FAULT_KIND_TIMEOUT: block_pb2.TERMINATION_FORFEITED_TIME,
    block_pb2.FAULT_KIND_ILLEGAL_ACTION: block_pb2.TERMINATION_FORFEITED_ILLEGAL,
    block_pb2.FAULT_KIND_MALFORMED: block_pb2.TERMINATION_FORFEITED_ILLEGAL,
    block_pb2.FAULT_KIND_BOT_ERROR: block_pb2.TERMINATION_FORFEITED_ILLEGAL,
    block_pb2.FAULT_KIND_DISCONNECTED: block_pb2.TERMINATION_FORFEITED_DISCONNECTED,
    block_pb2.FAULT_KIND_CRASHED: block_pb2.TERMINATION_FORFEITED_DISCONNECTED,
    block_pb2.FAULT_KIND_NO_SHOW: block_pb2.TERMINATION_FORFEITED_NO_SHOW,
}

Kind: TypeAlias = block_pb2.FaultKind.ValueType


class Record(NamedTuple):
    """A decision as a replay must have it."""

    seat: int
    kind: str
    action: bytes
    thought: int | None
    fault: Kind
    note: str


class Place:
    """What is kept of one seat."""

    __slots__ = ("bank", "forfeit", "forfeited_at", "strikes")

    def __init__(self, bank: int | None) -> None:
        self.bank = bank
        self.strikes = 0
        self.forfeit: Kind = block_pb2.FAULT_KIND_UNSPECIFIED
        self.forfeited_at = 0


class Twin:
    """One match. Seats are asked through ``Ask``s, which the ledger keeps."""

    def __init__(self, match_id: str, index: int, plugin: Plugin, state: State, clocks: Clocks) -> None:
        self.id = match_id
        self.index = index
        self.state = state
        self.codec = plugin.codec
        self.type_url = f"type.googleapis.com/{plugin.codec.action_type}"
        self.clocks = clocks
        self.begun = False
        self.over = False
        self.places = [Place(clocks.bank) for _ in range(len(state.scores()))]
        self.due: dict[int, int] = {}
        """Seats that must be asked, each with the instant since when."""
        self.prompted: set[int] = set()
        """Those of them that must be asked because an answer came."""
        self.overheads: list[int] = []
        """Nanoseconds from such an answer to the request that followed."""
        self.late = [0] * len(self.places)
        """By seat: late answers to what had been decided without one."""
        self.asked: set[int] = set()
        """Seats that have been asked and have not decided."""
        self.records: list[Record] = []
        self.faults: list[tuple[int, int, Kind]] = []
        """Seat, index of the decision, kind."""
        self.publics: dict[int, bytes] | None = None
        """What everybody may see after so many decisions; kept while somebody watches."""
        self._chosen: dict[int, Any] = {}
        self._written: dict[int, Record] = {}

    def begin(self, lost: dict[int, Kind], now: int) -> None:
        """The match begins; the seats *lost* already have no bot."""
        self.begun = True
        for seat in sorted(lost):
            self._lose(seat, lost[seat])
        self.settle(now)

    def settle(self, now: int, *, answered: bool = False) -> None:
        """Carry on as far as no bot must be asked; *answered*: because an answer came."""
        if self.publics is not None:
            self.publics[len(self.records)] = self.codec.public(self.state)
        while awaiting := list(self.state.awaiting):
            for seat in awaiting:
                if seat not in self._chosen and self.places[seat].forfeit:
                    self._default(seat, self.places[seat].forfeit, None)
            missing = [seat for seat in awaiting if seat not in self._chosen]
            if missing:
                for seat in missing:
                    if seat not in self.asked and seat not in self.due:
                        self.due[seat] = now
                        if answered:
                            self.prompted.add(seat)
                return
            self.records += [self._written[seat] for seat in awaiting]
            self.state.apply(self._chosen)
            self._chosen, self._written = {}, {}
            if self.publics is not None:
                self.publics[len(self.records)] = self.codec.public(self.state)
        self.over = True

    def judge(self, seat: int, message: AnyMessage) -> tuple[Kind, Any]:
        """What an answer is worth: a kind of fault, or none and the action."""
        if message.type_url != self.type_url:
            return block_pb2.FAULT_KIND_MALFORMED, None
        try:
            action = self.codec.decode_action(self.state, message.value)
            self.state.validate(seat, action)
        except MalformedAction:
            return block_pb2.FAULT_KIND_MALFORMED, None
        except IllegalAction:
            return block_pb2.FAULT_KIND_ILLEGAL_ACTION, None
        return block_pb2.FAULT_KIND_UNSPECIFIED, action

    def take(self, seat: int, action: Any, sent: bytes, used: int, note: str) -> None:
        """A seat's answer counts."""
        value = sent if len(sent) <= RECORDED_BYTES else self.codec.encode_action(action)
        self.asked.discard(seat)
        self._chosen[seat] = action
        self._written[seat] = Record(seat, self.state.decision, value, used, block_pb2.FAULT_KIND_UNSPECIFIED, note)
        self._charge(seat, used)

    def strike(self, seat: int, kind: Kind, used: int) -> bytes:
        """An asked seat did not answer as it must. Returns the encoded action that is played instead."""
        self.asked.discard(seat)
        self._charge(seat, used)
        index = len(self.records) + list(self.state.awaiting).index(seat)
        self.faults.append((seat, index, kind))
        played = self._default(seat, kind, used)
        place = self.places[seat]
        place.strikes += 1
        if place.strikes == self.clocks.strikes:
            place.forfeit, place.forfeited_at = kind, len(self.records)
        return played

    def lose(self, seat: int, kind: Kind) -> None:
        """The bot of a seat is gone for good."""
        if not self.over and not self.places[seat].forfeit:
            self._lose(seat, kind)
        self.due.pop(seat, None)
        self.prompted.discard(seat)
        self.asked.discard(seat)

    def _lose(self, seat: int, kind: Kind) -> None:
        self.faults.append((seat, len(self.records), kind))
        self.places[seat].forfeit, self.places[seat].forfeited_at = kind, len(self.records)

    def _default(self, seat: int, kind: Kind, used: int | None) -> bytes:
        action = self.state.default_action(seat)
        value = self.codec.encode_action(action)
        self._chosen[seat] = action
        self._written[seat] = Record(seat, self.state.decision, value, used, kind, "")
        return value

    def _charge(self, seat: int, used: int) -> None:
        place = self.places[seat]
        if place.bank is not None:
            place.bank += self.clocks.increment - used

    def terminations(self) -> list[block_pb2.Termination.ValueType]:
        """How the match ended for each seat."""
        return [ENDINGS[place.forfeit] for place in self.places]

    def placements(self) -> list[int]:
        """One more than the number of seats that are better."""
        own, places = self.state.placements(), self.places

        def better(a: int, b: int) -> bool:
            if places[a].forfeit and places[b].forfeit:
                return places[a].forfeited_at > places[b].forfeited_at
            if places[a].forfeit or places[b].forfeit:
                return not places[a].forfeit
            return own[a] < own[b]

        seats = range(len(places))
        return [1 + sum(better(other, seat) for other in seats) for seat in seats]
