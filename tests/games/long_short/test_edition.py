"""Edition files: the packaged one is read whole, and a wrong one is refused with key and value."""

import re

import pytest

from tradepit_server.games.base import EditionError
from tradepit_server.games.long_short.edition import load
from tradepit_server.games.long_short.game import GAME, RECONSTRUCTED

TOML = RECONSTRUCTED.toml.decode()


def changed(*edits: tuple[str, str]) -> bytes:
    """The packaged edition with texts replaced; each must be there."""
    text = TOML
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text.encode()


def test_packaged_edition_is_the_games_first() -> None:
    assert GAME.editions == (RECONSTRUCTED,)
    assert GAME.load_edition(RECONSTRUCTED.toml) == RECONSTRUCTED
    assert RECONSTRUCTED.id == "reconstructed-1"


def test_packaged_edition_has_the_rulebooks_figures() -> None:
    box = RECONSTRUCTED
    assert dict(zip(box.goods, box.point_values, strict=True)) == {
        "wheat": 500,
        "copper": 500,
        "sugar": 1000,
        "soya": 1000,
        "gold": 2000,
        "coffee": 2000,
    }
    assert (box.rounds, box.starting_cash, box.margin_points, box.day_trade_cards) == (10, 10_000, 3, 16)
    assert (box.single_chips, box.five_chips) == (15, 3)
    assert (box.min_level, box.max_level, box.start_level) == (3, 17, 10)
    assert dict(box.deal) == {"yellow": 4, "red": 3, "blue": 2, "green": 1}
    assert (len(box.price_cards), len(box.action_cards)) == (84, 44)
    assert (box.min_seats, box.max_seats) == (2, 6)


@pytest.mark.parametrize(
    ("card", "moves"),
    [
        ("yellow-25", {"soya": -1, "gold": 2, "coffee": -1}),
        ("red-17", {"gold": 2, "coffee": -3}),
        ("blue-09", {"wheat": -2, "copper": -2, "sugar": -2, "soya": -2, "gold": 2, "coffee": -2}),
        ("green-09", {"gold": 4}),
    ],
)
def test_rulebooks_four_example_cards(card: str, moves: dict[str, int]) -> None:
    found = RECONSTRUCTED.price_cards[RECONSTRUCTED.price_card_of[card]]
    assert {RECONSTRUCTED.goods[good]: points for good, points in found.moves} == moves


@pytest.mark.parametrize(
    ("side", "entry", "level", "good", "contracts", "value"),
    [
        ("long", 6, 12, "wheat", 2, 9000),
        ("long", 8, 6, "soya", 3, 3000),
        ("short", 10, 15, "gold", 1, -4000),
    ],
)
def test_rulebooks_three_settlement_examples(
    side: str, entry: int, level: int, good: str, contracts: int, value: int
) -> None:
    field = RECONSTRUCTED.field(RECONSTRUCTED.line_of[good, side], entry)
    assert contracts * RECONSTRUCTED.value(field, level) == value


def test_field_is_named_as_it_was_numbered() -> None:
    box = RECONSTRUCTED
    fields = [
        box.field(box.line_of[good, side], level)
        for good in box.goods
        for side in ("long", "short")
        for level in range(3, 18)
    ]
    assert fields == list(range(6 * 2 * 15))
    assert box.name_field(fields[-1]) == ("coffee", "short", 17)
    assert box.name_field(fields[15]) == ("wheat", "short", 3)


def test_moves_are_in_the_order_of_the_goods_whatever_the_file_says() -> None:
    toml = changed(
        ("moves = { wheat = +2, copper = -1, coffee = -1 }", "moves = { coffee = -1, copper = -1, wheat = 2 }")
    )
    assert load(toml).price_cards[0].moves == ((0, 2), (1, -1), (5, -1))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("rounds = 10", "rounds = 10\ncolour = 'red'", "colour = 'red' is not a key"),
        ("rounds = 10", "", "rounds is missing"),
        ("start = 10", "start = 10\nmiddle = 10", "price_table.middle = 10 is not a key"),
        ("start = 10", "", "price_table.start is missing"),
        ("players = { min = 2, max = 6 }", "players = { min = 2 }", "players.max is missing"),
        ("green = 1\n", "", "deal .* adds up to 9, not to rounds = 10"),
        ("point_value = 500 ", "point_value = 500\nlot = 5 ", "goods.0.lot = 5 is not a key"),
        ('title = "Bumper harvest"\n', "", "action_cards.1.title is missing"),
        ('effect = "move_goods"\n', "", "action_cards.0.effect is missing"),
        ("points = 2\n", "points = 2\ndollars = 2\n", "action_cards.24.dollars = 2 is not a key"),
        ("dollars = 2000", "", "action_cards.40.dollars is missing"),
    ],
)
def test_unknown_and_missing_keys_are_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(EditionError, match=words):
        load(changed((old, new)))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('id = "yellow-02"', 'id = "yellow-01"', "price_cards.id = 'yellow-01' stands twice"),
        ('id = "action-02"', 'id = "action-01"', "action_cards.id = 'action-01' stands twice"),
        ('name = "copper"', 'name = "wheat"', "goods.name = 'wheat' stands twice"),
    ],
)
def test_duplicate_ids_are_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(EditionError, match=words):
        load(changed((old, new)))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("moves = { wheat = +2,", "moves = { barley = +2,", "price_cards.0.moves.barley names no good"),
        ("moves = { wheat = +4 }", "moves = { barley = +4 }", "price_cards.72.moves.barley names no good"),
        ('red = ["wheat",', 'red = ["barley",', "dice.red.0 = 'barley' is none of: wheat"),
    ],
)
def test_unknown_goods_are_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(EditionError, match=words):
        load(changed((old, new)))


@pytest.mark.parametrize("move", ["0", "1.5", "2.0", "true", "'2'"])
def test_moves_of_zero_or_fractions_are_refused(move: str) -> None:
    value = {"true": "True"}.get(move, move)
    with pytest.raises(EditionError, match=re.escape(f"price_cards.0.moves.wheat = {value} ")):
        load(changed(("moves = { wheat = +2,", f"moves = {{ wheat = {move},")))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("points = 2\n", "points = 0\n", "action_cards.24.points = 0 changes nothing"),
        ("points = 2\n", "points = 0.5\n", "action_cards.24.points = 0.5 is not a whole number"),
        ("dollars = 2000", "dollars = 0", "action_cards.40.dollars = 0 changes nothing"),
        ("moves = { wheat = +2, copper = -1, coffee = -1 }", "moves = {}", "price_cards.0.moves = {} moves nothing"),
    ],
)
def test_cards_that_change_nothing_are_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(EditionError, match=words):
        load(changed((old, new)))


@pytest.mark.parametrize("start", [2, 18])
def test_start_outside_the_price_table_is_refused(start: int) -> None:
    with pytest.raises(EditionError, match=f"price_table.start = {start} is outside 3 to 17"):
        load(changed(("start = 10", f"start = {start}")))


def test_deal_that_does_not_add_up_to_the_rounds_is_refused() -> None:
    with pytest.raises(EditionError, match=r"deal = .*'yellow': 5.* adds up to 11, not to rounds = 10"):
        load(changed(("yellow = 4", "yellow = 5")))
    with pytest.raises(EditionError, match="adds up to 10, not to rounds = 9"):
        load(changed(("rounds = 10", "rounds = 9")))


def test_too_few_cards_of_a_colour_are_refused() -> None:
    with pytest.raises(EditionError, match=r"deal\.green = 3: 6 seats need 18 green price_cards, there are 12"):
        load(changed(("green = 1", "green = 3"), ("blue = 2", "blue = 0")))
    with pytest.raises(EditionError, match=r"deal\.yellow = 4: 13 seats need 52 yellow price_cards, there are 36"):
        load(changed(("max = 6", "max = 13")))


def test_card_of_a_colour_that_is_not_dealt_is_refused() -> None:
    with pytest.raises(EditionError, match=r"price_cards\.id = 'violet-01' has a colour that deal does not name"):
        load(changed(('id = "yellow-01"', 'id = "violet-01"')))


def test_green_die_without_day_trade_is_refused() -> None:
    with pytest.raises(EditionError, match=r"dice.green = \['limit_up', 'limit_down'\] has no day_trade"):
        load(re.sub(rb"\ngreen = \[.*\]", b'\ngreen = ["limit_up", "limit_down"]', RECONSTRUCTED.toml))


def test_more_than_one_end_of_game_card_is_refused() -> None:
    with pytest.raises(EditionError, match="'end_of_game' stands on more than one card: action-43, action-44"):
        load(changed(('effect = "day_trade_card"', 'effect = "end_of_game"')))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('game = "long-short"', 'game = "poker"', "game = 'poker' is none of: long-short"),
        ('id = "reconstructed-1"', 'id = ""', "id = '' is not a text"),
        ('id = "reconstructed-1"', "id = 7", "id = 7 is not a text"),
        ("rounds = 10", "rounds = -1", "rounds = -1 is not from 1 to"),
        ("rounds = 10", "rounds = 2000000", "rounds = 2000000 is not from 1 to 1000000"),
        ("starting_cash = 10000", "starting_cash = 10000.0", "starting_cash = 10000.0 is not a whole number"),
        ("min = 2, max = 6", "min = 4, max = 3", "players.max = 3 is not from 4"),
        ("players = { min = 2, max = 6 }", "players = 6", "players = 6 is not a table"),
        ('effect = "cash"', 'effect = "gift"', "action_cards.40.effect = 'gift' is none of"),
        ('"limit_up", "limit_down"]', '"limit_up", "limit_sideways"]', "dice.green.5 = 'limit_sideways' is none of"),
        ('red = ["wheat", "copper", "sugar", "soya", "gold", "coffee"]', "red = []", r"dice.red = \[\] is not a list"),
    ],
)
def test_values_of_the_wrong_kind_are_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(EditionError, match=words):
        load(changed((old, new)))


def test_list_of_cards_that_is_none_is_refused() -> None:
    text = TOML[: TOML.index("[[action_cards]]")]
    with pytest.raises(EditionError, match="action_cards = 5 is not a list of tables"):
        load(("action_cards = 5\n" + text).encode())


@pytest.mark.parametrize("toml", [b"rounds = ", b"\xff\xfe", b"id = 1\nid = 2"])
def test_what_is_no_toml_is_refused(toml: bytes) -> None:
    with pytest.raises(EditionError, match="the edition file is no TOML"):
        load(toml)


def test_edition_of_an_owner_may_have_other_figures() -> None:
    box = load(changed(("starting_cash = 10000", "starting_cash = 20000"), ("margin_points = 3", "margin_points = 4")))
    assert box.starting_cash == 20_000
    assert box.margins[0] == 2000
    assert box != RECONSTRUCTED
