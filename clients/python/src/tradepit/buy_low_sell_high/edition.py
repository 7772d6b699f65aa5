"""The data of Buy Low Sell High's box as authors use it: industries, charts, cards."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tradepit.errors import EditionError


@dataclass(frozen=True, slots=True)
class Card:
    """A card."""

    id: str
    industry: str
    kind: str
    """"market", "dividend", "expense" or "news"."""
    points: int
    """Of a market card, the fields by which it moves the chart; else 0."""

    @property
    def effect(self) -> str:
        """What it does, in words: "oil market +2"."""
        return f"{self.industry} {self.kind}{f' {self.points:+d}' if self.points else ''}"

    def __str__(self) -> str:
        return f"{self.id} ({self.effect})"


@dataclass(frozen=True, slots=True, eq=False)
class BuyLowSellHighEdition:
    """One edition of the box."""

    id: str
    years: int
    starting_cash: int
    """Whole dollars."""
    shares_per_industry: int
    """Those of the seats and those on the chart together."""
    starting_shares: int
    """Of each industry, to each seat."""
    hand_size: int
    fee_per_share: int
    """Whole dollars, that an expense card charges at once for each share of its industry."""
    dividends: tuple[int, ...]
    """Whole dollars a share, by the number of dividend cards that stand."""
    industries: tuple[str, ...]
    """In the order of the charts."""
    fields: tuple[int, ...]
    """Of every chart: whole dollars, lowest first."""
    first_share_on: int
    """Dollars; the field of the top share when the game begins."""
    card_spaces: Mapping[int, int]
    """A year's card spaces, by number of seats."""
    cards: Mapping[str, Card]
    """By id, in order."""

    def industry(self, name: str) -> str:
        """*name*, if an industry is called that. Raises ValueError."""
        if name not in self.industries:
            raise ValueError(f"there is no industry {name!r}; there are: {', '.join(self.industries)}")
        return name

    def card(self, card: Card | str) -> Card:
        """The card *card*, or with that id. Raises ValueError."""
        found = self.cards.get(card if isinstance(card, str) else card.id)
        if found is None:
            raise ValueError(f"there is no card {card!r}")
        return found

    def __repr__(self) -> str:
        return f"<Buy Low Sell High edition {self.id!r}>"


@lru_cache(maxsize=16)
def read_edition(toml: bytes) -> BuyLowSellHighEdition:
    """The edition with this text. Raises EditionError."""
    try:
        return _edition(tomllib.loads(toml.decode()))
    except (KeyError, TypeError, ValueError) as error:
        raise EditionError(f"not an edition of Buy Low Sell High: {type(error).__name__}: {error}") from error


def _edition(data: Mapping[str, Any]) -> BuyLowSellHighEdition:
    return BuyLowSellHighEdition(
        id=data["id"],
        years=data["years"],
        starting_cash=data["starting_cash"],
        shares_per_industry=data["shares_per_industry"],
        starting_shares=data["starting_shares"],
        hand_size=data["hand_size"],
        fee_per_share=data["fee_per_share"],
        dividends=tuple(data["dividends"]),
        industries=tuple(data["industries"]),
        fields=tuple(data["chart"]),
        first_share_on=data["first_share_on"],
        card_spaces={int(seats): spaces for seats, spaces in data["card_spaces"].items()},
        cards={
            card["id"]: Card(card["id"], card["industry"], card["kind"], card.get("points", 0))
            for card in data["cards"]
        },
    )
