"""Situations of Long Short written by hand, and the observations that a referee would make of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from tradepit.long_short.actions import Side, check_side
from tradepit.long_short.edition import LongShortEdition, PriceCard
from tradepit.long_short.events import KINDS, Event, Rolled
from tradepit.long_short.table import Options
from tradepit.long_short.v1 import long_short_pb2 as pb

Contracts = tuple[str, Side, int, int]
"""Good, side, entry level in points, number: ("gold", "long", 10, 2) is what ``sell`` would sell."""

_DEFAULTS = Options("in", 0, "card", 6, "debt")
_PILES = 3
_SIDES = {"long": pb.SIDE_LONG, "short": pb.SIDE_SHORT}


@dataclass(frozen=True, kw_only=True)
class Seat:
    """What everybody sees of a seat."""

    cash: int | None = None
    """Whole dollars, below zero a debt; None: the starting cash."""
    contracts: Sequence[Contracts] = ()
    day_trade_cards: int = 0


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What the bot sees when it is asked. Whatever a test does not say is as at the beginning of a game for two."""

    decision: Literal["turn", "day_trade", "end_of_game"] = "turn"
    """What is asked. A day trade needs contracts and a day-trade card, or nobody would be asked."""
    round: int = 1
    """From 1; in the last one nothing can be bought."""
    levels: Mapping[str, int] = field(default_factory=dict)
    """Points by good; the others stand where they start."""
    hand: Sequence[PriceCard | str] | None = None
    """The own price change cards or their ids; None: as many of the box's first ones as there are rounds left."""
    cash: int | None = None
    """The own, in whole dollars; None: the starting cash."""
    contracts: Sequence[Contracts] = ()
    """The own."""
    day_trade_cards: int = 1
    """The own; who begins has one."""
    others: Sequence[Seat] = (Seat(),)
    """The other seats, from the lowest; their number decides how many play."""
    seat: int = 0
    """The own."""
    active_seat: int | None = None
    """Whose turn it is; None: the own, or for a day trade the next one."""
    starting_seat: int = 0
    played: Sequence[tuple[int, PriceCard | str]] = ()
    """Price change cards played so far, each behind the seat that played it."""
    last_roll: Rolled | None = None
    events: Sequence[Event] = ()
    """What has happened since the bot's last decision."""
    options: Mapping[str, str | int] = field(default_factory=dict)
    """Options of the match; the others have their defaults."""
    time_left: timedelta | None = None
    """What the bot reads on its clock; None: no limit. Nothing is measured."""

    @property
    def seats(self) -> int:
        """How many play."""
        return 1 + len(self.others)

    def resolved_options(self) -> Options:
        """Every option. Raises ValueError for a name that is none."""
        unknown = ", ".join(map(repr, self.options.keys() - set(Options._fields)))
        if unknown:
            raise ValueError(f"there is no option {unknown}; there are: {', '.join(Options._fields)}")
        return _DEFAULTS._replace(**self.options)  # type: ignore[arg-type]  # what a value may be, the schema says

    def option_words(self) -> dict[str, str]:
        """Every option as a referee announces it. Raises ValueError for a name that is none."""
        return {name: str(value) for name, value in self.resolved_options()._asdict().items()}

    def observation(self, edition: LongShortEdition) -> pb.Observation:
        """What a referee would send. Raises ValueError quoting what cannot be in *edition*."""
        self._check()
        own = Seat(cash=self.cash, contracts=self.contracts, day_trade_cards=self.day_trade_cards)
        seats = [*self.others[: self.seat], own, *self.others[self.seat :]]
        active = self._active_seat()
        public = pb.PublicState(
            options=_options(self.resolved_options()),
            decision=pb.DecisionKind.Value(f"DECISION_KIND_{self.decision.upper()}"),
            awaited_seats=[self.seat],
            round=self.round,
            turn=(self.round - 1) * len(seats) + (active - self.starting_seat) % len(seats),
            starting_seat=self.starting_seat,
            active_seat=active,
            levels=_levels(self.levels, edition),
            seats=[_seat(seat, edition) for seat in seats],
            bank_day_trade_cards=max(0, edition.day_trade_cards - sum(seat.day_trade_cards for seat in seats)),
            played_cards=[pb.PlayedCard(seat=seat, card=_card(card, edition)) for seat, card in self.played],
            piles=_piles(len(edition.action_cards) - (self.resolved_options().end_of_game_card == "removed")),
            last_roll=self.last_roll and pb.Roll(**self.last_roll._asdict()),
        )
        hand = list(edition.price_cards)[: edition.rounds - self.round + 1] if self.hand is None else self.hand
        private = pb.PrivateState(
            seat=self.seat,
            hand=[_card(card, edition) for card in hand],
            events=map(KINDS.message, self.events),
        )
        return pb.Observation(public=public, private=private)

    def _active_seat(self) -> int:
        if self.active_seat is not None:
            return self.active_seat
        return (self.seat + 1) % self.seats if self.decision == "day_trade" else self.seat

    def _check(self) -> None:
        if not 0 <= self.seat < self.seats:
            raise ValueError(f"seat is {self.seat}, but there are {self.seats} seats, from 0")
        if self.decision == "day_trade" and not (self.contracts and self.day_trade_cards):
            raise ValueError("nobody is asked for a day trade without contracts and a day-trade card")


def _options(options: Options) -> pb.Options:
    return pb.Options(
        end_of_game_card=pb.EndOfGameCard.Value(f"END_OF_GAME_CARD_{options.end_of_game_card.upper()}"),
        initial_day_trade_cards=options.initial_day_trade_cards,
        day_trade_face=pb.DayTradeFace.Value(f"DAY_TRADE_FACE_{options.day_trade_face.upper()}"),
        max_action_points=options.max_action_points,
        bankruptcy=pb.Bankruptcy.Value(f"BANKRUPTCY_{options.bankruptcy.upper()}"),
    )


def _levels(levels: Mapping[str, int], edition: LongShortEdition) -> list[int]:
    for name, level in levels.items():
        good = edition.good(name)
        if edition.clip(level) != level:
            raise ValueError(f"level {level} of {good} is not on the table, {edition.min_level} to {edition.max_level}")
    return [levels.get(name, edition.start_level) for name in edition.goods]


def _seat(seat: Seat, edition: LongShortEdition) -> pb.SeatState:
    # Sorted as the referee sorts them, so that a test need not.
    contracts = sorted(seat.contracts, key=lambda held: (edition.good(held[0]).index, *held[1:3]))
    positions = [
        pb.Position(good=good, side=_SIDES[check_side(side)], entry_level=entry_level, contracts=number)
        for good, side, entry_level, number in contracts
    ]
    cash = edition.starting_cash if seat.cash is None else seat.cash
    return pb.SeatState(cash=cash, positions=positions, day_trade_cards=seat.day_trade_cards)


def _card(card: PriceCard | str, edition: LongShortEdition) -> str:
    name = card.id if isinstance(card, PriceCard) else card
    if name not in edition.price_cards:
        raise ValueError(f"there is no price change card {name!r}")
    return name


def _piles(cards: int) -> list[pb.Pile]:
    """As even as can be, the larger first."""
    return [pb.Pile(size=(cards + _PILES - 1 - number) // _PILES) for number in range(_PILES)]
