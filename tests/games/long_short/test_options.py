"""Rules page, "Options": every value of every option, and the presets."""

import pytest
from long_short_play import Table

from tradepit.chance import Chance
from tradepit_server.games.base import OptionError, OptionValue
from tradepit_server.games.long_short.events import DayTradeCardTaken, PriceMoved
from tradepit_server.games.long_short.game import GAME

CLASSIC: dict[str, OptionValue] = {
    "end_of_game_card": "in",
    "initial_day_trade_cards": 0,
    "day_trade_face": "card",
    "max_action_points": 6,
    "bankruptcy": "debt",
}


def test_options_and_their_values() -> None:
    assert {option.name: option.values for option in GAME.info.options} == {
        "end_of_game_card": ("in", "removed", "cancellable"),
        "initial_day_trade_cards": (0, 1, 2, 3),
        "day_trade_face": ("card", "nothing"),
        "max_action_points": (1, 2, 3, 4, 5, 6),
        "bankruptcy": ("debt", "restart"),
    }


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        (None, CLASSIC),
        ("classic", CLASSIC),
        ("ranked", {**CLASSIC, "end_of_game_card": "removed"}),
        (
            "balanced",
            {
                **CLASSIC,
                "initial_day_trade_cards": 3,
                "day_trade_face": "nothing",
                "max_action_points": 3,
                "bankruptcy": "restart",
            },
        ),
    ],
)
def test_presets(preset: str | None, options: dict[str, OptionValue]) -> None:
    assert GAME.info.resolve({}, preset) == options


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("end_of_game_card", "out"),
        ("initial_day_trade_cards", 4),
        ("initial_day_trade_cards", "many"),
        ("max_action_points", 0),
        ("max_action_points", 7),
        ("max_action_points", True),
        ("bankruptcy", ""),
    ],
)
def test_value_that_an_option_cannot_take_is_refused_and_quoted(name: str, value: OptionValue) -> None:
    with pytest.raises(OptionError, match=f"option {name} cannot be {value!r}"):
        GAME.new(2, {name: value}, Chance(bytes(32)))


@pytest.mark.parametrize(
    ("seats", "value", "each"),
    [(2, 0, 0), (2, 1, 1), (2, 2, 2), (2, 3, 3), (5, 3, 3), (6, 3, 2), (6, 2, 2), (4, 3, 3)],
)
def test_everybody_begins_with_day_trade_cards_as_far_as_they_go_round(seats: int, value: int, each: int) -> None:
    state = Table(seats, {"initial_day_trade_cards": value}).state
    assert state.day_trade_cards == [each + (seat == state.starting_seat) for seat in range(seats)]
    assert state.bank_day_trade_cards == 16 - seats * each - 1
    initial = [
        event.seat for event in state.events if isinstance(event, DayTradeCardTaken) and event.source == "initial"
    ]
    assert initial == [seat for seat in range(seats) for _ in range(each)]


@pytest.mark.parametrize(("face", "cards"), [("card", 2), ("nothing", 1)])
def test_day_trade_face_gives_a_card_or_nothing(face: str, cards: int) -> None:
    """The starting player still takes one."""
    table = Table(options={"day_trade_face": face})
    seat = table.active
    assert table.state.day_trade_cards[seat] == 1
    table.play()
    assert table.state.day_trade_cards[seat] == cards


def test_action_card_gives_a_day_trade_card_even_when_the_face_does_nothing() -> None:
    table = Table(options={"day_trade_face": "nothing"})
    seat = table.active
    table.next_action_card("action-43")
    table.play()
    assert table.state.day_trade_cards[seat] == 2


@pytest.mark.parametrize("most", range(1, 7))
@pytest.mark.parametrize(("card", "good", "points"), [("action-07", "copper", 6), ("action-30", "sugar", -4)])
def test_every_move_by_an_action_card_is_cut(most: int, card: str, good: str, points: int) -> None:
    table = Table(options={"max_action_points": most})
    table.hold_cards(table.active, "green-11")
    table.next_action_card(card, "sugar")
    table.play(card="green-11")
    cut = max(-most, min(most, points))
    assert table.level(good) == 10 + cut


def test_price_change_cards_and_dice_are_not_cut() -> None:
    table = Table(options={"max_action_points": 1})
    table.hold_cards(table.active, "green-11")
    table.load_dice("limit_down", "wheat")
    events = table.play(card="green-11")
    moves = [event.to_level - event.from_level for event in events if isinstance(event, PriceMoved)]
    assert moves == [4, -2]
