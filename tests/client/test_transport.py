"""Bots as processes at a referee's socket: what they say, and how they end."""

import asyncio
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import long_short_frames as frames
import pytest
from wire_referee import TOKEN, Script, Stream, WireReferee

from tradepit.errors import ConnectionFailed
from tradepit.transport import is_local, play
from tradepit.v1 import play_pb2

Message = play_pb2.RefereeMessage

BOT = """
import sys
from tradepit.long_short import LongShortBot, Turn

class Author(LongShortBot):
    def take_turn(self, view):
        print("deciding", flush=True)
        {thinks}
        return Turn(price_card=view.hand[0])

Author().run()
"""
DECIDES_MANY = """
from tradepit.long_short import LongShortBot, Turn

class Author(LongShortBot):
    def decide_many(self, views):
        return [Turn(price_card=view.hand[0]) for view in views]

    take_turn = None

Author().run()
"""
IMPATIENT = """
from functools import partial
from tradepit import transport

transport.play = partial(transport.play, patience=0.05)
"""
THINKS_AT_ONCE = BOT.format(thinks="pass")
THINKS_FOR_EVER = BOT.format(thinks="while True: pass")
THINKS_UNTIL_TOLD = BOT.format(thinks="sys.stdin.readline()")


class Asking:
    """A referee's script that asks for one decision, and keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[str | None] = []
        self.connected = threading.Event()

    async def ask(self, stream: Stream) -> None:
        """Ask for a decision."""
        await self.hear(stream)
        self.connected.set()
        await stream.send(Message(block_invitation=frames.invitation()))
        await self.hear(stream)
        request = frames.request(frames.observation())
        await stream.send(Message(match_started=frames.started()), Message(decision_request=request))

    async def hear(self, stream: Stream) -> None:
        """Keep what the bot's next frame says."""
        frame = await stream.receive()
        self.heard += [message.WhichOneof("kind") for message in frame.messages]

    async def ask_and_hear(self, stream: Stream) -> None:
        """Ask for a decision, wait for the answer, end the stream."""
        await self.ask(stream)
        await self.hear(stream)

    async def only_hear(self, stream: Stream) -> None:
        """Ask nothing."""
        await self.hear(stream)
        self.connected.set()
        await self.hear(stream)


@contextmanager
def bot(
    folder: Path, script: Script, program: str, token: str = TOKEN
) -> Iterator[tuple[WireReferee, subprocess.Popen[str]]]:
    """A bot's process at a referee that follows *script*; killed if the test leaves it running."""
    with WireReferee(folder, script, {frames.SHA256: frames.TOML}) as referee:
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            env={"TRADEPIT_REFEREE": referee.address, "TRADEPIT_TOKEN": token},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with process:
            try:
                yield referee, process
            finally:
                process.kill()


def end(process: subprocess.Popen[str], told: str = "") -> tuple[int, list[str]]:
    """Exit status and standard error of a bot, by line, once it has ended."""
    _, shown = process.communicate(told, timeout=60)
    return process.returncode, shown.splitlines()


def deciding(process: subprocess.Popen[str]) -> None:
    """Wait until the author's code runs."""
    assert process.stdout is not None
    assert process.stdout.readline() == "deciding\n"


def test_a_bot_plays_until_the_referee_ends_the_stream(tmp_path: Path) -> None:
    asking = Asking()
    with bot(tmp_path, asking.ask_and_hear, THINKS_AT_ONCE) as (_, process):
        assert end(process) == (0, [])
    assert asking.heard == ["hello", "block_acceptance", "decision"]


def test_a_bot_that_decides_many_answers_a_frame_with_a_frame(tmp_path: Path) -> None:
    answered: list[list[int]] = []

    async def ask_twice_at_once(stream: Stream) -> None:
        await stream.receive()
        await stream.send(Message(block_invitation=frames.invitation()))
        await stream.receive()
        requests = [Message(decision_request=frames.request(frames.observation(), number)) for number in (1, 2)]
        await stream.send(Message(match_started=frames.started()), *requests)
        answered.append([message.decision.decision_id for message in (await stream.receive()).messages])

    with bot(tmp_path, ask_twice_at_once, DECIDES_MANY) as (_, process):
        assert end(process) == (0, [])
    assert answered == [[1, 2]]


def test_a_stream_that_ends_well_while_the_bot_thinks_is_a_good_end(tmp_path: Path) -> None:
    """The answer can no longer be written; what counts is how the referee ended the stream."""
    with bot(tmp_path, Asking().ask, THINKS_UNTIL_TOLD) as (_, process):
        deciding(process)
        assert end(process, "go on\n") == (0, [])


def test_a_token_that_the_referee_does_not_know_is_one_line_and_status_1(tmp_path: Path) -> None:
    with bot(tmp_path, Asking().ask, THINKS_AT_ONCE, token="wrong") as (referee, process):
        line = f"Author: the referee at {referee.address} does not accept the token: unknown token"
        assert end(process) == (1, [line])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_waiting_bot_with_a_farewell(tmp_path: Path, number: signal.Signals) -> None:
    asking = Asking()
    with bot(tmp_path, asking.only_hear, THINKS_AT_ONCE) as (_, process):
        assert asking.connected.wait(60)
        process.send_signal(number)
        assert end(process) == (0, [])
    assert asking.heard == ["hello", "bye"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_bot_that_thinks_for_ever(tmp_path: Path, number: signal.Signals) -> None:
    asking = Asking()
    with bot(tmp_path, asking.ask_and_hear, THINKS_FOR_EVER) as (_, process):
        deciding(process)
        process.send_signal(number)
        assert end(process) == (0, [])
    assert asking.heard == ["hello", "block_acceptance", "bye"]


def test_a_referee_that_goes_away_ends_a_waiting_bot_with_status_1(tmp_path: Path) -> None:
    asking = Asking()
    with bot(tmp_path, asking.only_hear, THINKS_AT_ONCE) as (referee, process):
        assert asking.connected.wait(60)
        referee.stop()
        status, lines = end(process)
    assert status == 1
    assert lines[0].startswith(f"Author: lost the referee at {referee.address}: ")
    assert len(lines) == 1


def test_a_referee_that_goes_away_ends_a_thinking_bot_when_it_answers(tmp_path: Path) -> None:
    with bot(tmp_path, Asking().ask_and_hear, THINKS_UNTIL_TOLD) as (referee, process):
        deciding(process)
        referee.stop()
        status, lines = end(process, "go on\n")
    assert status == 1
    assert lines[0].startswith(f"Author: lost the referee at {referee.address}: ")
    assert len(lines) == 1


def test_no_referee_is_one_line_and_status_1(tmp_path: Path) -> None:
    command = [sys.executable, "-c", IMPATIENT + THINKS_AT_ONCE, "--referee", f"unix:{tmp_path}/nobody"]
    done = subprocess.run(
        command, env={"TRADEPIT_TOKEN": TOKEN}, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert done.stderr == f"Author: no referee at unix:{tmp_path}/nobody within 0.05 s\n"


def test_a_starting_bot_waits_for_a_referee_only_as_long_as_it_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConnectionFailed, match=r"nobody within 0\.05 s"):
        play(frames.Idle(), f"unix:{tmp_path}/nobody", TOKEN, patience=0.05)


def test_an_edition_that_the_referee_does_not_give_is_a_refusal(tmp_path: Path) -> None:
    asking = Asking()

    async def announce_another(stream: Stream) -> None:
        await asking.hear(stream)
        other = frames.invitation()
        other.edition.sha256 = bytes(32)
        await stream.send(Message(block_invitation=other))
        answer = (await stream.receive()).messages[0].block_acceptance
        asking.heard.append(answer.refusal)

    with bot(tmp_path, announce_another, THINKS_AT_ONCE) as (_, process):
        status, _ = end(process)
    assert status == 0
    assert asking.heard[1] == f"the referee does not give the edition {bytes(32).hex()} of long-short: no such edition"


def test_an_edition_comes_over_the_channel_that_is_open(tmp_path: Path) -> None:
    """Whoever deletes the referee's socket harms no bot that is there already."""
    asking = Asking()

    async def delete_the_socket_and_ask(stream: Stream) -> None:
        Path(tmp_path, "referee.sock").unlink()
        await asking.ask_and_hear(stream)

    with bot(tmp_path, delete_the_socket_and_ask, THINKS_AT_ONCE) as (_, process):
        assert end(process) == (0, [])
    assert asking.heard == ["hello", "block_acceptance", "decision"]


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED])
def test_an_edition_is_asked_for_again_when_the_referee_could_not_say(
    tmp_path: Path, code: grpc.StatusCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is no reason to refuse a block."""
    failures, give = [code, code], WireReferee._get_edition

    async def fail_at_first(self: WireReferee, request: bytes, context: Any) -> bytes:
        if failures:
            await context.abort(failures.pop(), "busy")
        return await give(self, request, context)

    monkeypatch.setattr(WireReferee, "_get_edition", fail_at_first)
    asking = Asking()
    with bot(tmp_path, asking.ask_and_hear, THINKS_AT_ONCE) as (_, process):
        assert end(process) == (0, [])
    assert asking.heard == ["hello", "block_acceptance", "decision"]


def test_a_signal_ends_a_bot_that_waits_for_an_edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asking, asked = Asking(), threading.Event()

    async def never(self: WireReferee, request: bytes, context: Any) -> bytes:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(WireReferee, "_get_edition", never)
    with bot(tmp_path, asking.ask, THINKS_AT_ONCE) as (_, process):
        assert asked.wait(60)
        process.send_signal(signal.SIGTERM)
        assert end(process) == (0, [])
    assert asking.heard == ["hello", "bye"]


def test_a_cheat_is_one_line_and_status_1(tmp_path: Path) -> None:
    asking = Asking()

    async def reveal_another_secret(stream: Stream) -> None:
        await asking.ask_and_hear(stream)
        ended = play_pb2.BlockEnded(block_id=frames.BLOCK_ID, secret=bytes(31) + b"x", nonces=[b"", b""])
        await stream.send(Message(block_ended=ended))
        await stream.receive()

    with bot(tmp_path, reveal_another_secret, THINKS_AT_ONCE) as (_, process):
        status, lines = end(process)
    assert status == 1
    assert lines[0].startswith(f"Author: block {frames.BLOCK_ID}: the commitment was")
    assert len(lines) == 1


@pytest.mark.parametrize("target", ["unix:/run/x", "localhost:1", "127.0.0.1:1", "127.8.8.8:1", "[::1]:1"])
def test_what_is_on_this_machine_needs_no_tls(target: str) -> None:
    assert is_local(target)


@pytest.mark.parametrize(
    "target", ["example.org:1", "localhost.example.org:1", "10.0.0.1:1", "[::2]:1", "127.example:1"]
)
def test_what_is_elsewhere_needs_tls(target: str) -> None:
    assert not is_local(target)
