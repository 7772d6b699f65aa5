"""Rules page, "Set-up"."""

from collections.abc import Callable

import pytest
from buy_low_sell_high_play import SEED, Table

from tradepit.chance import Chance
from tradepit_server.games.base import EditionError, GameError, OptionError
from tradepit_server.games.buy_low_sell_high.edition import load
from tradepit_server.games.buy_low_sell_high.events import Dealt, Started
from tradepit_server.games.buy_low_sell_high.game import GAME, RECONSTRUCTED
from tradepit_server.games.long_short.game import RECONSTRUCTED as LONG_SHORT

NewTable = Callable[..., Table]

IDS = [card.id for card in RECONSTRUCTED.cards]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_has_50_dollars_a_share_of_each_industry_and_five_cards(new_table: NewTable, seats: int) -> None:
    state = new_table(seats).state
    assert state.cash == [50] * seats
    assert state.shares == [[1, 1, 1]] * seats
    assert [len(hand) for hand in state.hands] == [5] * seats
    assert all(list(hand) == sorted(hand) for hand in state.hands)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_other_shares_stand_on_the_chart_from_24_downwards(new_table: NewTable, seats: int) -> None:
    table = new_table(seats)
    for industry in ("oil", "technology", "retail"):
        assert table.chart(industry) == (24, 12 - seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_deal_follows_the_labels_of_keyed_chance(new_table: NewTable, seats: int) -> None:
    """Seat s gets the s-th run of five; the rest is the draw pile, first on top."""
    state = new_table(seats).state
    order = Chance(SEED).shuffle("buy-low-sell-high/deck/1", IDS)
    dealt = [event for event in state.events if isinstance(event, Dealt)]
    for seat, event in enumerate(dealt):
        assert event == Dealt(seat, tuple(sorted(order[5 * seat : 5 * seat + 5], key=IDS.index)))
    assert [IDS[card] for card in reversed(state.pile)] == order[5 * seats :]


def test_first_card_of_the_rest_is_the_first_to_be_drawn(new_table: NewTable) -> None:
    table = new_table()
    order = Chance(SEED).shuffle("buy-low-sell-high/deck/1", IDS)
    first = table.active
    table.play()
    assert order[10] in table.hand(first)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("number", range(6))
def test_starting_player_is_drawn_by_chance(new_table: NewTable, seats: int, number: int) -> None:
    """Ruling: the starting player is drawn by chance."""
    seed = bytes([number] * 32)
    table = new_table(seats, seed=seed)
    starting = Chance(seed).pick("buy-low-sell-high/start", seats)
    assert Started(starting) in table.state.events
    assert table.state.awaiting == (starting,)
    assert table.state.decision == "turn"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_play_is_clockwise(new_table: NewTable, seats: int) -> None:
    table = new_table(seats)
    first = table.active
    for turn in range(2 * seats):
        assert table.state.awaiting == ((first + turn) % seats,)
        table.play()


def test_number_of_players_is_2_to_4() -> None:
    for seats in (1, 5):
        with pytest.raises(GameError, match=f"buy-low-sell-high is played by 2 to 4 bots, not {seats}"):
            GAME.new(seats, {}, Chance(SEED))


def test_edition_may_be_for_fewer_players() -> None:
    toml = RECONSTRUCTED.toml.replace(b"max = 4", b"max = 3").replace(b', "4" = 13', b"")
    with pytest.raises(GameError, match="edition reconstructed-1 is for 2 to 3 players, not 4"):
        GAME.new(4, {}, Chance(SEED), load(toml))


def test_edition_of_another_game_is_refused() -> None:
    with pytest.raises(EditionError, match="edition reconstructed-1 is none of Buy Low Sell High"):
        GAME.new(2, {}, Chance(SEED), LONG_SHORT)


def test_there_are_no_options_and_one_preset() -> None:
    assert GAME.info.options == ()
    assert GAME.info.presets == {"classic": {}}
    assert GAME.info.resolve({}, "classic") == {}
    with pytest.raises(OptionError, match="buy-low-sell-high has no option 'years'; it has: none"):
        GAME.new(2, {"years": 3}, Chance(SEED))
