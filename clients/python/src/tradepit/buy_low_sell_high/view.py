"""What a bot sees when it is asked: everything public, and its own hand."""

from collections.abc import Mapping
from functools import cached_property

from tradepit.buy_low_sell_high.actions import CardPlay, Trade
from tradepit.buy_low_sell_high.desk import Desk
from tradepit.buy_low_sell_high.edition import BuyLowSellHighEdition, Card
from tradepit.buy_low_sell_high.events import KINDS, Event
from tradepit.buy_low_sell_high.table import (
    Chart,
    SeatView,
    Space,
    Standing,
    add_up,
    read_chart,
    read_seat,
    read_space,
)
from tradepit.buy_low_sell_high.text import view_text
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit.match import Request
from tradepit.view import View
from tradepit.words import Words

_DECISIONS = Words(pb.DecisionKind, "DECISION_KIND_")


class BuyLowSellHighView(View):
    """One decision. Complete in itself: a bot needs no memory to play. ``print(view)`` shows it."""

    decision: str
    """What is asked: "turn", "discard" or "final_sale"."""
    edition: BuyLowSellHighEdition
    """Industries, charts, cards and dividends of the box."""

    def __init__(self, request: Request, edition: BuyLowSellHighEdition) -> None:
        """The view of *request*. Raises google.protobuf.message.DecodeError if it holds no observation."""
        observation = pb.Observation.FromString(request.observation)
        super().__init__(request, _DECISIONS[observation.public.decision])
        self.edition = edition
        self._public = observation.public
        self._private = observation.private

    # When

    @property
    def year(self) -> int:
        """The trading year, from 1; its discards and the final sales belong to it."""
        return self._public.year

    @property
    def years_left(self) -> int:
        """Years after this one."""
        return self.edition.years - self._public.year

    @property
    def turn(self) -> int:
        """Turns ended before this decision, by all seats, from 0."""
        return self._public.turn

    @property
    def starting_seat(self) -> int:
        """The seat that began the game."""
        return self._public.starting_seat

    @property
    def active_seat(self) -> int:
        """The seat that is asked."""
        return self._public.active_seat

    # Money and shares

    @property
    def industries(self) -> tuple[str, ...]:
        """The industries, in the order of the charts."""
        return self.edition.industries

    @cached_property
    def charts(self) -> dict[str, Chart]:
        """The chart of each industry: prices, and how they change."""
        return {
            name: read_chart(name, chart, self.edition)
            for name, chart in zip(self.edition.industries, self._public.charts, strict=True)
        }

    @property
    def buy_prices(self) -> dict[str, int | None]:
        """What the next share of each industry costs, in dollars; None: the last share cannot be bought."""
        return {name: chart.buy_price for name, chart in self.charts.items()}

    @property
    def sell_prices(self) -> dict[str, int]:
        """What the bank pays for the next share of each industry, in dollars."""
        return {name: chart.sell_price for name, chart in self.charts.items()}

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """Each seat, from 0: cash, fees owed, shares with their present value, number of cards."""
        return tuple(read_seat(seat, m, self.charts) for seat, m in enumerate(self._public.seats))

    @property
    def own(self) -> SeatView:
        """The own seat."""
        return self.seats[self.seat]

    @property
    def others(self) -> tuple[SeatView, ...]:
        """The other seats, from 0."""
        return tuple(seat for seat in self.seats if seat.seat != self.seat)

    @property
    def cash(self) -> int:
        """The own cash in dollars."""
        return self.own.cash

    @property
    def fee_owed(self) -> int:
        """The fees that the own seat owes, in dollars: while there are any, shares are sold instead of traded."""
        return self.own.fee_owed

    @property
    def shares(self) -> Mapping[str, int]:
        """The own shares of each industry."""
        return self.own.shares

    # Cards

    @cached_property
    def hand(self) -> tuple[Card, ...]:
        """The own cards, in the order of the edition."""
        return tuple(self.edition.cards[card] for card in self._private.hand)

    @property
    def cards(self) -> Mapping[str, Card]:
        """Every card of the box, by id."""
        return self.edition.cards

    @property
    def card_spaces(self) -> int:
        """How many card spaces a year has; when all are taken it ends."""
        return self._public.card_spaces

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        """The card spaces taken this year, oldest first; in the final sales those of the last year."""
        return tuple(read_space(space, self.edition) for space in self._public.spaces)

    @property
    def spaces_left(self) -> int:
        """Card spaces that are still empty."""
        return self._public.card_spaces - len(self._public.spaces)

    @cached_property
    def standing(self) -> dict[str, Standing]:
        """What the cards that no news covers add up to, by industry: points of the chart, and the dividend."""
        return add_up(self.edition, self._standing_cards)

    @property
    def draw_pile(self) -> int:
        """The number of cards in the draw pile."""
        return self._public.draw_pile

    @property
    def discards(self) -> int:
        """The number of cards that were discarded at the end of this year and are set aside."""
        return self._public.discards

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What has happened since the own last decision was carried out, its own effects included."""
        return tuple(KINDS.read(self._private.events))

    @property
    def _standing_cards(self) -> list[Card]:
        return [space.card for space in self.spaces if not space.news]

    # What can be done

    def desk(self) -> Desk:
        """A fresh desk, to work out a turn. Raises ValueError if no turn is asked for."""
        if self.decision != "turn":
            raise ValueError(f"a desk works out a turn, and asked is for a {self.decision}")
        return Desk(self.edition, self.turn, self.own, self.charts, self._standing_cards, self.hand, self.spaces_left)

    def legal_trades(self) -> list[tuple[Trade, ...]]:
        """Every choice of trades in this turn: none, each single share, each pair in the order carried out.

        While a fee is owed none is all there is. Raises ValueError if no turn is asked for.
        """
        return self.desk().all_trades()

    def legal_plays(self) -> list[tuple[CardPlay, ...]]:
        """Every way to play the cards of this turn: one card, or several where an expense is among them.

        Raises ValueError if no turn is asked for.
        """
        return self.desk().all_plays()

    def playable(self) -> dict[Card, tuple[Card, ...]]:
        """The cards that can be played first, with the cards over which news must be laid: one of them, if any.

        Raises ValueError if no turn is asked for.
        """
        return self.desk().playable()

    def can_buy(self, industry: str) -> bool:
        """Whether a share can be bought as the first trade. Raises ValueError for what is no industry."""
        return self.desk().can_buy(industry)

    def can_sell(self, industry: str) -> bool:
        """Whether a share can be sold as the first trade. Raises ValueError for what is no industry."""
        return self.desk().can_sell(industry)

    def legal_final_sales(self) -> list[str]:
        """The industries of which the own seat holds a share: one of them is sold when that is asked."""
        return [industry for industry, shares in self.shares.items() if shares]

    def __repr__(self) -> str:
        return f"<BuyLowSellHighView seat {self.seat}, {self.decision} in year {self.year}, turn {self.turn}>"

    def __str__(self) -> str:
        return view_text(self)
