"""Carries the sessions of a bot over gRPC: to its referee, back to it when the line drops, and to where it is sent.

The bot's own code runs in the thread of the event loop, the main one, so that breakpoints work; gRPC's own threads
answer the referee's keepalive pings meanwhile, so a bot that thinks, or is being debugged, is not taken for gone.
"""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from types import FrameType
from typing import Any

import grpc
import grpc.aio

from tradepit import resumption
from tradepit.answers import show
from tradepit.bot import Bot
from tradepit.errors import ConnectionFailed
from tradepit.resumption import Next, Retries
from tradepit.session import ClientSession
from tradepit.stream import Conversation, Editions, End
from tradepit.v1 import play_pb2

PATIENCE_SECONDS = 5.0
"""How long a starting bot waits for the referee to be there."""

HOSTED_SECONDS = 1.0
"""How long a bot that a node has started tries to come back: it is of no use without its node."""

_CONNECTING_SECONDS = 0.005

_OPTIONS = [
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # a ping of gRPC's own that gets lost would hold up those of keepalive
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 5_000),  # how long one attempt may take: a busy machine is not a dead one
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.max_receive_message_length", 1 << 20),
]


def play(bot: Bot, referee: str, token: str, patience: float = PATIENCE_SECONDS, *, hosted: bool = False) -> None:
    """Play *bot* at *referee* until that ends the stream, or until SIGINT or SIGTERM. Call it in the main thread.

    A bot that is *hosted* was started by the referee's node, and ends with it. Raises ConnectionFailed when there is no
    referee within *patience* seconds, when it refuses the bot, and when it is lost for good.
    """
    asyncio.run(_play(Player(bot, patience, hosted=hosted), referee, token))


async def _play(player: "Player", referee: str, token: str) -> None:
    with _interruptible(player.deciding, player.stop):
        await player.play(referee, token)


class Player:
    """A bot at one referee, and at those to which it is sent for a block."""

    def __init__(self, bot: Bot, patience: float, *, hosted: bool) -> None:
        self.bot = bot
        self.patience = patience
        self.hosted = hosted
        self._lines: set[_Line] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended: asyncio.Queue[asyncio.Task[None]] = asyncio.Queue()
        self._stopping = False
        self._visited: set[str] = set()
        """The blocks that are played elsewhere now."""

    async def play(self, referee: str, token: str) -> None:
        """Play until nothing is left. Raises what ``transport.play`` raises."""
        self._begin(self._stay(referee, token))
        failure: ConnectionFailed | None = None
        try:
            while self._tasks:
                task = await self._ended.get()
                self._tasks.discard(task)
                ended_by = _failure(task)
                failure = ended_by if failure is None else failure  # blocks elsewhere go on
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        if failure is not None:
            raise failure

    def deciding(self) -> bool:
        """Code of the bot's author is running."""
        return any(line.session.deciding for line in self._lines)

    def stop(self) -> None:
        """Leave everywhere; asked again, at once."""
        for task in self._tasks if self._stopping else ():
            task.cancel()
        for line in () if self._stopping else self._lines:
            line.stop()
        self._stopping = True

    def follow(self, redirect: play_pb2.Redirect) -> None:
        """Play a block at another referee, beside all else."""
        if not self._stopping and redirect.block_id not in self._visited:
            self._visited.add(redirect.block_id)
            self._begin(self._visit(redirect))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended.put_nowait)

    async def _stay(self, referee: str, token: str) -> None:
        pause = 0.0
        while True:
            session = ClientSession(self.bot)
            try:
                await self._play_at(session, referee, token, pause)
            except ConnectionFailed as failure:
                if not session.reconnect_address:
                    raise
                show(str(failure))
            if self._stopping or self.hosted or not session.reconnect_address:
                return
            referee = session.reconnect_address
            # Many bots are sent there at once; and perhaps from there back to here.
            pause = Retries(0, resumption.MOST_SECONDS).pause(0)

    async def _visit(self, redirect: play_pb2.Redirect) -> None:
        session = ClientSession(self.bot, only_block=redirect.block_id)
        try:
            await self._play_at(session, redirect.address, redirect.ticket)
        except ConnectionFailed as failure:
            show(f"block {redirect.block_id} is played elsewhere, without us: {failure}")
        finally:
            self._visited.discard(redirect.block_id)

    async def _play_at(self, session: ClientSession, referee: str, token: str, pause: float = 0.0) -> None:
        line = _Line(self, session, referee, token)
        self._lines.add(line)
        try:
            await line.play(pause)
        finally:
            self._lines.discard(line)


def _failure(task: asyncio.Task[None]) -> ConnectionFailed | None:
    """What went wrong with a line. Raises anything else that did."""
    try:
        if not task.cancelled():  # interrupted
            task.result()
    except ConnectionFailed as failure:
        return failure
    return None


class _Line:
    """One session at one referee, over as many streams as it takes; by the task that makes it."""

    def __init__(self, player: Player, session: ClientSession, referee: str, token: str) -> None:
        self.session = session
        self._stopping = False
        """The bot leaves of its own accord."""
        self._player = player
        self._referee = referee
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._task = asyncio.current_task()
        self._conversation: Conversation | None = None
        self._retries: Retries | None = None
        """The line has dropped, and no frame has come since; None: it stands."""
        self._reason = ""
        """Why it dropped last."""
        self._alarm: asyncio.TimerHandle | None = None
        """When a stream is given up on which nobody says Welcome."""

    async def play(self, pause: float) -> None:
        """Play, after a *pause*, until nothing is left. Raises ConnectionFailed, FairnessError, ProtocolError."""
        await asyncio.sleep(pause)
        async with _aio_channel(self._referee) as channel:
            editions = Editions(channel, self._metadata)
            try:
                await asyncio.wait_for(_ready(channel), self._player.patience)
            except TimeoutError:
                raise ConnectionFailed(f"no referee at {self._referee} within {self._player.patience:g} s") from None
            while self._goes_on(await self._converse(channel, editions)):
                await self._reach(channel)

    async def _converse(self, channel: grpc.aio.Channel, editions: Editions) -> End:
        conversation = self._conversation = Conversation(self.session, editions, self)
        if self._retries is not None:
            self._alarm = asyncio.get_running_loop().call_later(self._retries.left(_now()), conversation.abandon)
        try:
            return await conversation.run(channel, self._metadata)
        finally:
            self._conversation = None
            self._silence_alarm()

    def _goes_on(self, end: End) -> bool:
        """Whether another stream follows one that ended so. Raises ConnectionFailed if the referee is lost."""
        follows = resumption.after(end.code.name)
        if self._stopping or follows is Next.LEAVE:
            return False
        if follows is Next.BEGIN_ANEW and self._may_begin_anew():
            self._begin_anew(end.reason)
        elif follows is not Next.RESUME:
            raise ConnectionFailed(self._refusal(end))
        elif self._retries is None:
            self._retries, self._reason = Retries(_now(), self._window()), end.reason
        # Nothing is to be had from a referee that goes away.
        return self.session.playing or not self.session.draining

    def _may_begin_anew(self) -> bool:
        return bool(self.session.session_id) and not self._player.hosted and not self.session.only_block

    def _begin_anew(self, reason: str) -> None:
        lost = self.session.begin_anew()
        if lost:
            show(f"{reason}: blocks are lost with it: {', '.join(lost)}; going on as a new one")

    def _refusal(self, end: End) -> str:
        if end.code is grpc.StatusCode.UNAUTHENTICATED:
            return f"the referee at {self._referee} does not accept the token: {end.reason}"
        return f"lost the referee at {self._referee}: {end.reason}"

    def _window(self) -> float:
        """Seconds for which it is tried to come back."""
        window = self.session.resume_window.total_seconds()
        return min(window, HOSTED_SECONDS) if self._player.hosted else window

    async def _reach(self, channel: grpc.aio.Channel) -> None:
        """Wait, and then until the referee is there. Raises ConnectionFailed if it is not within the window."""
        if self._retries is None:
            return
        await asyncio.sleep(self._retries.pause(_now()))
        try:
            await asyncio.wait_for(_ready(channel), self._retries.left(_now()))
        except TimeoutError:
            window = f"not back within {self._retries.window:g} s"
            raise ConnectionFailed(f"lost the referee at {self._referee}: {self._reason}; {window}") from None

    def stop(self) -> None:
        """Leave: say so, if there is a stream."""
        self._stopping = True
        if self._conversation is not None:
            self._conversation.stop()
        elif self._task is not None:
            self._task.cancel()

    def heard(self) -> None:
        """The line stands."""
        if self._retries is not None:
            seconds = _now() - self._retries.begun
            show(f"back at {self._referee} {seconds:.1f} s after the line dropped: {self._reason}")
            self._retries = None
            self._silence_alarm()

    def _silence_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def answered(self) -> None:
        """Follow where the session sends the bot."""
        while self.session.redirects:
            self._player.follow(self.session.redirects.pop(0))

    def interrupted(self) -> None:
        """A signal stopped the author's code: all lines end."""
        self._player.stop()


async def _ready(channel: grpc.aio.Channel) -> None:
    """Wait until *channel* is connected. gRPC's own way cannot be cancelled if the address is none, "dns:" say."""
    while channel.get_state(try_to_connect=True) is not grpc.ChannelConnectivity.READY:
        await asyncio.sleep(_CONNECTING_SECONDS)


def _now() -> float:
    return asyncio.get_running_loop().time()


@contextmanager
def _interruptible(deciding: Callable[[], bool], stop: Callable[[], None]) -> Iterator[None]:
    """Let SIGINT and SIGTERM end the bot: its own code at once, wherever it is; else between two frames."""
    loop = asyncio.get_running_loop()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if deciding():
            raise KeyboardInterrupt
        loop.call_soon_threadsafe(stop)

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def is_local(referee: str) -> bool:
    """Whether *referee* is on this machine, so that its address needs no TLS."""
    if referee.startswith(("unix:", "unix-abstract:")):
        return True
    host = referee.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _aio_channel(referee: str) -> grpc.aio.Channel:
    if is_local(referee):
        return grpc.aio.insecure_channel(referee, _OPTIONS)
    return grpc.aio.secure_channel(referee, grpc.ssl_channel_credentials(), _OPTIONS)


def open_channel(referee: str) -> grpc.Channel:
    """A channel to *referee*: encrypted, unless it is on this machine."""
    if is_local(referee):
        return grpc.insecure_channel(referee, _OPTIONS)
    return grpc.secure_channel(referee, grpc.ssl_channel_credentials(), _OPTIONS)
