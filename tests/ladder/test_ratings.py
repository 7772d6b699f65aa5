"""Ratings as a pure fold."""

import math
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradepit_ladder import ratings
from tradepit_ladder.ratings import (
    DRAW_PROBABILITY,
    PRIOR,
    Fold,
    OnNewVersion,
    Place,
    Policy,
    Rating,
    estimated_draw_probability,
    fold,
    next_checkpoint,
    update,
)

BOTS = "abcdef"

matches = st.lists(st.integers(1, 6), min_size=2, max_size=6).flatmap(
    lambda placements: st.permutations(BOTS).map(
        lambda bots: [Place(placement, bot) for placement, bot in zip(placements, bots, strict=False)]
    )
)
beliefs = st.dictionaries(
    st.sampled_from(BOTS), st.builds(Rating, st.floats(-1e6, 1e6), st.floats(0.05, 25)), max_size=6
)
draw_probabilities = st.floats(0.001, 0.9)


def test_two_new_bots_as_the_paper_has_it() -> None:
    after = update({}, [Place(1, "a"), Place(2, "b")])
    assert after["a"] == pytest.approx((29.396, 7.171), abs=1e-3)
    assert after["b"] == pytest.approx((20.604, 7.171), abs=1e-3)


def test_who_did_not_play_keeps_its_rating() -> None:
    folded = Fold(ratings={"z": Rating(30, 2)})
    folded.add([Place(1, "a"), Place(2, "b")])
    assert folded.ratings["z"] == Rating(30, 2)


def permuted(match: list[Place], before: dict[str, Rating], draw_probability: float, data: Any) -> None:
    after = update(before, match, draw_probability)
    again = update(before, data.draw(st.permutations(match)), draw_probability)
    for bot, rating in after.items():
        assert again[bot] == pytest.approx(rating, abs=1e-9, rel=0)


@given(matches, beliefs, draw_probabilities, st.data())
@settings(max_examples=150, deadline=None)
def test_seats_do_not_matter(
    match: list[Place], before: dict[str, Rating], draw_probability: float, data: st.DataObject
) -> None:
    permuted(match, before, draw_probability, data)


@pytest.mark.parametrize("tied", range(2, 7))
@given(st.permutations(BOTS), st.integers(0, 2), beliefs, draw_probabilities, st.data())
@settings(max_examples=15, deadline=None)
def test_seats_do_not_matter_in_ties_of_any_size(
    tied: int, bots: list[str], better: int, before: dict[str, Rating], draw_probability: float, data: st.DataObject
) -> None:
    placements = [*range(1, 7)]
    first = min(better, 6 - tied)
    placements[first : first + tied] = [first + 1] * tied
    permuted(list(map(Place, placements, bots)), before, draw_probability, data)


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


def test_a_tie_tells_less_where_ties_are_frequent() -> None:
    before = {"a": Rating(30, 2), "b": Rating(20, 2)}
    rare, frequent = (update(before, [Place(1, "a"), Place(1, "b")], chance) for chance in (0.01, 0.8))
    assert rare["b"].mu > frequent["b"].mu > 20


@given(matches, beliefs, draw_probabilities)
@settings(max_examples=150, deadline=None)
def test_whatever_the_gap_a_match_can_be_rated(
    match: list[Place], before: dict[str, Rating], draw_probability: float
) -> None:
    for bot, rating in update(before, match, draw_probability).items():
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


versioned = st.lists(
    matches.flatmap(
        lambda match: st.lists(st.integers(1, 3), min_size=len(match), max_size=len(match)).map(
            lambda versions: [place._replace(version=version) for place, version in zip(match, versions, strict=True)]
        )
    ),
    max_size=12,
)


@given(versioned, st.integers(0, 12), st.sampled_from(ratings.ON_NEW_VERSION), draw_probabilities)
@settings(max_examples=40, deadline=None)
def test_a_running_table_is_bit_by_bit_the_rebuilt_one(
    results: list[list[Place]], cut: int, on_new_version: OnNewVersion, draw_probability: float
) -> None:
    policy = Policy(draw_probability, on_new_version)
    first = Fold(policy)
    for match in results[:cut]:
        first.add(match)
    going_on = Fold(policy, first.ratings, first.versions)
    for match in results[cut:]:
        going_on.add(match)
    assert going_on.ratings == fold(results, policy)


def test_the_order_of_matches_counts() -> None:
    won, lost = [Place(1, "a"), Place(2, "b")], [Place(2, "a"), Place(1, "b")]
    assert fold([won, lost, lost]) != fold([lost, lost, won])


@pytest.mark.parametrize(
    ("policy", "before"),
    [("keep", Rating(30, 2)), ("widen", Rating(30, PRIOR.sigma)), ("reset", PRIOR)],
)
def test_a_new_version_begins_as_the_policy_has_it(policy: OnNewVersion, before: Rating) -> None:
    for version in (1, 3):  # also an older one that comes back
        folded = Fold(Policy(on_new_version=policy), {"a": Rating(30, 2), "b": Rating(20, 2)}, {"a": 2, "b": 1})
        after = folded.add([Place(1, "a", version), Place(2, "b", 1)])
        assert after == update({"a": before, "b": Rating(20, 2)}, [Place(1, "a"), Place(2, "b")])


def test_the_policy_is_applied_once_a_version() -> None:
    folded = Fold(Policy(on_new_version="reset"), {"a": Rating(30, 2), "b": Rating(20, 2)}, {"a": 1, "b": 1})
    folded.add([Place(1, "a", 2), Place(2, "b", 1)])
    before = dict(folded.ratings)
    assert folded.add([Place(1, "a", 2), Place(2, "b", 1)]) == update(before, [Place(1, "a"), Place(2, "b")])


def test_by_default_a_new_version_keeps_mu_and_is_as_uncertain_as_a_new_bot() -> None:
    assert Policy().on_new_version == "widen"


def test_the_draw_probability_is_the_fraction_of_ties_among_pairs_that_met() -> None:
    half = [[1, 1], [1, 2]] * 50_000
    assert estimated_draw_probability(half) == pytest.approx(0.5, abs=1e-3)
    three_of_six = [[1, 1, 1, 4]] * 50_000
    assert estimated_draw_probability(three_of_six) == pytest.approx(0.5, abs=1e-3)


def test_few_results_hardly_move_the_draw_probability() -> None:
    assert estimated_draw_probability([]) == pytest.approx(DRAW_PROBABILITY)
    assert estimated_draw_probability([[1, 1]]) == pytest.approx(3 / 21)


def test_the_draw_probability_stays_where_it_can_be_computed_with() -> None:
    assert estimated_draw_probability([[1, 2]] * 100_000) == 0.001
    assert estimated_draw_probability([[1, 1]] * 100_000) == 0.9


def test_the_draw_probability_is_measured_after_a_hundred_matches_and_then_at_every_tenfold() -> None:
    assert [next_checkpoint(measured) for measured in (0, 100, 1_000, 10_000)] == [100, 1_000, 10_000, 100_000]
