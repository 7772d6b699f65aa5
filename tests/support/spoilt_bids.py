"""Sealed Bids with one thing spoilt in each class, to show that the suite for games finds it."""

from collections.abc import Mapping
from random import Random
from secrets import randbelow
from typing import Any

from sealed_bids.codec import SealedBidsCodec
from sealed_bids.edition import FIRST, SealedBidsEdition
from sealed_bids.rules import INFO, Bid, Event, SealedBids, State
from sealed_bids.trials import SealedBidsTrials
from sealed_bids.v1 import sealed_bids_pb2 as pb

from tradepit.chance import Chance
from tradepit_server.games.base import Edition, GameInfo, IllegalAction, OptionValue
from tradepit_server.testing import Subject


class _Game(SealedBids):
    """Begins matches with states of another class."""

    def __init__(self, kind: type[State]) -> None:
        self.kind = kind

    def new(
        self, seats: int, options: Mapping[str, OptionValue], chance: Chance, edition: Edition | None = None
    ) -> State:
        state = super().new(seats, options, chance, edition)
        state.__class__ = self.kind
        return state


class _Codec(SealedBidsCodec):
    """Draws samples of another class."""

    def __init__(self, codec: SealedBidsCodec, kind: type[State]) -> None:
        self.codec = codec
        self.kind = kind

    def __getattribute__(self, name: str) -> Any:
        if name in ("codec", "kind", "sample_state"):
            return super().__getattribute__(name)
        return getattr(self.codec, name)

    def sample_state(self, observation: bytes, rng: Random, edition: Edition | None = None) -> State:
        state = self.codec.sample_state(observation, rng, edition)
        state.__class__ = self.kind
        return state


def spoilt(part: object) -> Subject:
    """Sealed Bids with *part*, a class of states, a game, a codec or trials, in the place of its own."""
    kind = part if isinstance(part, type) and issubclass(part, State) else State
    game = part if isinstance(part, SealedBids) else _Game(kind)
    codec = part if isinstance(part, SealedBidsCodec) else SealedBidsCodec()
    trials = part if isinstance(part, SealedBidsTrials) else SealedBidsTrials()
    return Subject("sealed-bids", game, _Codec(codec, kind), trials)


class Lucky(State):
    """Gains what no seed says."""

    def apply(self, actions: Mapping[int, Any]) -> None:
        super().apply(actions)
        self.coins[0] += randbelow(1 << 20)


class NeverOver(State):
    """Still names a decision when nobody is awaited."""

    decision = "bid"


class Twice(State):
    """Awaits seat 0 twice."""

    @property
    def awaiting(self) -> tuple[int, ...]:
        return (*super().awaiting, 0) if self.value else ()


class Wordless(State):
    """Has nothing to say of an event."""

    def describe(self, event: Event) -> str:
        return ""


class Forgetful(State):
    """Takes an event back."""

    def apply(self, actions: Mapping[int, Any]) -> None:
        super().apply(actions)
        del self.events[0]


class Repetitive(State):
    """Tells everything again."""

    def events_since(self, number: int) -> list[Event]:
        return self.events


class SharedCoins(State):
    """A copy has the coins of its original."""

    def clone(self) -> "SharedCoins":
        twin = super().clone()
        twin.coins = self.coins
        return twin


class SharedBids(State):
    """A copy has the bids of its original."""

    def clone(self) -> "SharedBids":
        twin = super().clone()
        twin.bids = self.bids
        return twin


class Shuffled(State):
    """A copy has the last lots in another order."""

    def clone(self) -> "Shuffled":
        twin = super().clone()
        twin.values = (*self.values[:5], *reversed(self.values[5:]))
        return twin


class BadDefault(State):
    """The default is a bid that nobody can pay."""

    def default_action(self, seat: int) -> Bid:
        return Bid(self.coins[seat] + 1)


class SilentlyPaid(State):
    """Every seat gains a coin for which there is no event."""

    def apply(self, actions: Mapping[int, Any]) -> None:
        super().apply(actions)
        self.coins = [coins + 1 for coins in self.coins]


class UpsideDown(State):
    """The fewest coins win."""

    def placements(self) -> list[int]:
        return [1 + sum(other < own for other in self.coins) for own in self.coins]


class WithoutTies(State):
    """Placements leave a number out."""

    def placements(self) -> list[int]:
        return [1 + place for place in super().placements()]


class Curt(State):
    """Refuses without a reason."""

    def validate(self, seat: int, action: Any) -> None:
        try:
            super().validate(seat, action)
        except IllegalAction as error:
            raise IllegalAction("no") from error


class Punishing(State):
    """Judging costs a coin."""

    def validate(self, seat: int, action: Any) -> None:
        if seat < len(self.coins):
            self.coins[seat] += 1
        super().validate(seat, action)


class Lenient(State):
    """Everything is legal."""

    def validate(self, seat: int, action: Any) -> None:
        pass


class Telltale(State):
    """Whether a bid is legal says what the last lot is worth."""

    def validate(self, seat: int, action: Any) -> None:
        super().validate(seat, action)
        if self.values[-1] % 3 == 0:
            return
        if action.coins > 0:
            raise IllegalAction(f"a bid of {action.coins} is not 0")


class Greedy(SealedBidsTrials):
    """Bids more than there is."""

    def random_action(self, state: State, seat: int, rng: Random) -> Bid:
        return Bid(state.coins[seat] + 1)


class Moody(SealedBidsTrials):
    """Bids by a chance of its own."""

    def random_action(self, state: State, seat: int, rng: Random) -> Bid:
        return Bid(randbelow(state.coins[seat] + 1))


class CarelessLedger(SealedBidsTrials):
    """Books no price."""

    def score_changes(self, event: Event) -> Mapping[int, int]:
        return {seat: change + 1 for seat, change in super().score_changes(event).items()}


class Impatient(SealedBids):
    """Declares a bound that does not hold."""

    def decision_bound(self, seats: int, edition: Edition | None = None) -> int:
        return seats


class Alias(SealedBids):
    """Calls itself otherwise than it is registered."""

    info = GameInfo("bids", INFO.title, INFO.min_seats, INFO.max_seats, INFO.options, INFO.presets)


class AnyEdition(SealedBids):
    """Takes anything for an edition."""

    def load_edition(self, toml: bytes) -> SealedBidsEdition:
        return FIRST


class AnyTable(SealedBids):
    """Begins with any number of seats."""

    def new(
        self, seats: int, options: Mapping[str, OptionValue], chance: Chance, edition: Edition | None = None
    ) -> State:
        return super().new(min(max(seats, 2), 4), options, chance, edition)


class PrivatePublic(SealedBidsCodec):
    """The public part is another for every seat."""

    def observation(self, state: State, seat: int) -> bytes:
        message = pb.Observation.FromString(super().observation(state, seat))
        message.public.lots += seat
        return message.SerializeToString(deterministic=True)


class Sloppy(SealedBidsCodec):
    """Writes a field twice."""

    def observation(self, state: State, seat: int) -> bytes:
        data = super().observation(state, seat)
        return data + pb.Observation(private=pb.PrivateState(tip_lot=seat + 1)).SerializeToString()


class Leaking(SealedBidsCodec):
    """A private part that depends on the last lot."""

    def observation(self, state: State, seat: int) -> bytes:
        message = pb.Observation.FromString(super().observation(state, seat))
        message.private.seat += 10 * state.values[-1]
        return message.SerializeToString(deterministic=True)


class PublicLeak(SealedBidsCodec):
    """A public part that depends on the last lot."""

    def public(self, state: State) -> bytes:
        message = pb.PublicState.FromString(super().public(state))
        message.coins.append(state.values[-1])
        return message.SerializeToString(deterministic=True)


class Gossiping(SealedBidsCodec):
    """Tells everybody what all seats were tipped off about."""

    def observation(self, state: State, seat: int) -> bytes:
        message = pb.Observation.FromString(super().observation(state, seat))
        for other in range(len(state.coins)):
            message.private.seat += 20 ** (other + 1) * state.tip(other)[1]
        return message.SerializeToString(deterministic=True)


class AlwaysTheSame(SealedBidsCodec):
    """Samples that chance has no part in."""

    def sample_state(self, observation: bytes, rng: Random, edition: Edition | None = None) -> State:
        return super().sample_state(observation, Random(1), edition)


class Lossy(SealedBidsCodec):
    """Loses a bit of a bid."""

    def decode_action(self, state: State, data: bytes) -> Bid:
        return Bid(super().decode_action(state, data).coins & ~1)


class LossyJson(SealedBidsCodec):
    """Loses a bit of a bid in JSON."""

    def action_to_json(self, action: Bid) -> dict[str, Any]:
        return {"coins": action.coins & ~1}


class OccupiedKey(SealedBidsCodec):
    """Uses a key that is a replay's own."""

    def action_to_json(self, action: Bid) -> dict[str, Any]:
        return {"coins": action.coins, "note": ""}


class Fragile(SealedBidsCodec):
    """Lets the error of the library through."""

    def decode_action(self, state: State, data: bytes) -> Bid:
        return Bid(pb.Bid.FromString(data).coins)
