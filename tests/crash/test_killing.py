"""A tournament that is killed at any moment goes on and ends as if nothing had been.

``make simulate-crash RUNS=200`` does the same more often, and at every kind of moment.
"""

from random import Random
from typing import Any

import pytest
from crash_plans import BOT, PARENT, Plan, Strike, draw, family, never_struck
from crash_records import is_reachable
from crash_simulation import complaints, histogram, simulate
from databases import INSTALL

RUNS = 10
"""On each database."""

FAMILIES = {
    *("before commit", "after commit", "statement", "replay", "submit", "result"),
    *("shard", "frame read", "frame sent"),
}

POINTS = {"a": {"statement: INSERT": 40, "statement: UPDATE": 3, "shard: begun": 2}, "b": {"submit: before": 1}}


@pytest.mark.parametrize(("database", "tournament"), [("sqlite", "threes"), ("postgresql", "pairs")])
def test_a_tournament_that_was_killed_ends_as_if_nothing_had_been(database: str, tournament: str, require: Any) -> None:
    if database == "postgresql":
        require(is_reachable(), INSTALL)
    outcomes = list(simulate(database, RUNS, seed=1, tournaments=[tournament]))
    wrong = list(complaints(outcomes))
    assert not wrong, "\n".join([*histogram(outcomes), *wrong])
    assert {family(strike.kind) for outcome in outcomes for strike in outcome.struck} == FAMILIES


def plans(runs: int) -> list[Plan]:
    return draw("sqlite", POINTS, runs, Random(0))


def test_no_kind_of_moment_is_left_out_where_there_are_enough_runs() -> None:
    aimed = {plan.strikes[0].kind for plan in plans(4)}
    assert aimed == {kind for counts in POINTS.values() for kind in counts}


def test_fewer_runs_reach_every_family() -> None:
    assert {family(plan.strikes[0].kind) for plan in plans(3)} == {"statement", "shard", "submit"}


def test_the_shots_at_one_kind_are_spread_over_its_range() -> None:
    counts = [plan.strikes[0].count for plan in plans(40) if plan.strikes[0].kind == "statement: INSERT"]
    assert len(counts) == 10
    assert [(count - 1) // 4 for count in counts] == list(range(10))


def test_a_kind_is_only_aimed_at_in_a_tournament_that_has_it() -> None:
    assert all(plan.strikes[0].kind in POINTS[plan.tournament] for plan in plans(20))


def test_a_kind_that_nobody_met_is_told() -> None:
    plan = Plan("sqlite", "a", (Strike("submit: before", 1, PARENT),), resume=True, at_once=False)
    assert never_struck([plan], ["shard: begun"]) == ["submit: before"]
    assert never_struck([plan], ["submit: before"]) == []


def test_a_plan_is_repeated_by_its_text() -> None:
    plan = Plan("postgresql", "b", (Strike("shard: begun", 2, BOT),), resume=True, at_once=False)
    assert Plan.from_text(plan.to_text()) == plan
