"""Rules page, "Set-up"."""

from collections import Counter
from collections.abc import Callable

import pytest
from long_short_play import SEED, Table

from tradepit.chance import Chance
from tradepit_server.games.base import Edition, EditionError, GameError
from tradepit_server.games.long_short.edition import load
from tradepit_server.games.long_short.events import DayTradeCardTaken, Dealt, Started
from tradepit_server.games.long_short.game import GAME, RECONSTRUCTED
from tradepit_server.games.long_short.setup import pile_sizes

NewTable = Callable[..., Table]


@pytest.mark.parametrize("seats", range(2, 7))
def test_everybody_gets_cash_and_ten_cards_by_colour(new_table: NewTable, seats: int) -> None:
    state = new_table(seats).state
    assert state.cash == [10_000] * seats
    for hand in state.hands:
        colours = Counter(RECONSTRUCTED.price_cards[card].id.split("-")[0] for card in hand)
        assert colours == {"yellow": 4, "red": 3, "blue": 2, "green": 1}
        assert list(hand) == sorted(hand)
    assert len({card for hand in state.hands for card in hand}) == 10 * seats


def test_deal_follows_the_labels_of_keyed_chance(new_table: NewTable) -> None:
    """Seat s gets the s-th run of the colour's shuffle."""
    chance = Chance(SEED)
    for colour, number in (("yellow", 4), ("red", 3), ("blue", 2), ("green", 1)):
        ids = [card.id for card in RECONSTRUCTED.price_cards if card.id.startswith(colour)]
        shuffled = chance.shuffle(f"long-short/price/{colour}", ids)
        for seat, event in enumerate(event for event in new_table(3).state.events if isinstance(event, Dealt)):
            dealt = {card for card in event.cards if card.startswith(colour)}
            assert dealt == set(shuffled[seat * number : (seat + 1) * number])


def test_piles_have_15_15_and_14_cards(new_table: NewTable) -> None:
    """Ruling: of 15, 15 and 14."""
    state = new_table().state
    assert [len(pile) for pile in state.piles] == [15, 15, 14]
    shuffled = Chance(SEED).shuffle("long-short/action", [card.id for card in RECONSTRUCTED.action_cards])
    assert [RECONSTRUCTED.action_cards[card].id for pile in state.piles for card in pile] == shuffled


def test_piles_are_as_even_as_possible_the_larger_first() -> None:
    assert [pile_sizes(cards) for cards in (44, 43, 42, 2)] == [[15, 15, 14], [15, 14, 14], [14, 14, 14], [1, 1, 0]]


@pytest.mark.parametrize("number", range(12))
def test_start_is_rolled_for_from_seat_0_on(number: int) -> None:
    """Ruling: again and again, each player rolls the green die until one rolls `day_trade`."""
    chance = Chance(bytes([number] * 32))
    faces = RECONSTRUCTED.green_faces
    rolls = 0
    while faces[chance.pick(f"long-short/start/{rolls}", 6)] != "day_trade":
        rolls += 1
    state = GAME.new(3, {}, chance)
    assert state.starting_seat == state.active == rolls % 3
    assert [event for event in state.events if isinstance(event, Started)] == [Started(rolls % 3, rolls + 1)]
    assert state.awaiting == (rolls % 3,)


def test_starting_player_takes_a_day_trade_card(table: Table) -> None:
    state = table.state
    assert state.day_trade_cards[state.starting_seat] == 1
    assert sum(state.day_trade_cards) == 1
    assert state.bank_day_trade_cards == 15
    assert state.events[-1] == DayTradeCardTaken(state.starting_seat, "start")


@pytest.mark.parametrize("seats", [1, 7, 0])
def test_game_is_for_two_to_six(seats: int) -> None:
    with pytest.raises(GameError, match=f"2 to 6 bots, not {seats}"):
        GAME.new(seats, {}, Chance(SEED))


def test_edition_for_fewer_players_refuses_more() -> None:
    box = load(RECONSTRUCTED.toml.replace(b"max = 6", b"max = 4"))
    assert GAME.new(4, {}, Chance(SEED), box).seats == 4
    with pytest.raises(GameError, match="edition reconstructed-1 is for 2 to 4 players, not 5"):
        GAME.new(5, {}, Chance(SEED), box)


def test_edition_of_another_game_is_refused() -> None:
    with pytest.raises(EditionError, match="edition poker-1 is none of Long Short"):
        GAME.new(2, {}, Chance(SEED), Edition("poker-1", b""))


def test_equal_seeds_give_equal_matches_and_others_do_not(new_table: NewTable) -> None:
    one, two, other = new_table(), new_table(), new_table(seed=bytes(32))
    assert one.state.hands == two.state.hands
    assert one.state.events == two.state.events
    assert one.state.hands != other.state.hands
