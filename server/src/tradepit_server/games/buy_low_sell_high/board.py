"""The board of a match: plain mutable data, and nothing that knows a rule of the turn."""

from collections.abc import Mapping
from typing import NamedTuple, Self

from tradepit.chance import Chance
from tradepit_server.games.base import OptionValue
from tradepit_server.games.buy_low_sell_high.edition import BuyLowSellHighEdition
from tradepit_server.games.buy_low_sell_high.events import Event

NONE = -1
"""No card."""


class Space(NamedTuple):
    """A card space that is taken."""

    card: int
    seat: int
    """Who played it."""
    news: int = NONE
    """The breaking news over it."""
    news_seat: int = 0
    """Who played the news; means nothing without news."""


class Board:
    """Charts, cash, shares and cards. Cards, industries and fields are the small integers of the edition."""

    __slots__ = (
        "active",
        "awaiting",
        "cash",
        "chance",
        "decision",
        "discards",
        "edition",
        "events",
        "first_event",
        "hands",
        "memo",
        "options",
        "pile",
        "seats",
        "seen",
        "shares",
        "spaces",
        "starting_seat",
        "stock",
        "tops",
        "turn",
        "year",
    )  # fmt: skip

    edition: BuyLowSellHighEdition
    options: Mapping[str, OptionValue]
    """Empty: the game has none."""
    chance: Chance
    seats: int

    tops: list[int]
    """By industry: the field of the top share on the chart."""
    stock: list[int]
    """By industry: the number of shares on the chart, 1 or more."""
    cash: list[int]
    """Whole dollars, by seat; below zero is a fee that is owed."""
    shares: list[list[int]]
    """By seat and industry."""

    hands: list[tuple[int, ...]]
    """By seat: cards, rising."""
    pile: list[int]
    """The draw pile, the top card last."""
    spaces: list[Space]
    """Those taken this year, oldest first."""
    discards: list[int]
    """Set aside at the end of this year."""

    starting_seat: int
    year: int
    """From 1; its discards and the final sales belong to it."""
    turn: int
    """The number of turns ended so far."""
    active: int
    """The seat that is asked."""
    decision: str
    """"turn", "discard" or "final_sale"; empty when the match is over."""
    awaiting: tuple[int, ...]
    """The active seat alone; nobody when the match is over."""

    events: list[Event]
    first_event: int
    """The number of the first of ``events``; not 0 in a sample, which knows only what one seat saw last."""
    seen: list[int]
    """By seat: the number of events when its last decision was carried out."""
    memo: object
    """A codec's, to keep what it has encoded; no part of the state, and left out of copies."""

    def __init__(
        self, edition: BuyLowSellHighEdition, seats: int, options: Mapping[str, OptionValue], chance: Chance
    ) -> None:
        """A board with shares and cash, but no card is dealt and nobody awaited."""
        industries = len(edition.industries)
        self.edition = edition
        self.options = options
        self.chance = chance
        self.seats = seats
        self.tops = [edition.first_share_on] * industries
        self.stock = [edition.shares_per_industry - seats * edition.starting_shares] * industries
        self.cash = [edition.starting_cash] * seats
        self.shares = [[edition.starting_shares] * industries for _ in range(seats)]
        self.hands = [()] * seats
        self.pile = []
        self.spaces = []
        self.discards = []
        self.starting_seat = 0
        self.year = 1
        self.turn = 0
        self.active = 0
        self.decision = ""
        self.awaiting = ()
        self.events = []
        self.first_event = 0
        self.seen = [0] * seats
        self.memo = None

    @property
    def event_count(self) -> int:
        """The number of events so far; the next one bears it."""
        return self.first_event + len(self.events)

    @property
    def next_in_turn(self) -> int:
        """The seat whose turn is due, or would be."""
        return (self.starting_seat + self.turn) % self.seats

    def ask(self, seat: int, decision: str) -> None:
        """From now on *seat* is awaited."""
        self.active = seat
        self.decision = decision
        self.awaiting = (seat,)

    def clone(self) -> Self:
        """A copy that shares nothing mutable."""
        twin = object.__new__(type(self))
        twin.edition = self.edition
        twin.options = self.options
        twin.chance = self.chance
        twin.seats = self.seats
        twin.tops = self.tops.copy()
        twin.stock = self.stock.copy()
        twin.cash = self.cash.copy()
        twin.shares = [shares.copy() for shares in self.shares]
        twin.hands = self.hands.copy()
        twin.pile = self.pile.copy()
        twin.spaces = self.spaces.copy()
        twin.discards = self.discards.copy()
        twin.starting_seat = self.starting_seat
        twin.year = self.year
        twin.turn = self.turn
        twin.active = self.active
        twin.decision = self.decision
        twin.awaiting = self.awaiting
        twin.events = self.events.copy()
        twin.first_event = self.first_event
        twin.seen = self.seen.copy()
        twin.memo = None
        return twin
