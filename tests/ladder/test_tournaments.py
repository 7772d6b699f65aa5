"""Tournaments from order to record, with a worker that fabricates results."""

import os
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import fake_worker
import pytest
from fake_time import FakeTime
from sqlmodel import select

from tradepit.chance import reproducible_secret
from tradepit.v1 import block_pb2
from tradepit_ladder.application import Ladder
from tradepit_ladder.client import BotFaults, LadderError, Progress, TournamentOrder, TournamentReport
from tradepit_ladder.database import Database
from tradepit_ladder.models import Match
from tradepit_ladder.pool import WorkerPool
from tradepit_ladder.replays import ReplayStore
from tradepit_ladder.runner import MAX_ATTEMPTS, MAX_VOID_IN_A_ROW

Block = block_pb2.BlockSpecification
Run = Callable[[TournamentOrder], TournamentReport]
MakeOrder = Callable[..., TournamentOrder]
OpenLadder = Callable[..., Ladder]
ROOT = bytes(range(32))


class Recorder:
    """Plays blocks as told and remembers what it was asked."""

    def __init__(self, play: Callable[[Block, int], block_pb2.BlockResult] | None = None) -> None:
        self.asked: list[Block] = []
        self.shards: list[int] = []
        self._play = play or (lambda block, _: fake_worker.fabricate(block))

    def __call__(self, request: bytes) -> bytes:
        before = len(self.asked)
        answer = fake_worker.shard_of(self._one)(request)
        self.shards.append(len(self.asked) - before)
        return answer

    def _one(self, block: Block) -> block_pb2.BlockResult:
        self.asked.append(block)
        return self._play(block, len(self.asked))


def index_of(block: Block) -> int:
    return int(block.block_id.split("/")[1])


def run_with(ladder: Ladder, order: TournamentOrder) -> tuple[TournamentReport, list[Progress]]:
    seen: list[Progress] = []
    return ladder.run_tournament(order, seen.append), seen


def test_every_table_plays_its_blocks_and_progress_moves(open_ladder: OpenLadder, make_order: MakeOrder) -> None:
    report, seen = run_with(open_ladder(), make_order("ann", "bob", "cid", "dot", blocks=6))
    assert (report.blocks, report.blocks_complete, report.blocks_open) == (36, 36, 0)
    assert not report.interrupted
    assert [(now.blocks_finished, now.blocks) for now in seen] == [(0, 36), (2, 36), (10, 36), (26, 36), (36, 36)]
    assert {row.matches for row in report.standings.standings} == {36}


def test_the_specification_is_the_order(open_ladder: OpenLadder, make_order: MakeOrder) -> None:
    worker = Recorder()
    clocks = block_pb2.TimeControl(strikes=2, name="odd")
    order = make_order("ann", "bob", options={"speed": "high"}, time_control=clocks, name="cup")
    open_ladder(worker).run_tournament(order, lambda _: None)
    (block,) = worker.asked
    assert block == Block(
        block_id="cup/0/1",
        game="toy",
        options={"speed": "high"},
        deal=block_pb2.DEAL_INDEPENDENT,
        entrants=[
            block_pb2.Entrant(bot=bot, command=block_pb2.Command(arguments=["run", bot])) for bot in ("ann", "bob")
        ],
        time_control=clocks,
    )


def test_a_void_block_is_tried_again_alone_with_a_new_id_when_drawn(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    worker = Recorder(
        lambda block, _: fake_worker.void(block) if block.block_id == "cup/1/1" else fake_worker.fabricate(block)
    )
    report, _ = run_with(open_ladder(worker), make_order(name="cup"))
    assert [block.block_id for block in worker.asked] == ["cup/0/1", "cup/1/1", "cup/1/2", "cup/2/1"]
    assert worker.shards == [2, 1, 1]
    assert (report.blocks_complete, report.void) == (3, ())


def test_with_a_root_seed_another_attempt_has_the_same_id_and_secret(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    worker = Recorder(lambda block, count: fake_worker.void(block) if count == 2 else fake_worker.fabricate(block))
    report, _ = run_with(open_ladder(worker), make_order(root_seed=ROOT))
    assert [block.block_id for block in worker.asked] == [f"{report.id}/{index}" for index in (0, 1, 1, 2)]
    assert [block.reproducible_secret for block in worker.asked] == [
        reproducible_secret(ROOT, index) for index in (0, 1, 1, 2)
    ]
    assert report.reproducible
    assert report.standings.blocks_reproducible == 3


def test_a_block_that_stays_void_is_shown_and_counts_for_nothing(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    worker = Recorder(
        lambda block, _: fake_worker.void(block) if index_of(block) == 1 else fake_worker.fabricate(block)
    )
    ladder = open_ladder(worker)
    report, seen = run_with(ladder, make_order(name="cup"))
    assert Counter(index_of(block) for block in worker.asked) == {0: 1, 1: MAX_ATTEMPTS, 2: 1}
    assert [(block.block_id, block.reason) for block in report.void] == [("cup/1/3", "the roof fell in")]
    assert (report.blocks_complete, report.blocks_open) == (2, 0)
    assert seen[-1] == Progress("cup", 3, 3, 1)
    board = ladder.leaderboard("toy")
    assert (board.blocks_counted, board.blocks_waiting, board.void) == (2, 0, report.void)
    assert sum(row.matches for row in board.standings) == 2 * 4


def test_when_nothing_can_be_played_the_run_gives_up_before_all_is_void(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    order = make_order("ann", "bob", blocks=60, name="cup")
    with pytest.raises(LadderError, match=r"gave up: .* the roof fell in"):
        open_ladder(fake_worker.shard_of(fake_worker.void)).run_tournament(order, lambda _: None)
    report, _ = run_with(open_ladder(), order)
    assert (len(report.void), report.blocks_complete) == (MAX_VOID_IN_A_ROW, 60 - MAX_VOID_IN_A_ROW)


def test_void_blocks_among_complete_ones_do_not_make_a_run_give_up(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    worker = Recorder(lambda block, _: fake_worker.void(block) if index_of(block) % 2 else fake_worker.fabricate(block))
    report, _ = run_with(open_ladder(worker), make_order("ann", "bob", blocks=60))
    assert (report.blocks_complete, len(report.void)) == (30, 30)


def test_every_replay_is_kept_under_the_digest_in_the_record(
    run: Run, make_order: MakeOrder, database: Database, replays: Path
) -> None:
    run(make_order(name="cup"))
    with database.reading() as session:
        matches = session.exec(select(Match)).all()
        assert len(matches) == 6
        for match in matches:
            replay = block_pb2.Replay.FromString(ReplayStore(replays).read(match.replay_sha256))
            assert replay.match_id == match.public_id


def test_a_replay_that_cannot_be_kept_leaves_no_result(
    ladder: Ladder, make_order: MakeOrder, replays: Path, database: Database
) -> None:
    replays.write_text("no folder")
    with pytest.raises(LadderError, match="replays"):
        ladder.run_tournament(make_order(), lambda _: None)
    with database.reading() as session:
        assert session.exec(select(Match)).all() == []


def test_a_process_that_ended_by_itself_is_reported_with_its_last_words(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    def play(block: Block, _: int) -> block_pb2.BlockResult:
        result = fake_worker.fabricate(block)
        result.processes.add(entrant=0)
        result.processes.add(entrant=1, exit_status=-9, last_output=f"killed in {block.block_id}")
        return result

    report, _ = run_with(open_ladder(Recorder(play)), make_order("ann", "bob", blocks=2, name="cup"))
    (ended,) = report.ended_processes
    assert (ended.bot, ended.exit_status, ended.block_id) == ("bob", -9, "cup/0/1")
    assert ended.last_output == "killed in cup/0/1"


def test_what_bots_did_wrong_is_counted_by_kind_and_told_with_the_first(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    def play(block: Block, _: int) -> block_pb2.BlockResult:
        result = fake_worker.fabricate(block)
        for replay in result.replays:
            del replay.result.faults[:]
            bob, kind = list(replay.bots).index("bob"), block_pb2.FAULT_KIND_NO_SHOW
            replay.decisions.add(seat=bob, fault=kind)
            replay.decisions.add(seat=1 - bob)
            replay.result.faults.add(seat=bob, kind=kind, decision_index=0, message=f"no {replay.match_index}")
        return result

    report, _ = run_with(open_ladder(Recorder(play)), make_order("ann", "bob", blocks=2, name="cup"))
    assert report.faults == (BotFaults("bob", "no_show", 4, "cup/0/1/0", 0, "no 0"),)
    assert report.idle == ("bob",)


def test_the_same_seed_and_order_give_the_same_table_in_another_record(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    order = make_order(root_seed=ROOT, blocks=3)
    report, _ = run_with(open_ladder(), order)
    assert run_with(open_ladder(name="other"), order)[0] == report
    for other in ({"root_seed": bytes(32)}, {"options": {"speed": "high"}}):
        different, _ = run_with(open_ladder(), make_order(**{"root_seed": ROOT, "blocks": 3} | other))
        assert different.id != report.id
        assert different.standings != report.standings


def test_playing_a_finished_tournament_again_plays_and_changes_nothing(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    order = make_order(root_seed=ROOT)
    first, _ = run_with(open_ladder(), order)
    worker = Recorder()
    ladder = open_ladder(worker)
    board = ladder.leaderboard("toy")
    again, seen = run_with(ladder, order)
    assert (again.blocks_played, worker.asked, ladder.leaderboard("toy")) == (0, [], board)
    assert (again.standings, again.blocks_complete) == (first.standings, first.blocks_played)
    assert seen == [Progress(first.tournament, 3, 3, 0)]


def test_whoever_stops_a_tournament_of_slow_bots_keeps_what_was_complete(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    """Every block takes 11 s, and it is stopped in the fifth."""
    time = FakeTime()

    def play(block: Block, count: int) -> block_pb2.BlockResult:
        if count == 5:
            raise KeyboardInterrupt
        time.seconds += 11
        return fake_worker.fabricate(block)

    worker = Recorder(play)
    ladder = open_ladder(worker, time=time)
    report, seen = run_with(ladder, make_order("ann", "bob", blocks=20))
    assert (report.interrupted, report.blocks_complete, report.blocks_played) == (True, 4, 4)
    assert [now.blocks_finished for now in seen] == [0, 2, 3, 4]


def test_a_drawn_tournament_without_a_name_is_a_new_one_each_time(run: Run, make_order: MakeOrder) -> None:
    first, second = run(make_order()), run(make_order())
    assert first.id != second.id
    assert first.id.startswith("toy-")


def test_a_named_reproducible_tournament_has_the_id_of_its_root_and_order(run: Run, make_order: MakeOrder) -> None:
    named = run(make_order(root_seed=ROOT, name="cup"))
    unnamed = run(make_order(root_seed=ROOT))
    assert (named.tournament, named.id) == ("cup", unnamed.id)
    with pytest.raises(LadderError, match="'other' was already played, by the name of 'cup'"):
        run(make_order(root_seed=ROOT, name="other"))


@pytest.mark.parametrize("root", [None, ROOT])
def test_ctrl_c_keeps_what_is_complete_and_the_same_order_goes_on_to_the_same_table(
    open_ladder: OpenLadder, make_order: MakeOrder, run: Run, root: bytes | None
) -> None:
    def stop(block: Block, count: int) -> block_pb2.BlockResult:
        if count == 20:
            os.kill(os.getpid(), signal.SIGINT)
        return fake_worker.fabricate(block)

    order = make_order("ann", "bob", "cid", "dot", blocks=6, name="cup", root_seed=root)
    report, _ = run_with(open_ladder(Recorder(stop)), order)
    assert report.interrupted
    assert (report.blocks_complete, report.blocks_open, report.void) == (10, 26, ())
    worker = Recorder()
    ladder = open_ladder(worker)
    finished, seen = run_with(ladder, order)
    assert (seen[0].blocks_finished, len(worker.asked), finished.blocks_played) == (10, 26, 26)
    if root is None:
        assert {block.block_id.split("/")[2] for block in worker.asked} == {"1", "2"}
    undisturbed = open_ladder(name="undisturbed")
    assert finished.standings == run_with(undisturbed, order)[0].standings
    assert ladder.leaderboard("toy") == undisturbed.leaderboard("toy")


def test_ctrl_c_at_a_busy_worker_process_ends_it(open_ladder: OpenLadder, make_order: MakeOrder) -> None:
    report, _ = run_with(open_ladder(fake_worker.interrupt_parent, WorkerPool), make_order())
    assert report.interrupted
    assert (report.blocks_complete, report.blocks_open) == (0, 3)


def test_a_worker_process_that_dies_costs_an_attempt_and_nothing_else(
    open_ladder: OpenLadder, make_order: MakeOrder, tmp_path: Path
) -> None:
    worker = partial(fake_worker.die_once, str(tmp_path / "died"))
    report, _ = run_with(open_ladder(worker, WorkerPool), make_order(name="cup"))
    assert (report.blocks_complete, report.void) == (3, ())


def test_a_tournament_that_was_stopped_does_not_hold_up_the_next(
    open_ladder: OpenLadder, make_order: MakeOrder
) -> None:
    def stop(block: Block, count: int) -> block_pb2.BlockResult:
        if count == 17:
            raise KeyboardInterrupt
        return fake_worker.fabricate(block)

    ladder = open_ladder(Recorder(stop))
    first = make_order("ann", "bob", blocks=20, name="first")
    assert run_with(ladder, first)[0].blocks_open == 10
    run_with(open_ladder(), make_order("cid", "dot", name="second"))
    board = ladder.leaderboard("toy")
    assert (board.blocks_counted, board.blocks_waiting) == (11, 0)
    assert {row.bot: row.matches for row in board.standings} == {"ann": 20, "bob": 20, "cid": 2, "dot": 2}
    run_with(open_ladder(), first)
    assert ladder.leaderboard("toy").blocks_counted == 21


def test_blocks_behind_one_that_is_tried_again_wait_for_it(open_ladder: OpenLadder, make_order: MakeOrder) -> None:
    watching = open_ladder()
    waiting = []

    def play(block: Block, count: int) -> block_pb2.BlockResult:
        waiting.append(watching.leaderboard("toy").blocks_waiting)
        return fake_worker.void(block) if count == 3 else fake_worker.fabricate(block)

    order = make_order("ann", "bob", "cid", blocks=10, name="cup")
    report, _ = run_with(open_ladder(Recorder(play)), order)
    assert waiting == [0] * 10 + [7] + [0] * 20
    assert report.standings == run_with(open_ladder(name="undisturbed"), order)[0].standings
    assert report.standings == replace(watching.leaderboard("toy"), fold_version=0)


def test_a_tournaments_own_table_starts_from_the_prior(open_ladder: OpenLadder, make_order: MakeOrder) -> None:
    ladder = open_ladder()
    run_with(ladder, make_order(name="first"))
    second, _ = run_with(ladder, make_order(name="second"))
    assert second.standings == run_with(open_ladder(name="other"), make_order(name="second"))[0].standings
    assert {row.matches for row in second.standings.standings} == {4}
    assert {row.matches for row in ladder.leaderboard("toy").standings} == {8}


def test_a_tournament_of_many_bots_at_large_tables(open_ladder: OpenLadder, make_order: MakeOrder) -> None:
    bots = [f"b{number:02}" for number in range(14)]
    report, _ = run_with(open_ladder(), make_order(*bots, table_size=4, blocks=2))
    assert report.blocks_complete == 2 * 28
    assert {row.matches for row in report.standings.standings} == {2 * 28 * 4 * 4 // 14}
