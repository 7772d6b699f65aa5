"""Many bots in one process, each on a connection of its own that breaks now and then, for the soak.

    python soak_crowd.py MATCHES_AT_ONCE THINK DROPS BOTS TARGET

THINK is how many seconds a bot takes at most for an answer, and DROPS the percentage of the lines that break in a
minute, both at random. The token comes from the environment. Says
"connected" when every bot is, plays until its standard input ends, and then says in JSON what it went through.
"""

import asyncio
import json
import os
import random
import socket
import stat
import sys
from collections import Counter, deque
from contextlib import suppress
from typing import Any

import grpc
from grpc import aio

from tradepit.long_short.v1 import long_short_pb2 as long_short
from tradepit.v1 import play_pb2

PLAY = "/tradepit.v1.RefereeService/Play"

OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),  # a connection for each bot, as if it were a process of its own
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.enable_retries", 0),
)

COME_BACK = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNKNOWN, grpc.StatusCode.CANCELLED, grpc.StatusCode.INTERNAL}
"""The line broke: the session goes on. The last is what gRPC makes of a stream that ends while it is written to."""

PAUSE_SECONDS = 0.05
"""Before a bot comes back."""

JOIN_SECONDS = 300
"""In which all bots must be there."""


class CrowdBot:
    """Thinks for a moment and plays its first card; comes back when its line breaks, with what it owes."""

    def __init__(self, target: str, capacity: int, think: float, tally: Counter[str]) -> None:
        self.joined = asyncio.Event()
        self._target = target
        self._capacity = capacity
        self._think = think
        self._tally = tally
        self._writing = asyncio.Lock()
        self._thinking: set[asyncio.Task[None]] = set()
        self._stream: Any = None
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._session_id = ""
        self._sent = self._received = 0
        self._unconfirmed: deque[tuple[int, list[play_pb2.BotMessage]]] = deque()
        """Frames that the referee has not acknowledged, each with its number."""

    async def play(self) -> None:
        """For ever. Raises AioRpcError when the referee sends the bot away."""
        metadata = (("authorization", f"Bearer {os.environ['TRADEPIT_TOKEN']}"),)
        while True:
            try:
                async with aio.insecure_channel(self._target, OPTIONS) as channel:
                    await self._converse(channel.stream_stream(PLAY)(metadata=metadata))
            except aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.NOT_FOUND and self._session_id:
                    self._begin_anew()  # it was forgotten: nothing was being played
                    self._tally["came anew"] += 1
                elif error.code() in COME_BACK:
                    self._tally["broke"] += 1
                else:
                    raise
            self._stream = None
            await asyncio.sleep(PAUSE_SECONDS)

    async def _converse(self, stream: Any) -> None:
        await self._greet(stream)
        while isinstance(frame := await stream.read(), bytes):
            response = play_pb2.PlayResponse.FromString(frame)
            self._received = response.sequence
            while self._unconfirmed and self._unconfirmed[0][0] <= response.acknowledged_sequence:
                self._unconfirmed.popleft()
            answers = [answer for message in response.messages if (answer := self._answer(message)) is not None]
            if answers:
                thinking = asyncio.create_task(self._send(answers))
                self._thinking.add(thinking)
                thinking.add_done_callback(self._thinking.discard)
        raise aio.AioRpcError(await stream.code(), aio.Metadata(), aio.Metadata(), await stream.details())

    async def _greet(self, stream: Any) -> None:
        """Hello, and once more all that may not have arrived."""
        async with self._writing:
            hello = play_pb2.Hello(
                protocol_revision=1, max_concurrent_matches=self._capacity, resume_session_id=self._session_id
            )
            again = [message for _, messages in self._unconfirmed for message in messages]
            self._unconfirmed.clear()
            self._stream = stream
            await stream.write(self._frame(again, play_pb2.BotMessage(hello=hello)))

    async def _send(self, messages: list[play_pb2.BotMessage]) -> None:
        await asyncio.sleep(random.random() * self._think)
        async with self._writing:
            frame = self._frame(messages)
            if self._stream is not None:  # else the next stream's first frame has it
                with suppress(aio.AioRpcError, asyncio.InvalidStateError):  # the same
                    await self._stream.write(frame)

    def _frame(self, messages: list[play_pb2.BotMessage], *first: play_pb2.BotMessage) -> bytes:
        """The next frame; *messages* are kept until the referee has them."""
        self._sent += 1
        self._unconfirmed.append((self._sent, messages))
        frame = play_pb2.PlayRequest(
            sequence=self._sent, acknowledged_sequence=self._received, messages=[*first, *messages]
        )
        return frame.SerializeToString()

    def _answer(self, message: play_pb2.RefereeMessage) -> play_pb2.BotMessage | None:
        kind = message.WhichOneof("kind")
        if kind == "decision_request":
            return play_pb2.BotMessage(decision=decide(message.decision_request))
        if kind == "block_invitation":
            acceptance = play_pb2.BlockAcceptance(block_id=message.block_invitation.block_id, nonce=os.urandom(16))
            return play_pb2.BotMessage(block_acceptance=acceptance)
        if kind == "welcome":
            self._tally["came back"] += message.welcome.session_id == self._session_id
            self._session_id = message.welcome.session_id
            self.joined.set()
        return None


def decide(request: play_pb2.DecisionRequest) -> play_pb2.Decision:
    """The least that the rules of Long Short ask for."""
    observation = long_short.Observation.FromString(request.observation.value)
    action = long_short.Action()
    if observation.public.decision == long_short.DECISION_KIND_DAY_TRADE:
        action.day_trade.SetInParent()
    elif observation.public.decision == long_short.DECISION_KIND_END_OF_GAME:
        action.end_of_game.SetInParent()
    else:
        action.turn.price_card = observation.private.hand[0]
    decision = play_pb2.Decision(match_id=request.match_id, decision_id=request.decision_id)
    decision.action.Pack(action)
    return decision


def lines(target: str) -> list[int]:
    """The descriptors of this process's connections to *target*."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode) and _peer(int(name)) == target:
                found.append(int(name))
    return found


def _peer(descriptor: int) -> str:
    with socket.socket(fileno=os.dup(descriptor)) as line:
        peer = line.getpeername()
    if isinstance(peer, str):
        return f"unix:{peer}"
    return f"{peer[0].removeprefix('::ffff:')}:{peer[1]}"  # gRPC's sockets speak version 6 to both


async def break_lines(target: str, bots: int, drops: float) -> None:
    """Break lines at random, so many percent in a minute: both ends see it at once, and no library knows of it."""
    due = 0.0
    while True:
        await asyncio.sleep(0.2)
        due += bots * drops / 100 / 60 * 0.2
        if due >= 1:
            standing = lines(target)
            for descriptor in random.sample(standing, k=min(int(due), len(standing))):
                with suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as line:
                    line.shutdown(socket.SHUT_RDWR)
            due -= int(due)


async def main(capacity: int, think: float, drops: float, bots: int, target: str) -> None:
    """Until standard input ends, or a bot is sent away."""
    tally: Counter[str] = Counter()
    crowd = [CrowdBot(target, capacity, think, tally) for _ in range(bots)]
    playing = []
    async with asyncio.timeout(JOIN_SECONDS):
        for bot in crowd:
            playing.append(asyncio.create_task(bot.play()))
            await bot.joined.wait()
    print("connected", flush=True)
    breaking = asyncio.create_task(break_lines(target, bots, drops))
    ended = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    await asyncio.wait([ended, breaking, *playing], return_when=asyncio.FIRST_COMPLETED)
    sent_away = Counter(str(task.exception()) for task in (breaking, *playing) if task.done())
    print(json.dumps({**tally, "sent_away": sent_away}), flush=True)
    os._exit(0)  # a thousand channels need not be closed one by one


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), sys.argv[5]))
