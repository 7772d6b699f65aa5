"""The clocks, held against a ledger of the test's own: what each request says, what the replay says, what is due."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tradepit.v1 import block_pb2, play_pb2
from tradepit_server.referee.time_control import TimeControl

SECOND = 1_000_000_000
YEAR = 365 * 24 * 3600 * SECOND
FREE = 100 * SECOND
"""How long a bot that has no limit thinks at most, in nanoseconds."""

instants = st.one_of(st.just(YEAR), st.integers(1, 5 * SECOND), st.integers(1, 20).map(lambda n: n * SECOND // 2))
banks = st.one_of(st.none(), st.just(0), instants)
increments = st.one_of(st.just(0), instants)


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    """Any time control that can be kept, with more strikes than a match has decisions."""
    bank, increment = draw(banks), draw(increments)
    if bank == 0 and increment == 0:
        increment = 1
    decision = draw(st.one_of(st.none(), instants))
    return TimeControl(decision=decision, bank=bank, increment=increment, strikes=99, resume_window=YEAR)


@dataclass(frozen=True)
class Turn:
    """What a bot does with a request."""

    does: str
    share: float
    """Of what it is allowed, for the answer; above 1: too late, but read before the deadline was looked at."""


turns = st.builds(Turn, st.sampled_from(["answer", "answer", "illegal", "fail", "silent", "away"]), st.floats(0, 1.5))


@dataclass
class Ledger:
    """What a seat must be told and charged: after a decision the bank gains the increment and loses what was used."""

    control: TimeControl
    bank: int | None
    used: list[int] = field(default_factory=list)

    def check(self, request: play_pb2.DecisionRequest) -> int | None:
        """Hold a request against the ledger. Returns the time allowed."""
        limits = [] if self.control.decision is None else [self.control.decision]
        assert request.HasField("bank_left") == (self.bank is not None)
        if self.bank is not None:
            assert request.bank_left.ToNanoseconds() == self.bank
            limits.append(self.bank + self.control.increment)
        assert request.HasField("time_left") == bool(limits)
        allowed = min(limits) if limits else None
        assert request.time_left.ToNanoseconds() == (allowed or 0)
        return allowed

    def charge(self, used: int) -> None:
        """A decision took so long."""
        self.used.append(used)
        if self.bank is not None:
            self.bank += self.control.increment - used
            assert self.bank >= 0


@dataclass
class Open:
    """A request that a bot owes."""

    request: play_pb2.DecisionRequest
    departed: int
    allowed: int | None
    again: bool = False
    """It has come again on another stream."""

    def check_again(self, request: play_pb2.DecisionRequest, now: int) -> None:
        """It comes again at *now*, with what is left of its time."""
        self.again = True
        assert (request.decision_id, request.bank_left) == (self.request.decision_id, self.request.bank_left)
        if self.allowed is not None:
            assert request.time_left.ToNanoseconds() == self.allowed - (now - self.departed) >= 0

    def instant(self, share: float) -> int:
        """When this *share* of the time is over, in nanoseconds."""
        return self.departed + int(share * (FREE if self.allowed is None else self.allowed))

    def used(self, now: int) -> int:
        """Nanoseconds that count at *now*."""
        return now - self.departed if self.allowed is None else min(now - self.departed, self.allowed)


class Play:
    """One match of the toy game, in which bots do as their turns say."""

    def __init__(self, world: Any, control: TimeControl) -> None:
        self.world = world
        self.bots = {name: world.join(name) for name in "ab"}
        for bot in self.bots.values():
            bot.acknowledges = False
        world.start("t/0", dict(self.bots), control, matches=1)
        for bot in self.bots.values():
            bot.accept_all()
        self.ledgers = {name: Ledger(control, control.bank) for name in self.bots}
        self.open: dict[str, Open] = {}
        self.turn()

    def turn(self) -> None:
        """One turn of the shell's loop, and what the bots learn by it."""
        self.world.turn()
        for name, bot in self.bots.items():
            for rejected in [message.decision_rejected for message in bot.take("decision_rejected")]:
                timed_out = rejected.fault == block_pb2.FAULT_KIND_TIMEOUT
                if timed_out and name in self.open and self.open[name].request.decision_id == rejected.decision_id:
                    self.decided(name, self.open[name].allowed or 0)
            for request in bot.requests():
                if name in self.open:
                    self.open[name].check_again(request, self.world.now)
                else:
                    self.open[name] = Open(request, self.world.now, self.ledgers[name].check(request))

    def decided(self, name: str, used: int) -> None:
        """A request is decided after so many nanoseconds."""
        self.ledgers[name].charge(used)
        del self.open[name]

    def act(self, turn: Turn) -> None:
        """Let the first bot that owes an answer do as *turn* says."""
        name, owed = next(iter(self.open.items()))
        if turn.does == "silent" and owed.allowed is not None:
            self.world.now = max(self.world.now, owed.departed + owed.allowed)
            self.turn()
            return
        if turn.does == "away":
            self.world.now = max(self.world.now, owed.instant(turn.share / 2))
            self.resume(name)
        if self.open.get(name) is owed:
            self.world.now = max(self.world.now, owed.instant(turn.share))
            self.answer(name, turn.does)
        self.turn()

    def answer(self, name: str, how: str) -> None:
        """It is read now, before anybody looks at the deadline."""
        request, bot = self.open[name].request, self.bots[name]
        if how == "fail":
            failure = play_pb2.DecisionFailure(match_id=request.match_id, decision_id=request.decision_id)
            bot.send(play_pb2.BotMessage(decision_failure=failure))
        else:
            bot.answer(request, 99 if how == "illegal" else 7)
        self.decided(name, self.open[name].used(self.world.now))

    def resume(self, name: str) -> None:
        """The line is lost and found: what is still open by now comes again."""
        old, owed = self.bots[name], self.open[name]
        old.drop()
        again = self.bots[name] = self.world.connect(name)
        again.session_id, again.acknowledges = old.session_id, False
        again.hello(resume=old.session_id)
        self.turn()
        assert owed.again == (self.open.get(name) is owed)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(controls(), st.lists(turns, min_size=6, max_size=30))
def test_every_request_and_replay_agrees_with_the_ledger(
    make_world: Callable[[int], Any], control: TimeControl, script: list[Turn]
) -> None:
    play = Play(make_world(0), control)
    for turn in script + [Turn("answer", 0)] * 6:
        if play.open:
            play.act(turn)
    replay = play.world.results["t/0"].replays[0]
    for seat, ledger in enumerate(play.ledgers.values()):
        thoughts = [d.thought.ToNanoseconds() for d in replay.decisions if d.seat == seat]
        assert thoughts == ledger.used
        assert len(thoughts) == 3


def test_a_timeout_has_used_what_was_allowed_and_the_bank_gains_the_increment(world: Any) -> None:
    """An example in numbers: 1 s and 100 ms are allowed, all of it is used, and 100 ms are left to gain."""
    play = Play(world, TimeControl(bank=SECOND, increment=SECOND // 10, strikes=9))
    for name in "ab":
        assert play.open[name].allowed == 11 * SECOND // 10
        play.act(Turn("silent", 1))
    assert [play.ledgers[name].bank for name in "ab"] == [0, 0]
    assert [play.open[name].allowed for name in "ab"] == [SECOND // 10] * 2


def test_a_bank_without_increment_that_is_used_up_leaves_no_time_at_all(world: Any) -> None:
    play = Play(world, TimeControl(bank=SECOND, strikes=9))
    for _ in range(2):
        play.act(Turn("silent", 1))
    world.wait(SECOND)
    assert [fault.kind for fault in world.results["t/0"].replays[0].result.faults] == [block_pb2.FAULT_KIND_TIMEOUT] * 6


@pytest.mark.parametrize(
    ("control", "bank_left", "time_left"),
    [
        (TimeControl(), None, None),
        (TimeControl(decision=2 * SECOND), None, 2 * SECOND),
        (TimeControl(decision=2 * SECOND, increment=SECOND), None, 2 * SECOND),
        (TimeControl(bank=3 * SECOND), 3 * SECOND, 3 * SECOND),
        (TimeControl(bank=3 * SECOND, increment=SECOND), 3 * SECOND, 4 * SECOND),
        (TimeControl(decision=2 * SECOND, bank=SECOND, increment=SECOND), SECOND, 2 * SECOND),
        (TimeControl(decision=5 * SECOND, bank=0, increment=SECOND), 0, SECOND),
        (TimeControl(decision=YEAR, bank=YEAR, increment=YEAR), YEAR, YEAR),
    ],
)
def test_what_the_first_request_says(
    world: Any, control: TimeControl, bank_left: int | None, time_left: int | None
) -> None:
    request = Play(world, control).open["a"].request
    for told, expected in ((request.bank_left, bank_left), (request.time_left, time_left)):
        assert told.ToNanoseconds() == (expected or 0)
    assert request.HasField("bank_left") == (bank_left is not None)
    assert request.HasField("time_left") == (time_left is not None)
