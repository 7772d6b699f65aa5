"""What a bot sees when it is asked: everything public, and its own hand."""

from collections.abc import Mapping
from functools import cached_property

from tradepit.long_short.actions import Side
from tradepit.long_short.desk import Desk
from tradepit.long_short.edition import ActionCard, Good, LongShortEdition, PriceCard
from tradepit.long_short.events import KINDS, Event, Rolled
from tradepit.long_short.table import (
    Options,
    Pile,
    PlayedCard,
    Position,
    SeatView,
    read_options,
    read_pile,
    read_seat,
)
from tradepit.long_short.text import view_text
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.match import Request
from tradepit.view import View
from tradepit.words import Words

_DECISIONS = Words(pb.DecisionKind, "DECISION_KIND_")


class LongShortView(View):
    """One decision. Complete in itself: a bot needs no memory to play. ``print(view)`` shows it."""

    decision: str
    """What is asked: "turn", "day_trade" or "end_of_game"."""
    edition: LongShortEdition
    """Goods, cards, dice and chips of the box."""

    def __init__(self, request: Request, edition: LongShortEdition) -> None:
        """The view of *request*. Raises google.protobuf.message.DecodeError if it holds no observation."""
        observation = pb.Observation.FromString(request.observation)
        super().__init__(request, _DECISIONS[observation.public.decision])
        self.edition = edition
        self._public = observation.public
        self._private = observation.private

    # When

    @property
    def round(self) -> int:
        """The round, from 1."""
        return self._public.round

    @property
    def rounds_left(self) -> int:
        """Rounds after this one."""
        return self.edition.rounds - self._public.round

    @property
    def turn(self) -> int:
        """Turns begun before this one, by all seats, from 0."""
        return self._public.turn

    @property
    def starting_seat(self) -> int:
        """The seat that begins each round."""
        return self._public.starting_seat

    @property
    def active_seat(self) -> int:
        """The seat whose turn it is."""
        return self._public.active_seat

    @property
    def awaited_seats(self) -> tuple[int, ...]:
        """The seats that are asked at this moment, rising."""
        return tuple(self._public.awaited_seats)

    # What lies on the table

    @cached_property
    def options(self) -> Options:
        """The options of the match."""
        return read_options(self._public.options)

    @property
    def goods(self) -> tuple[Good, ...]:
        """The goods, in order, with point value and margin."""
        return tuple(self.edition.goods.values())

    @cached_property
    def levels(self) -> dict[str, int]:
        """The level of each good, in points."""
        return dict(zip(self.edition.goods, self._public.levels, strict=True))

    @property
    def prices(self) -> dict[str, int]:
        """The price of each good, in dollars."""
        return {name: level * self.edition.goods[name].point_value for name, level in self.levels.items()}

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """Each seat, from 0: cash, positions with their present value, day-trade cards."""
        return tuple(read_seat(seat, m, self.edition, self.levels) for seat, m in enumerate(self._public.seats))

    @cached_property
    def own(self) -> SeatView:
        """The own seat."""
        seat = self._private.seat
        return read_seat(seat, self._public.seats[seat], self.edition, self.levels)

    @property
    def others(self) -> tuple[SeatView, ...]:
        """The other seats, from 0."""
        return tuple(seat for seat in self.seats if seat.seat != self.seat)

    @property
    def cash(self) -> int:
        """The own cash in dollars; below zero is a debt."""
        return self.own.cash

    @property
    def positions(self) -> tuple[Position, ...]:
        """The own contracts, with their present value."""
        return self.own.positions

    @property
    def day_trade_cards(self) -> int:
        """The own day-trade cards."""
        return self.own.day_trade_cards

    @property
    def bank_day_trade_cards(self) -> int:
        """Day-trade cards that the bank still has."""
        return self._public.bank_day_trade_cards

    @cached_property
    def piles(self) -> tuple[Pile, ...]:
        """The action card piles, pile 1 first."""
        return tuple(read_pile(pile, self.edition) for pile in self._public.piles)

    @property
    def last_roll(self) -> Rolled | None:
        """The last roll of both dice; None before the first."""
        roll = self._public.last_roll
        return Rolled(roll.seat, roll.red, roll.green) if self._public.HasField("last_roll") else None

    @cached_property
    def played(self) -> tuple[PlayedCard, ...]:
        """The price change cards played so far, in order."""
        cards = self.edition.price_cards
        return tuple(PlayedCard(played.seat, cards[played.card]) for played in self._public.played_cards)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What has happened since the own last decision was carried out, its own effects included."""
        return tuple(KINDS.read(self._private.events))

    # Cards

    @cached_property
    def hand(self) -> tuple[PriceCard, ...]:
        """The own price change cards, in the order of the edition: one for each turn that is left."""
        cards = self.edition.price_cards
        return tuple(cards[card] for card in self._private.hand)

    @property
    def price_cards(self) -> Mapping[str, PriceCard]:
        """Every price change card of the box, by id."""
        return self.edition.price_cards

    @property
    def action_cards(self) -> Mapping[str, ActionCard]:
        """Every action card of the box, by id; ``moves`` cuts their moves as the match's option says."""
        return self.edition.action_cards

    def moves(self, card: PriceCard | ActionCard, rolled: str | None = None) -> Mapping[str, int]:
        """Points by which *card* would move each good; *rolled* is the good on the red die, for action cards."""
        if isinstance(card, PriceCard):
            return card.moves
        most = self.options.max_action_points
        moves = {rolled: card.points} if rolled and card.points else card.moves
        return {good: max(-most, min(most, points)) for good, points in moves.items()}

    def levels_after(self, card: PriceCard | ActionCard, rolled: str | None = None) -> dict[str, int]:
        """The level at which each good's contracts would stand after *card*.

        For a good that would leave the table that is the last field, at which its contracts are settled.
        """
        moves = self.moves(card, rolled)
        return {good: self.edition.clip(level + moves.get(good, 0)) for good, level in self.levels.items()}

    # Orders

    def desk(self) -> Desk:
        """A fresh desk, to work out several orders of which each changes what the next can do."""
        own = self.own
        buying = self.decision == "turn" and self.rounds_left > 0
        return Desk(self.edition, self.levels, own.cash, own.positions, buying)

    def can_buy(self, good: str, side: Side, contracts: int = 1) -> bool:
        """Whether *contracts* can be bought as the first order: round, cash and chips allow it."""
        return self.desk().can_buy(good, side, contracts)

    def max_contracts(self, good: str, side: Side, reserve: int = 0) -> int:
        """The most contracts that the first order can buy and leave *reserve* dollars of cash; 0: none."""
        return self.desk().max_contracts(good, side, reserve)

    def can_sell(self, good: str, side: Side, entry_level: int, contracts: int = 1) -> bool:
        """Whether *contracts* of that position can be sold as the first order: held, and no cash below zero after."""
        return self.desk().can_sell(good, side, entry_level, contracts)

    def __repr__(self) -> str:
        return f"<LongShortView seat {self.seat}, {self.decision} in round {self.round}, turn {self.turn}>"

    def __str__(self) -> str:
        return view_text(self)
