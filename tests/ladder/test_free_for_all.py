"""The factor graph: bit by bit the library's."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradepit_ladder import ratings
from tradepit_ladder.free_for_all import Model, rate

trueskill: Any = vars(ratings)["trueskill"]
"""Not imported here: Python would warn of what is in it."""

MU, SIGMA = 25.0, 25.0 / 3


@cache
def environment(draw_probability: float) -> Any:
    return trueskill.TrueSkill(MU, SIGMA, SIGMA / 2, SIGMA / 100, draw_probability, backend=None)


def model(draw_probability: float) -> Model:
    ours = environment(draw_probability)
    margin = trueskill.calc_draw_margin(draw_probability, 2, ours)
    return Model(ours.beta, ours.tau, margin, ours.v_win, ours.w_win, ours.v_draw, ours.w_draw)


def skills(spread: float) -> st.SearchStrategy[list[tuple[float, float]]]:
    mu = st.floats(MU - spread, MU + spread)
    return st.lists(st.tuples(mu, st.floats(0.05, 25)), min_size=2, max_size=6)


def outcome(rated: Any) -> Any:
    """Ratings, or which error there was."""
    try:
        return list(rated())
    except (ArithmeticError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("spread", [1, 20, 300, 1e6])
@given(st.data())
@settings(max_examples=100, deadline=None)
def test_every_bit_is_the_librarys(spread: float, data: st.DataObject) -> None:
    before = data.draw(skills(spread))
    placements = sorted(data.draw(st.lists(st.integers(1, 6), min_size=len(before), max_size=len(before))))
    draw_probability = data.draw(st.sampled_from([0.001, 0.1, 0.5, 0.9]))
    library = environment(draw_probability)
    groups = [(library.create_rating(*skill),) for skill in before]
    theirs = outcome(lambda: [rating for (rating,) in library.rate(groups, ranks=placements)])
    ours = outcome(lambda: [trueskill.Rating(*pair) for pair in rate(before, placements, model(draw_probability))])
    assert ours == theirs


def test_the_more_seats_the_longer_it_takes_to_settle_and_it_does() -> None:
    after = rate([(MU, SIGMA)] * 6, range(1, 7), model(0.1))
    falling = [mu for mu, _ in after]
    assert falling == sorted(falling, reverse=True)
    assert all(sigma < SIGMA for _, sigma in after)
