"""Tournaments that several programs play, and that an organiser pauses, cancels, or takes a bot out of meanwhile."""

from collections.abc import Callable
from dataclasses import replace

import fake_worker
import pytest
from busy import Busy, index_of
from fake_time import FakeTime
from sqlalchemy import update
from sqlmodel import Session, col, select

from tradepit.v1 import block_pb2
from tradepit_ladder import leases, store
from tradepit_ladder.application import Ladder
from tradepit_ladder.claims import LEASE_SECONDS
from tradepit_ladder.client import (
    EntrantSpec,
    LadderError,
    Progress,
    TournamentOrder,
    TournamentReport,
    TournamentState,
    Withdrawal,
)
from tradepit_ladder.database import Database
from tradepit_ladder.leases import Lease
from tradepit_ladder.models import Attempt, Block, Seat
from tradepit_ladder.owners import Owner
from tradepit_ladder.results import played_matches
from tradepit_ladder.runner import POLL_SECONDS

MakeOrder = Callable[..., TournamentOrder]
OpenLadder = Callable[..., Ladder]
Play = Callable[[block_pb2.BlockSpecification], block_pb2.BlockResult]
ROOT = bytes(range(32))
ELSEWHERE = Owner("another machine/1/1")


def run(ladder: Ladder, order: TournamentOrder) -> TournamentReport:
    return ladder.run_tournament(order, lambda _: None)


def meanwhile(at: int, do: Callable[[], object]) -> Callable[[bytes], bytes]:
    """A worker in whose block with the index *at* something is done elsewhere."""

    def play(block: block_pb2.BlockSpecification) -> block_pb2.BlockResult:
        if index_of(block) == at:
            do()
        return fake_worker.fabricate(block)

    return fake_worker.shard_of(play)


def begun(ladder: Ladder, order: TournamentOrder) -> None:
    """Enter *order*, and stop before anything is played."""

    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ladder.run_tournament(order, stop)


def taken_elsewhere(database: Database, now: float, limit: int) -> list[Lease]:
    """The first *limit* open blocks of the first tournament, leased by another program."""
    return database.write(lambda session: leases.take(session, 1, ELSEWHERE, now, LEASE_SECONDS, limit))


def deliver(database: Database, lease: Lease) -> leases.Answer:
    """Record that the other program has played a block."""
    bots = [block_pb2.Entrant(bot=bot) for bot in lease.entrants]
    block = block_pb2.BlockSpecification(block_id=f"cup/{lease.block_index}/{lease.attempt}", entrants=bots)
    matches = [(match, "ab" * 32) for match in played_matches(block, fake_worker.fabricate(block))]
    return database.write(lambda session: leases.complete(session, lease, block.block_id, matches))


def test_what_another_program_holds_is_waited_for_with_a_message_and_counts(
    open_ladder: OpenLadder, make_order: MakeOrder, database: Database
) -> None:
    order, notices, waited = make_order("ann", "bob", blocks=8, name="cup"), list[str](), list[float]()
    begun(open_ladder(), order)
    time = FakeTime()
    held = taken_elsewhere(database, time.seconds, 2)

    def others_go_on() -> None:
        waited.append(time.seconds)
        if len(waited) > 3 and held:
            assert deliver(database, held.pop()).fresh

    time.meanwhile = others_go_on
    report = run(open_ladder(time=time, notice=notices.append), order)
    assert notices == ["waiting for another program, which plays the blocks that are left"]
    assert len(waited) == 5
    assert waited[1] - waited[0] == POLL_SECONDS
    assert (report.blocks_complete, report.blocks_played) == (8, 6)
    assert report.standings == run(open_ladder(name="other"), order).standings


def test_what_a_program_that_vanished_held_is_played_when_its_leases_have_expired(
    open_ladder: OpenLadder, make_order: MakeOrder, database: Database
) -> None:
    order = make_order("ann", "bob", blocks=8, name="cup")
    begun(open_ladder(), order)
    time = FakeTime()
    (held, *_) = taken_elsewhere(database, time.seconds, 3)
    before = time.seconds
    report = run(open_ladder(time=time), order)
    assert LEASE_SECONDS <= time.seconds - before <= LEASE_SECONDS + POLL_SECONDS
    assert report.blocks_complete == report.blocks_played == 8
    late = deliver(database, held)
    assert (late.fresh, late.public_id) == (False, "cup/0/2")
    assert report.standings == run(open_ladder(), order).standings


def test_what_two_programs_play_is_shown_by_both(open_ladder: OpenLadder, make_order: MakeOrder) -> None:
    order, reports = make_order("ann", "bob", blocks=20, name="cup"), list[TournamentReport]()
    beside = meanwhile(3, lambda: reports.append(run(open_ladder(), order)))
    report = run(open_ladder(beside), order)
    assert report.blocks_complete == 20
    assert report.blocks_played + reports[0].blocks_played == 20
    assert 0 < reports[0].blocks_played < 20
    assert report.standings == run(open_ladder(name="other"), order).standings


def test_a_pause_lets_what_has_begun_end_and_counts_it_and_the_same_order_goes_on(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    order = make_order("ann", "bob", blocks=20, name="cup")
    paused = run(open_ladder(meanwhile(2, lambda: open_ladder().pause_tournament("cup"))), order)
    assert (paused.state, paused.blocks_complete, paused.blocks_open) == (TournamentState.PAUSED, 10, 10)
    report = run(open_ladder(), order)
    assert (report.state, report.blocks_complete) == (TournamentState.OPEN, 20)
    assert report.standings == run(open_ladder(name="other"), order).standings


def test_what_is_held_but_has_not_begun_when_it_is_paused_is_given_back(
    open_ladder: OpenLadder, make_order: MakeOrder, database: Database
) -> None:
    def plan(busy: Busy) -> None:
        if len(busy.begun) == 2:
            open_ladder().pause_tournament("cup")
        busy.end_last()

    busy = Busy(plan)
    bots = [f"b{number:02}" for number in range(14)]  # too many for one shard
    order = make_order(*bots, table_size=4, blocks=2, name="cup")
    report = run(open_ladder(executor=busy.executor, time=busy.time), order)
    assert len(busy.begun) == 2
    assert report.blocks_complete == sum(len(call.blocks) for call in busy.begun)
    with database.reading() as session:
        given_back = session.exec(select(Attempt.ended).where(col(Attempt.ended) != store.COMPLETE)).all()
    assert set(given_back) == {leases.RELEASED}


def test_a_cancelled_tournament_drops_what_has_begun_and_ends_for_good(
    open_ladder: OpenLadder, make_order: MakeOrder, database: Database
) -> None:
    order, stopped = make_order("ann", "bob", blocks=20, name="cup"), list[Busy]()

    def plan(busy: Busy) -> None:
        if len(busy.begun) == 2:
            open_ladder().cancel_tournament("cup")
            stopped.append(busy)
        else:
            busy.end_last()

    busy = Busy(plan)
    report = run(open_ladder(executor=busy.executor, time=busy.time), order)
    assert (report.state, report.blocks_complete, report.blocks_open) == (TournamentState.CANCELLED, 2, 0)
    assert {block.reason for block in report.void} == {"the tournament was cancelled"}
    assert len(stopped) == 1
    assert busy.begun[1].cancelled()
    with pytest.raises(LadderError, match="tournament 'cup' was cancelled"):
        run(open_ladder(), order)
    assert open_ladder().leaderboard("toy").blocks_waiting == 0
    with database.reading() as session:
        assert len(session.exec(select(Seat)).all()) == 2 * 2 * 2


def test_what_was_played_of_a_cancelled_tournament_too_late_does_not_count(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    order = make_order("ann", "bob", blocks=20, name="cup")
    report = run(open_ladder(meanwhile(2, lambda: open_ladder().cancel_tournament("cup"))), order)
    assert (report.blocks_complete, report.blocks_played, len(report.void)) == (2, 2, 18)


def test_a_bot_that_is_withdrawn_keeps_what_it_has_played_and_the_others_go_on(
    open_ladder: OpenLadder, make_order: MakeOrder, database: Database
) -> None:
    order, void = make_order("ann", "bob", "cid", blocks=10, name="cup"), list[int]()
    ladder = open_ladder(meanwhile(2, lambda: void.append(open_ladder().withdraw_bot("bob", "cup", "its own wish"))))
    report = run(ladder, order)
    assert report.withdrawals == (Withdrawal("bob", "its own wish"),)
    assert {block.reason for block in report.void} == {"bob was withdrawn: its own wish"}
    assert void == [len(report.void)] == [report.blocks_withdrawn]
    assert (report.blocks_open, report.blocks_complete + len(report.void)) == (0, 30)
    with database.reading() as session:
        entrants = select(Block.entrants).where(Block.outcome == store.COMPLETE)
        complete = session.exec(entrants).all()
    assert sum("bob" not in bots for bots in complete) == 10
    matches = {row.bot: row.matches for row in report.standings.standings}
    assert matches["bob"] == 2 * sum("bob" in bots for bots in complete) > 0


@pytest.mark.parametrize("what", ["pause", "cancel", "withdraw"])
def test_where_nothing_is_open_there_is_nothing_to_organise(
    what: str, open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    ladder = open_ladder()
    calls: dict[str, Callable[[str], object]] = {
        "pause": ladder.pause_tournament,
        "cancel": ladder.cancel_tournament,
        "withdraw": lambda name: ladder.withdraw_bot("ann", name, ""),
    }
    with pytest.raises(LadderError, match="there is no tournament 'cup'; 'tradepit tournament list'"):
        calls[what]("cup")
    run(ladder, make_order(name="cup"))
    with pytest.raises(LadderError, match="tournament 'cup' is over: there is nothing left to"):
        calls[what]("cup")


def test_a_bot_is_withdrawn_only_where_it_plays(open_ladder: OpenLadder, make_order: MakeOrder) -> None:
    ladder = open_ladder()
    begun(ladder, make_order("ann", "bob", name="cup"))
    with pytest.raises(LadderError, match="'cid' is not in tournament 'cup'"):
        ladder.withdraw_bot("cid", "cup", "")


@pytest.mark.parametrize("root", [None, ROOT])
def test_the_order_of_a_tournament_can_be_had_again(
    root: bytes | None, open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    ladder = open_ladder()
    ladder.add_bot("mine", ["./mine", "fast"], "/home/me")
    control = block_pb2.TimeControl(strikes=2, name="odd")
    control.decision.FromMilliseconds(1500)
    order = make_order("ann", "bob", name="cup", root_seed=root, options={"speed": "high"}, time_control=control)
    mine = EntrantSpec("mine", ("./mine", "fast"), "/home/me", house=False, program_sha256="ab" * 32)
    order = replace(order, entrants=(*order.entrants, mine), edition_toml=b"id = 'one'\r\n")
    begun(ladder, order)
    again = ladder.tournament_order("cup")
    assert again.entrants[-1] == mine
    assert [(entrant.bot, entrant.house) for entrant in again.entrants[:2]] == [("ann", True), ("bob", True)]
    assert replace(again, entrants=order.entrants) == order
    assert run(ladder, replace(again, entrants=order.entrants)).blocks_complete == 3


def test_the_order_of_an_older_version_is_not_complete(
    open_ladder: OpenLadder, make_order: MakeOrder, database: Database
) -> None:
    ladder = open_ladder()
    begun(ladder, make_order(name="cup"))

    def step(session: Session) -> None:
        tournament = store.find_tournament(session, "cup")
        assert tournament is not None
        tournament.arguments = {word: value for word, value in tournament.arguments.items() if word != "rest"}

    database.write(step)
    with pytest.raises(LadderError, match="go on with it by the command that began it"):
        ladder.tournament_order("cup")


def test_tournaments_are_listed_with_how_far_they_are(open_ladder: OpenLadder, make_order: MakeOrder) -> None:
    seen = []
    ladder = open_ladder(meanwhile(3, lambda: seen.append(open_ladder().tournaments())))
    run(ladder, make_order(name="first", root_seed=ROOT))
    begun(ladder, make_order("ann", "bob", name="second"))
    run(ladder, make_order("dot", "eve", name="third", blocks=6))
    (during,) = seen
    assert [(each.tournament, each.running, each.blocks, each.blocks_complete) for each in during] == [
        ("first", False, 3, 3),
        ("second", False, 1, 0),
        ("third", True, 6, 2),
    ]
    assert (during[0].bots, during[0].game, during[0].reproducible) == (("ann", "bob", "cid"), "toy", True)
    assert [each.running for each in ladder.tournaments()] == [False] * 3


def test_a_late_answer_after_a_withdrawal_gets_the_stored_answer(
    open_ladder: OpenLadder, make_order: MakeOrder, database: Database
) -> None:
    ladder = open_ladder()
    begun(ladder, make_order("ann", "bob", name="cup"))
    (held,) = taken_elsewhere(database, FakeTime().seconds, 1)
    assert ladder.withdraw_bot("ann", "cup", "") == 1
    answer = deliver(database, held)
    assert (answer.outcome, answer.fresh) == (store.VOID, False)
    with database.reading() as session:
        assert session.exec(select(Seat).order_by(col(Seat.seat))).all() == []


def test_a_tournament_that_was_taken_for_stopped_counts_when_its_last_block_has_been_delivered(
    open_ladder: OpenLadder, make_order: MakeOrder, database: Database
) -> None:
    """Another program began a tournament of the same game, and the one that plays this one is killed at its end."""

    def stop(now: Progress) -> None:
        if now.blocks_finished == 1:
            raise SystemExit

    def step(session: Session) -> None:
        session.exec(update(Block).values(number=None))

    ladder = open_ladder(meanwhile(0, lambda: database.write(step)))
    with pytest.raises(SystemExit):
        ladder.run_tournament(make_order("ann", "bob", name="cup"), stop)
    assert ladder.leaderboard("toy").blocks_counted == 1
