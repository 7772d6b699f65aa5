"""What waits for a stream."""

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any

import pytest

from tradepit_server.referee.endings import Ending
from tradepit_server.service import outbox as module
from tradepit_server.service.outbox import OUTBOX_BYTES, Outbox


def run(main: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(main, 30))


def test_frames_leave_in_the_order_in_which_they_came() -> None:
    async def main() -> None:
        outbox = Outbox(lambda: None)
        waiting = asyncio.create_task(outbox.take())
        await asyncio.sleep(0)
        outbox.put(b"1")
        outbox.put(b"2")
        assert [await waiting, await outbox.take()] == [b"1", b"2"]

    run(main())


def test_a_closed_stream_ends_after_its_last_frame() -> None:
    async def main() -> None:
        outbox = Outbox(lambda: None)
        outbox.put(b"last words")
        outbox.close("goodbye")
        outbox.close("a second reason does not count")
        assert [await outbox.take(), await outbox.take()] == [b"last words", None]
        assert outbox.reason == "goodbye"
        outbox.done()

    run(main())


def test_closing_wakes_whoever_waits_for_a_frame() -> None:
    async def main() -> None:
        outbox = Outbox(lambda: None)
        waiting = asyncio.create_task(outbox.take())
        await asyncio.sleep(0)
        outbox.close("goodbye")
        assert await waiting is None
        outbox.done()

    run(main())


def test_too_much_unread_ends_the_stream_once_and_says_how_much() -> None:
    async def main() -> None:
        interrupted: list[str] = []
        outbox = Outbox(lambda: interrupted.append("once"))
        outbox.put(bytes(OUTBOX_BYTES))
        assert interrupted == []
        outbox.put(b"1")
        outbox.put(b"2")
        assert outbox.abandoned
        assert outbox.reason == f"the bot does not read: {OUTBOX_BYTES + 1} bytes wait for it"
        assert interrupted == ["once"]

    run(main())


def test_nothing_is_kept_for_a_stream_that_was_given_up() -> None:
    async def main() -> None:
        outbox, frames = Outbox(lambda: None), [bytes(number) for number in (1000, 2000)]
        counts = list(map(sys.getrefcount, frames))
        outbox.put(frames[0])
        outbox.abandon("enough", Ending.UNREAD)
        outbox.put(frames[1])
        assert list(map(sys.getrefcount, frames)) == counts

    run(main())


def test_what_was_sent_does_not_count() -> None:
    async def main() -> None:
        outbox = Outbox(lambda: None)
        for _ in range(10):
            outbox.put(bytes(OUTBOX_BYTES))
            await outbox.take()
        assert not outbox.abandoned

    run(main())


@pytest.mark.parametrize(("ending", "told"), [(Ending.ORDERLY, Ending.UNREAD), (Ending.SUPERSEDED, Ending.SUPERSEDED)])
def test_a_bot_that_does_not_read_its_last_frames_is_not_waited_for(
    ending: Ending, told: Ending, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CLOSING_SECONDS", 0.001)

    async def main() -> None:
        interrupted = asyncio.Event()
        outbox = Outbox(interrupted.set)
        outbox.put(b"unread")
        outbox.close("goodbye", ending)
        await interrupted.wait()
        assert (outbox.reason, outbox.ending) == ("goodbye", told)

    run(main())
