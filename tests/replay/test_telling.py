"""A match is told in full, or from what one seat could see."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from faulty_play import replay_of

from tradepit.v1 import block_pb2
from tradepit_server import registry
from tradepit_server.replay import ReplayError
from tradepit_server.replay.execution import moments, start
from tradepit_server.replay.telling import Scene, tell
from tradepit_server.testing.messages import message_class

GAMES = ["long-short", "buy-low-sell-high"]


@pytest.fixture(params=GAMES)
def replay(request: pytest.FixtureRequest) -> block_pb2.Replay:
    """A match without faults, with notes."""
    return replay_of(request.param, 3, trouble=0)


def sentences(scenes: Iterator[Scene]) -> list[str]:
    return [line.sentence for scene in scenes for line in scene.lines]


def received(replay: block_pb2.Replay, seat: int) -> list[Any]:
    """The observations that *seat* got, decoded; for who was not asked any more the default was played at once."""
    plugin = registry.get(replay.game)
    state = start(plugin.game, replay)
    observation = message_class(plugin.codec.observation_type)
    seen = []
    for moment in moments(plugin.codec, state, replay.decisions):
        for decision in moment.decisions:
            if decision.seat == seat and (decision.HasField("thought") or not decision.fault):
                seen.append(observation.FromString(plugin.codec.observation(state, seat)))
    return seen


def test_every_event_is_told_once_in_order(replay: block_pb2.Replay) -> None:
    plugin = registry.get(replay.game)
    state = start(plugin.game, replay)
    for _ in moments(plugin.codec, state, replay.decisions):
        pass
    assert sentences(tell(replay)) == [state.describe(event) for event in state.events_since(0)]


def test_every_decision_is_told_with_who_why_and_how_long(replay: block_pb2.Replay) -> None:
    asked = [each for scene in tell(replay) for each in scene.asked]
    assert [(each.seat, each.kind, each.note) for each in asked] == [(d.seat, d.kind, d.note) for d in replay.decisions]
    assert [each.thought for each in asked] == [d.thought.ToNanoseconds() / 1e9 for d in replay.decisions]


def test_looks_lead_from_one_scene_to_the_next_up_to_the_score(replay: block_pb2.Replay) -> None:
    scenes = list(tell(replay))
    assert scenes[0].before is None
    for before, after in pairwise(scenes):
        assert before.after == after.before
    last = scenes[-1].after
    assert last is not None
    assert list(last.cash) == list(replay.result.scores)
    assert len({scene.after.prices[name] for scene in scenes if scene.after for name in scene.after.prices}) > 3


@pytest.mark.parametrize("trouble", [0, 0.3])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", range(3))
def test_a_seat_is_told_its_observations_and_public_events_alone(game: str, seat: int, trouble: float) -> None:
    replay = replay_of(game, 3, 1, trouble)
    plugin = registry.get(game)
    state = start(plugin.game, replay)
    for _ in moments(plugin.codec, state, replay.decisions):
        pass
    public = {state.describe(e) for e in state.events_since(0) if state.audience(e) is None}
    private = {state.describe(e) for e in state.events_since(0)} - public
    observations = received(replay, seat)
    hands = [card for each in observations for card in each.private.hand]
    for sentence in sentences(tell(replay, seat)):
        if sentence in private:
            cards = sentence.removesuffix(".").partition(" is dealt ")[2].split(", ")
            assert cards
            assert set(cards) <= set(hands), f"seat {seat} never held {cards}"
            assert sentence.startswith(f"Seat {seat} ")
        else:
            assert sentence in public


def test_a_seat_is_told_of_others_neither_times_nor_notes_nor_faults() -> None:
    replay = replay_of("long-short", 3, 1, trouble=0.3)
    assert {fault.seat for fault in replay.result.faults} >= {0, 1}
    for scene in tell(replay, 0):
        assert all(trouble.seat == 0 for trouble in scene.troubles)
        for each in scene.asked:
            assert each.seat == 0 or each[2:] == (None, "", "")
    everybody = [each for scene in tell(replay) for each in scene.asked]
    assert any(each.note and each.seat for each in everybody)
    assert any(each.fault and each.seat for each in everybody)


def test_what_a_seat_draws_after_its_last_observation_it_never_hears_of() -> None:
    replay = replay_of("buy-low-sell-high", 3, trouble=0)
    seat = replay.decisions[-1].seat
    scenes = list(tell(replay, seat))
    told = [index for index, scene in enumerate(scenes) for line in scene.lines if " is dealt " in line.sentence]
    last_asked = max(index for index, scene in enumerate(scenes) if any(each.seat == seat for each in scene.asked))
    assert told
    assert max(told) < last_asked


def test_what_a_seat_is_dealt_after_its_forfeit_it_never_hears_of() -> None:
    replay = replay_of("buy-low-sell-high", 3, trouble=0.3)
    seat = 1

    def dealt(scenes: Iterator[Scene]) -> list[int]:
        sentence = f"Seat {seat} is dealt "
        return [index for index, scene in enumerate(scenes) if any(sentence in line.sentence for line in scene.lines)]

    # Nobody thought about the defaults of a seat that is no longer asked.
    own = [[each for each in scene.asked if each.seat == seat] for scene in tell(replay, seat)]
    last_asked = max(index for index, asked in enumerate(own) if any(each.thought is not None for each in asked))
    assert dealt(tell(replay, seat)) == [index for index in dealt(tell(replay)) if index < last_asked]
    assert last_asked < max(dealt(tell(replay))), "there is something to keep from it"


def test_faults_are_told_where_they_happened() -> None:
    replay = replay_of("long-short", 3, 1, trouble=0.3)
    told = [trouble.message for scene in tell(replay) for trouble in scene.troubles]
    assert told == [fault.message for fault in replay.result.faults]


def test_a_match_that_cannot_be_played_on_is_told_up_to_there() -> None:
    replay = replay_of("long-short", 2, trouble=0)
    replay.decisions[5].kind = "nap"
    scenes = tell(replay)
    for _ in range(4):
        next(scenes)
    with pytest.raises(ReplayError, match="decision 5"):
        list(scenes)


def test_a_game_without_narration_is_told_by_its_events(
    replay: block_pb2.Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = registry.Plugin(*registry.get(replay.game)[:2])
    expected = sentences(tell(replay))
    monkeypatch.setattr(registry, "get", lambda name: plain)
    scenes = list(tell(replay))
    assert all(scene.after is None for scene in scenes)
    assert sentences(iter(scenes)) == expected
