"""An edition of Long Short: everything about the box that is data, read from TOML and checked.

Cards, goods and fields are small integers inside the engine. A *good* is its index in the goods list, a
*card* its index among the price change cards or the action cards. A *line* is a good and a side,
``2 * good + side`` with 0 for long and 1 for short; a *field* is a line and an entry level,
``line * span + entry_level - min_level``. So fields rise by good, then side, then entry level.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tradepit_server.games.base import Edition, EditionError
from tradepit_server.games.reading import Reader, distinct, parse

SIDES = ("long", "short")

GREEN_FACES = ("day_trade", "action_card", "limit_up", "limit_down")

Moves = tuple[tuple[int, int], ...]
"""(good, points) in the order of the goods list."""


class PriceCard(NamedTuple):
    """A price change card."""

    id: str
    moves: Moves


class ActionCard(NamedTuple):
    """An action card; of the last three fields the effect uses at most one."""

    id: str
    title: str
    effect: str
    """"move_goods", "move_rolled_good", "cash", "day_trade_card" or "end_of_game"."""
    moves: Moves = ()
    points: int = 0
    dollars: int = 0


@dataclass(frozen=True, eq=False)
class LongShortEdition(Edition):
    """The data of one box. Equal editions have equal text."""

    min_seats: int
    max_seats: int
    rounds: int
    starting_cash: int
    """Whole dollars."""
    margin_points: int
    day_trade_cards: int
    single_chips: int
    five_chips: int
    min_level: int
    max_level: int
    start_level: int
    deal: Mapping[str, int]
    """Price change cards dealt to each seat, by colour."""
    goods: tuple[str, ...]
    point_values: tuple[int, ...]
    """Dollars a point and contract, by good."""
    red_faces: tuple[int, ...]
    """Goods."""
    green_faces: tuple[str, ...]
    price_cards: tuple[PriceCard, ...]
    action_cards: tuple[ActionCard, ...]

    @cached_property
    def good_of(self) -> dict[str, int]:
        """Goods by name."""
        return {name: good for good, name in enumerate(self.goods)}

    @cached_property
    def line_of(self) -> dict[tuple[str, str], int]:
        """Lines by name of good and side."""
        return {(name, side): 2 * good + s for good, name in enumerate(self.goods) for s, side in enumerate(SIDES)}

    @cached_property
    def price_card_of(self) -> dict[str, int]:
        """Price change cards by id."""
        return {card.id: index for index, card in enumerate(self.price_cards)}

    @cached_property
    def action_card_of(self) -> dict[str, int]:
        """Action cards by id."""
        return {card.id: index for index, card in enumerate(self.action_cards)}

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The colour of each price change card."""
        return tuple(colour(card.id) for card in self.price_cards)

    @cached_property
    def span(self) -> int:
        """The number of levels of the price table."""
        return self.max_level - self.min_level + 1

    @cached_property
    def margins(self) -> tuple[int, ...]:
        """Margin of a contract in dollars, by line."""
        return tuple(self.margin_points * value for value in self.point_values for _ in SIDES)

    @cached_property
    def slopes(self) -> tuple[int, ...]:
        """What a contract gains in dollars when its good rises by a point, by line."""
        return tuple(sign * value for value in self.point_values for sign in (1, -1))

    def field(self, line: int, entry_level: int) -> int:
        """The field of a *line* at an entry level that is on the table."""
        return line * self.span + entry_level - self.min_level

    def name_field(self, field: int) -> tuple[str, str, int]:
        """A field as good, side and entry level."""
        line, entry = divmod(field, self.span)
        return self.goods[line >> 1], SIDES[line & 1], self.min_level + entry

    def value(self, field: int, level: int) -> int:
        """What a contract on *field* is worth when its good stands at *level*: dollars, perhaps below zero."""
        line, entry = divmod(field, self.span)
        return self.margins[line] + self.slopes[line] * (level - self.min_level - entry)


def colour(card_id: str) -> str:
    """The colour of a price change card: the prefix of its id."""
    return card_id.partition("-")[0]


def load(toml: bytes) -> LongShortEdition:
    """Read an edition file. Raises EditionError, naming key and value, for whatever the rules page refuses."""
    top = parse(toml)
    top.expect(
        "id", "game", "players", "rounds", "starting_cash", "margin_points", "day_trade_cards", "single_chips",
        "five_chips", "price_table", "deal", "dice", "goods", "price_cards", "action_cards",
    )  # fmt: skip
    top.word("game", ("long-short",))
    goods, point_values = _goods(top)
    min_seats, max_seats = _players(top.table("players"))
    min_level, max_level, start_level = _price_table(top.table("price_table"))
    red_faces, green_faces = _dice(top.table("dice"), goods)
    edition = LongShortEdition(
        id=top.text("id"),
        toml=toml,
        min_seats=min_seats,
        max_seats=max_seats,
        rounds=top.whole("rounds", 1),
        starting_cash=top.whole("starting_cash", 0),
        margin_points=top.whole("margin_points", 1),
        day_trade_cards=top.whole("day_trade_cards", 0),
        single_chips=top.whole("single_chips", 0),
        five_chips=top.whole("five_chips", 0),
        min_level=min_level,
        max_level=max_level,
        start_level=start_level,
        deal=_deal(top.table("deal")),
        goods=goods,
        point_values=point_values,
        red_faces=red_faces,
        green_faces=green_faces,
        price_cards=_price_cards(top, goods),
        action_cards=_action_cards(top, goods),
    )
    _check_deal(edition)
    return edition


def _goods(top: Reader) -> tuple[tuple[str, ...], tuple[int, ...]]:
    tables = top.tables("goods")
    for table in tables:
        table.expect("name", "point_value")
    names = distinct("goods.name", [table.text("name") for table in tables])
    return names, tuple(table.whole("point_value", 1) for table in tables)


def _players(table: Reader) -> tuple[int, int]:
    table.expect("min", "max")
    least = table.whole("min", 2)
    return least, table.whole("max", least)


def _price_table(table: Reader) -> tuple[int, int, int]:
    table.expect("min", "max", "start")
    least = table.whole("min", 0)
    most = table.whole("max", least)
    start = table.whole("start", 0)
    if not least <= start <= most:
        raise EditionError(f"price_table.start = {start} is outside {least} to {most}")
    return least, most, start


def _dice(table: Reader, goods: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    table.expect("red", "green")
    red = tuple(goods.index(name) for name in table.words("red", goods))
    green = table.words("green", GREEN_FACES)
    if "day_trade" not in green:
        raise EditionError(f"dice.green = {list(green)!r} has no day_trade, so that nobody could begin")
    return red, green


def _deal(table: Reader) -> dict[str, int]:
    return {name: table.whole(name, 0) for name in table.names()}


def _moves(table: Reader, goods: tuple[str, ...]) -> Moves:
    if not table.names():
        raise EditionError(f"{table.path} = {{}} moves nothing")
    for name in table.names():
        if name not in goods:
            raise EditionError(f"{table.key(name)} names no good; the goods are: {', '.join(goods)}")
    return tuple((good, table.change(name)) for good, name in enumerate(goods) if name in table.names())


def _price_cards(top: Reader, goods: tuple[str, ...]) -> tuple[PriceCard, ...]:
    tables = top.tables("price_cards")
    for table in tables:
        table.expect("id", "moves")
    distinct("price_cards.id", [table.text("id") for table in tables])
    return tuple(PriceCard(table.text("id"), _moves(table.table("moves"), goods)) for table in tables)


def _action_cards(top: Reader, goods: tuple[str, ...]) -> tuple[ActionCard, ...]:
    cards = tuple(_action_card(table, goods) for table in top.tables("action_cards"))
    distinct("action_cards.id", [card.id for card in cards])
    ends = [card.id for card in cards if card.effect == "end_of_game"]
    if len(ends) > 1:
        raise EditionError(f"action_cards.effect = 'end_of_game' stands on more than one card: {', '.join(ends)}")
    return cards


_PARAMETER = {"move_goods": "moves", "move_rolled_good": "points", "cash": "dollars"}
"""The key that an effect needs besides those of every action card."""


def _action_card(table: Reader, goods: tuple[str, ...]) -> ActionCard:
    if "effect" not in table.names():
        raise EditionError(f"{table.key('effect')} is missing")
    effect = table.word("effect", (*_PARAMETER, "day_trade_card", "end_of_game"))
    parameter = _PARAMETER.get(effect)
    table.expect("id", "title", "effect", *filter(None, [parameter]))
    return ActionCard(
        id=table.text("id"),
        title=table.text("title"),
        effect=effect,
        moves=_moves(table.table("moves"), goods) if parameter == "moves" else (),
        points=table.change("points") if parameter == "points" else 0,
        dollars=table.change("dollars") if parameter == "dollars" else 0,
    )


def _check_deal(edition: LongShortEdition) -> None:
    """Every seat plays one card a round, and there are enough of each colour for all seats."""
    dealt = sum(edition.deal.values())
    if dealt != edition.rounds:
        raise EditionError(f"deal = {dict(edition.deal)!r} adds up to {dealt}, not to rounds = {edition.rounds}")
    cards = Counter(colour(card.id) for card in edition.price_cards)
    for name, number in edition.deal.items():
        if cards[name] < edition.max_seats * number:
            wanted = f"{edition.max_seats} seats need {edition.max_seats * number}"
            raise EditionError(f"deal.{name} = {number}: {wanted} {name} price_cards, there are {cards[name]}")
    for card in edition.price_cards:
        if colour(card.id) not in edition.deal:
            raise EditionError(f"price_cards.id = {card.id!r} has a colour that deal does not name")
