"""The board of a match: plain mutable data, and nothing that knows a rule of the turn."""

from collections.abc import Mapping
from typing import NamedTuple, Self

from tradepit.chance import Chance
from tradepit_server.games.base import OptionValue
from tradepit_server.games.long_short.edition import LongShortEdition
from tradepit_server.games.long_short.events import Event


class Roll(NamedTuple):
    """The last roll of both dice."""

    seat: int
    red: int
    """A good."""
    green: str


class Board:
    """Levels, cash, contracts and cards. Cards, goods and fields are the small integers of the edition."""

    __slots__ = (
        "active",
        "awaiting",
        "bank_day_trade_cards",
        "cash",
        "chance",
        "day_trade_cards",
        "decision",
        "drawn",
        "edition",
        "events",
        "first_event",
        "hands",
        "last_roll",
        "levels",
        "memo",
        "options",
        "piles",
        "played",
        "positions",
        "seats",
        "seen",
        "starting_seat",
        "turn",
    )  # fmt: skip

    edition: LongShortEdition
    options: Mapping[str, OptionValue]
    """Every option and its value."""
    chance: Chance
    seats: int

    levels: list[int]
    """In points, by good."""
    cash: list[int]
    """Whole dollars, by seat; negative is a debt."""
    positions: list[dict[int, int]]
    """By seat: field to number of contracts, 1 or more."""
    day_trade_cards: list[int]
    """By seat."""
    bank_day_trade_cards: int

    hands: list[tuple[int, ...]]
    """By seat: price change cards, rising."""
    played: list[int]
    """The price change card of each turn so far."""
    piles: tuple[tuple[int, ...], ...]
    """Action cards in the order in which they come up; a card that was drawn comes up again after all others."""
    drawn: list[int]
    """By pile: how often a card was drawn from it."""

    starting_seat: int
    turn: int
    """The number of turns begun before this one."""
    active: int
    """The seat whose turn it is."""
    last_roll: Roll | None
    decision: str
    """"turn", "day_trade" or "end_of_game"; empty when the match is over."""
    awaiting: tuple[int, ...]
    """The seats whose decision is due, from the active seat clockwise."""

    events: list[Event]
    first_event: int
    """The number of the first of ``events``; not 0 in a sample, which knows only what one seat saw last."""
    seen: list[int]
    """By seat: the number of events when its last decision was carried out."""
    memo: object
    """A codec's, to keep what it has encoded; no part of the state, and left out of copies."""

    def __init__(
        self, edition: LongShortEdition, seats: int, options: Mapping[str, OptionValue], chance: Chance
    ) -> None:
        """An empty board: nothing is dealt, nobody awaited."""
        self.edition = edition
        self.options = options
        self.chance = chance
        self.seats = seats
        self.levels = [edition.start_level] * len(edition.goods)
        self.cash = [edition.starting_cash] * seats
        self.positions = [{} for _ in range(seats)]
        self.day_trade_cards = [0] * seats
        self.bank_day_trade_cards = edition.day_trade_cards
        self.hands = [()] * seats
        self.played = []
        self.piles = ()
        self.drawn = []
        self.starting_seat = 0
        self.turn = 0
        self.active = 0
        self.last_roll = None
        self.decision = ""
        self.awaiting = ()
        self.events = []
        self.first_event = 0
        self.seen = [0] * seats
        self.memo = None

    @property
    def round(self) -> int:
        """The round, from 1."""
        return self.turn // self.seats + 1

    @property
    def event_count(self) -> int:
        """The number of events so far; the next one bears it."""
        return self.first_event + len(self.events)

    def clone(self) -> Self:
        """A copy that shares nothing mutable."""
        twin = object.__new__(type(self))
        twin.edition = self.edition
        twin.options = self.options
        twin.chance = self.chance
        twin.seats = self.seats
        twin.levels = self.levels.copy()
        twin.cash = self.cash.copy()
        twin.positions = [fields.copy() for fields in self.positions]
        twin.day_trade_cards = self.day_trade_cards.copy()
        twin.bank_day_trade_cards = self.bank_day_trade_cards
        twin.hands = self.hands.copy()
        twin.played = self.played.copy()
        twin.piles = self.piles
        twin.drawn = self.drawn.copy()
        twin.starting_seat = self.starting_seat
        twin.turn = self.turn
        twin.active = self.active
        twin.last_roll = self.last_roll
        twin.decision = self.decision
        twin.awaiting = self.awaiting
        twin.events = self.events.copy()
        twin.first_event = self.first_event
        twin.seen = self.seen.copy()
        twin.memo = None
        return twin
