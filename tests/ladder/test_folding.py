"""Ratings in the database follow from the results alone: not from when, how often, or by how many they were folded."""

from contextlib import closing
from random import Random
from threading import Thread

import pytest
from bulk_record import Sat, add_bots, add_results, finish_block, random_matches
from rating_tables import board, current, expected, folds, shown, stored
from sqlalchemy import text

from tradepit_ladder import folding, rating_store
from tradepit_ladder.database import Database
from tradepit_ladder.ratings import DRAW_PROBABILITY

BOTS = 8
SEATS = (2, 3, 4)


def some(matches: int, seed: int = 1, ties: float = 0.3) -> list[list[Sat]]:
    return list(random_matches(Random(seed), matches, BOTS, SEATS, ties))


@pytest.fixture
def record(database: Database) -> Database:
    """A record with bots, each of three versions."""
    add_bots(database, BOTS, versions=3)
    return database


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "BATCH", 3)


@pytest.mark.parametrize("advanced", [False, True])
def test_the_table_is_the_pure_fold_to_the_last_bit_stored_or_not(record: Database, advanced: bool) -> None:
    matches = some(90)
    add_results(record, matches)
    if advanced:
        assert folding.advance(record, "toy")
        assert stored(record) == expected(matches)
    assert shown(record) == expected(matches)


@pytest.mark.usefixtures("small_batches")
def test_what_is_stored_and_what_is_finished_since_make_one_table(record: Database) -> None:
    matches = some(60)
    add_results(record, matches[:40])
    folding.advance(record, "toy")
    add_results(record, matches[40:])
    before = board(record)
    assert stored(record) == expected(matches[:40])
    assert shown(record) == expected(matches)
    folding.advance(record, "toy")
    assert board(record) == before
    assert stored(record) == expected(matches)


def test_tallies_and_pairs_add_up_over_batches(record: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    add_results(record, some(80))
    unstored = board(record)
    monkeypatch.setattr(folding, "BATCH", 1)
    folding.advance(record, "toy")
    assert board(record) == unstored
    assert sum(row.matches for row in unstored.standings) == sum(map(len, some(80)))


@pytest.mark.usefixtures("small_batches")
def test_a_program_that_is_killed_between_commits_is_gone_on_with(record: Database) -> None:
    matches = some(90)
    add_results(record, matches)
    assert not folding.advance(record, "toy", commits=3)  # one to begin with
    assert stored(record) == expected(matches[: 2 * 3 * 4])
    assert shown(record) == expected(matches)
    assert folding.advance(record, "toy")
    assert stored(record) == expected(matches)


def test_advancing_again_changes_nothing(record: Database) -> None:
    add_results(record, some(50))
    folding.advance(record, "toy")
    before = list(folds(record))
    assert folding.advance(record, "toy", commits=1)
    assert list(folds(record)) == before


@pytest.mark.usefixtures("small_batches")
def test_a_step_that_another_program_made_already_changes_nothing(record: Database) -> None:
    matches = some(90)
    add_results(record, matches)
    folding.advance(record, "toy", commits=2)
    step = record.read(lambda session: folding.next_step(session, "toy"))
    assert step is not None
    assert record.write(step)
    assert not record.write(step)
    folding.advance(record, "toy")
    assert not record.write(step)
    assert stored(record) == expected(matches)


@pytest.mark.usefixtures("small_batches")
def test_two_programs_at_once_fold_each_match_once(record: Database, url: str) -> None:
    matches = some(130)
    add_results(record, matches)

    def program() -> None:
        with closing(Database(url)) as database:
            folding.advance(database, "toy")

    threads = [Thread(target=program) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stored(record) == expected(matches, measured=100)
    assert current(record).matches == 130


def test_void_blocks_count_nothing_and_hold_up_nobody(record: Database) -> None:
    matches = some(40)
    add_results(record, matches, void={0, 4})
    folding.advance(record, "toy")
    assert stored(record) == expected(matches[4:16] + matches[20:])
    assert (current(record).through, current(record).blocks) == (10, 8)
    assert len(board(record).void) == 2


def test_complete_blocks_behind_an_unfinished_one_wait(record: Database) -> None:
    matches = some(40)
    add_results(record, matches, void={8}, unfinished={5})
    folding.advance(record, "toy")
    assert stored(record) == shown(record) == expected(matches[:20])
    assert (board(record).blocks_counted, board(record).blocks_waiting) == (5, 3)
    leave = text("UPDATE blocks SET number = NULL WHERE number = 10")
    record.write(lambda session: session.connection().execute(leave).close())
    assert board(record).blocks_waiting == 3
    finish_block(record, "bulk-toy-0/5", matches[20:24])
    assert shown(record) == expected(matches[:32])
    folding.advance(record, "toy")
    assert stored(record) == expected(matches[:32])
    assert (board(record).blocks_counted, board(record).blocks_waiting) == (8, 1)


def test_every_game_has_ratings_of_its_own(record: Database) -> None:
    one, other = some(20, seed=1), some(20, seed=2)
    add_results(record, one, "toy")
    add_results(record, other, "go")
    folding.advance_all(record)
    assert (stored(record, "toy"), stored(record, "go")) == (expected(one), expected(other))


def test_a_new_version_of_a_bot_counts_as_the_policy_has_it(record: Database) -> None:
    matches = [[sat._replace(version=1 + index // 30) for sat in match] for index, match in enumerate(some(60))]
    add_results(record, matches[:30])
    folding.advance(record, "toy")
    add_results(record, matches[30:])
    assert shown(record) == expected(matches) != expected(matches, on_new_version="keep")
    folding.advance(record, "toy")
    assert stored(record) == expected(matches)


@pytest.mark.parametrize("step", [4, 52, 1_000])
def test_the_draw_probability_rests_on_exactly_the_first_matches_whenever_it_is_noticed(
    record: Database, step: int
) -> None:
    matches = some(96, ties=0.7) + some(104, seed=2, ties=0)
    for start in range(0, len(matches), step):
        add_results(record, matches[start : start + step])
        folding.advance(record, "toy")
    fold = current(record)
    assert (fold.version, fold.measured, fold.matches) == (2, 100, 200)
    assert 0.2 < fold.draw_probability != DRAW_PROBABILITY
    assert stored(record) == expected(matches, measured=100)


def test_each_version_is_recorded_with_its_parameters_and_the_former_ones_ratings_are_gone(
    record: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tradepit_ladder.ratings.FIRST_CHECKPOINT", 10)
    matches = some(120)
    add_results(record, matches)
    folding.advance(record, "toy")
    assert [(each.version, each.state, each.measured) for each in folds(record)] == [
        (1, "superseded", 0),
        (2, "superseded", 10),
        (3, "current", 100),
    ]
    assert stored(record) == expected(matches, measured=100)
    keys = record.read(lambda s: s.connection().execute(text("SELECT DISTINCT fold_id FROM rating_steps")).all())
    assert keys == [(current(record).id,)]


@pytest.mark.usefixtures("small_batches")
def test_until_the_next_version_has_come_as_far_the_former_one_is_shown(record: Database) -> None:
    matches = some(120)
    add_results(record, matches)
    while not any(each.state == "building" and each.matches for each in folds(record)):
        folding.advance(record, "toy", commits=1)
    assert board(record).fold_version == 1
    assert shown(record) == expected(matches)
    folding.advance(record, "toy")
    assert board(record).fold_version == 2
    assert shown(record) == expected(matches, measured=100)


@pytest.mark.usefixtures("small_batches")
def test_results_that_arrive_while_the_next_version_is_made_do_not_keep_it_from_taking_over(record: Database) -> None:
    matches = some(200)
    add_results(record, matches[:104])  # 26 blocks, which batches of 3 do not meet
    while len(list(folds(record))) < 2:
        folding.advance(record, "toy", commits=1)
    add_results(record, matches[104:])
    folding.advance(record, "toy")
    assert (current(record).version, current(record).matches) == (2, 200)
    assert stored(record) == expected(matches, measured=100)


def test_ratings_outlive_the_program(record: Database, url: str) -> None:
    matches = some(30)
    add_results(record, matches)
    folding.advance(record, "toy")
    with closing(Database(url)) as later:
        assert stored(later) == expected(matches)


def test_a_game_without_results_has_no_fold(record: Database) -> None:
    assert folding.advance(record, "toy")
    assert list(folds(record)) == []
    assert board(record).standings == ()


def test_a_fold_that_was_not_stored_has_no_key() -> None:
    with pytest.raises(AssertionError, match="has not been stored"):
        rating_store.key(folding.first_fold("toy"))
