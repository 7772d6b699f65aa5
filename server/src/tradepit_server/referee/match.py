"""One match: the game's state, what each seat still owes, strikes, forfeits and the record."""

from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from tradepit.v1 import block_pb2
from tradepit_server.codecs.base import Codec, MalformedAction
from tradepit_server.games.base import IllegalAction, State, rank
from tradepit_server.referee import faults
from tradepit_server.referee.specification import BlockSpec
from tradepit_server.referee.timing import Timing
from tradepit_server.referee.wire import TYPE_URL, pack

MESSAGE_CHARACTERS = 1000
"""A fault's sentence is cut after so many: what it quotes is the bot's, and may be of any length."""

RECORDED_BYTES = 1024
"""An action that came in more bytes is recorded as we encode it: what else its message held is no part of it."""


class Seat:
    """What a match keeps of one seat."""

    __slots__ = ("bank", "forfeit", "forfeited_at", "strikes")

    def __init__(self, bank: int | None) -> None:
        self.bank = bank
        """Nanoseconds left for the match; None: no bank is kept."""
        self.strikes = 0
        self.forfeit: faults.Kind | None = None
        """The fault that forfeited the seat."""
        self.forfeited_at = 0
        """The number of decisions recorded at that moment."""


class Match:
    """A match in progress. Knows seats, not sessions; every instant is its caller's."""

    def __init__(self, match_id: str, index: int, state: State, codec: Codec, spec: BlockSpec) -> None:
        self.id = match_id
        self.index = index
        self.state = state
        self.over = False
        self.seats = [Seat(spec.time_control.bank) for _ in spec.entrants]
        self.decisions: list[block_pb2.ReplayDecision] = []
        """What was decided so far, in order; those of one moment are added together."""
        self.faults: list[block_pb2.Fault] = []
        self.timing = Timing(len(spec.entrants))
        self._codec = codec
        self._type_url = TYPE_URL + codec.action_type
        self._time_control = spec.time_control
        self._asked: set[int] = set()
        self._actions: dict[int, Any] = {}
        self._records: dict[int, block_pb2.ReplayDecision] = {}

    def advance(self) -> list[int]:
        """Carry on as far as no bot must be asked; the seats to ask now, each once."""
        while awaiting := self.state.awaiting:
            for seat in awaiting:
                if seat not in self._actions and (forfeit := self.seats[seat].forfeit) is not None:
                    self._play_default(seat, forfeit, None)
            if len(self._actions) < len(awaiting):
                due = [seat for seat in awaiting if seat not in self._actions and seat not in self._asked]
                self._asked.update(due)
                return due
            self._apply(awaiting)
        self.over = True
        return []

    def _apply(self, awaiting: Any) -> None:
        order = list(awaiting)
        self.decisions += [self._records[seat] for seat in order]
        self.state.apply(self._actions)
        self._actions, self._records = {}, {}
        self._asked.clear()

    def observation(self, seat: int) -> bytes:
        """The encoded observation of an awaited *seat*."""
        return self._codec.observation(self.state, seat)

    def allowed(self, seat: int) -> int | None:
        """Nanoseconds for the seat's next decision; None: no limit."""
        return self._time_control.allowed(self.seats[seat].bank)

    def decide(self, seat: int, message: AnyMessage, used: int, note: str) -> block_pb2.Fault | None:
        """Take a bot's answer after *used* nanoseconds. A fault means that the default was played instead."""
        try:
            action = self._legal_action(seat, message)
        except MalformedAction as error:
            return self.fault(seat, faults.MALFORMED, str(error), used)
        except IllegalAction as error:
            return self.fault(seat, faults.ILLEGAL_ACTION, str(error), used)
        self._charge(seat, used)
        self._actions[seat] = action
        record = self._records[seat] = block_pb2.ReplayDecision(seat=seat, kind=self.state.decision, note=note)
        record.action.type_url = self._type_url
        record.action.value = self._recorded(message.value, action)
        record.thought.FromNanoseconds(used)
        return None

    def _recorded(self, sent: bytes, action: Any) -> bytes:
        return sent if len(sent) <= RECORDED_BYTES else self._codec.encode_action(action)

    def _legal_action(self, seat: int, message: AnyMessage) -> Any:
        if message.type_url != self._type_url:
            raise MalformedAction(f"the action is of type {message.type_url!r}; it must be {self._type_url!r}")
        action = self._codec.decode_action(self.state, message.value)
        self.state.validate(seat, action)
        return action

    def fault(self, seat: int, kind: faults.Kind, message: str, used: int) -> block_pb2.Fault:
        """A due *seat* gave no valid answer: the default is played, and it costs a strike."""
        self._charge(seat, used)
        self._play_default(seat, kind, used)
        place = self.seats[seat]
        place.strikes += 1
        index = len(self.decisions) + list(self.state.awaiting).index(seat)
        message = message[:MESSAGE_CHARACTERS]
        fault = block_pb2.Fault(seat=seat, decision_index=index, kind=kind, message=message)
        self.faults.append(fault)
        if place.strikes >= self._time_control.strikes:
            self._forfeit(seat, kind)
        return fault

    def lose(self, seat: int, loss: faults.Loss) -> None:
        """The bot of *seat* is gone: the seat is forfeited at once, and the default plays on for it."""
        if self.over or self.seats[seat].forfeit is not None:
            return
        index = len(self.decisions)
        self.faults.append(block_pb2.Fault(seat=seat, decision_index=index, kind=loss.kind, message=loss.message))
        self._forfeit(seat, loss.kind)

    def _forfeit(self, seat: int, kind: faults.Kind) -> None:
        self.seats[seat].forfeit = kind
        self.seats[seat].forfeited_at = len(self.decisions)

    def _play_default(self, seat: int, kind: faults.Kind, used: int | None) -> None:
        action = self.state.default_action(seat)
        self._actions[seat] = action
        record = self._records[seat] = block_pb2.ReplayDecision(
            seat=seat, kind=self.state.decision, fault=kind, action=self._pack(action)
        )
        if used is not None:
            record.thought.FromNanoseconds(used)

    def _pack(self, action: Any) -> AnyMessage:
        return pack(self._codec.action_type, self._codec.encode_action(action))

    def played(self, seat: int) -> AnyMessage:
        """The action message that was played for *seat* at this moment."""
        return self._records[seat].action

    def _charge(self, seat: int, used: int) -> None:
        place = self.seats[seat]
        if place.bank is not None:
            place.bank += self._time_control.increment - used

    def result(self) -> block_pb2.MatchResult:
        """What came of the match, once it is over."""
        return block_pb2.MatchResult(
            scores=self.state.scores(),
            placements=self._placements(),
            terminations=[
                block_pb2.TERMINATION_COMPLETED if seat.forfeit is None else faults.TERMINATIONS[seat.forfeit]
                for seat in self.seats
            ],
            faults=self.faults,
        )

    def _placements(self) -> list[int]:
        """The game's own placements, with forfeited seats last, an earlier forfeit below a later one."""
        own = self.state.placements()
        merit = [
            (1, -own[seat]) if place.forfeit is None else (0, place.forfeited_at)
            for seat, place in enumerate(self.seats)
        ]
        order = sorted(set(merit))
        return rank([order.index(item) for item in merit])
