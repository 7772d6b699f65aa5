"""The data of Long Short's box as authors use it: goods, cards, dice, chips."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from tradepit.errors import EditionError


@dataclass(frozen=True, slots=True)
class Good:
    """Something that is traded."""

    name: str
    index: int
    """Its place in the list of goods, from 0."""
    point_value: int
    """Dollars a point of its level, for one contract."""
    margin: int
    """Dollars that one contract costs, whatever the level."""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class PriceCard:
    """A price change card."""

    id: str
    moves: Mapping[str, int] = field(hash=False)
    """Points by good, for the goods that move."""

    @property
    def colour(self) -> str:
        """The part of the id before the hyphen, for example "yellow"."""
        return self.id.partition("-")[0]

    def __str__(self) -> str:
        return f"{self.id} ({moves_text(self.moves)})"


@dataclass(frozen=True, slots=True)
class ActionCard:
    """An action card."""

    id: str
    title: str
    effect: str
    """"move_goods", "move_rolled_good", "cash", "day_trade_card" or "end_of_game"."""
    moves: Mapping[str, int] = field(hash=False)
    """Points by good, for "move_goods"; else empty."""
    points: int
    """Points by which the good on the red die moves, for "move_rolled_good"; else 0."""
    dollars: int
    """What the drawing seat gets, below zero pays, for "cash"; else 0."""

    def __str__(self) -> str:
        texts = {
            "move_goods": moves_text(self.moves),
            "move_rolled_good": f"the rolled good {self.points:+d}",
            "cash": f"{self.dollars:+,} $",
            "day_trade_card": "a day-trade card",
            "end_of_game": "ends the game",
        }
        return f"{self.id} {self.title!r} ({texts.get(self.effect, self.effect)})"


@dataclass(frozen=True, slots=True, eq=False)
class LongShortEdition:
    """One edition of the box."""

    id: str
    rounds: int
    starting_cash: int
    """Whole dollars."""
    day_trade_cards: int
    """In the whole game."""
    single_chips: int
    """Chips a seat has that mark one contract each."""
    five_chips: int
    """Chips a seat has that mark five contracts on one field each."""
    min_level: int
    max_level: int
    start_level: int
    goods: Mapping[str, Good]
    """By name, in order."""
    price_cards: Mapping[str, PriceCard]
    """By id, in order."""
    action_cards: Mapping[str, ActionCard]
    """By id, in order."""
    deal: Mapping[str, int]
    """Price change cards dealt to each seat, by colour."""
    red_faces: tuple[str, ...]
    green_faces: tuple[str, ...]

    def good(self, name: str) -> Good:
        """The good called *name*. Raises ValueError."""
        try:
            return self.goods[name]
        except (KeyError, TypeError):
            raise ValueError(f"there is no good {name!r}; there are: {', '.join(self.goods)}") from None

    def clip(self, level: int) -> int:
        """*level*, or the last field of the table on that side: where contracts are settled when a good leaves it."""
        return max(self.min_level, min(self.max_level, level))

    def __repr__(self) -> str:
        return f"<Long Short edition {self.id!r}>"


@lru_cache(maxsize=16)
def read_edition(toml: bytes) -> LongShortEdition:
    """The edition with this text. Raises EditionError."""
    try:
        return _edition(tomllib.loads(toml.decode()))
    except (KeyError, TypeError, ValueError) as error:
        raise EditionError(f"not an edition of Long Short: {type(error).__name__}: {error}") from error


def moves_text(moves: Mapping[str, int]) -> str:
    """*moves* for people: "gold +2, coffee -1"."""
    return ", ".join(f"{good} {points:+d}" for good, points in moves.items())


def _edition(data: Mapping[str, Any]) -> LongShortEdition:
    table, dice = data["price_table"], data["dice"]
    return LongShortEdition(
        id=data["id"],
        rounds=data["rounds"],
        starting_cash=data["starting_cash"],
        day_trade_cards=data["day_trade_cards"],
        single_chips=data["single_chips"],
        five_chips=data["five_chips"],
        min_level=table["min"],
        max_level=table["max"],
        start_level=table["start"],
        goods=_goods(data["goods"], data["margin_points"]),
        price_cards={card["id"]: PriceCard(card["id"], card["moves"]) for card in data["price_cards"]},
        action_cards={card["id"]: _action_card(card) for card in data["action_cards"]},
        deal=data["deal"],
        red_faces=tuple(dice["red"]),
        green_faces=tuple(dice["green"]),
    )


def _goods(entries: list[Mapping[str, Any]], margin_points: int) -> dict[str, Good]:
    return {
        entry["name"]: Good(entry["name"], index, entry["point_value"], margin_points * entry["point_value"])
        for index, entry in enumerate(entries)
    }


def _action_card(entry: Mapping[str, Any]) -> ActionCard:
    moves, points, dollars = entry.get("moves", {}), entry.get("points", 0), entry.get("dollars", 0)
    return ActionCard(entry["id"], entry["title"], entry["effect"], moves, points, dollars)
