"""What lies on the table, as the view shows it."""

from typing import NamedTuple, cast

from tradepit.long_short.actions import Sale, Side, sell
from tradepit.long_short.edition import ActionCard, LongShortEdition, PriceCard
from tradepit.long_short.events import SIDE_WORDS
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.text import counted
from tradepit.words import Words


class Position(NamedTuple):
    """Contracts of one seat on one field, valued at the current level."""

    good: str
    side: Side
    entry_level: int
    """The level at which they were bought, in points."""
    contracts: int
    """1 or more."""
    level: int
    """The good's level now, in points."""
    point_value: int
    """Dollars a point, for one contract."""
    margin: int
    """Dollars paid for one contract."""

    @property
    def field(self) -> tuple[str, Side, int]:
        """The field on which they stand: good, side, entry level, as ``Desk`` asks for it."""
        return self.good, self.side, self.entry_level

    def value_at(self, level: int) -> int:
        """Dollars that the bank would pay for one contract at *level*; below zero: would be paid."""
        points = level - self.entry_level if self.side == "long" else self.entry_level - level
        return self.margin + points * self.point_value

    @property
    def value_each(self) -> int:
        """Dollars that the bank pays for one contract now; below zero: is paid."""
        return self.value_at(self.level)

    @property
    def value(self) -> int:
        """Dollars that the bank pays for all of them now."""
        return self.contracts * self.value_each

    @property
    def profit(self) -> int:
        """``value`` less the margin paid, in dollars."""
        return self.value - self.contracts * self.margin

    def sell(self, contracts: int | None = None) -> Sale:
        """The order to sell so many of them; all, if nothing is said."""
        return sell(self.good, self.side, self.entry_level, self.contracts if contracts is None else contracts)

    def __str__(self) -> str:
        return f"{self.contracts} {self.good} {self.side} @{self.entry_level} (worth {self.value:,} $)"


class SeatView(NamedTuple):
    """What everybody sees of a seat."""

    seat: int
    cash: int
    """Whole dollars; below zero is a debt."""
    positions: tuple[Position, ...]
    """By good in the order of the edition, long before short, lower entry first."""
    day_trade_cards: int

    @property
    def worth(self) -> int:
        """Cash and the present value of all contracts, in dollars: the score, if the game ended now."""
        return self.cash + sum(position.value for position in self.positions)

    def __str__(self) -> str:
        contracts = ", ".join(map(str, self.positions)) or "no contracts"
        cards = counted(self.day_trade_cards, "day-trade card")
        return f"seat {self.seat}: worth {self.worth:,} $, cash {self.cash:,} $, {cards}, {contracts}"


class PlayedCard(NamedTuple):
    """A price change card that was played, and by whom."""

    seat: int
    card: PriceCard


class Pile(NamedTuple):
    """An action card pile; a card drawn goes back under it."""

    size: int
    drawn: tuple[ActionCard, ...]
    """The cards drawn from it so far, in order."""

    @property
    def top(self) -> ActionCard | None:
        """The card that lies on top, where that is known: when the pile has gone round."""
        return self.drawn[-self.size] if self.size and len(self.drawn) >= self.size else None


class Options(NamedTuple):
    """The options of the match."""

    end_of_game_card: str
    """"in", "removed" or "cancellable"."""
    initial_day_trade_cards: int
    """0 to 3."""
    day_trade_face: str
    """"card" or "nothing"."""
    max_action_points: int
    """The most points by which an action card moves a good, 1 to 6."""
    bankruptcy: str
    """"debt" or "restart"."""


_END_OF_GAME = Words(pb.EndOfGameCard, "END_OF_GAME_CARD_")
_FACES = Words(pb.DayTradeFace, "DAY_TRADE_FACE_")
_BANKRUPTCIES = Words(pb.Bankruptcy, "BANKRUPTCY_")


def read_options(m: pb.Options) -> Options:
    """The options in *m*."""
    return Options(
        _END_OF_GAME[m.end_of_game_card],
        m.initial_day_trade_cards,
        _FACES[m.day_trade_face],
        m.max_action_points,
        _BANKRUPTCIES[m.bankruptcy],
    )


def read_position(m: pb.Position, edition: LongShortEdition, levels: dict[str, int]) -> Position:
    """The position in *m*, valued at *levels*."""
    good = edition.goods[m.good]
    side = cast(Side, SIDE_WORDS[m.side])
    return Position(good.name, side, m.entry_level, m.contracts, levels[good.name], good.point_value, good.margin)


def read_seat(seat: int, m: pb.SeatState, edition: LongShortEdition, levels: dict[str, int]) -> SeatView:
    """Seat *seat* as *m* shows it, its positions valued at *levels*."""
    positions = tuple(read_position(position, edition, levels) for position in m.positions)
    return SeatView(seat, m.cash, positions, m.day_trade_cards)


def read_pile(m: pb.Pile, edition: LongShortEdition) -> Pile:
    """The pile in *m*."""
    return Pile(m.size, tuple(edition.action_cards[card] for card in m.drawn))
