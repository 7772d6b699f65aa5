"""Ratings as a pure fold."""

import math
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradepit_ladder import ratings
from tradepit_ladder.ratings import PRIOR, Place, Rating, fold, update

BOTS = "abcdef"

matches = st.lists(st.integers(1, 6), min_size=2, max_size=6).flatmap(
    lambda placements: st.permutations(BOTS).map(
        lambda bots: [Place(placement, bot) for placement, bot in zip(placements, bots, strict=False)]
    )
)
beliefs = st.dictionaries(
    st.sampled_from(BOTS), st.builds(Rating, st.floats(-1e6, 1e6), st.floats(0.05, 25)), max_size=6
)


def test_two_new_bots_as_the_paper_has_it() -> None:
    after = update({}, [Place(1, "a"), Place(2, "b")])
    assert after["a"] == pytest.approx((29.396, 7.171), abs=1e-3)
    assert after["b"] == pytest.approx((20.604, 7.171), abs=1e-3)


def test_who_did_not_play_keeps_its_rating() -> None:
    before = {"z": Rating(30, 2)}
    assert fold([[Place(1, "a"), Place(2, "b")]], before)["z"] == before["z"]


@given(matches, beliefs, st.randoms())
@settings(max_examples=150, deadline=None)
def test_seats_do_not_matter(match: list[Place], before: dict[str, Rating], random: st.DataObject) -> None:
    after = update(before, match)
    shuffled = list(match)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis types its Random as drawn data
    again = update(before, shuffled)
    for bot, rating in after.items():
        assert again[bot] == pytest.approx(rating, abs=1e-9)


@pytest.mark.parametrize("placements", [(1, 1, 1, 1), (1, 1, 1, 4), (1, 2, 2, 2), (1, 1, 3, 3)])
def test_tied_equals_stay_equal_whatever_their_names_and_seats(placements: tuple[int, ...]) -> None:
    for order in permutations(zip(placements, "abcd", strict=True)):
        after = update({}, [Place(*place) for place in order])
        for placement, bot in order:
            twins = [after[other] for same, other in order if same == placement]
            assert all(twin == pytest.approx(after[bot], abs=1e-9) for twin in twins)


def test_a_tie_makes_ratings_surer() -> None:
    after = update({}, [Place(1, "a"), Place(1, "b")])
    assert after["a"].sigma < PRIOR.sigma
    assert after["a"].mu == pytest.approx(PRIOR.mu)


@given(matches, beliefs)
@settings(max_examples=150, deadline=None)
def test_whatever_the_gap_a_match_can_be_rated(match: list[Place], before: dict[str, Rating]) -> None:
    for bot, rating in update(before, match).items():
        assert math.isfinite(rating.mu)
        old = before.get(bot, PRIOR)
        assert 0 < rating.sigma <= math.hypot(old.sigma, 25 / 300) * 1.00001


@pytest.mark.parametrize("gap", [100.0, 1e3, 1e6])
def test_the_expected_changes_nearly_nothing_and_the_unexpected_much_however_far_apart(gap: float) -> None:
    before = {"a": Rating(25 + gap, 1.0), "b": Rating(25.0, 1.0)}
    expected = update(before, [Place(1, "a"), Place(2, "b")])
    upset = update(before, [Place(2, "a"), Place(1, "b")])
    tie = update(before, [Place(1, "a"), Place(1, "b")])
    assert abs(expected["a"].mu - before["a"].mu) < 1e-3
    assert before["a"].mu - upset["a"].mu > 2
    assert before["a"].mu - tie["a"].mu > 2
    assert tie["b"].mu - before["b"].mu > 2


def test_a_match_that_cannot_be_computed_at_all_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "_computed", lambda *_: None)
    before = {"a": Rating(30.0, 2.0)}
    assert update(before, [Place(1, "a"), Place(2, "b")]) == {"a": Rating(30.0, 2.0), "b": PRIOR}


@given(st.lists(matches, max_size=12), st.integers(0, 12))
@settings(max_examples=40, deadline=None)
def test_a_running_table_is_bit_by_bit_the_rebuilt_one(results: list[list[Place]], cut: int) -> None:
    assert fold(results[cut:], fold(results[:cut])) == fold(results)


def test_the_order_of_matches_counts() -> None:
    won, lost = [Place(1, "a"), Place(2, "b")], [Place(2, "a"), Place(1, "b")]
    assert fold([won, lost, lost]) != fold([lost, lost, won])
