"""Situations of Buy Low Sell High written by hand, and the observations that a referee would make of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal, TypeVar

from tradepit.buy_low_sell_high.edition import BuyLowSellHighEdition, Card
from tradepit.buy_low_sell_high.events import KINDS, Event
from tradepit.buy_low_sell_high.table import Chart
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb

_T = TypeVar("_T")

Taken = tuple[int, Card | str] | tuple[int, Card | str, int, Card | str]
"""A card space: the seat that played a card, and the card; behind them the seat that covered it, and the news."""


@dataclass(frozen=True, kw_only=True)
class Seat:
    """What everybody sees of a seat."""

    cash: int | None = None
    """Whole dollars; None: the starting cash, or nothing if a fee is owed."""
    fee_owed: int = 0
    """Whole dollars."""
    shares: Mapping[str, int] = field(default_factory=dict)
    """By industry; of the others it holds what it started with."""
    hand_size: int | None = None
    """None: as many cards as a hand has."""


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What the bot sees when it is asked. Whatever a test does not say is as at the beginning of a game for two."""

    decision: Literal["turn", "discard", "final_sale"] = "turn"
    """What is asked. A final sale needs shares of two industries or more, or nobody would be asked."""
    year: int = 1
    """From 1."""
    turn: int | None = None
    """Turns ended so far, of all years: the first two allow fewer trades. None: one for each card that was played
    this year, and for each space of the years before."""
    charts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By industry: the field of the top share in dollars, and the number of shares; the others begin on their field,
    with the shares that no seat holds."""
    hand: Sequence[Card | str] | None = None
    """The own cards or their ids; None: the box's first ones."""
    cash: int | None = None
    """The own, in whole dollars; None: the starting cash, or nothing if a fee is owed."""
    fee_owed: int = 0
    """The own, in whole dollars."""
    shares: Mapping[str, int] = field(default_factory=dict)
    """The own, by industry; of the others what a seat starts with."""
    others: Sequence[Seat] = (Seat(),)
    """The other seats, from the lowest; their number decides how many play."""
    seat: int = 0
    """The own."""
    starting_seat: int | None = None
    """The seat that began the game; None: the one that makes this the own turn."""
    spaces: Sequence[Taken] = ()
    """The card spaces taken this year, oldest first."""
    draw_pile: int | None = None
    """The number of its cards; None: all that are nowhere else."""
    discards: int = 0
    """The number of cards that were set aside at the end of this year."""
    events: Sequence[Event] = ()
    """What has happened since the bot's last decision."""
    time_left: timedelta | None = None
    """What the bot reads on its clock; None: no limit. Nothing is measured."""

    @property
    def seats(self) -> int:
        """How many play."""
        return 1 + len(self.others)

    def option_words(self) -> dict[str, str]:
        """Every option of the match: there is none."""
        return {}

    def observation(self, edition: BuyLowSellHighEdition) -> pb.Observation:
        """What a referee would send. Raises ValueError quoting what cannot be in *edition*."""
        hand = [*edition.cards][: edition.hand_size] if self.hand is None else self.hand
        own = Seat(cash=self.cash, fee_owed=self.fee_owed, shares=self.shares, hand_size=len(hand))
        seats = [*self.others[: self.seat], own, *self.others[self.seat :]]
        self._check(edition)
        states = [_seat(seat, edition) for seat in seats]
        spaces = [_space(space, edition) for space in self.spaces]
        turn = self._turn(spaces, edition)
        public = pb.PublicState(
            decision=pb.DecisionKind.Value(f"DECISION_KIND_{self.decision.upper()}"),
            active_seat=self.seat,
            starting_seat=(self.seat - turn) % self.seats if self.starting_seat is None else self.starting_seat,
            year=self.year,
            turn=turn,
            charts=_charts(self.charts, states, edition),
            seats=states,
            card_spaces=edition.card_spaces[self.seats],
            spaces=spaces,
            draw_pile=self._draw_pile(states, spaces, edition),
            discards=self.discards,
        )
        private = pb.PrivateState(
            seat=self.seat, hand=[edition.card(card).id for card in hand], events=map(KINDS.message, self.events)
        )
        return pb.Observation(public=public, private=private)

    def _check(self, edition: BuyLowSellHighEdition) -> None:
        if self.seats not in edition.card_spaces:
            seats = ", ".join(map(str, edition.card_spaces))
            raise ValueError(f"there are {self.seats} seats, but the edition is for {seats}")
        if not 0 <= self.seat < self.seats:
            raise ValueError(f"seat is {self.seat}, but there are {self.seats} seats, from 0")

    def _turn(self, spaces: Sequence[pb.Space], edition: BuyLowSellHighEdition) -> int:
        if self.turn is not None:
            return self.turn
        news = sum(bool(space.news) for space in spaces)
        return (self.year - 1) * edition.card_spaces[self.seats] + len(spaces) + news

    def _draw_pile(
        self, states: Sequence[pb.SeatState], spaces: Sequence[pb.Space], edition: BuyLowSellHighEdition
    ) -> int:
        if self.draw_pile is not None:
            return self.draw_pile
        held = sum(state.hand_size for state in states)
        played = len(spaces) + sum(bool(space.news) for space in spaces)
        return max(0, len(edition.cards) - held - played - self.discards)


def _seat(seat: Seat, edition: BuyLowSellHighEdition) -> pb.SeatState:
    shares = _by_industry(seat.shares, edition)
    cash = (0 if seat.fee_owed else edition.starting_cash) if seat.cash is None else seat.cash
    return pb.SeatState(
        cash=cash,
        fee_owed=seat.fee_owed,
        shares=[shares.get(name, edition.starting_shares) for name in edition.industries],
        hand_size=edition.hand_size if seat.hand_size is None else seat.hand_size,
    )


def _charts(
    given: Mapping[str, tuple[int, int]], states: Sequence[pb.SeatState], edition: BuyLowSellHighEdition
) -> list[pb.Chart]:
    given = _by_industry(given, edition)
    charts = []
    for index, name in enumerate(edition.industries):
        in_bank = edition.shares_per_industry - sum(state.shares[index] for state in states)
        top, shares = given.get(name, (edition.first_share_on, in_bank))
        if top not in edition.fields or shares < 1:
            fields = ", ".join(map(str, edition.fields))
            raise ValueError(f"chart of {name}: {shares} shares from {top} $ down; it has 1 or more, on {fields}")
        chart = Chart(name, edition.fields, edition.fields.index(top), shares)
        charts.append(pb.Chart(top=top, shares=shares, buy_price=chart.buy_price or 0, sell_price=chart.sell_price))
    return charts


def _by_industry(given: Mapping[str, _T], edition: BuyLowSellHighEdition) -> Mapping[str, _T]:
    return {edition.industry(name): value for name, value in given.items()}


def _space(taken: Taken, edition: BuyLowSellHighEdition) -> pb.Space:
    space = pb.Space(seat=taken[0], card=edition.card(taken[1]).id)
    if len(taken) == 4:
        space.news_seat, space.news = taken[2], edition.card(taken[3]).id
    return space
