"""What lies on the table, as the view shows it."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tradepit.buy_low_sell_high.edition import BuyLowSellHighEdition, Card
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit.text import counted


class Chart(NamedTuple):
    """The shares of an industry that the bank has: one a field, from the top share downwards.

    Immutable; ``bought``, ``sold`` and ``moved`` give the chart as it would be.
    """

    industry: str
    fields: tuple[int, ...]
    """Whole dollars, lowest first; only the lowest field holds several shares."""
    top_field: int
    """The index of the top share's field."""
    shares: int
    """The number of shares on it, 1 or more."""

    @property
    def top(self) -> int:
        """The field of the top share, in dollars."""
        return self.fields[self.top_field]

    @property
    def buy_price(self) -> int | None:
        """What the next share costs, in dollars; None: the last share cannot be bought."""
        return self.fields[max(self.top_field - self.shares + 1, 0)] if self.shares > 1 else None

    @property
    def sell_price(self) -> int:
        """What the bank pays for the next share, in dollars."""
        return self.fields[max(self.top_field - self.shares, 0)]

    def sale_value(self, shares: int) -> int:
        """Dollars that the bank pays for so many shares, sold one after another."""
        return sum(self.fields[max(self.top_field - self.shares - sold, 0)] for sold in range(shares))

    def bought(self) -> "Chart":
        """After a share is bought. Raises ValueError if it is the last."""
        if self.shares == 1:
            raise ValueError(f"the last share of {self.industry} cannot be bought")
        return self._replace(shares=self.shares - 1)

    def sold(self) -> "Chart":
        """After a share is sold."""
        return self._replace(shares=self.shares + 1)

    def moved(self, points: int) -> "Chart":
        """After a rise by so many fields, a fall if *points* are below zero; both stop at the chart's ends."""
        lowest = min(self.top_field, self.shares - 1)
        highest = len(self.fields) - 1
        return self._replace(top_field=min(max(self.top_field + points, lowest), highest))

    def __str__(self) -> str:
        buying = "no share to buy" if self.buy_price is None else f"buy for {self.buy_price} $"
        shares = counted(self.shares, "share")
        return f"{self.industry}: {buying}, sell for {self.sell_price} $ ({shares} from {self.top} $ down)"


class Standing(NamedTuple):
    """What the cards of an industry that stand, uncovered by news, add up to."""

    industry: str
    points: int
    """The sum of its market cards: the fields by which its chart moves at the end of the year."""
    dividend_cards: int
    dividend: int
    """Dollars that each share gets for them at the end of the year."""

    def __str__(self) -> str:
        return f"{self.industry}: {self.points:+d}, dividend {self.dividend} $"


class Space(NamedTuple):
    """A card space that is taken."""

    card: Card
    seat: int
    """Who played it."""
    news: Card | None = None
    """The news over it, if any: the card then no longer counts."""
    news_seat: int | None = None
    """Who played that."""

    def __str__(self) -> str:
        covered = f" under {self.news.id} (seat {self.news_seat})" if self.news else ""
        return f"{self.card.id} (seat {self.seat}){covered}"


class SeatView(NamedTuple):
    """What everybody sees of a seat."""

    seat: int
    cash: int
    """Whole dollars."""
    fee_owed: int
    """Fees that it owes, in dollars; there is no cash meanwhile."""
    shares: Mapping[str, int]
    """By industry, in the order of the charts."""
    values: Mapping[str, int]
    """Dollars that the bank would pay now for all its shares of an industry, one after another."""
    hand_size: int
    """The number of its cards."""

    @property
    def worth(self) -> int:
        """Cash less fees, and what the bank would pay now for all shares: in dollars."""
        return self.cash - self.fee_owed + sum(self.values.values())

    def __str__(self) -> str:
        held = (f"{shares} {name} (worth {self.values[name]} $)" for name, shares in self.shares.items() if shares)
        shares = ", ".join(held) or "no shares"
        owed = f", owes {self.fee_owed} $" if self.fee_owed else ""
        cards = counted(self.hand_size, "card")
        return f"seat {self.seat}: worth {self.worth} $, cash {self.cash} ${owed}, {cards}, {shares}"


def add_up(edition: BuyLowSellHighEdition, cards: Iterable[Card]) -> dict[str, Standing]:
    """What *cards* that stand add up to, by industry."""
    points = dict.fromkeys(edition.industries, 0)
    dividend_cards = dict.fromkeys(edition.industries, 0)
    for card in cards:
        points[card.industry] += card.points
        dividend_cards[card.industry] += card.kind == "dividend"
    return {
        name: Standing(name, points[name], number, edition.dividends[number]) for name, number in dividend_cards.items()
    }


def read_chart(industry: str, m: pb.Chart, edition: BuyLowSellHighEdition) -> Chart:
    """The chart of *industry* in *m*."""
    return Chart(industry, edition.fields, edition.fields.index(m.top), m.shares)


def read_space(m: pb.Space, edition: BuyLowSellHighEdition) -> Space:
    """The space in *m*."""
    card = edition.cards[m.card]
    return Space(card, m.seat, edition.cards[m.news], m.news_seat) if m.news else Space(card, m.seat)


def read_seat(seat: int, m: pb.SeatState, charts: Mapping[str, Chart]) -> SeatView:
    """Seat *seat* as *m* shows it, its shares valued by *charts*."""
    shares = dict(zip(charts, m.shares, strict=True))
    values = {name: charts[name].sale_value(number) for name, number in shares.items()}
    return SeatView(seat, m.cash, m.fee_owed, shares, values, m.hand_size)
