"""A world: its time, its events in order, who lives in it and what befalls them. One seed decides everything."""

from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any

from simulation import leftovers, soundness, toy
from simulation.accounts import Ask, Plan
from simulation.bots import Bot
from simulation.clocks import MILLISECOND, SECOND
from simulation.errors import require
from simulation.galleries import Gallery
from simulation.kinds import DROPPING, FAULTS, HONEST, KINDS
from simulation.lines import Line
from simulation.organiser import Organiser, bound
from simulation.shell import Factory, Shell
from simulation.trace import Trace
from simulation.twin import Kind
from tradepit.v1 import block_pb2
from tradepit_server.referee import Referee

BEGINNING = 5 * SECOND
"""The instant at which a world begins."""

SLACK = 60 * SECOND
"""Nanoseconds that a world may take besides what its blocks need: looking for bots, losses, restarts."""

MOST_STIRS = 10
"""So often a bot does something unasked."""


class World:
    """Everything of one seed."""

    def __init__(self, seed: int, trace: Trace | None = None, make_core: Factory = Referee) -> None:
        toy.install()
        self.seed = seed
        self.trace = trace or Trace()
        self.rng = rng = Random(seed)
        self.now = BEGINNING
        self.closing = False
        """All is played; everybody leaves."""
        self.tally: Counter[str] = Counter()
        self.injected: Counter[str] = Counter()
        self.charges: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self._heap: list[tuple[int, int, Callable[..., None], tuple[Any, ...]]] = []
        self._serial = count()
        self._numbers = count(1)
        self._lines: list[Line] = []
        self._ends_by = BEGINNING + SLACK
        self.plans: list[Plan] = []
        """Every block that was begun."""
        self.released: set[str] = set()
        """Bots whose sessions were ended while they might still play."""
        self._draw_weather(rng)
        self.bots: list[Bot] = []
        self.named: dict[str, Bot] = {}
        self.organiser = Organiser(self)
        self.gallery = Gallery(self)
        self.shell = Shell(self, make_core)
        self._people()
        self._events()

    # Setting out

    def _draw_weather(self, rng: Random) -> None:
        self.game = rng.choice(("long-short", "buy-low-sell-high")) if rng.random() < 0.04 else "toy"
        self.padding = rng.choice((100, 900, 900)) if self.game == "toy" and rng.random() < 0.012 else 0
        self.crowded = self.game == "toy" and not self.padding and rng.random() < 0.15
        """Bots play many matches at once, on short lines."""
        self.large = rng.random() < 0.01
        """Bots may flood with thousands of messages."""
        self.watched = rng.random() < 0.15
        self.watch_delay = rng.choice((0, 1, 2, 6))
        self.latency = (
            100_000 if self.crowded else rng.choice((100_000, MILLISECOND, 5 * MILLISECOND, 20 * MILLISECOND))
        )
        """The longest delay of a line, one way."""
        self.longest_thought = rng.choice((2, 10, 30)) * MILLISECOND
        self.longest_lag = rng.choice((0, 0, 0, 5, 60, 400)) * MILLISECOND
        self.lags = rng.randrange(1, 4) if self.longest_lag else 0

    def _people(self) -> None:
        rng = self.rng
        evil = 0.0 if self.padding else rng.choice((0.0, 0.5, 0.5, 0.8))
        for index in range(rng.choice((2, 2, 3, 3, 4, 5))):
            faults = rng.sample(FAULTS, rng.choice((1, 1, 2, 3, 5))) if rng.random() < evil else []
            wildness = rng.choice((0.1, 0.3, 0.6, 1.0))
            if self.padding and index == 0:
                faults, wildness = [KINDS["unacknowledging"]], 1.0
            bot = Bot(self, f"bot-{index}", rng.choice(HONEST), faults, wildness)
            if rng.random() < 0.3:
                bot.outage = rng.choice((4, 20, 100)) * MILLISECOND
            self.bots.append(bot)
            self.named[bot.name] = bot
            if rng.random() < 0.2:
                bot.reserved = self.shell.reserve(bot.name)
            self.after(rng.randrange(1, 60 * MILLISECOND), bot.connect)
            self._plan_stirs(bot)
        self.organiser.order(1 if self.padding else rng.choice((1, 1, 2, 2, 3)))

    def _plan_stirs(self, bot: Bot) -> None:
        when = 0
        stirring = [habit for habit in bot.faults if habit.stirs]
        for _ in range(self.rng.randrange(MOST_STIRS) if stirring else 0):
            when += self.rng.randrange(1, 150 * MILLISECOND)
            self.after(when, self._stir, bot, self.rng.choice(stirring))
        if bot.outage:
            for _ in range(self.rng.randrange(1, soundness.MOST_OUTAGES + 1)):
                self.after(self.rng.randrange(20 * MILLISECOND, 500 * MILLISECOND), self._stir, bot, DROPPING)

    def _stir(self, bot: Bot, habit: Any) -> None:
        if not self.closing and not bot.gone:
            habit.stir(bot)

    def _events(self) -> None:
        rng = self.rng
        for _ in range(self.lags):
            self.after(rng.randrange(600 * MILLISECOND), self._lag)
        if rng.random() < 0.05:
            self.after(rng.randrange(1, 600 * MILLISECOND), self._restart)
        if rng.random() < 0.03:
            grace = rng.choice((0, 100 * MILLISECOND, 3 * SECOND))
            self.after(rng.randrange(1, 600 * MILLISECOND), self.organiser.drain, grace)
        for bot in self.bots:
            if bot.reserved is not None and rng.random() < 0.1:
                self.after(rng.randrange(1, 600 * MILLISECOND), self._release, bot)
        if self.watched:
            for _ in range(rng.randrange(1, 4)):
                self.after(rng.randrange(1, 500 * MILLISECOND), self.gallery.come)

    def _lag(self) -> None:
        self.shell.busy(self.now + self.rng.randrange(1, self.longest_lag + 1))

    def _restart(self) -> None:
        if self.organiser.draining or self.closing:
            return
        self.tally["restarts"] += 1
        self.note("referee restarts")
        self.shell.restart()
        self.organiser.referee_lost()
        for bot in self.bots:
            if bot.reserved is not None:
                bot.reserved = self.shell.reserve(bot.name)

    def _release(self, bot: Bot) -> None:
        if bot.reserved is not None and not self.closing:
            self.injected["released"] += 1
            self.released.add(bot.name)
            reserved, bot.reserved, bot.gone = bot.reserved, None, True
            self.shell.release(reserved)

    # Services to who lives here

    def at(self, when: int, step: Callable[..., None], *arguments: Any) -> None:
        """Have something done at an instant."""
        heappush(self._heap, (when, next(self._serial), step, arguments))

    def after(self, delay: int, step: Callable[..., None], *arguments: Any) -> None:
        """Have something done so many nanoseconds from now."""
        self.at(self.now + delay, step, *arguments)

    def note(self, what: str, *details: object) -> None:
        """Write into the trace."""
        self.trace.note(self.now, what, *details)

    def delay(self, bot: Bot) -> int:
        """How long something is on its way to or from a bot."""
        return self.rng.randrange(20_000, self.latency)

    def open_line(self, bot: Bot) -> Line:
        """A new stream of a bot's."""
        line = Line(self, bot, next(self._numbers))
        self._lines.append(line)
        return line

    def lose_line(self, bot: Bot, within: int) -> None:
        """The line of a bot is lost."""
        if bot.line is not None:
            self.lose(bot.line, within)

    def lose(self, line: Line, within: int) -> None:
        """A line is lost; both ends notice within so many nanoseconds."""
        rng = self.rng
        self.tally["drops"] += 1
        self.note("line lost", line.bot.name, line.number)
        line.lose(rng.randrange(within), rng.randrange(within), up_first=rng.choice((0, rng.randrange(within))))

    def crash(self, bot: Bot) -> None:
        """The process of a bot has ended."""
        if bot.reserved is not None:
            self.shell.crashed(bot.reserved)

    def open_ask(self, session_id: str, decision_id: int) -> Ask | None:
        """What a bot was asked, if it is still open."""
        account = self.shell.ledger.accounts.get(session_id)
        return account.asks.get(decision_id) if account else None

    def charged(self, bot: str, kind: Kind) -> None:
        """A fault is due."""
        self.note("charged", bot, kind)
        self.charges[block_pb2.FaultKind.Name(kind).removeprefix("FAULT_KIND_").lower()] += 1

    def is_sound(self, name: str) -> bool:
        """Whether a bot does nothing wrong, and has a line and clocks that suffice."""
        return soundness.is_sound(self, self.named[name])

    def allow(self, plan: Plan) -> None:
        """A block begins: the world may take longer."""
        self.plans.append(plan)
        self._ends_by = max(self._ends_by, self.now + SLACK) + bound(plan)

    # Its course

    def run(self) -> None:
        """From the beginning to the end. Raises Violation."""
        while self._step():
            if self.organiser.done and not self.closing:
                self._close()
        require(self.organiser.done, "every block ends", f"nothing happens, and still there are {self._open_blocks()}")
        if not self.closing:
            self._close()
            while self._step():
                pass
        require(self.shell.core.sessions() == [], "nothing is left", f"sessions {self.shell.core.sessions()}")
        leftovers.check(self.shell.core)
        self.tally["decisions"] += self.shell.ledger.decisions

    def _open_blocks(self) -> list[str]:
        return list(self.shell.ledger.blocks)

    def _step(self) -> bool:
        """One event, or one turn of the shell; whether there was any."""
        shell = self.shell
        due = self._heap[0][0] if self._heap else None
        if shell.wake is not None and (due is None or shell.wake < due):
            self.now = max(self.now, shell.wake)
            shell.turn()
        elif due is not None:
            when, _, step, arguments = heappop(self._heap)
            self.now = max(self.now, when)
            step(*arguments)
        else:
            return False
        require(self.closing or self.now < self._ends_by, "every block ends", f"still there are {self._open_blocks()}")
        return True

    def _close(self) -> None:
        """Let what is on its way arrive; then everybody goes."""
        self.closing = True
        self.tally["virtual milliseconds"] += (self.now - BEGINNING) // MILLISECOND
        self.after(SECOND, self._farewell)

    def _farewell(self) -> None:
        self.shell.outgoing.check_silence()
        self.gallery.all_leave()
        for line in self._lines:
            line.hang_up()
        for bot in self.bots:
            bot.gone = True
        self.after(SECOND, self._release_all)

    def _release_all(self) -> None:
        for session_id, account in list(self.shell.ledger.accounts.items()):
            if account.reserved:
                self.shell.release(session_id)
