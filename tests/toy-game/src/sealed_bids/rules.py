# src/sealed_bids/rules.py
"""The rules of Sealed Bids. Nothing here knows of bots, messages or clocks."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from sealed_bids.edition import FIRST, SealedBidsEdition, load
from tradepit.chance import Chance
from tradepit_server.games.base import Edition, EditionError, GameInfo, IllegalAction, Option, OptionValue, rank

LOTS = Option("lots", "How many lots are auctioned off.", (5, 8), 5)

INFO = GameInfo(
    name="sealed-bids",
    title="Sealed Bids",
    min_seats=2,
    max_seats=4,
    options=(LOTS,),
    presets={"classic": {}, "long": {"lots": 8}},
)


class Bid(NamedTuple):
    """What a seat does: a bid for the lot that is up for sale, in coins."""

    coins: int


class Tipped(NamedTuple):
    """A seat, and it alone, was told what a later lot is worth."""

    seat: int
    lot: int
    value: int


class Offered(NamedTuple):
    """A lot is up for sale."""

    lot: int
    value: int


class Sold(NamedTuple):
    """A lot went to the highest bidder, who paid the price and got the value."""

    lot: int
    seat: int
    price: int
    value: int


class Withdrawn(NamedTuple):
    """Nobody bid more than everybody else: nobody pays, nobody gets the lot."""

    lot: int


Event = Tipped | Offered | Sold | Withdrawn


class State:
    """A match in progress."""

    def __init__(self, edition: SealedBidsEdition, seats: int, values: Sequence[int]) -> None:
        """*values* are those of the lots, in the order in which they come up."""
        self.values = tuple(values)
        self.coins = [edition.purse] * seats
        self.bids: list[tuple[int, ...]] = []
        """Of every auction so far, by seat."""
        self.events: list[Event] = [Tipped(seat, *self.tip(seat)) for seat in range(seats)]
        self.events.append(Offered(0, self.values[0]))

    def tip(self, seat: int) -> tuple[int, int]:
        """The lot that *seat* was tipped off about, and its value."""
        return seat + 1, self.values[seat + 1]

    @property
    def value(self) -> int:
        """What the lot up for sale is worth; 0 when the match is over."""
        return self.values[len(self.bids)] if len(self.bids) < len(self.values) else 0

    @property
    def awaiting(self) -> Sequence[int]:
        """All seats, until every lot is gone."""
        return range(len(self.coins)) if self.value else ()

    @property
    def decision(self) -> str:
        """There is one kind."""
        return "bid" if self.value else ""

    def validate(self, seat: int, action: Any) -> None:
        """Raises IllegalAction if *seat* may not do this now. Changes nothing."""
        if seat not in self.awaiting:
            raise IllegalAction(f"seat {seat} is not asked; asked are: {list(self.awaiting)}")
        if not isinstance(action, Bid) or type(action.coins) is not int:
            raise IllegalAction(f"{action!r} is no bid")
        if not 0 <= action.coins <= self.coins[seat]:
            raise IllegalAction(f"a bid of {action.coins} is not from 0 to {self.coins[seat]}")

    def apply(self, actions: Mapping[int, Any]) -> None:
        """The highest bidder, if there is one, pays the bid and gets the value."""
        bids = tuple(actions[seat].coins for seat in self.awaiting)
        lot, value, price = len(self.bids), self.value, max(bids)
        if bids.count(price) == 1:
            winner = bids.index(price)
            self.coins[winner] += value - price
            self.events.append(Sold(lot, winner, price, value))
        else:
            self.events.append(Withdrawn(lot))
        self.bids.append(bids)
        if self.value:
            self.events.append(Offered(lot + 1, self.value))

    def default_action(self, seat: int) -> Bid:
        """Who gives no valid answer bids nothing."""
        return Bid(0)

    def events_since(self, number: int) -> Sequence[Event]:
        """What has happened since event *number*."""
        return self.events[number:]

    def audience(self, event: Event) -> Sequence[int] | None:
        """A tip is for one seat, everything else for everybody."""
        return (event.seat,) if isinstance(event, Tipped) else None

    def describe(self, event: Event) -> str:
        """*event* as a sentence for people."""
        match event:
            case Tipped(seat, lot, value):
                return f"Seat {seat} is told that lot {lot} is worth {value}."
            case Offered(lot, value):
                return f"Lot {lot}, worth {value}, is up for sale."
            case Sold(lot, seat, price, value):
                return f"Seat {seat} pays {price} for lot {lot} and gets {value}."
            case Withdrawn(lot):
                return f"The highest bid for lot {lot} is not the only one: it is withdrawn."

    def scores(self) -> list[int]:
        """Each seat's coins."""
        return self.coins.copy()

    def placements(self) -> list[int]:
        """By coins: 1 is best, ties share."""
        return rank(self.coins)

    def clone(self) -> Self:
        """A copy that shares nothing mutable."""
        twin = object.__new__(type(self))
        twin.values = self.values
        twin.coins = self.coins.copy()
        twin.bids = self.bids.copy()
        twin.events = self.events.copy()
        return twin


class SealedBids:
    """The game: what the referee asks for to begin a match."""

    info = INFO
    editions = (FIRST,)

    def load_edition(self, toml: bytes) -> SealedBidsEdition:
        """Read and check an edition file. Raises EditionError."""
        return load(toml)

    def new(
        self, seats: int, options: Mapping[str, OptionValue], chance: Chance, edition: Edition | None = None
    ) -> State:
        """A match about to begin: the lots are drawn. Raises GameError."""
        self.info.check_seats(seats)
        box = self.edition(edition)
        ids = chance.shuffle("sealed-bids/lots", [str(value) for value in box.values])
        lots = int(self.info.resolve(options)["lots"])
        return State(box, seats, [int(item) for item in ids[:lots]])

    def edition(self, edition: Edition | None) -> SealedBidsEdition:
        """*edition*, or the first when there is none. Raises EditionError when it is another game's."""
        if edition is None:
            return FIRST
        if not isinstance(edition, SealedBidsEdition):
            raise EditionError(f"edition {edition.id} is none of Sealed Bids")
        return edition

    def decision_bound(self, seats: int, edition: Edition | None = None) -> int:
        """Everybody bids once for every lot."""
        return seats * max(int(lots) for lots in LOTS.values)


GAME = SealedBids()
