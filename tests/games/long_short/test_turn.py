"""Rules page, "A round": seats, rounds, dice, action cards and piles."""

import pytest
from long_short_play import SEED, Table

from tradepit.chance import Chance
from tradepit_server.games.long_short.edition import load
from tradepit_server.games.long_short.events import ActionCardDrawn, CashMoved, DayTradeCardTaken, PriceMoved, Rolled
from tradepit_server.games.long_short.game import GAME, RECONSTRUCTED


def test_every_player_takes_one_turn_a_round_from_the_starting_player_clockwise() -> None:
    state = GAME.new(5, {"end_of_game_card": "removed"}, Chance(SEED))
    start = state.starting_seat
    turns = []
    while state.awaiting:
        turns.append((state.round, state.active))
        state.apply({seat: state.default_action(seat) for seat in state.awaiting})
    assert turns == [(number, (start + step) % 5) for number in range(1, 11) for step in range(5)]
    assert state.hands == [()] * 5


def test_dice_follow_the_labels_of_keyed_chance() -> None:
    """By the number of the turn: nothing that a bot does shifts them."""
    state = GAME.new(3, {"end_of_game_card": "removed"}, Chance(SEED))
    while state.awaiting:
        state.apply({seat: state.default_action(seat) for seat in state.awaiting})
    rolls = [event for event in state.events if isinstance(event, Rolled)]
    assert len(rolls) == 30
    for turn, roll in enumerate(rolls):
        red = Chance(SEED).pick(f"long-short/turn/{turn}/red", 6)
        green = Chance(SEED).pick(f"long-short/turn/{turn}/green", 6)
        assert roll.red == RECONSTRUCTED.goods[RECONSTRUCTED.red_faces[red]]
        assert roll.green == RECONSTRUCTED.green_faces[green]


def test_day_trade_face_gives_a_card_from_the_bank(table: Table) -> None:
    seat = table.active
    events = table.play()
    assert events[-1] == DayTradeCardTaken(seat, "die")
    assert table.state.day_trade_cards[seat] == 2
    assert table.state.bank_day_trade_cards == 14


def test_day_trade_face_gives_nothing_when_the_bank_has_no_card(table: Table) -> None:
    seat = table.active
    table.state.bank_day_trade_cards = 0
    events = table.play()
    assert not any(isinstance(event, DayTradeCardTaken) for event in events)
    assert table.state.day_trade_cards[seat] == 1


@pytest.mark.parametrize("pile", [1, 2, 3])
def test_top_card_of_the_pile_that_was_named_is_drawn(table: Table, pile: int) -> None:
    """Ruling: the player names the pile (1, 2 or 3) along with the turn, before rolling."""
    seat = table.active
    table.load_dice("action_card")
    top = table.edition.action_cards[table.state.piles[pile - 1][0]].id
    assert ActionCardDrawn(seat, pile, top) in table.play(pile=pile)
    assert table.state.drawn == [int(pile == number) for number in (1, 2, 3)]


def test_no_pile_is_drawn_from_without_the_face(table: Table) -> None:
    table.play(pile=2)
    assert table.state.drawn == [0, 0, 0]


def test_drawn_card_goes_back_under_its_pile(table: Table) -> None:
    rolled = [card for card in range(44) if table.edition.action_cards[card].effect == "move_rolled_good"]
    table.state.piles = (tuple(rolled[:3]), *table.state.piles[1:])
    table.load_dice("action_card")
    drawn = []
    for _ in range(7):
        drawn += [event.card for event in table.play() if isinstance(event, ActionCardDrawn)]
    ids = [table.edition.action_cards[card].id for card in rolled[:3]]
    assert drawn == ids + ids + ids[:1]


def moved(table: Table, card: str, red: str = "wheat") -> dict[str, int]:
    """By how much *card* moves each good; the price change card moves coffee, which is left out."""
    table.hold_cards(table.active, "green-11")
    table.next_action_card(card, red)
    events = table.play(card="green-11")
    return {
        event.good: event.to_level - event.from_level
        for event in events
        if isinstance(event, PriceMoved) and event.cause == "action_card"
    }


def test_action_card_moves_its_goods(table: Table) -> None:
    assert moved(table, "action-07") == {"copper": 6}
    assert moved(table, "action-34") == dict.fromkeys(RECONSTRUCTED.goods, -2)


def test_action_card_moves_the_rolled_good(table: Table) -> None:
    assert moved(table, "action-30", "sugar") == {"sugar": -4}


def test_action_card_pays_the_active_player(table: Table) -> None:
    seat = table.active
    table.next_action_card("action-41")
    assert table.play()[-1] == CashMoved(seat, 2000, "action_card")
    assert table.state.cash[seat] == 12_000


def test_action_card_demands_from_the_active_player(table: Table) -> None:
    seat = table.active
    table.next_action_card("action-42")
    table.play()
    assert table.state.cash[seat] == 8000


def test_action_card_gives_a_day_trade_card(table: Table) -> None:
    seat = table.active
    table.next_action_card("action-43")
    assert table.play()[-1] == DayTradeCardTaken(seat, "action_card")
    assert table.state.day_trade_cards[seat] == 2


def test_pile_that_is_empty_gives_no_card() -> None:
    """An edition of one action card fills one pile."""
    toml = RECONSTRUCTED.toml
    start, end = toml.index(b"[[action_cards]]"), toml.index(b'[[action_cards]]\nid = "action-44"')
    table = Table(edition=load(toml[:start] + toml[end:].replace(b'"end_of_game"', b'"day_trade_card"')))
    table.load_dice("action_card")
    assert [len(pile) for pile in table.state.piles] == [1, 0, 0]
    assert not any(isinstance(event, ActionCardDrawn) for event in table.play(pile=3))
