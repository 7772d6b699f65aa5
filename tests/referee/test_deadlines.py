"""A referee that was busy finds several deadlines at once: they fire in the order in which they came."""

from typing import Any

from tradepit.v1 import block_pb2

SECOND = 1_000_000_000
MILLISECOND = 1_000_000
CONTROL = "decision=2s,startup=3s,resume_window=1200ms"


def begin(world: Any, block_id: str, *bots: Any) -> None:
    """A block of one match, whose first request has left."""
    world.start(block_id, dict(zip("ab", bots, strict=True)), CONTROL, matches=1)
    world.wait(2 * MILLISECOND)
    for bot in bots:
        bot.accept_all()
    world.turn()
    world.wait(2 * MILLISECOND)


def kinds(world: Any, block_id: str) -> list[str]:
    return [block_pb2.FaultKind.Name(fault.kind) for fault in world.results[block_id].replays[0].result.faults]


def test_a_seat_that_was_lost_first_is_not_charged_for_what_it_did_not_answer_later(world: Any) -> None:
    a, b = world.join("a", concurrent=2), world.join("b", concurrent=2)
    begin(world, "t/0", a, b)
    world.wait(SECOND // 2)
    begin(world, "t/1", a, b)
    assert [request.match_id for request in a.requests()] == ["t/0/0", "t/1/0"]
    world.wait(SECOND // 2)
    a.drop()
    # The first deadline, the end of the window and the second deadline are 2.0, 2.2 and 2.5 s after the beginning.
    world.now += 3 * SECOND
    world.turn()
    world.play(b)
    assert kinds(world, "t/0") == ["FAULT_KIND_TIMEOUT", "FAULT_KIND_DISCONNECTED"]
    assert kinds(world, "t/1") == ["FAULT_KIND_DISCONNECTED"]
