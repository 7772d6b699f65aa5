"""The queue, and results that are stored once."""

from collections.abc import Callable
from itertools import pairwise

import fake_worker
import pytest
from sqlmodel import Session, col, select

from tradepit.v1 import block_pb2
from tradepit_ladder import record, store
from tradepit_ladder.database import Database
from tradepit_ladder.models import Block, Bot, Match, Seat, Tournament
from tradepit_ladder.results import PlayedMatch, played_matches


@pytest.fixture
def begin(database: Database) -> Callable[..., Tournament]:
    """Stores a tournament of ann against bob and queues it, as a run does."""

    def begin(name: str, blocks: int, game: str = "toy") -> Tournament:
        with database.writing() as session:
            for bot in ("ann", "bob"):
                if store.find_bot(session, bot) is None:
                    session.add(Bot(name=bot, house=True, command=[], working_directory=""))
            tournament = Tournament(public_id=name, name=name, game=game, arguments={}, reproducible=False)
            store.add_tournament(session, tournament, [["ann", "bob"]] * blocks)
            store.release_stopped(session, tournament)
            store.enqueue(session, store.key(tournament))
            session.expunge(tournament)
        return tournament

    return begin


def result_of(public_id: str) -> list[tuple[PlayedMatch, str]]:
    block = block_pb2.BlockSpecification(
        block_id=public_id, entrants=[block_pb2.Entrant(bot=bot) for bot in ("ann", "bob")]
    )
    return [(match, "00" * 32) for match in played_matches(block, fake_worker.fabricate(block))]


def finish(session: Session, tournament: Tournament, *indexes: int) -> None:
    """Record these blocks, which the tournament has, as complete."""
    for index in indexes:
        block = session.exec(
            select(Block).where(Block.tournament_id == tournament.id, Block.block_index == index)
        ).one()
        public_id = f"{tournament.public_id}/{index}/1"
        assert store.record_complete(session, store.key(block), public_id, result_of(public_id))


def queue(session: Session) -> list[tuple[str, int]]:
    """Tournament and index of every block that has a place, in order."""
    places = select(Tournament.name, Block.block_index).join(Tournament).where(col(Block.number).is_not(None))
    return list(session.exec(places.order_by(col(Block.number))).all())


def rows(session: Session) -> list[str]:
    return [repr(row) for table in (Block, Match, Seat) for row in session.exec(select(table)).all()]


def test_a_second_delivery_changes_nothing(database: Database, begin: Callable[..., Tournament]) -> None:
    begin("cup", 1)
    with database.writing() as session:
        assert store.record_complete(session, 1, "cup/0/1", result_of("cup/0/1"))
    with database.writing() as session:
        before = rows(session)
        assert not store.record_complete(session, 1, "cup/0/1", result_of("cup/0/1"))
        assert not store.record_complete(session, 1, "cup/0/2", result_of("cup/0/2"))
        assert not store.record_void(session, 1, "cup/0/3", "too late")
        assert rows(session) == before
    assert len(before) == 1 + 2 + 4


def test_a_void_block_stays_void(database: Database, begin: Callable[..., Tournament]) -> None:
    begin("cup", 1)
    with database.writing() as session:
        assert store.record_void(session, 1, "cup/0/1", "the roof fell in")
        assert not store.record_complete(session, 1, "cup/0/1", result_of("cup/0/1"))
        known = record.of_game(session, "toy")
    assert [(block.public_id, block.reason) for block in known.counted] == [("cup/0/1", "the roof fell in")]
    assert known.matches == []


def test_only_blocks_before_the_first_unfinished_one_count(
    database: Database, begin: Callable[..., Tournament]
) -> None:
    cup = begin("cup", 4)
    with database.writing() as session:
        finish(session, cup, 3, 0, 2)
        known = record.of_game(session, "toy")
        assert [block.public_id for block in known.counted] == ["cup/0/1"]
        assert [block.public_id for block in known.waiting] == ["cup/2/1", "cup/3/1"]
        assert len(known.matches) == 2
        finish(session, cup, 1)
        known = record.of_game(session, "toy")
        assert [block.public_id for block in known.counted] == [f"cup/{index}/1" for index in range(4)]
        assert known.waiting == []


def test_another_games_blocks_hold_nothing_up(database: Database, begin: Callable[..., Tournament]) -> None:
    begin("chess", 1, "other")
    cup = begin("cup", 1)
    with database.writing() as session:
        finish(session, cup, 0)
        assert len(record.of_game(session, "toy").counted) == 1
        assert record.of_game(session, "other").counted == []


def test_a_stopped_tournament_leaves_the_queue_for_the_next_and_returns_to_its_end(
    database: Database, begin: Callable[..., Tournament]
) -> None:
    first = begin("first", 4)
    with database.writing() as session:
        finish(session, first, 0, 2)
    second = begin("second", 2)
    with database.writing() as session:
        assert queue(session) == [("first", 0), ("second", 0), ("second", 1)]
        finish(session, second, 0, 1)
        known = record.of_game(session, "toy")
        assert [block.public_id for block in known.counted] == ["first/0/1", "second/0/1", "second/1/1"]
        assert [block.public_id for block in known.waiting] == ["first/2/1"]
        store.enqueue(session, store.key(first))
        finish(session, first, 1, 3)
        assert queue(session)[3:] == [("first", 1), ("first", 2), ("first", 3)]
        after = record.of_game(session, "toy")
        assert after.matches[: len(known.matches)] == known.matches
        assert len(after.matches) == 2 * 6
        assert after.waiting == []


def test_a_finished_tournament_keeps_its_place(database: Database, begin: Callable[..., Tournament]) -> None:
    first = begin("first", 2)
    with database.writing() as session:
        finish(session, first, 0, 1)
    begin("second", 1)
    with database.reading() as session:
        assert queue(session) == [("first", 0), ("first", 1), ("second", 0)]


def test_attempts_are_counted_from_one_and_never_twice_the_same(
    database: Database, begin: Callable[..., Tournament]
) -> None:
    begin("cup", 2)
    begun = []
    for blocks in ([1, 2], [2], [2]):
        with database.writing() as session:
            begun.append(store.begin_attempts(session, blocks))
    assert begun == [{1: 1, 2: 1}, {2: 2}, {2: 3}]


def test_matches_are_read_in_order_of_block_and_match_whatever_the_order_of_delivery(
    database: Database, begin: Callable[..., Tournament]
) -> None:
    forwards, backwards = begin("forwards", 5), begin("backwards", 5, "other")
    with database.writing() as session:
        finish(session, forwards, 0, 1, 2, 3, 4)
        finish(session, backwards, 4, 3, 2, 1, 0)
        numbers = [session.exec(select(Block.number).where(Block.tournament_id == 2)).all()]
        one_by_one = [result_of(f"backwards/{index}/1") for index in range(5)]
        read = record.of_game(session, "other").matches
    expected = [[(s.bot, s.placement, s.faults) for s in match.seats] for block in one_by_one for match, _ in block]
    assert [[tuple(seat) for seat in match] for match in read] == expected
    assert all(one < other for one, other in pairwise(n for n in numbers[0] if n is not None))
