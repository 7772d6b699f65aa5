"""Streams that break at moments which only a script can choose."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import long_short_frames as frames
import pytest
from wire_referee import TOKEN, Stream, WireReferee

from tradepit.errors import ConnectionFailed
from tradepit.transport import Player
from tradepit.v1 import play_pb2

Message = play_pb2.RefereeMessage
WELCOME = Message(welcome=play_pb2.Welcome(session_id="secret"))
Script = Callable[[Stream], Awaitable[None]]


def play(folder: Path, *scripts: Script) -> None:
    """Let a bot play, its first stream by the first of *scripts*, and so on."""
    left = list(scripts)

    async def main() -> None:
        async with (
            asyncio.timeout(20),
            WireReferee(folder, lambda stream: left.pop(0)(stream), {frames.SHA256: frames.TOML}) as referee,
        ):
            await Player(frames.Idle(), 5.0, hosted=False).play(referee.address, TOKEN)

    asyncio.run(main())
    assert left == []


def invitation() -> play_pb2.RefereeMessage:
    """To a block with a short window."""
    message = frames.invitation()
    message.time_control.resume_window.FromMilliseconds(400)
    return Message(block_invitation=message)


async def cut(stream: Stream) -> None:
    """The line breaks."""
    await stream.context.abort(grpc.StatusCode.UNAVAILABLE, "cut")


def test_a_referee_that_takes_the_call_and_says_nothing_is_given_up(tmp_path: Path) -> None:
    async def break_off(stream: Stream) -> None:
        await stream.receive()
        await stream.send(WELCOME, invitation())
        await stream.receive()
        await cut(stream)

    async def say_nothing(stream: Stream) -> None:
        hello = (await stream.receive()).messages[0].hello
        assert hello.resume_session_id == "secret"
        await asyncio.Event().wait()

    with pytest.raises(ConnectionFailed, match=r": cut; not back within 0\.4 s$"):
        play(tmp_path, break_off, say_nothing)


def test_an_invitation_that_waits_for_its_edition_is_accepted_after_the_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That the edition did not come is no reason to refuse the block."""
    asked, give = asyncio.Event(), WireReferee._get_edition
    answers: list[play_pb2.BotMessage] = []

    async def give_later(self: WireReferee, request: bytes, context: Any) -> bytes:
        if asked.is_set():
            return await give(self, request, context)
        asked.set()
        return await asyncio.Event().wait()  # type: ignore[return-value]  # for ever

    async def invite_and_break_off(stream: Stream) -> None:
        await stream.receive()
        await stream.send(WELCOME, invitation())
        await asked.wait()
        await cut(stream)

    async def hear_the_answer(stream: Stream) -> None:
        await stream.receive()
        await stream.send(WELCOME)
        answers.extend((await stream.receive()).messages)

    monkeypatch.setattr(WireReferee, "_get_edition", give_later)
    play(tmp_path, invite_and_break_off, hear_the_answer)
    (answer,) = answers
    assert answer.block_acceptance.block_id == frames.BLOCK_ID
    assert len(answer.block_acceptance.nonce) == 32


@pytest.mark.parametrize("code", ["UNKNOWN", "CANCELLED", "INTERNAL", "DEADLINE_EXCEEDED"])
def test_whatever_breaks_a_stream_the_bot_comes_back(tmp_path: Path, code: str) -> None:
    async def break_off(stream: Stream) -> None:
        await stream.receive()
        await stream.send(WELCOME)
        await stream.context.abort(grpc.StatusCode[code], "cut")

    async def end(stream: Stream) -> None:
        await stream.receive()

    play(tmp_path, break_off, end)


@pytest.mark.parametrize("code", ["RESOURCE_EXHAUSTED", "ABORTED", "PERMISSION_DENIED"])
def test_a_referee_that_means_it_is_not_called_again(tmp_path: Path, code: str) -> None:
    async def send_away(stream: Stream) -> None:
        await stream.receive()
        await stream.send(WELCOME, invitation())
        await stream.receive()
        await stream.context.abort(grpc.StatusCode[code], "stay away")

    with pytest.raises(ConnectionFailed, match=r"lost the referee at unix:.*: stay away$"):
        play(tmp_path, send_away)
