"""Each rule can be seen broken: a core that does one thing wrong, and the rule that says so."""

from collections.abc import Callable
from typing import Any

import pytest
from simulation.clocks import SECOND
from simulation.world import World

from tradepit.v1 import block_pb2, play_pb2
from tradepit_server.referee import Effects, Referee
from tradepit_server.referee.endings import Ending
from tradepit_server.referee.gallery import Gallery

Spoil = Callable[["Tampered", Effects], None]


class Tampered(Referee):
    """The referee, whose effects are spoilt on their way out."""

    spoil: Spoil

    def effects(self, now: int) -> Effects:
        """As the referee gives them, and then spoilt."""
        effects = super().effects(now)
        type(self).spoil(self, effects)
        return effects


def in_frames(change: Callable[[Any], bool]) -> Spoil:
    """Spoil the first message of every frame that *change* finds something to spoil in."""

    def spoil(_: Tampered, effects: Effects) -> None:
        for index, (number, encoded) in enumerate(effects.frames):
            frame = play_pb2.PlayResponse.FromString(encoded)
            if sum(map(change, frame.messages)):
                effects.frames[index] = (number, frame.SerializeToString())

    return spoil


def in_replays(change: Callable[[block_pb2.Replay], object]) -> Spoil:
    """Spoil every replay."""

    def spoil(_: Tampered, effects: Effects) -> None:
        for __, result in effects.blocks_ended:
            for replay in result.replays:
                change(replay)

    return spoil


def _of(kind: str, change: Callable[[Any], object]) -> Spoil:
    """Spoil every message of one kind."""

    def apply(message: play_pb2.RefereeMessage) -> bool:
        if message.WhichOneof("kind") != kind:
            return False
        change(getattr(message, kind))
        return True

    return in_frames(apply)


def _numbered(_: Tampered, effects: Effects) -> None:
    for index, (number, encoded) in enumerate(effects.frames):
        frame = play_pb2.PlayResponse.FromString(encoded)
        frame.sequence += 1
        effects.frames[index] = (number, frame.SerializeToString())


def _acknowledging(_: Tampered, effects: Effects) -> None:
    for index, (number, encoded) in enumerate(effects.frames):
        frame = play_pb2.PlayResponse.FromString(encoded)
        frame.acknowledged_sequence += 1
        effects.frames[index] = (number, frame.SerializeToString())


def _misdirected(_: Tampered, effects: Effects) -> None:
    effects.frames[:] = [(number + 1000, encoded) for number, encoded in effects.frames]


def _secretive(core: Tampered, effects: Effects) -> None:
    secrets = [block._secret for block in core._tables._blocks.values()]
    for index, (number, encoded) in enumerate(effects.frames if secrets else []):
        notice = play_pb2.RefereeMessage(notice=play_pb2.Notice(text=secrets[0].hex()))
        extra = play_pb2.PlayResponse(messages=[notice]).SerializeToString()
        effects.frames[index] = (number, encoded + extra)


def _again(message: play_pb2.RefereeMessage) -> bool:
    if message.WhichOneof("kind") != "decision_request" or message.decision_request.decision_id < 2:
        return False
    message.decision_request.decision_id = 1
    return True


def _greetless(message: play_pb2.RefereeMessage) -> bool:
    if message.WhichOneof("kind") != "welcome":
        return False
    message.notice.text = "as a test wants it"
    return True


def _set(name: str, value: Any) -> Callable[[Any], object]:
    return lambda message: setattr(message, name, value)


def _more_time(request: play_pb2.DecisionRequest) -> None:
    request.time_left.seconds += 1


def _another_hand(request: play_pb2.DecisionRequest) -> None:
    request.observation.value = request.observation.value[:-1] + b"?"


def _pop(name: str) -> Spoil:
    def spoil(_: Tampered, effects: Effects) -> None:
        getattr(effects, name).clear()

    return spoil


def _closing(core: Tampered, effects: Effects) -> None:
    for connection in list(core._sessions._by_stream)[:1]:
        effects.closing.append((connection, "as a test wants it", Ending.MISUSE))


def _void(_: Tampered, effects: Effects) -> None:
    for __, result in effects.blocks_ended:
        result.reason = "as a test wants it"


def _slower(_: Tampered, effects: Effects) -> None:
    for __, result in effects.blocks_ended:
        for timing in result.timings:
            timing.overhead_total.nanos += 1


def _turned_round(replay: block_pb2.Replay) -> None:
    replay.result.placements[0], replay.result.scores[0] = 7, -1


BROKEN: dict[str, list[Spoil]] = {
    "frames are numbered": [_numbered],
    "frames acknowledge": [_acknowledging],
    "frames go to streams that said Hello": [_misdirected],
    "a secret is seen": [_secretive],
    "a stream begins with one Welcome": [in_frames(_greetless)],
    "a decided request is not asked again": [in_frames(_again)],
    "clocks": [_of("decision_request", _more_time)],
    "observations": [_of("decision_request", _another_hand)],
    "bots are asked about matches in play": [_of("decision_request", _set("match_id", "nowhere/1/0"))],
    "bots are told what happens, once": [
        _of("match_started", _set("seat", 3)),
        _of("match_ended", _set("match_id", "nowhere/1/0")),
        _of("block_invitation", _set("commitment", bytes(32))),
        _of("block_ended", _set("secret", bytes(32))),
        _of("decision_rejected", _set("fault", block_pb2.FAULT_KIND_CRASHED)),
    ],
    "how streams end": [_closing, _pop("closing")],
    "matches end when they are over": [_pop("matches_ended")],
    "blocks end when they are over": [_pop("blocks_ended")],
    "late answers are counted": [_pop("late_answers")],
    "a void block says why": [_void],
    "chance": [in_replays(lambda r: setattr(r, "seed", bytes(32)))],
    "decisions are those that were sent": [
        in_replays(lambda r: r.decisions.pop()),
        in_replays(lambda r: setattr(r.decisions[0], "note", "as a test wants it")),
        in_replays(lambda r: r.decisions[0].thought.FromNanoseconds(17 * SECOND)),
    ],
    "faults are charged to whom they belong, once": [
        in_replays(lambda r: r.result.faults.add(seat=0, decision_index=0, kind=block_pb2.FAULT_KIND_TIMEOUT)),
    ],
    "scores and placements": [in_replays(_turned_round)],
    "terminations": [in_replays(lambda r: r.result.terminations.__setitem__(0, block_pb2.TERMINATION_UNSPECIFIED))],
    "timings": [_slower],
    "replays verify": [in_replays(lambda r: setattr(r, "content_sha256", bytes(32)))],
}


@pytest.mark.parametrize(("rule", "spoil"), [(rule, spoil) for rule, spoils in BROKEN.items() for spoil in spoils])
def test_a_rule_can_be_broken(rule: str, spoil: Spoil, breaks: Callable[..., bool]) -> None:
    assert breaks(type("Spoilt", (Tampered,), {"spoil": spoil}), rule)


def test_a_core_that_never_ends_a_block_is_found(breaks: Callable[..., bool]) -> None:
    class Endless(Referee):
        def next_deadline(self) -> int | None:
            """Frames leave, but no deadline is ever looked at."""
            departures = [session.departure() for session in self._mailbag.waiting if session.connection is not None]
            return min(departures, default=None)

    assert breaks(Endless, "every block ends")


def test_a_core_that_does_not_rest_is_found(breaks: Callable[..., bool]) -> None:
    class Restless(Referee):
        def next_deadline(self) -> int | None:
            """At once."""
            return 0

    assert breaks(Restless, "the referee comes to rest")


def test_a_core_that_keeps_something_is_found(breaks: Callable[..., bool]) -> None:
    class Hoarder(Referee):
        def effects(self, now: int) -> Effects:
            """As ever, and a note of it."""
            self.__dict__.setdefault("kept", []).append(now)
            return super().effects(now)

    assert breaks(Hoarder, "nothing is left")


def test_an_honest_bot_must_not_be_charged(breaks: Callable[..., bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule fails if bots that do wrong are taken for honest."""
    monkeypatch.setattr(World, "is_sound", lambda *_: True)
    assert breaks(Referee, "an honest bot is never charged")


def test_an_honest_bot_must_not_be_paused(breaks: Callable[..., bool]) -> None:
    class Pausing(Referee):
        def pause(self, connection: int, now: int) -> int:
            """Longer than the referee wants."""
            return super().pause(connection, now) + 1

    assert breaks(Pausing, "an honest bot is never paused")


@pytest.mark.parametrize(
    ("method", "rule"),
    [("describe", "matches in play"), ("hand_over", "spectators see what they asked for")],
)
def test_what_spectators_see_is_judged(
    method: str, rule: str, breaks: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = getattr(Gallery, method)

    def describe(*arguments: Any) -> Any:
        told = whole(*arguments)
        told.match_id += "0"
        return told

    def hand_over(gallery: Gallery, effects: Effects) -> None:
        whole(gallery, effects)
        effects.shown = [(spectator + 1, message) for spectator, message in effects.shown]

    monkeypatch.setattr(Gallery, method, {"describe": describe, "hand_over": hand_over}[method])
    assert breaks(Referee, rule)
