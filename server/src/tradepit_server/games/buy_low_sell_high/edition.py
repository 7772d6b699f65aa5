"""An edition of Buy Low Sell High: everything about the box that is data, read from TOML and checked.

Industries and cards are small integers inside the engine: their index in the edition. So are the *fields* of a
chart, from 0 for the lowest.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from tradepit_server.games.base import Edition, EditionError
from tradepit_server.games.reading import Reader, distinct, parse

KINDS = ("market", "dividend", "expense", "news")


class Card(NamedTuple):
    """A card."""

    id: str
    industry: int
    kind: str
    """One of KINDS."""
    points: int
    """Of a market card: what it adds to the chart, in fields; not 0. Of other cards 0."""


@dataclass(frozen=True, eq=False)
class BuyLowSellHighEdition(Edition):
    """The data of one box. Equal editions have equal text."""

    min_seats: int
    max_seats: int
    years: int
    starting_cash: int
    """Whole dollars."""
    shares_per_industry: int
    starting_shares: int
    """Of each industry, to each seat."""
    hand_size: int
    fee_per_share: int
    """Whole dollars."""
    dividends: tuple[int, ...]
    """Whole dollars a share, by the number of dividend cards that stand."""
    industries: tuple[str, ...]
    chart: tuple[int, ...]
    """Whole dollars, by field."""
    first_share_on: int
    """A field."""
    card_spaces: Mapping[int, int]
    """By number of seats."""
    cards: tuple[Card, ...]

    @cached_property
    def industry_of(self) -> dict[str, int]:
        """Industries by name."""
        return {name: industry for industry, name in enumerate(self.industries)}

    @cached_property
    def card_of(self) -> dict[str, int]:
        """Cards by id."""
        return {card.id: index for index, card in enumerate(self.cards)}

    @cached_property
    def is_news(self) -> tuple[bool, ...]:
        """Whether a card is breaking news, by card."""
        return tuple(card.kind == "news" for card in self.cards)


def load(toml: bytes) -> BuyLowSellHighEdition:
    """Read an edition file. Raises EditionError, naming key and value, for whatever the rules page refuses."""
    top = parse(toml)
    top.expect(
        "id", "game", "players", "years", "starting_cash", "shares_per_industry", "starting_shares", "hand_size",
        "fee_per_share", "dividends", "industries", "chart", "first_share_on", "card_spaces", "cards",
    )  # fmt: skip
    top.word("game", ("buy-low-sell-high",))
    industries = distinct("industries", list(top.texts("industries")))
    min_seats, max_seats = _players(top.table("players"))
    chart = _chart(top)
    edition = BuyLowSellHighEdition(
        id=top.text("id"),
        toml=toml,
        min_seats=min_seats,
        max_seats=max_seats,
        years=top.whole("years", 1),
        starting_cash=top.whole("starting_cash", 0),
        shares_per_industry=top.whole("shares_per_industry", 1),
        starting_shares=top.whole("starting_shares", 0),
        hand_size=top.whole("hand_size", 1),
        fee_per_share=top.whole("fee_per_share", 0),
        dividends=top.wholes("dividends", 0),
        industries=industries,
        chart=chart,
        first_share_on=_first_share(top, chart),
        card_spaces=_card_spaces(top.table("card_spaces"), min_seats, max_seats),
        cards=_cards(top, industries),
    )
    _check_shares(edition)
    _check_cards(edition)
    return edition


def _players(table: Reader) -> tuple[int, int]:
    table.expect("min", "max")
    least = table.whole("min", 2)
    return least, table.whole("max", least)


def _chart(top: Reader) -> tuple[int, ...]:
    chart = top.wholes("chart", 1)
    for lower, higher in pairwise(chart):
        if higher <= lower:
            raise EditionError(f"chart = {list(chart)!r} does not rise from {lower} to {higher}")
    return chart


def _first_share(top: Reader, chart: tuple[int, ...]) -> int:
    dollars = top.whole("first_share_on", 1)
    if dollars not in chart:
        raise EditionError(f"first_share_on = {dollars} is not on the chart {list(chart)!r}")
    return chart.index(dollars)


def _card_spaces(table: Reader, min_seats: int, max_seats: int) -> dict[int, int]:
    seats = range(min_seats, max_seats + 1)
    table.expect(*map(str, seats))
    return {number: table.whole(str(number), 1) for number in seats}


def _cards(top: Reader, industries: tuple[str, ...]) -> tuple[Card, ...]:
    cards = tuple(_card(table, industries) for table in top.tables("cards"))
    distinct("cards.id", [card.id for card in cards])
    return cards


def _card(table: Reader, industries: tuple[str, ...]) -> Card:
    if "kind" not in table.names():
        raise EditionError(f"{table.key('kind')} is missing")
    kind = table.word("kind", KINDS)
    market = kind == "market"
    table.expect("id", "industry", "kind", *(["points"] if market else []))
    industry = industries.index(table.word("industry", industries))
    return Card(table.text("id"), industry, kind, table.change("points") if market else 0)


def _check_shares(edition: BuyLowSellHighEdition) -> None:
    """The shares that nobody starts with find a field each, and there are some at every table."""
    most = edition.shares_per_industry - edition.min_seats * edition.starting_shares
    if most > edition.first_share_on + 1:
        dollars, fields = edition.chart[edition.first_share_on], edition.first_share_on + 1
        raise EditionError(f"first_share_on = {dollars} is too low: {most} shares need a field each, it has {fields}")
    given = edition.max_seats * edition.starting_shares
    if edition.shares_per_industry <= given:
        shares = edition.shares_per_industry
        raise EditionError(
            f"shares_per_industry = {shares} leaves none on a chart: {edition.max_seats} players start with {given}"
        )


def _check_cards(edition: BuyLowSellHighEdition) -> None:
    """Every number of dividend cards that can stand has its dividend, and everybody can be dealt a hand."""
    dividends = Counter(card.industry for card in edition.cards if card.kind == "dividend")
    for industry, number in dividends.items():
        if len(edition.dividends) <= number:
            found = f"{edition.industries[industry]} has {number} dividend cards, which need {number + 1}"
            raise EditionError(f"dividends = {list(edition.dividends)!r} are too few: {found}")
    needed = edition.max_seats * edition.hand_size
    if len(edition.cards) < needed:
        hands = f"the hands of {edition.max_seats} players need {needed}"
        raise EditionError(f"cards = {len(edition.cards)} are too few: {hands} (hand_size = {edition.hand_size})")
