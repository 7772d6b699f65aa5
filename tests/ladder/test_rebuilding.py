"""Ratings made again from the first result are those that are stored, bit by bit, or it is told what is not."""

import math
from contextlib import closing
from random import Random
from typing import Any

import pytest
from bulk_record import add_bots, add_results, name, random_matches
from rating_tables import board, current, expected, folds, shown, stored
from sqlalchemy import func, text
from sqlmodel import select

from tradepit_ladder import folding, rebuilding
from tradepit_ladder.client import LadderError
from tradepit_ladder.database import Database
from tradepit_ladder.rating_models import StepRow
from tradepit_ladder.rating_reports import RatingDifference
from tradepit_ladder.rebuilding import rebuild

BOTS = 6
MATCHES = [
    [sat._replace(version=1 + index // 30) for sat in match]
    for index, match in enumerate(random_matches(Random(7), 116, BOTS, (2, 3), ties=0.4))
]


@pytest.fixture
def record(database: Database) -> Database:
    """A record with results, all of them stored in the ratings, the draw probability measured."""
    add_bots(database, BOTS, versions=4)
    add_results(database, MATCHES)
    folding.advance(database, "toy")
    return database


def change(database: Database, statement: str, **values: Any) -> None:
    database.write(lambda session: session.connection().execute(text(statement), values).close())


def steps(database: Database) -> int:
    return database.read(lambda session: session.exec(select(func.count()).select_from(StepRow)).one())


def test_what_is_as_it_should_be_is_identical_and_again(record: Database) -> None:
    before, rows = board(record), steps(record)
    for _ in range(2):
        done = rebuild(record, "toy")
        assert (done.compared, done.differences) == (True, ())
        assert (done.matches, done.fold_version, done.on_new_version) == (116, 2, "widen")
        assert board(record) == before
        assert steps(record) == rows
    assert stored(record) == expected(MATCHES, measured=100)


def test_what_was_not_stored_yet_is(record: Database) -> None:
    more = list(random_matches(Random(8), 20, BOTS, (2,), ties=0))
    add_results(record, more)
    assert rebuild(record, "toy").matches == 136
    assert stored(record) == shown(record)


def test_the_last_bit_of_a_rating_is_told_and_put_right(record: Database) -> None:
    right = stored(record)
    mu = right[name(2)].mu
    other = math.nextafter(mu, math.inf)
    change(record, "UPDATE ratings SET mu = :mu WHERE bot_id = 2", mu=other)
    assert rebuild(record, "toy").differences == (RatingDifference(name(2), "mu", str(other), str(mu)),)
    assert stored(record) == right
    assert rebuild(record, "toy").differences == ()


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE ratings SET faults = 99 WHERE bot_id = 1", [(name(1), "faults", "99", "0")]),
        ("UPDATE ratings SET bot_version = 9 WHERE bot_id = 1", [(name(1), "version", "9", "4")]),
        ("DELETE FROM ratings WHERE bot_id = 3", [(name(3), "rating", "none", "one")]),
        ("UPDATE folds SET draw_probability = 0.5", [("", "draw_probability", "0.5", "?")]),
        ("UPDATE folds SET matches = 117", [("", "matches", "117", "116")]),
        (
            "UPDATE rating_steps SET sigma = 1 WHERE bot_id = 1",
            [("", "rows of rating_steps that the other has not", "?", "?")],
        ),
        (
            "DELETE FROM rating_pairs WHERE bot_id = 1",
            [("", "rows of rating_pairs that the other has not", "0", str(BOTS - 1))],
        ),
        (
            "UPDATE rating_pairs SET ties = ties + 1 WHERE bot_id = 1 AND other_id = 2",
            [("", "rows of rating_pairs that the other has not", "1", "1")],
        ),
    ],
)
def test_whatever_is_not_as_it_should_be_is_told_and_put_right(
    record: Database, statement: str, told: list[tuple[str, ...]]
) -> None:
    before = board(record)
    change(record, statement)
    found = rebuild(record, "toy").differences
    assert len(found) == len(told)
    for difference, (bot, what, was, is_now) in zip(found, told, strict=True):
        assert (difference.bot, difference.what) == (bot, what)
        assert was in ("?", difference.stored)
        assert is_now in ("?", difference.rebuilt)
    assert board(record) == before
    assert rebuild(record, "toy").differences == ()


@pytest.mark.parametrize("policy", ["keep", "reset"])
def test_another_policy_makes_another_version_and_stays(record: Database, policy: str) -> None:
    done = rebuild(record, "toy", policy)
    assert (done.compared, done.fold_version, done.on_new_version) == (False, 3, policy)
    assert stored(record) == expected(MATCHES, measured=100, on_new_version=policy)
    again = rebuild(record, "toy")
    assert (again.compared, again.differences, again.on_new_version) == (True, (), policy)
    assert rebuild(record, "toy", policy).compared


def test_another_policy_outlives_a_measurement(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    add_bots(database, BOTS, versions=4)
    add_results(database, MATCHES[:60])
    rebuild(database, "toy", "keep")
    add_results(database, MATCHES[60:])
    folding.advance(database, "toy")
    assert stored(database) == expected(MATCHES, measured=100, on_new_version="keep")


def test_a_policy_that_there_is_not_is_refused(record: Database) -> None:
    with pytest.raises(LadderError, match="policy 'forget' is none of keep, widen, reset"):
        rebuild(record, "toy", "forget")


def test_a_game_without_results_has_nothing_to_compare(database: Database) -> None:
    done = rebuild(database, "toy")
    assert (done.matches, done.compared, done.differences) == (0, False, ())


def test_what_a_killed_program_left_is_not_shown_and_goes_at_the_next_time(
    record: Database, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folding, "BATCH", 5)
    before = board(record)
    place = record.write(lambda session: rebuilding.new_place(session, "toy"))
    for _ in range(3):
        step = record.read(lambda session: rebuilding.next_step(session, "toy", place))
        assert step is not None
        record.write(step)
    assert board(record) == before
    assert folding.advance(record, "toy")
    with closing(Database(url)) as other:
        assert rebuild(other, "toy").differences == ()
    assert [each.state for each in folds(record)] == ["superseded", "current"]
    assert board(record) == before


def test_of_two_programs_that_rebuild_the_first_is_told(record: Database) -> None:
    place = record.write(lambda session: rebuilding.new_place(session, "toy"))
    record.write(lambda session: rebuilding.new_place(session, "toy"))
    with pytest.raises(LadderError, match="another program has begun to rebuild the ratings of toy"):
        record.read(lambda session: rebuilding.next_step(session, "toy", place))


def test_results_that_arrive_meanwhile_are_compared_too(record: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    arrived: list[bool] = []
    new_place = rebuilding.new_place

    def meanwhile(session: Any, game: str) -> int:
        arrived.append(True)
        return new_place(session, game)

    monkeypatch.setattr(rebuilding, "new_place", meanwhile)
    step = rebuilding.next_step

    def later(session: Any, game: str, place: int) -> Any:
        found = step(session, game, place)
        if found is None and arrived:
            arrived.clear()
            monkeypatch.setattr(rebuilding, "next_step", step)
            add_results(record, MATCHES[:20])
            folding.advance(record, "toy")
        return found

    monkeypatch.setattr(rebuilding, "next_step", later)
    done = rebuild(record, "toy")
    assert (done.matches, done.differences) == (136, ())
    assert stored(record) == expected([*MATCHES, *MATCHES[:20]], measured=100)


def test_ratings_that_got_other_parameters_meanwhile_are_to_be_rebuilt_again(record: Database) -> None:
    place = record.write(lambda session: rebuilding.new_place(session, "toy"))
    change(record, "UPDATE folds SET version = 3 WHERE id = :id", id=current(record).id)
    with pytest.raises(LadderError, match="the ratings of toy have got other parameters; rebuild them again"):
        record.read(lambda session: rebuilding.next_step(session, "toy", place))
