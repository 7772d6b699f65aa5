"""``tradepit referee`` and bots that connect to it by themselves, each a process of its own; and an organiser."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import grpc

from tradepit.v1 import block_pb2, referee_pb2, referee_pb2_grpc
from tradepit_server.referee.time_control import parse

ORGANISER = (("authorization", "Bearer the-token-of-the-club"),)
SPECTATOR = (("authorization", "Bearer the-token-of-the-hall"),)
TIMEOUT = 60.0
Process = subprocess.Popen[str]
Call = Iterator[referee_pb2.RunBlockResponse]
"""Of RunBlock."""

NO_LADDER = """
import sys
for name in ("sqlmodel", "sqlalchemy", "alembic", "trueskill", "tradepit_ladder"):
    sys.modules[name] = None
"""
"""Leaves the environment as the extra "server" has it."""

_MAIN = """
from tradepit.__main__ import main
main()
"""


def write_tokens(folder: Path, bots: Sequence[str]) -> Path:
    """The referee's file of tokens, and a token file for each of *bots* beside it: ``ada.token``."""
    lines = ["# who may call", "", "organiser club the-token-of-the-club", "spectator hall the-token-of-the-hall"]
    for bot in bots:
        lines.append(f"bot {bot} the-token-of-{bot}-the-bot")
        (folder / f"{bot}.token").write_text(f"the-token-of-{bot}-the-bot\n")
    path = folder / "tokens.txt"
    path.write_text("\n".join(lines))
    path.chmod(0o600)
    return path


class RefereeProcess:
    """A referee in an environment without a ladder. Inside ``with`` it is ready; bots that it started are ended too."""

    def __init__(
        self, folder: Path, bots: Sequence[str], *options: str, prelude: str = "", within: Sequence[str] = ()
    ) -> None:
        """*bots* have tokens; *prelude* is Python text that runs before the command; *within* are words before it."""
        self.folder = folder
        self._ends = ExitStack()
        self._listens = max(1, options.count("--listen"))
        program = [*within, sys.executable, "-c", NO_LADDER + prelude + _MAIN]
        words = ["referee", "--tokens", str(write_tokens(folder, bots)), "--log", "warning", *options]
        self.process = self._start([*program, *words])
        self.addresses: list[str] = []
        """As it printed them."""

    def __enter__(self) -> Self:
        assert self.process.stdout is not None
        while len(self.addresses) < self._listens:
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError(self.process.communicate()[1])
            self.addresses.append(line.removeprefix("listening on ").split()[0])
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ends.close()

    def start_bot(self, name: str, command: Sequence[str], referee: str = "", **environment: str) -> Process:
        """A bot that connects by itself, by default to the first address."""
        where = ["--referee", referee or self.addresses[0], "--token-file", str(self.folder / f"{name}.token")]
        return self._start([*command, *where], **environment)

    def start_house_bot(self, name: str, referee: str = "", **environment: str) -> Process:
        """A house bot of Long Short, by its name."""
        return self.start_bot(name, [sys.executable, "-m", "tradepit_bots", "long-short", name], referee, **environment)

    def channel(self) -> grpc.Channel:
        """For the organiser, to the first address."""
        return self._ends.enter_context(grpc.insecure_channel(self.addresses[0]))

    def _start(self, command: Sequence[str], **environment: str) -> Process:
        process = subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._ends.callback(_end, process)
        return process


def _end(process: Process) -> None:
    process.kill()
    process.communicate()


def left(process: Process) -> tuple[int, str]:
    """How a process that ends by itself ends: its status and what it wrote to standard error."""
    _, told = process.communicate(timeout=TIMEOUT)
    return process.returncode, told


class Club:
    """An organiser at a referee."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.stub = referee_pb2_grpc.RefereeServiceStub(channel)

    def sessions(self, number: int) -> dict[str, str]:
        """The session of each bot, as soon as so many are connected."""
        connected: dict[str, str] = {}
        watch = self.stub.WatchSessions(referee_pb2.WatchSessionsRequest(), metadata=ORGANISER, timeout=TIMEOUT)
        for message in watch:
            connected.update((s.bot, s.session_id) for s in message.sessions if s.connected)
            if len(connected) >= number:
                watch.cancel()
                return connected
        raise AssertionError(connected)

    def await_loss(self, bot: str) -> None:
        """Until the referee knows that the stream of *bot* is gone."""
        watch = self.stub.WatchSessions(referee_pb2.WatchSessionsRequest(), metadata=ORGANISER, timeout=TIMEOUT)
        connected = {session.bot for session in next(watch).sessions}
        while bot in connected:
            connected -= {session.bot for session in next(watch).sessions if not session.connected}
        watch.cancel()

    def matches(self) -> list[referee_pb2.WatchedMatch]:
        """What is being played."""
        return list(
            self.stub.ListMatches(referee_pb2.ListMatchesRequest(), metadata=ORGANISER, timeout=TIMEOUT).matches
        )

    def block(
        self, block_id: str, sessions: dict[str, str], time_control: str = "standard", edition_toml: bytes = b""
    ) -> block_pb2.BlockSpecification:
        """A block of Long Short between bots that are connected."""
        entrants = [
            block_pb2.Entrant(bot=bot, connected=block_pb2.Connected(session_id=session_id))
            for bot, session_id in sessions.items()
        ]
        return block_pb2.BlockSpecification(
            block_id=block_id,
            game="long-short",
            entrants=entrants,
            edition_toml=edition_toml,
            time_control=parse(time_control).to_message(),
        )

    def start(self, block: block_pb2.BlockSpecification) -> Call:
        """The call that has *block* played."""
        request = referee_pb2.RunBlockRequest(block=block)
        return self.stub.RunBlock(request, metadata=ORGANISER, timeout=TIMEOUT)

    def result(self, call: Call) -> block_pb2.BlockResult:
        """What comes of a block, with its replays."""
        messages = list(call)
        result = messages[-1].result
        result.replays.extend(message.replay for message in messages if message.HasField("replay"))
        return result
