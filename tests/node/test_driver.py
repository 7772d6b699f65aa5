"""The driver's turns, with a core that only writes down what it is told."""

import asyncio
import logging
import socket
from collections.abc import Coroutine
from time import monotonic_ns
from typing import Any

import pytest
from scripted_core import ScriptedCore

from tradepit.v1 import block_pb2
from tradepit_server.referee import BlockSpec, Identity
from tradepit_server.referee.endings import Ending
from tradepit_server.service.driver import CoreFailure, Driver
from tradepit_server.service.outbox import Outbox

BOT = Identity("ada")
MILLISECOND = 1_000_000


def run(main: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(main, 30))


def spec(make_block: Any, block_id: str = "test/0") -> BlockSpec:
    return BlockSpec.from_message(make_block("ada", "bob", block_id=block_id), ["s1", "s2"])


async def until(condition: Any) -> None:
    while not condition():
        await asyncio.sleep(0)


async def read_one(driver: Driver, connection: int, end: socket.socket) -> None:
    driver.received(connection, await asyncio.get_running_loop().sock_recv(end, 100))


def test_a_frame_that_was_readable_when_a_deadline_passed_is_fed_before_it_fires() -> None:
    async def main() -> None:
        loop, core = asyncio.get_running_loop(), ScriptedCore()
        driver = Driver(core)
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.setblocking(False)
            core.deadline = monotonic_ns() + MILLISECOND
            connection = driver.connect(BOT, Outbox(lambda: None))
            reader = asyncio.create_task(read_one(driver, connection, ours))
            await until(lambda: core.turns)

            def busy() -> None:
                while monotonic_ns() < (core.deadline or 0):
                    pass
                loop.call_soon(theirs.send, b"just in time")

            loop.call_soon(busy)
            await until(lambda: "tick" in core.names())
            await reader
        assert core.names() == ["connected", "received", "tick"]

    run(main())


def test_after_a_busy_spell_a_deadline_waits_for_what_is_still_on_its_way() -> None:
    async def main() -> None:
        loop, core = asyncio.get_running_loop(), ScriptedCore()
        driver = Driver(core)
        core.deadline = monotonic_ns() + MILLISECOND
        connection = driver.connect(BOT, Outbox(lambda: None))
        await until(lambda: core.turns)

        def busy() -> None:
            while monotonic_ns() < (core.deadline or 0) + 10 * MILLISECOND:
                pass
            loop.call_later(0.001, driver.received, connection, b"on its way")

        loop.call_soon(busy)
        await until(lambda: "tick" in core.names())
        assert core.names() == ["connected", "received", "tick"]
        assert core.instants[2] < core.instants[1], "the tick stands for the instant up to which all is fed"

    run(main())


def test_everything_that_arrives_in_one_turn_of_the_loop_is_answered_in_one_turn_of_the_core() -> None:
    async def main() -> None:
        core = ScriptedCore()
        driver = Driver(core)
        connection = driver.connect(BOT, Outbox(lambda: None))
        for _ in range(50):
            driver.received(connection, b"frame")
        await until(lambda: core.turns)
        assert core.names().count("received") == 50
        assert core.turns == 1

    run(main())


def test_an_earlier_deadline_replaces_a_later_one() -> None:
    async def main() -> None:
        core = ScriptedCore()
        driver = Driver(core)
        core.deadline = monotonic_ns() + 3_600_000 * MILLISECOND
        connection = driver.connect(BOT, Outbox(lambda: None))
        await until(lambda: core.turns)
        core.deadline = monotonic_ns() + MILLISECOND
        driver.received(connection, b"frame")
        await until(lambda: "tick" in core.names())

    run(main())


def test_a_stream_ends_once_for_the_core_however_often_it_ends_for_the_shell() -> None:
    async def main() -> None:
        core = ScriptedCore()
        driver = Driver(core)
        connection = driver.connect(BOT, Outbox(lambda: None))
        driver.disconnect(connection, "the line broke")
        driver.disconnect(connection, "the server stops")
        assert core.calls[1:] == [("disconnected", connection, "the line broke")]

    run(main())


def test_connections_are_numbered_and_no_number_comes_again() -> None:
    async def main() -> None:
        driver = Driver(ScriptedCore())
        first = driver.connect(BOT, Outbox(lambda: None))
        driver.disconnect(first, "gone")
        assert driver.connect(BOT, Outbox(lambda: None)) != first

    run(main())


def test_frames_and_closings_go_to_their_stream_alone(make_block: Any) -> None:
    async def main() -> None:
        core = ScriptedCore()
        driver = Driver(core)
        left, right = Outbox(lambda: None), Outbox(lambda: None)
        first, second = driver.connect(BOT, left), driver.connect(BOT, right)
        core.pending.frames = [(first, b"1"), (second, b"2"), (99, b"to a stream that is gone"), (first, b"3")]
        core.pending.closing = [(first, "goodbye", Ending.ORDERLY), (99, "gone", Ending.ORDERLY)]
        assert [await left.take(), await left.take(), await left.take()] == [b"1", b"3", None]
        assert await right.take() == b"2"
        assert left.reason == "goodbye"
        left.done()

    run(main())


def test_a_block_tells_its_progress_and_its_result(make_block: Any) -> None:
    async def main() -> None:
        core, told = ScriptedCore(), []
        driver = Driver(core)
        block = asyncio.create_task(driver.play(spec(make_block), lambda *news: told.append(news)))
        await until(lambda: core.turns)
        result = block_pb2.BlockResult(block_id="test/0", outcome=block_pb2.BLOCK_OUTCOME_COMPLETE)
        core.pending.matches_ended = [("test/0", 1, 2), ("another/0", 1, 2)]
        core.pending.blocks_ended = [("test/0", result)]
        driver.process_ended("s1", "exit status 0")
        assert await block == result
        assert told == [("test/0", 1, 2)]

    run(main())


def test_cancelling_the_organiser_voids_the_block_and_its_late_result_harms_nobody(make_block: Any) -> None:
    async def main() -> None:
        core = ScriptedCore()
        driver = Driver(core)
        block = asyncio.create_task(driver.play(spec(make_block), lambda *_: None))
        await until(lambda: core.turns)
        core.pending.blocks_ended = [("test/0", block_pb2.BlockResult())]
        driver.process_ended("s1", "exit status 0")
        block.cancel()
        with pytest.raises(asyncio.CancelledError):
            await block
        assert ("cancel_block", "test/0", block_pb2.VOID_CAUSE_CANCELLED, "the organiser cancelled it") in core.calls
        assert driver.failure is None

    run(main())


def test_voiding_a_block_that_is_not_running_does_nothing() -> None:
    async def main() -> None:
        core = ScriptedCore()
        Driver(core).void("test/0", block_pb2.VOID_CAUSE_INFRASTRUCTURE, "too late")
        assert core.calls == []

    run(main())


@pytest.mark.parametrize("method", ["received", "effects", "tick"])
def test_a_core_that_raises_stops_everything_loudly(
    method: str, make_block: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug of ours")

    async def main() -> None:
        core, interrupted = ScriptedCore(), []
        driver = Driver(core)
        connection = driver.connect(BOT, Outbox(lambda: interrupted.append("stream")))
        block = asyncio.create_task(driver.play(spec(make_block), lambda *_: None))
        await until(lambda: core.turns)
        monkeypatch.setattr(core, method, broken)
        core.deadline = monotonic_ns()
        driver.received(connection, b"frame")
        with pytest.raises(CoreFailure, match="a bug of ours"):
            await block
        assert interrupted == ["stream"]
        with pytest.raises(CoreFailure):
            driver.connect(BOT, Outbox(lambda: None))
        with pytest.raises(CoreFailure):
            await driver.play(spec(make_block, "test/1"), lambda *_: None)
        calls = len(core.calls)
        driver.received(connection, b"more")
        driver.disconnect(connection, "the end")
        assert len(core.calls) == calls, "nothing more is said to it"

    with caplog.at_level(logging.CRITICAL):
        run(main())
    assert "ZeroDivisionError: a bug of ours" in caplog.text
    assert "Traceback" in caplog.text


def test_a_core_that_raises_when_a_block_is_to_start_has_failed_as_well(
    make_block: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        core = ScriptedCore()
        driver = Driver(core)

        def broken(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(core, "start_block", broken)
        with pytest.raises(CoreFailure):
            await driver.play(spec(make_block), lambda *_: None)
        assert driver.failed.is_set()

    run(main())
