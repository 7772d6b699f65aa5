"""States drawn from what one seat knows."""

from random import Random

import pytest
from buy_low_sell_high_play import RandomPlayer, Table, moments, random_match

from tradepit.chance import Chance
from tradepit_server.codecs.buy_low_sell_high import CODEC
from tradepit_server.games.buy_low_sell_high.actions import Discard
from tradepit_server.games.buy_low_sell_high.edition import load
from tradepit_server.games.buy_low_sell_high.events import CardPlayed, CardsDrawn, Dealt
from tradepit_server.games.buy_low_sell_high.game import GAME, RECONSTRUCTED
from tradepit_server.games.buy_low_sell_high.state import State

MATCHES_A_SIZE = 100
"""Of each of three sizes."""


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_states_that_differ_only_in_what_a_seat_cannot_see_give_it_the_same_bytes(seats: int) -> None:
    """At every decision of random matches, for the seat that is asked; every tenth match for all seats."""
    rng = Random(seats)
    for number in range(MATCHES_A_SIZE):
        state, player = random_match(seats, number)
        for moment in moments(state, player):
            for seat in range(seats) if number % 10 == 0 else moment.awaiting:
                data = CODEC.observation(moment, seat)
                assert CODEC.observation(CODEC.sample_state(data, rng), seat) == data


@pytest.mark.parametrize("seats", [2, 4])
def test_sample_agrees_with_all_that_is_public(seats: int) -> None:
    state, player = random_match(seats, 1)
    for moment in moments(state, player):
        drawn = CODEC.sample_state(CODEC.observation(moment, moment.active), Random(1))
        assert CODEC.public(drawn) == CODEC.public(moment)
        for part in ("awaiting", "decision", "active", "year", "turn", "cash", "shares", "tops", "stock", "spaces"):
            assert getattr(drawn, part) == getattr(moment, part)
        assert drawn.hands[moment.active] == moment.hands[moment.active]
        assert drawn.next_in_turn == moment.next_in_turn


@pytest.mark.parametrize("seats", [2, 4])
def test_sample_holds_every_card_once(seats: int) -> None:
    state, player = random_match(seats, 2)
    for moment in moments(state, player):
        drawn = CODEC.sample_state(CODEC.observation(moment, moment.active), Random(2))
        assert everything(drawn) == everything(moment) == list(range(45))
        assert [*map(len, drawn.hands)] == [*map(len, moment.hands)]
        assert len(drawn.discards) == len(moment.discards)


def everything(state: State) -> list[int]:
    laid = [card for space in state.spaces for card in (space.card, space.news) if card >= 0]
    return sorted([*laid, *state.pile, *state.discards, *(card for hand in state.hands for card in hand)])


def test_samples_differ_in_hands_pile_and_chance() -> None:
    data = CODEC.observation(Table().state, Table().active)
    rng = Random(5)
    one, two = CODEC.sample_state(data, rng), CODEC.sample_state(data, rng)
    assert one.hands != two.hands
    assert one.pile != two.pile
    assert one.chance.seed != two.chance.seed


def test_samples_differ_in_the_discards_that_are_set_aside() -> None:
    table = Table()
    table.fill_spaces()
    table.play()
    table.act(Discard(tuple(table.hand(table.active)[:3])))
    data = CODEC.observation(table.state, table.active)
    rng = Random(6)
    assert CODEC.sample_state(data, rng).discards != CODEC.sample_state(data, rng).discards


def test_same_generator_draws_the_same_sample() -> None:
    data = CODEC.observation(Table().state, Table().active)
    one, two = CODEC.sample_state(data, Random(6)), CODEC.sample_state(data, Random(6))
    assert (one.hands, one.pile, one.chance.seed) == (two.hands, two.pile, two.chance.seed)


@pytest.mark.parametrize("number", range(5))
def test_sample_can_be_played_to_the_end(number: int) -> None:
    state, player = random_match(4, number)
    for moment in moments(state, player):
        drawn: State = CODEC.sample_state(CODEC.observation(moment, moment.active), Random(number))
        for _ in moments(drawn, RandomPlayer(number)):
            pass
        assert drawn.stock == [12, 12, 12]


def test_sample_continues_the_numbers_of_events() -> None:
    state, player = random_match(3, 4)
    for moment in moments(state, player):
        drawn = CODEC.sample_state(CODEC.observation(moment, moment.active), Random(7))
        assert drawn.event_count == moment.event_count
        assert [e for e in drawn.events if drawn.audience(e) is None] == [
            e for e in moment.events_since(drawn.first_event) if moment.audience(e) is None
        ]


def test_what_the_others_were_dealt_in_a_sample_agrees_with_what_they_hold() -> None:
    """Played from the first event on, every seat's cards come to its hand of now; here before anybody discards."""
    state, player = random_match(4, 6)
    for moment in moments(state, player):
        if moment.turn >= 4:
            break
        drawn = CODEC.sample_state(CODEC.observation(moment, moment.active), Random(8))
        assert drawn.first_event == 0
        hands: list[set[str]] = [set() for _ in range(4)]
        for before, event in zip([None, *drawn.events], drawn.events, strict=False):
            if isinstance(event, Dealt):
                assert not hands[event.seat] & set(event.cards)
                assert len(event.cards) == (before.cards if isinstance(before, CardsDrawn) else 5)
                hands[event.seat].update(event.cards)
            elif isinstance(event, CardPlayed):
                hands[event.seat].remove(event.card)
        assert hands == [{drawn.edition.cards[card].id for card in hand} for hand in drawn.hands]


def test_sample_of_a_match_with_another_edition_needs_that_edition() -> None:
    toml = RECONSTRUCTED.toml.replace(b'id = "reconstructed-1"', b'id = "mine"').replace(b"= 24", b"= 26")
    table = Table(edition=load(toml))
    data = CODEC.observation(table.state, table.active)
    drawn = CODEC.sample_state(data, Random(8), table.edition)
    assert drawn.edition.id == "mine"
    assert CODEC.observation(drawn, table.active) == data


@pytest.mark.parametrize("seats", [2, 4])
def test_samples_of_an_edition_with_few_cards_give_the_same_bytes_too(seats: int) -> None:
    """Hands may be short there, and turns without a card."""
    edition = load("[[cards]]".join(RECONSTRUCTED.toml.decode().split("[[cards]]")[:21]).encode())
    rng = Random(9)
    for number in range(10):
        state = GAME.new(seats, {}, Chance(rng.randbytes(32)), edition)
        for moment in moments(state, RandomPlayer(number)):
            data = CODEC.observation(moment, moment.active)
            assert CODEC.observation(CODEC.sample_state(data, rng, edition), moment.active) == data
