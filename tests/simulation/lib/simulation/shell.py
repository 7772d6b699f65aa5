"""The referee's shell, as the real one is: everything readable is fed, then tick, then effects, once a turn."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simulation.errors import require
from simulation.ledger import Ledger
from simulation.lines import Line
from simulation.outgoing import Outgoing
from tradepit.v1 import block_pb2
from tradepit_server.referee import Effects, Identity, Referee, Selection, UnknownMatch

if TYPE_CHECKING:
    from simulation.world import World

READING = 2_000
"""Nanoseconds that reading a frame takes."""

MOST_TURNS = 200
"""At one instant: more of them lead nowhere."""

Factory = Callable[[Callable[[int], bytes], int], Referee]
"""Makes a core from a source of entropy and the delay of spectators."""


class Shell:
    """One referee after another: a core, its ledger, and what has arrived for it."""

    def __init__(self, world: "World", make_core: Factory) -> None:
        self.wake: int | None = None
        """The instant of the next turn; None: none before something arrives."""
        self.known: dict[str, tuple[str, bool]] = {}
        """Sessions as they were reported: their bot, and whether a stream carries them."""
        self._world = world
        self._make_core = make_core
        self._busy_until = 0
        self._drawn: list[bytes] = []
        self._inbox: list[tuple[Line, str, Any]] = []
        self._paused: dict[Line, None] = {}
        self._lines: dict[int, Line] = {}
        self._turns_at: tuple[int, int] = (0, 0)
        self._begin()

    def _begin(self) -> None:
        world = self._world
        self.core = self._make_core(self._entropy, world.watch_delay)
        self.ledger = Ledger(world.charged)
        self.ledger.watched = world.watched
        self.outgoing = Outgoing(self.ledger, world.is_sound)

    def _entropy(self, size: int) -> bytes:
        drawn = self._world.rng.randbytes(size)
        self._drawn.append(drawn)
        return drawn

    def restart(self) -> None:
        """The referee is killed, and another begins in its place."""
        self._world.tally["decisions"] += self.ledger.decisions
        arrived = dict.fromkeys(line for line, _, _ in self._inbox)
        for line in {**dict.fromkeys(self._lines.values()), **arrived}:
            self._world.lose(line, 30_000_000)
        self._inbox.clear()
        self._paused.clear()
        self._lines.clear()
        self.known.clear()
        self._begin()
        self.wake = None

    # What happens to it

    def arrived(self, line: Line, what: str, load: Any) -> None:
        """Something can be read from a line."""
        self._inbox.append((line, what, load))
        self._wake_at(self._world.now)

    def busy(self, until: int) -> None:
        """The loop has something else to do; what arrives is read later."""
        self._busy_until = until
        if self.wake is not None:
            self.wake = max(self.wake, until)

    def _wake_at(self, when: int) -> None:
        when = max(when, self._busy_until)
        if self.wake is None or when < self.wake:
            self.wake = when

    def start_block(self, spec: Any, plan: Any, session_ids: list[str]) -> None:
        """Begin a block. Raises SpecificationError."""
        now = self._world.now
        self._drawn.clear()
        self.core.start_block(spec, now)
        secret = plan.reproducible or self._drawn[-1]
        self.ledger.started(plan, secret, session_ids, now)
        self._wake_at(now)

    def cancel(self, block_id: str, cause: block_pb2.VoidCause.ValueType, reason: str) -> None:
        """Make a block void."""
        self.core.cancel_block(block_id, cause, reason, self._world.now)
        self.ledger.cancelled(block_id, cause, reason)
        self._wake_at(self._world.now)

    def reserve(self, bot: str) -> str:
        """A session for a process."""
        session_id = self.core.reserve_session(bot)
        self.ledger.reserved(session_id, bot)
        return session_id

    def release(self, session_id: str) -> None:
        """A reserved session is over."""
        self.core.release_session(session_id, self._world.now)
        self.ledger.released(session_id, self._world.now)
        self._wake_at(self._world.now)

    def crashed(self, session_id: str) -> None:
        """The process of a session has ended."""
        self.core.process_ended(session_id, "exit status 1", self._world.now)
        self.ledger.process_ended(session_id, self._world.now)
        self._wake_at(self._world.now)

    def drain(self, grace: int) -> None:
        """Tell everybody that the referee goes away."""
        self.core.drain(grace, self._world.now)
        self.ledger.drain()
        self._wake_at(self._world.now)

    def watch(self, spectator: int, selection: Selection) -> bool:
        """Somebody wants to see matches; whether there are such."""
        try:
            self.core.watch(spectator, selection)
        except UnknownMatch:
            return False
        self._wake_at(self._world.now)
        return True

    # Its turn

    def turn(self) -> None:
        """Feed, tick, hand on."""
        world, now = self._world, self._world.now
        self._count_turn(now)
        self.wake = None
        world.now = self._feed(now)
        # A deadline is looked at with the instant before reading: what arrived since has been fed meanwhile.
        self.core.tick(now)
        self.ledger.tick(now)
        effects = self.core.effects(world.now)
        waiting = any(block.waiting for block in self.ledger.blocks.values())
        playing = frozenset(match.match_id for match in self.core.matches()) if waiting else None
        frames = self.outgoing.check(effects, playing, world.now)
        self._hand_on(effects, frames)
        self._set_timer()

    def _count_turn(self, now: int) -> None:
        instant, turns = self._turns_at
        self._turns_at = (now, turns + 1 if instant == now else 1)
        require(self._turns_at[1] < MOST_TURNS, "the referee comes to rest", f"{MOST_TURNS} turns at {now}")

    def _feed(self, now: int) -> int:
        inbox, self._inbox = self._inbox, []
        for line in list(self._paused):
            if line.read_after <= now:
                del self._paused[line]
                inbox += [(line, *item) for item in line.held]
                line.held = []
        for line, what, load in inbox:
            if line.read_after > now:
                line.held.append((what, load))
                self._paused[line] = None
            else:
                now += READING
                self._read(line, what, load, now)
        return now

    def _read(self, line: Line, what: str, load: Any, now: int) -> None:
        number = line.number
        if what == "frame":
            self._world.note("frame", line.bot.name, number, len(load))
            self.core.received(number, load, now)
            self.ledger.received(number, load, now)
            pause = self.core.pause(number, now)
            if pause:
                who = line.bot.name
                require(not self._world.is_sound(who), "an honest bot is never paused", f"{who} for {pause} ns")
                line.read_after = now + pause
        elif what == "connect":
            self._world.note("connected", line.bot.name, number)
            self._lines[number] = line
            self.core.connected(number, Identity(line.bot.name, line.reserved), now)
            self.ledger.connected(number, line.bot.name, line.reserved)
        elif self._lines.pop(number, None) is not None:
            self._world.note("disconnected", line.bot.name, number)
            self.core.disconnected(number, load, now)
            self.ledger.disconnected(number, now)

    def _hand_on(self, effects: Effects, frames: list[Any]) -> None:
        world = self._world
        for number, frame, size in frames:
            line = self._lines.get(number)
            world.note("sent", number, frame.sequence, size, *(m.WhichOneof("kind") for m in frame.messages))
            if line is not None and not line.ended_by_referee:
                line.deliver(frame)
        for number, reason, ending in effects.closing:
            world.note("closing", number, ending.name, reason)
            line = self._lines.get(number)
            if line is not None:
                line.end(ending.name)
                # The stream is over for both: the service says so to the core as soon as it has ended.
                world.after(world.rng.randrange(1, 5_000_000), self.arrived, line, "end", reason)
        for session_id, bot, connected in effects.sessions_changed:
            self.known[session_id] = (bot, connected)
        world.gallery.shown(effects, self.ledger)
        for block_id, result in effects.blocks_ended:
            world.organiser.ended(block_id, result)

    def _set_timer(self) -> None:
        deadline = self.core.next_deadline()
        if deadline is not None:
            self._wake_at(max(deadline, self._world.now))
        for line in self._paused:
            self._wake_at(line.read_after)

    @property
    def quiet(self) -> bool:
        """Nothing waits to be read."""
        return not self._inbox and not self._paused
