"""Bots and their versions, tournaments and what becomes of them, and the queue of each game."""

from itertools import pairwise

import pytest
from recording import begin, block_of, deliver, finish, of_game, queue, result_of
from sqlmodel import Session, col, select

from tradepit_ladder import leases, record, store
from tradepit_ladder.client import LadderError
from tradepit_ladder.database import Database
from tradepit_ladder.models import Attempt, Block, BotVersion, Entrant, Match, Seat, Tournament
from tradepit_ladder.owners import Owner
from tradepit_ladder.results import PlayedMatch, PlayedTiming

HERE, THERE = Owner("here"), Owner("there")


# Bots.


def test_a_bot_has_a_version_for_every_way_in_which_it_was_started(database: Database) -> None:
    with database.writing() as session:
        mine = store.add_bot(session, "mine", ["./mine"], "/home", program_sha256="00")
        numbers = [
            store.set_bot(session, mine, *started).number
            for started in [
                (["./mine"], "/home", "00"),
                (["./mine"], "/home", "11"),
                (["./mine", "--fast"], "/home", "11"),
                (["./mine", "--fast"], "/work", "11"),
                (["./mine", "--fast"], "/work", "11"),
                (["./mine"], "/home", "00"),
            ]
        ]
    assert numbers == [1, 2, 3, 4, 4, 5]


def test_a_digest_that_is_not_known_makes_no_version_and_is_noted_when_it_is(database: Database) -> None:
    with database.writing() as session:
        mine = store.add_bot(session, "mine", ["./mine"], "")
        digests = [
            (version.number, version.program_sha256)
            for version in (store.set_bot(session, mine, ["./mine"], "", digest) for digest in ("", "00", "", "11"))
        ]
    assert digests == [(1, ""), (1, "00"), (1, "00"), (2, "11")]


def test_added_bots_are_told_by_name_in_their_newest_version(database: Database) -> None:
    with database.writing() as session:
        for name in ("zed", "abe"):
            store.add_bot(session, name, [name])
        store.add_bot(session, "ann", house=True)
        zed = store.find_bot(session, "zed")
        assert zed is not None
        store.set_bot(session, zed, ["zed2"], "")
        assert [(bot.name, version.command) for bot, version in store.added_bots(session)] == [
            ("abe", ["abe"]),
            ("zed", ["zed2"]),
        ]


def test_a_tournament_is_entered_in_the_newest_version_and_its_seats_say_with_which(database: Database) -> None:
    with database.writing() as session:
        ann = store.add_bot(session, "ann", ["./ann"])
        store.set_bot(session, ann, ["./ann2"], "")
        cup = begin(session, "cup", 1)
        finish(session, cup, 0)
        # What plays from now on changes nothing that was played.
        session.get_one(Entrant, (store.key(cup), store.key(ann))).bot_version = store.set_bot(
            session, ann, ["./ann3"], ""
        ).number
        seats = session.exec(select(Seat.bot_version).where(Seat.bot_id == ann.id)).all()
        (block,) = record.finished_after(session, "toy", 0, 9)
    assert list(seats) == [2, 2]
    assert {(seat.bot, seat.version) for match in block.matches for seat in match.seats} == {("ann", 2), ("bob", 1)}


def test_no_seat_can_be_of_a_version_that_there_is_not(database: Database) -> None:
    with database.writing() as session:
        begin(session, "cup", 1)
        assert session.exec(select(BotVersion.number)).all() == [1, 1]


# What the referee measured.


def test_what_the_referee_measured_stands_beside_the_match(database: Database) -> None:
    timing = PlayedTiming(7, 5 * 10**12, 10**12, (3, 4), (0, 2))
    with database.writing() as session:
        cup = begin(session, "cup", 1)
        (lease,) = leases.take(session, store.key(cup), HERE, 0.0, 10.0, 1)
        (first, digest), second = result_of("cup/0/1")
        timed = PlayedMatch(first.match_id, first.seats, first.replay, timing)
        leases.complete(session, lease, "cup/0/1", [(timed, digest), second])
    with database.reading() as session:
        measured, not_measured = session.exec(select(Match).order_by(col(Match.match_index))).all()
    assert (measured.requests, measured.overhead_ns, measured.overhead_longest_ns) == (7, 5 * 10**12, 10**12)
    assert (measured.overhead_buckets, measured.late_answers) == ([3, 4], [0, 2])
    assert (not_measured.requests, not_measured.overhead_buckets, not_measured.late_answers) == (None, None, None)


# The queue.


def test_only_blocks_before_the_first_unfinished_one_count(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 4)
        finish(session, cup, 3, 0, 2)
        known = of_game(session, "toy")
        assert [block.public_id for block in known.counted] == ["cup/0/1"]
        assert known.waiting == ["cup/2/1", "cup/3/1"]
        assert len(known.matches) == 2
        finish(session, cup, 1)
        known = of_game(session, "toy")
        assert [block.public_id for block in known.counted] == [f"cup/{index}/1" for index in range(4)]
        assert known.waiting == []


def test_every_game_has_a_queue_of_its_own(database: Database) -> None:
    with database.writing() as session:
        begin(session, "chess", 2, "other")
        cup = begin(session, "cup", 2)
        finish(session, cup, 0)
        assert len(of_game(session, "toy").counted) == 1
        assert of_game(session, "other").counted == []
        assert session.exec(select(Block.game, Block.number).order_by(col(Block.id))).all() == [
            ("other", 1),
            ("other", 2),
            ("toy", 1),
            ("toy", 2),
        ]


def test_a_stopped_tournament_leaves_the_queue_for_the_next_and_returns_to_its_end(database: Database) -> None:
    with database.writing() as session:
        first = begin(session, "first", 4)
        finish(session, first, 0, 2)
        second = begin(session, "second", 2)
        assert queue(session) == [("first", 0), ("second", 0), ("second", 1)]
        finish(session, second, 0, 1)
        known = of_game(session, "toy")
        assert [block.public_id for block in known.counted] == ["first/0/1", "second/0/1", "second/1/1"]
        assert known.waiting == ["first/2/1"]
        finish(session, first, 1, 3)
        assert queue(session)[3:] == [("first", 1), ("first", 2), ("first", 3)]
        after = of_game(session, "toy")
    assert after.matches[: len(known.matches)] == known.matches
    assert (len(after.matches), after.waiting) == (2 * 6, [])


def test_a_tournament_that_somebody_plays_is_not_stopped(database: Database) -> None:
    with database.writing() as session:
        first = begin(session, "first", 2)
        leases.take(session, store.key(first), HERE, 100.0, 10.0, 1)
        begin(session, "second", 1, now=109.0)
        assert queue(session) == [("first", 0), ("first", 1), ("second", 0)]
        begin(session, "third", 1, now=111.0)
        assert queue(session) == [("third", 0)]


def test_who_takes_a_block_of_a_released_tournament_brings_it_back_into_the_queue(database: Database) -> None:
    with database.writing() as session:
        first = begin(session, "first", 3)
        begin(session, "second", 1)
        assert queue(session) == [("second", 0)]
        leases.take(session, store.key(first), HERE, 0.0, 10.0, 1)
        assert queue(session) == [("second", 0), ("first", 0), ("first", 1), ("first", 2)]


def test_what_is_delivered_for_a_released_tournament_counts(database: Database) -> None:
    """Nothing was heard of its program for longer than its lease."""
    with database.writing() as session:
        first = begin(session, "first", 1)
        (late,) = leases.take(session, store.key(first), HERE, 0.0, 10.0, 1)
        second = begin(session, "second", 1, now=11.0)
        finish(session, second, 0)
        assert deliver(session, first, late).fresh
        assert queue(session) == [("second", 0), ("first", 0)]
        assert len(of_game(session, "toy").matches) == 4


def test_a_finished_tournament_keeps_its_place(database: Database) -> None:
    with database.writing() as session:
        first = begin(session, "first", 2)
        finish(session, first, 0, 1)
        begin(session, "second", 1)
        assert queue(session) == [("first", 0), ("first", 1), ("second", 0)]


def test_matches_are_read_in_order_of_block_and_match_whatever_the_order_of_delivery(database: Database) -> None:
    with database.writing() as session:
        forwards, backwards = begin(session, "forwards", 5), begin(session, "backwards", 5, "other")
        finish(session, forwards, 0, 1, 2, 3, 4)
        finish(session, backwards, 4, 3, 2, 1, 0)
        read = of_game(session, "other").matches
        blocks = record.finished_after(session, "other", 0, 99)
    expected = [
        [(seat.bot, seat.placement, seat.faults, 1) for seat in match.seats]
        for index in range(5)
        for match, _ in result_of(f"backwards/{index}/1")
    ]
    assert [[tuple(seat) for seat in match] for match in read] == expected
    assert [[tuple(seat) for seat in match.seats] for block in blocks for match in block.matches] == expected
    assert all(one.number < other.number for one, other in pairwise(blocks))


def test_finished_blocks_are_read_on_from_any_place_up_to_the_first_open_one(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 6)
        finish(session, cup, 0, 1, 2, 3, 5)
        read = [
            [block.public_id for block in record.finished_after(session, "toy", after, limit)]
            for after, limit in ((0, 2), (2, 9), (4, 9), (0, 9))
        ]
    every = [f"cup/{index}/1" for index in range(4)]
    assert read == [every[:2], every[2:], [], every]


# Pause, cancel, withdraw.


def taken(session: Session, tournament: Tournament, limit: int = 99) -> list[int]:
    return [lease.block_index for lease in leases.take(session, store.key(tournament), THERE, 0.0, 10.0, limit)]


def test_of_a_paused_tournament_nothing_is_begun_and_what_is_under_way_counts(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 3)
        (lease,) = leases.take(session, store.key(cup), HERE, 0.0, 10.0, 1)
        for _ in range(2):
            store.pause(session, cup)
        assert taken(session, cup) == []
        assert deliver(session, cup, lease).fresh
        for _ in range(2):
            store.reopen(session, cup)
        assert taken(session, cup) == [1, 2]


def test_a_cancelled_tournament_keeps_what_it_has_played_and_never_goes_on(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 4)
        finish(session, cup, 2)
        (lease,) = leases.take(session, store.key(cup), HERE, 0.0, 10.0, 1)
        # Taken out of the queue before, what it has played must still count.
        begin(session, "other", 1, now=999.0)
        assert (store.cancel(session, cup), store.cancel(session, cup)) == (3, 0)
        answer = deliver(session, cup, lease)
        assert (answer.outcome, answer.public_id, answer.fresh) == ("void", "cup/0/1", False)
        finish(session, session.exec(select(Tournament).where(Tournament.name == "other")).one(), 0)
        known = of_game(session, "toy")
        assert (len(known.matches), known.waiting) == (4, [])
        assert {block.reason for block in known.counted if block.reason} == {"the tournament was cancelled"}
        assert taken(session, cup) == []
        for go_on in (store.reopen, store.pause):
            with pytest.raises(LadderError, match="'cup' was cancelled"):
                go_on(session, cup)


def test_the_open_blocks_of_a_bot_that_is_withdrawn_are_void_and_those_it_has_played_count(database: Database) -> None:
    with database.writing() as session:
        for bot in ("ann", "bob", "cid"):
            store.add_bot(session, bot, house=True)
        cup = Tournament(public_id="cup", name="cup", game="toy", arguments={}, reproducible=False)
        store.add_tournament(session, cup, [["ann", "bob"], ["bob", "cid"], ["cid", "ann"], ["ann", "bob"]])
        store.enqueue(session, store.key(cup))
        first, second = leases.take(session, store.key(cup), HERE, 0.0, 10.0, 2)
        deliver(session, cup, first)
        (third,) = leases.take(session, store.key(cup), HERE, 0.0, 10.0, 1)
        assert store.withdraw(session, cup, "ann", "its author asked", 7.0) == 2
        rows = [repr(row) for table in (Block, Attempt, Match, Seat) for row in session.exec(select(table)).all()]
        assert store.withdraw(session, cup, "ann", "again", 8.0) == 0
        answer = deliver(session, cup, third)
        assert (answer.outcome, answer.fresh) == ("void", False)
        assert rows == [
            repr(row) for table in (Block, Attempt, Match, Seat) for row in session.exec(select(table)).all()
        ]
        assert deliver(session, cup, second).fresh
        assert store.withdrawals(session, store.key(cup)) == [("ann", "its author asked")]
        known = of_game(session, "toy")
    assert [(block.public_id, block.reason) for block in known.counted] == [
        ("cup/0/1", ""),
        ("cup/1/1", ""),
        ("cup/2/1", "ann was withdrawn: its author asked"),
        ("cup/3", "ann was withdrawn: its author asked"),
    ]


@pytest.mark.parametrize("bot", ["nobody", "eve"])
def test_only_a_bot_of_the_tournament_can_be_withdrawn(database: Database, bot: str) -> None:
    with database.writing() as session:
        store.add_bot(session, "eve", house=True)
        cup = begin(session, "cup", 1)
        with pytest.raises(LadderError, match=f"bot '{bot}' is not in tournament 'cup'"):
            store.withdraw(session, cup, bot, "", 0.0)
        assert block_of(session, cup, 0).outcome is None


def test_the_blocks_of_a_reproducible_tournament_are_void_under_their_own_ids(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 2)
        cup.reproducible = True
        leases.take(session, store.key(cup), HERE, 0.0, 10.0, 1)
        store.cancel(session, cup)
        assert [block.public_id for block in of_game(session, "toy").counted] == ["cup/0", "cup/1"]
