"""Leases: who may play a block, and whose result of it counts."""

from itertools import permutations

import pytest
from recording import begin, block_of, deliver, public_id_of, result_of
from sqlmodel import Session, col, select

from tradepit_ladder import leases, owners, store
from tradepit_ladder.database import Database
from tradepit_ladder.leases import Answer, Lease
from tradepit_ladder.models import Attempt, Block, Match, Seat, Tournament
from tradepit_ladder.owners import Owner

HERE, THERE = Owner("here"), Owner("there")


def take(
    session: Session, tournament: Tournament, owner: Owner = HERE, now: float = 0.0, limit: int = 1, **more: list[int]
) -> list[Lease]:
    """Leases of 10 s."""
    return leases.take(session, store.key(tournament), owner, now, 10.0, limit, **more)


def rows(session: Session) -> list[str]:
    session.expire_all()
    return [repr(row) for table in (Block, Attempt, Match, Seat) for row in session.exec(select(table)).all()]


def ends(session: Session) -> list[str | None]:
    """How each attempt ended, in order."""
    return list(session.exec(select(Attempt.ended).order_by(col(Attempt.id))).all())


def test_blocks_are_taken_in_order_each_by_one(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 5)
        here = take(session, cup, limit=2)
        there = take(session, cup, THERE, limit=9)
        assert take(session, cup, HERE, limit=9) == take(session, cup, THERE, limit=9) == []
    assert [[lease.block_index for lease in each] for each in (here, there)] == [[0, 1], [2, 3, 4]]
    assert all((lease.attempt, lease.failures, lease.entrants) == (1, 0, ("ann", "bob")) for lease in here + there)


def test_a_lease_ends_with_its_time_and_tokens_rise(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 1)
        (first,) = take(session, cup)
        assert take(session, cup, THERE, now=9.9) == []
        (second,) = take(session, cup, THERE, now=10.0)
        assert (second.attempt, second.failures) == (2, 0)
        assert second.token > first.token
        assert ends(session) == ["expired", None]


def test_blocks_that_are_to_be_skipped_are_left_to_others(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 3)
        skipped = store.key(block_of(session, cup, 1))
        assert [lease.block_index for lease in take(session, cup, limit=9, skip=[skipped])] == [0, 2]
        assert [lease.block_index for lease in take(session, cup, THERE, limit=9)] == [1]


def test_what_a_dead_process_held_is_free_at_once(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 2)
        take(session, cup, limit=2)
        monkeypatch.setattr(owners, "is_gone", lambda owner: owner == HERE)
        assert leases.held_by_others(session, store.key(cup), THERE, 1.0) == 0
        assert [lease.attempt for lease in take(session, cup, THERE, limit=9)] == [2, 2]


def test_what_others_hold_is_counted(database: Database) -> None:
    with database.writing() as session:
        cup, other = begin(session, "cup", 5), begin(session, "other", 1)
        (given_back, _, _) = take(session, cup, limit=3)
        take(session, cup, THERE, now=5.0)
        take(session, other)
        leases.release(session, [given_back])
        held = [
            leases.held_by_others(session, store.key(cup), owner, now)
            for owner, now in ((HERE, 5.0), (THERE, 5.0), (Owner("third"), 5.0), (Owner("third"), 12.0), (HERE, 15.0))
        ]
    assert held == [1, 2, 3, 1, 0]


def test_who_renews_keeps_its_blocks_and_hears_which_it_has_lost(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 3)
        kept, lost, finished = take(session, cup, limit=3)
        deliver(session, cup, finished)
        assert leases.renew(session, [kept, lost, finished], 30.0) == [kept, lost]
        assert leases.renew(session, [kept], 20.0) == [kept]  # never earlier
        assert take(session, cup, THERE, now=29.9, limit=9) == []
        leases.renew(session, [kept], 40.0)
        assert [lease.block_index for lease in take(session, cup, THERE, now=30.0, limit=9)] == [1]
        assert leases.renew(session, [kept, lost], 50.0) == [kept]


def test_what_is_given_back_is_free_and_no_failure(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 2)
        held = take(session, cup, limit=2)
        for _ in range(2):
            leases.release(session, held)
        again = take(session, cup, THERE, limit=2)
        assert [(lease.attempt, lease.failures) for lease in again] == [(2, 0)] * 2
        # A result that was on its way when its block was given back is too late.
        assert deliver(session, cup, held[0]) == Answer(None, None, fresh=False)
        assert ends(session) == ["released", "released", None, None]


def test_a_failed_attempt_leaves_the_block_open_and_counts_and_the_last_makes_it_void(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 1)
        for failures in range(2):
            (lease,) = take(session, cup)
            assert lease.failures == failures
            answer = leases.fail(session, lease, public_id_of(cup, lease), "the roof fell in", final=False)
            assert answer == Answer(None, None, fresh=True)
        (lease,) = take(session, cup)
        answer = leases.fail(session, lease, "cup/0/3", "the floor gave way", final=True)
        assert answer == Answer("void", "cup/0/3", fresh=True)
        block = block_of(session, cup, 0)
        session.refresh(block)
        assert (block.outcome, block.public_id, block.reason) == ("void", "cup/0/3", "the floor gave way")
        assert take(session, cup) == []
        attempts = session.exec(select(Attempt.ended, Attempt.reason)).all()
    assert list(attempts) == [("void", "the roof fell in")] * 2 + [("void", "the floor gave way")]


def test_a_second_delivery_changes_nothing_and_gets_the_stored_answer(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 1)
        (lease,) = take(session, cup)
        assert deliver(session, cup, lease) == Answer("complete", "cup/0/1", fresh=True)
        before = rows(session)
        stored = Answer("complete", "cup/0/1", fresh=False)
        assert deliver(session, cup, lease) == stored
        assert leases.complete(session, lease, "cup/0/2", result_of("cup/0/2")) == stored
        for final in (False, True):
            assert leases.fail(session, lease, "cup/0/1", "too late", final=final) == stored
        leases.release(session, [lease])
        assert leases.renew(session, [lease], 99.0) == []
        assert rows(session) == before
        assert len(before) == 1 + 1 + 2 + 4


def test_a_late_delivery_counts_unless_somebody_else_has_the_block(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 2)
        late, too_late = take(session, cup, limit=2)
        assert deliver(session, cup, late).fresh  # however late: nobody plays it
        (newer,) = take(session, cup, THERE, now=10.0)
        before = rows(session)
        assert deliver(session, cup, too_late) == Answer(None, None, fresh=False)
        assert leases.fail(session, too_late, "cup/1/1", "", final=True) == Answer(None, None, fresh=False)
        assert rows(session) == before
        assert deliver(session, cup, newer) == Answer("complete", "cup/1/2", fresh=True)
        assert deliver(session, cup, too_late) == Answer("complete", "cup/1/2", fresh=False)


def test_a_token_is_good_for_its_own_block_only(database: Database) -> None:
    with database.writing() as session:
        cup = begin(session, "cup", 2)
        one, other = take(session, cup, limit=2)
        mixed = Lease(one.block_key, one.block_index, one.entrants, one.attempt, other.token, 0)
        before = rows(session)
        assert not deliver(session, cup, mixed).fresh
        assert rows(session) == before


STEPS = ("take here", "take there", "complete here", "complete there", "fail here", "time passes", "cancel")


def play(session: Session, history: tuple[str, ...], name: str) -> tuple[list[tuple[str, bool]], str | None]:
    """Which deliveries of *history* counted, and what came of the block. Each delivers its owner's first lease."""
    cup, now = begin(session, name, 1, name), 0.0
    held: dict[str, Lease] = {}
    counted = []
    for step in history:
        what, _, who = step.partition(" ")
        if step == "time passes":
            now += 10.0
        elif step == "cancel":
            store.cancel(session, cup)
        elif what == "take":
            for lease in take(session, cup, Owner(who), now):
                held[who] = lease
        elif who in held:
            public_id = public_id_of(cup, held[who])
            if what == "complete":
                answer = leases.complete(session, held[who], public_id, result_of(public_id))
            else:
                answer = leases.fail(session, held[who], public_id, "", final=True)
            counted.append((step, answer.fresh))
            block = block_of(session, cup, 0)
            session.refresh(block)
            assert (answer.outcome, answer.public_id) == (block.outcome, block.public_id)
    block = block_of(session, cup, 0)
    session.refresh(block)
    matches = session.exec(select(Match).where(Match.block_id == block.id)).all()
    assert len(matches) == (2 if block.outcome == "complete" else 0)
    return counted, block.outcome


def expected(history: tuple[str, ...]) -> tuple[list[tuple[str, bool]], str | None]:
    """The same, from the rule alone: what counts is what comes first for the newest lease of an open block."""
    now, until, newest, outcome = 0.0, 0.0, "", None
    held = set()
    counted = []
    for step in history:
        what, _, who = step.partition(" ")
        if step == "time passes":
            now += 10.0
        elif step == "cancel":
            outcome = outcome or "void"
        elif what == "take":
            if outcome is None and now >= until:
                newest, until = who, now + 10.0
                held.add(who)
        elif who in held:
            fresh = outcome is None and newest == who
            counted.append((step, fresh))
            if fresh:
                outcome = "complete" if what == "complete" else "void"
    return counted, outcome


@pytest.mark.parametrize("first", STEPS[:2])
def test_whatever_two_owners_do_in_whatever_order_one_result_counts(database: Database, first: str) -> None:
    rest = [step for step in STEPS if step != first]
    histories = [(first, *others) for others in permutations(rest, 4)]
    if "postgresql" in database.shown:
        histories = histories[::12]
    with database.writing() as session:
        for number, history in enumerate(histories):
            assert play(session, history, f"cup-{number}") == expected(history), history
