"""States drawn from what one seat knows."""

from collections import Counter
from random import Random

import pytest
from long_short_play import RandomPlayer, Table, moments, random_match

from tradepit_server.codecs.long_short import CODEC
from tradepit_server.games.long_short.edition import load
from tradepit_server.games.long_short.game import RECONSTRUCTED
from tradepit_server.games.long_short.state import State

MATCHES_A_SIZE = 200
"""Of each of five sizes: 1,000 matches."""


@pytest.mark.parametrize("seats", range(2, 7))
def test_states_that_differ_only_in_what_a_seat_cannot_see_give_it_the_same_bytes(seats: int) -> None:
    """At every decision of 1,000 random matches, for the awaited seats; every tenth match for all seats."""
    rng = Random(seats)
    for number in range(MATCHES_A_SIZE):
        state, player = random_match(seats, number)
        for moment in moments(state, player):
            for seat in range(seats) if number % 10 == 0 else moment.awaiting:
                data = CODEC.observation(moment, seat)
                assert CODEC.observation(CODEC.sample_state(data, rng), seat) == data


@pytest.mark.parametrize("seats", [2, 6])
def test_sample_agrees_with_all_that_is_public(seats: int) -> None:
    state, player = random_match(seats, 1)
    for moment in moments(state, player):
        for seat in moment.awaiting:
            drawn = CODEC.sample_state(CODEC.observation(moment, seat), Random(1))
            assert CODEC.public(drawn) == CODEC.public(moment)
            assert (drawn.awaiting, drawn.decision, drawn.active) == (moment.awaiting, moment.decision, moment.active)
            assert (drawn.cash, drawn.positions, drawn.levels) == (moment.cash, moment.positions, moment.levels)
            assert (drawn.options, drawn.last_roll, drawn.drawn) == (moment.options, moment.last_roll, moment.drawn)
            assert drawn.hands[seat] == moment.hands[seat]
            assert [*map(len, drawn.piles)] == [*map(len, moment.piles)]


@pytest.mark.parametrize("seats", [2, 6])
def test_sampled_hands_have_the_colours_that_are_left_and_no_card_twice(seats: int) -> None:
    state, player = random_match(seats, 2)
    for moment in moments(state, player):
        drawn = CODEC.sample_state(CODEC.observation(moment, moment.awaiting[0]), Random(2))
        for hand, real in zip(drawn.hands, moment.hands, strict=True):
            assert colours(hand) == colours(real)
        cards = [card for hand in drawn.hands for card in hand] + drawn.played
        assert len(cards) == len(set(cards))


def colours(hand: tuple[int, ...]) -> Counter[str]:
    return Counter(RECONSTRUCTED.price_cards[card].id.split("-")[0] for card in hand)


def test_sampled_piles_hold_every_action_card_once_and_the_drawn_ones_last() -> None:
    table = Table(options={"end_of_game_card": "removed"})
    table.load_dice("action_card")
    for _ in range(5):
        table.play(pile=2)
    table.load_dice("limit_up")
    state = table.state
    drawn = CODEC.sample_state(CODEC.observation(state, table.active), Random(3))
    assert sorted(card for pile in drawn.piles for card in pile) == sorted(
        card for pile in state.piles for card in pile
    )
    assert drawn.drawn == state.drawn == [0, 5, 0]
    # The card that comes up is the one after those drawn; the drawn ones come up again in their order after it.
    assert drawn.piles[1][:5] == state.piles[1][:5]


def test_pile_that_was_gone_through_is_known_to_the_last_card() -> None:
    table = Table()
    table.load_dice("action_card")
    state = table.state
    cards = [card for card in range(44) if table.edition.action_cards[card].effect == "move_rolled_good"]
    state.piles = (state.piles[0], tuple(cards[:3]), state.piles[2])
    for _ in range(5):
        table.play(pile=2)
    drawn = CODEC.sample_state(CODEC.observation(state, table.active), Random(4))
    assert drawn.piles[1] == state.piles[1]
    assert drawn.drawn[1] == 5


def test_samples_differ_in_hands_piles_and_chance() -> None:
    data = CODEC.observation(Table().state, Table().active)
    rng = Random(5)
    one, two = CODEC.sample_state(data, rng), CODEC.sample_state(data, rng)
    assert one.hands != two.hands
    assert one.piles != two.piles
    assert one.chance.seed != two.chance.seed


def test_same_generator_draws_the_same_sample() -> None:
    data = CODEC.observation(Table().state, Table().active)
    one, two = CODEC.sample_state(data, Random(6)), CODEC.sample_state(data, Random(6))
    assert (one.hands, one.piles, one.chance.seed) == (two.hands, two.piles, two.chance.seed)


@pytest.mark.parametrize("number", range(5))
def test_sample_can_be_played_to_the_end(number: int) -> None:
    state, player = random_match(4, number)
    for moment in moments(state, player):
        drawn: State = CODEC.sample_state(CODEC.observation(moment, moment.awaiting[0]), Random(number))
        for _ in moments(drawn, RandomPlayer(number)):
            pass
        assert all(not positions for positions in drawn.positions)


def test_sample_continues_the_numbers_of_events() -> None:
    """Who kept its day-trade card just before its own turn has seen nothing since, and knows no number."""
    state, player = random_match(3, 4)
    for moment in moments(state, player):
        if moment.seen[moment.awaiting[0]] == moment.event_count:
            continue
        drawn = CODEC.sample_state(CODEC.observation(moment, moment.awaiting[0]), Random(7))
        assert drawn.event_count == moment.event_count
        assert [e for e in drawn.events if drawn.audience(e) is None] == [
            e for e in moment.events_since(drawn.first_event) if moment.audience(e) is None
        ]


def test_sample_of_a_match_with_another_edition_needs_that_edition() -> None:
    toml = RECONSTRUCTED.toml.replace(b'id = "reconstructed-1"', b'id = "mine"').replace(b"start = 10", b"start = 12")
    table = Table(edition=load(toml))
    data = CODEC.observation(table.state, table.active)
    drawn = CODEC.sample_state(data, Random(8), table.edition)
    assert drawn.edition.id == "mine"
    assert CODEC.observation(drawn, table.active) == data
