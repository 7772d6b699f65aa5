"""Several shards at once, and whatever becomes of their workers."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import fake_worker
import pytest
from busy import Busy, Call, index_of
from sqlmodel import col, select

from tradepit.v1 import block_pb2
from tradepit_ladder.application import Ladder
from tradepit_ladder.claims import LEASE_SECONDS
from tradepit_ladder.client import TournamentOrder, TournamentReport, VoidBlock
from tradepit_ladder.database import Database
from tradepit_ladder.models import Attempt, Block
from tradepit_ladder.pool import ProcessDied
from tradepit_ladder.runner import MAX_ATTEMPTS, RENEW_SECONDS

pytestmark = pytest.mark.parametrize("backend", ["sqlite"])  # test_tournaments.py runs on all

MakeOrder = Callable[..., TournamentOrder]
OpenLadder = Callable[..., Ladder]
ROOT = bytes(range(32))


def run(ladder: Ladder, order: TournamentOrder) -> TournamentReport:
    return ladder.run_tournament(order, lambda _: None)


def timed() -> block_pb2.TimeControl:
    """With a limit for decisions, a block has a deadline."""
    control = block_pb2.TimeControl(strikes=3)
    control.startup.FromTimedelta(timedelta(seconds=10))
    control.decision.FromTimedelta(timedelta(milliseconds=10))
    return control


def endings(database: Database) -> dict[int, list[str | None]]:
    """How the attempts at each block ended, by its index."""
    with database.reading() as session:
        attempts = select(Block.block_index, Attempt.ended).join(Attempt).order_by(col(Attempt.id))
        found: dict[int, list[str | None]] = {}
        for index, ended in session.exec(attempts):
            found.setdefault(index, []).append(ended)
        return found


@pytest.mark.parametrize("workers", [2, 3])
def test_so_many_shards_at_once_in_whatever_order_they_end_give_the_same_table(
    workers: int, open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    busy = Busy()
    order = make_order("ann", "bob", "cid", "dot", blocks=6, root_seed=ROOT)
    report = run(open_ladder(executor=busy.executor, time=busy.time, workers=workers), order)
    assert busy.most == workers
    assert sorted(index for call in busy.begun for index in call.indices) == list(range(36))
    assert [call.indices[0] for call in busy.begun] == sorted(call.indices[0] for call in busy.begun)
    assert report.standings == run(open_ladder(name="other"), order).standings
    assert report.blocks_complete == report.blocks_played == 36


def test_towards_the_end_what_is_left_is_shared_among_the_workers(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    def plan(busy: Busy) -> None:
        busy.time.seconds -= RENEW_SECONDS - 1  # a shard takes a second
        busy.running[0].end()

    busy = Busy(plan)
    run(open_ladder(executor=busy.executor, time=busy.time, workers=2), make_order("ann", "bob", blocks=60))
    sizes = [len(call.blocks) for call in busy.begun]
    assert sizes == [2, 2, 8, 8, 16, 12, 6, 3, 2, 1]


def test_a_stuck_shard_delays_nobody_and_its_blocks_are_played_elsewhere_at_its_deadline(
    open_ladder: OpenLadder, make_order: MakeOrder, database: Database
) -> None:
    def plan(busy: Busy) -> None:
        if busy.running[-1] is not busy.begun[0]:
            busy.running[-1].end()

    busy = Busy(plan)
    order = make_order("ann", "bob", blocks=40, time_control=timed(), root_seed=ROOT)
    report = run(open_ladder(executor=busy.executor, time=busy.time, workers=2), order)
    stuck = busy.begun[0]
    assert (stuck.cancelled(), stuck.indices) == (True, [0, 1])
    assert [call.indices for call in busy.begun[-2:]] == [[0], [1]]  # when the others had long been played
    assert report.blocks_complete == 40
    assert report.standings == run(open_ladder(name="other"), order).standings
    assert endings(database)[0] == endings(database)[1] == ["released", "complete"]


def killing(*indices: int, error: Callable[[], BaseException] = ProcessDied) -> Callable[[bytes], bytes]:
    """A worker that dies of the blocks with these indices."""

    def play(block: block_pb2.BlockSpecification) -> block_pb2.BlockResult:
        if index_of(block) in indices:
            raise error()
        return fake_worker.fabricate(block)

    return fake_worker.shard_of(play)


def test_the_one_block_that_kills_its_worker_is_found_and_no_other_pays(
    open_ladder: OpenLadder, make_order: MakeOrder, database: Database
) -> None:
    busy = Busy()
    order = make_order("ann", "bob", blocks=26, name="cup")
    report = run(open_ladder(killing(13), busy.executor, time=busy.time), order)
    dead = [call.indices for call in busy.begun if 13 in call.indices]
    assert [len(indices) for indices in dead] == [8, 4, 2, 1, 1, 1]
    reason = "the process that played it was ended from outside, or died for want of memory; at the table: ann, bob"
    assert report.void == (VoidBlock(f"cup/13/{len(dead)}", reason),)
    assert report.blocks_complete == 25
    found = endings(database)
    assert found.pop(13) == ["released"] * 3 + ["void"] * MAX_ATTEMPTS
    assert {ended for attempts in found.values() for ended in attempts} == {"complete", "released"}


def test_where_a_pool_breaks_as_a_whole_a_block_is_blamed_only_when_it_was_alone(
    open_ladder: OpenLadder, make_order: MakeOrder, database: Database
) -> None:
    def plan(busy: Busy) -> None:
        if any(7 in call.indices for call in busy.running):
            busy.break_pool()
        else:
            busy.end_last()

    busy = Busy(plan)
    report = run(
        open_ladder(executor=busy.executor, time=busy.time, workers=3), make_order("ann", "bob", blocks=20, name="cup")
    )
    assert [block.block_id.split("/")[1] for block in report.void] == ["7"]
    assert report.blocks_complete == 19
    found = endings(database)
    assert Counter(found.pop(7))["void"] == MAX_ATTEMPTS
    assert {ended for attempts in found.values() for ended in attempts} == {"complete", "released"}


@pytest.mark.parametrize("cause", [block_pb2.VOID_CAUSE_UNKNOWN, block_pb2.VOID_CAUSE_CANCELLED])
def test_what_was_not_the_infrastructure_is_void_and_shown_and_not_run_again(
    cause: block_pb2.VoidCause.ValueType, open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    asked = Counter[int]()

    def play(block: block_pb2.BlockSpecification) -> block_pb2.BlockResult:
        asked[index_of(block)] += 1
        return fake_worker.void(block, "who knows", cause) if index_of(block) == 1 else fake_worker.fabricate(block)

    report = run(open_ladder(fake_worker.shard_of(play)), make_order(name="cup"))
    assert report.void == (VoidBlock("cup/1/1", "who knows"),)
    assert asked == {0: 1, 1: 1, 2: 1}


def test_attempts_that_failed_count_over_all_runs(open_ladder: OpenLadder, make_order: MakeOrder) -> None:
    asked = []

    def play(block: block_pb2.BlockSpecification) -> block_pb2.BlockResult:
        asked.append(block.block_id)
        if len(asked) in (MAX_ATTEMPTS, 10):
            raise KeyboardInterrupt
        return fake_worker.void(block)

    order = make_order("ann", "bob", name="cup")
    assert run(open_ladder(fake_worker.shard_of(play)), order).interrupted
    report = run(open_ladder(fake_worker.shard_of(play)), order)
    assert report.void == (VoidBlock("cup/0/4", "the roof fell in"),)
    assert asked == [f"cup/0/{attempt}" for attempt in (1, 2, 3, 4)]  # the third was given back


def test_leases_are_renewed_while_a_shard_runs(
    open_ladder: OpenLadder, make_order: MakeOrder, database: Database
) -> None:
    until = []

    def plan(busy: Busy) -> None:
        with database.reading() as session:
            lasting = select(Attempt.until).where(col(Attempt.ended).is_(None))
            until.append(min(session.exec(lasting)) - busy.time.seconds)
        if len(until) == 40:
            busy.end_last()

    busy = Busy(plan)
    begun = busy.time.seconds
    run(open_ladder(executor=busy.executor, time=busy.time), make_order("ann", "bob"))
    assert len(until) == 40
    assert busy.time.seconds > begun + LEASE_SECONDS
    assert min(until) > RENEW_SECONDS


def test_ctrl_c_gives_back_what_is_held(open_ladder: OpenLadder, make_order: MakeOrder, database: Database) -> None:
    def plan(busy: Busy) -> None:
        if len(busy.begun) > 2:
            raise KeyboardInterrupt
        busy.end_last()

    busy = Busy(plan)
    report = run(open_ladder(executor=busy.executor, time=busy.time, workers=2), make_order("ann", "bob", blocks=20))
    assert report.interrupted
    assert report.blocks_complete == 2
    assert all(call.done() for call in busy.begun)
    counts = Counter(ended for attempts in endings(database).values() for ended in attempts)
    assert counts == {"complete": 2, "released": sum(len(call.blocks) for call in busy.begun[:1] + busy.begun[2:])}


def test_a_shard_of_many_bots_is_no_larger_than_what_can_be_started(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    busy = Busy()
    bots = [f"b{number:02}" for number in range(16)]
    run(open_ladder(executor=busy.executor, time=busy.time), make_order(*bots))
    assert max(len(bots_of(call)) for call in busy.begun) <= 12


def bots_of(call: Call) -> set[str]:
    return {entrant.bot for block in call.blocks for entrant in block.entrants}
