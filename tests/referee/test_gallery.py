"""What spectators are shown of matches: public, late, in order, and nothing unless somebody watches."""

from typing import Any

import pytest
import toy_game
from google.protobuf.wrappers_pb2 import StringValue

from tradepit.v1 import block_pb2, play_pb2, referee_pb2
from tradepit_server.referee import Selection, UnknownMatch
from tradepit_server.referee import gallery as gallery_module

EVERYTHING = Selection()
DECISIONS = 6
"""Of a match of the toy game between two."""


def match(name: str) -> Selection:
    return Selection(match_ids=frozenset([name]))


def block(name: str) -> Selection:
    return Selection(block_ids=frozenset([name]))


def seen(world: Any, spectator: int = 1) -> list[str]:
    """What one spectator was shown, in short, and no longer waits in the world."""
    taken = [message for who, message in world.shown if who == spectator]
    world.shown = [(who, message) for who, message in world.shown if who != spectator]
    return [short(message) for message in taken]


def short(message: referee_pb2.WatchMatchResponse) -> str:
    if message.HasField("match"):
        return f"{message.match.match_id} begins"
    if message.HasField("over"):
        over = message.over
        return f"{over.match_id} void: {over.void_reason}" if over.void_reason else f"{over.match_id} over"
    return f"{message.snapshot.match_id} at {message.snapshot.decisions}"


@pytest.fixture
def bots(world: Any) -> list[Any]:
    return [world.join("ada"), world.join("bob")]


def begin(world: Any, bots: list[Any], block_id: str = "b", **fields: object) -> None:
    """A block in which everybody has accepted."""
    world.start(block_id, {"ada": bots[0], "bob": bots[1]}, matches=1, **fields)
    for bot in bots:
        bot.accept_all()
    world.wait(1_000_000_000)


def decide(world: Any, bots: list[Any]) -> None:
    """Answer one open request."""
    for bot in bots:
        due = bot.take("decision_request")
        if due:
            bot.answer(due[0].decision_request)
            bot.inbox += due[1:]
            break
    world.wait(1_000_000_000)


def test_a_moment_is_shown_when_so_many_more_decisions_have_been_carried_out(world: Any, bots: list[Any]) -> None:
    """The delay of this world is 2. The seats decide 1, 1, both at once, 1, 1."""
    world.core.watch(1, EVERYTHING)
    begin(world, bots)
    assert seen(world) == ["b/0 begins"]
    after = []
    for _ in range(DECISIONS):
        decide(world, bots)
        after.append(seen(world))
    assert after == [
        [],
        ["b/0 at 0"],
        [],
        ["b/0 at 1", "b/0 at 2"],
        [],
        ["b/0 at 4", "b/0 at 5", "b/0 at 6", "b/0 over"],
    ]


def test_without_delay_everything_is_shown_at_once(make_world: Any) -> None:
    world = make_world(0)
    bots = [world.join("ada"), world.join("bob")]
    world.core.watch(1, EVERYTHING)
    begin(world, bots)
    assert seen(world) == ["b/0 begins", "b/0 at 0"]
    decide(world, bots)
    assert seen(world) == ["b/0 at 1"]


def test_a_snapshot_has_the_public_part_that_bots_get_and_what_everybody_saw(world: Any, bots: list[Any]) -> None:
    world.core.watch(1, EVERYTHING)
    begin(world, bots)
    world.play(*bots)
    snapshots = [message.snapshot for _, message in world.shown if message.HasField("snapshot")]
    publics = [StringValue.FromString(snapshot.public).value for snapshot in snapshots]
    assert publics[:3] == ["[]", "[[0, 7]]", "[[0, 7], [1, 7]]"]
    told = [[event.sentence for event in snapshot.events] for snapshot in snapshots]
    assert told[:3] == [[], ["seat 0 names 7"], ["seat 1 names 7"]]
    over = world.shown[-1][1].over
    result = world.results["b"].replays[0].result
    assert (over.scores, over.placements, over.terminations) == (result.scores, result.placements, result.terminations)


def test_what_not_everybody_saw_is_not_told(world: Any, bots: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy_game.ToyState, "audience", lambda self, event: (0,) if event.seat == 0 else None)
    world.core.watch(1, EVERYTHING)
    begin(world, bots)
    world.play(*bots)
    told = [event.sentence for _, message in world.shown for event in message.snapshot.events]
    assert told == ["seat 1 names 7"] * 3


def test_a_match_that_nobody_watches_is_not_looked_at(
    world: Any, bots: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("nobody watches this match")

    for name in ("_snapshot", "look"):
        monkeypatch.setattr(gallery_module.Show, name, fail)
    monkeypatch.setattr(gallery_module.Gallery, "look", fail)
    world.core.watch(1, EVERYTHING)
    world.core.unwatch(1)
    world.start("other", {"ada": bots[0], "bob": bots[1]})
    world.core.watch(2, block("other"))
    for bot in bots:
        bot.take("block_invitation")
    begin(world, bots)
    world.play(*bots)
    assert world.results["b"].outcome == block_pb2.BLOCK_OUTCOME_COMPLETE
    assert world.shown == []


@pytest.mark.parametrize("selection", [match("b/1"), block("b"), Selection(frozenset(["b/0"]), frozenset(["c"]))])
def test_only_what_was_selected_is_shown_and_its_end_is_the_end(world: Any, bots: list[Any], selection: Any) -> None:
    for name in ("a", "b", "c"):
        world.start(name, {"ada": bots[0], "bob": bots[1]})
    world.core.watch(1, selection)
    world.play(*bots)
    begun = {name.removesuffix(" begins") for name in seen(world) if name.endswith("begins")}
    wanted = {m for b in selection.block_ids for m in (f"{b}/0", f"{b}/1")} | selection.match_ids
    assert begun == wanted
    assert world.satisfied == [1]


def test_who_watches_everything_is_never_satisfied(world: Any, bots: list[Any]) -> None:
    world.core.watch(1, EVERYTHING)
    begin(world, bots, "a")
    world.play(*bots)
    begin(world, bots, "b")
    assert [line for line in seen(world) if "begins" in line] == ["a/0 begins", "b/0 begins"]
    assert world.satisfied == []


def test_who_comes_in_the_middle_sees_what_the_others_see(world: Any, bots: list[Any]) -> None:
    world.core.watch(1, EVERYTHING)
    begin(world, bots)
    for _ in range(3):
        decide(world, bots)
    world.core.watch(2, match("b/0"))
    world.wait(0)
    assert seen(world, 2) == ["b/0 begins", "b/0 at 0"]
    decide(world, bots)
    assert seen(world, 1)[2:] == seen(world, 2) == ["b/0 at 1", "b/0 at 2"]


def test_the_first_to_come_in_the_middle_waits_as_long_as_anybody(world: Any, bots: list[Any]) -> None:
    begin(world, bots)
    for _ in range(2):
        decide(world, bots)
    world.core.watch(1, match("b/0"))
    decide(world, bots)
    assert seen(world) == ["b/0 begins"]
    decide(world, bots)
    first = world.shown[0][1].snapshot
    assert (first.decisions, [event.sentence for event in first.events]) == (2, ["seat 0 names 7", "seat 1 names 7"])


def test_who_comes_late_is_told_only_the_last_of_what_happened(
    make_world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gallery_module, "MOST_EVENTS", 3)
    world = make_world(0)
    bots = [world.join("ada"), world.join("bob")]
    begin(world, bots)
    for _ in range(5):
        decide(world, bots)
    world.core.watch(1, match("b/0"))
    world.wait(0)
    (snapshot,) = [message.snapshot for _, message in world.shown if message.HasField("snapshot")]
    assert snapshot.decisions == 5
    assert [event.sentence for event in snapshot.events] == [f"seat {seat} names 7" for seat in (0, 1, 0)]


def test_a_match_that_is_over_is_shown_to_who_asks_for_it_while_its_block_runs(world: Any, bots: list[Any]) -> None:
    world.start("b", {"ada": bots[0], "bob": bots[1]})
    for bot in bots:
        bot.accept_all()
    world.wait(1_000_000_000)
    for _ in range(DECISIONS):
        decide(world, bots)
    world.core.watch(1, match("b/0"))
    world.core.watch(2, EVERYTHING)
    world.wait(0)
    assert seen(world, 1) == ["b/0 begins", "b/0 at 6", "b/0 over"]
    assert seen(world, 2) == ["b/1 begins"]
    assert world.satisfied == [1]


def test_a_void_block_ends_its_matches_also_such_as_never_began(world: Any, bots: list[Any]) -> None:
    world.start("b", {"ada": bots[0], "bob": bots[1]})
    for bot in bots:
        bot.accept_all()
    world.wait(1_000_000_000)
    world.core.watch(1, Selection(match_ids=frozenset(["b/0", "b/1"])))
    world.core.cancel_block("b", block_pb2.VOID_CAUSE_CANCELLED, "rain", world.now)
    world.wait(0)
    assert seen(world) == ["b/0 begins", "b/0 at 0", "b/0 void: rain", "b/1 void: rain"]
    assert world.satisfied == [1]


@pytest.mark.parametrize(
    ("selection", "complaint"),
    [
        (match("b/1"), "no match 'b/1' is being played"),
        (match("c/0"), "no match 'c/0' is being played"),
        (match("b"), "no match 'b' is being played"),
        (match("b/00"), "no match 'b/00' is being played"),
        (block("b/0"), "no block 'b/0' is being played"),
        (block("x" * 999), f"no block '{'x' * 200}' is being played"),
    ],
)
def test_what_is_not_being_played_cannot_be_watched(
    world: Any, bots: list[Any], selection: Any, complaint: str
) -> None:
    begin(world, bots)
    with pytest.raises(UnknownMatch) as refused:
        world.core.watch(1, selection)
    assert str(refused.value) == complaint
    world.play(*bots)
    assert world.shown == []


def test_who_has_left_is_shown_nothing_and_the_others_see_on(world: Any, bots: list[Any]) -> None:
    world.core.watch(1, EVERYTHING)
    world.core.watch(2, EVERYTHING)
    begin(world, bots)
    seen(world, 1)
    world.core.unwatch(1)
    world.play(*bots)
    assert seen(world, 1) == []
    assert seen(world, 2)[-1] == "b/0 over"


def test_who_leaves_in_the_same_turn_is_shown_nothing_either(world: Any, bots: list[Any]) -> None:
    begin(world, bots)
    for spectator in (1, 2):
        world.core.watch(spectator, match("b/0"))
    world.core.cancel_block("b", block_pb2.VOID_CAUSE_CANCELLED, "rain", world.now)
    world.core.unwatch(1)
    world.turn()
    assert seen(world, 1) == []
    assert seen(world, 2)[-1] == "b/0 void: rain"
    assert world.satisfied == [2]


def test_the_matches_in_play_are_described_as_their_bots_know_each_other(world: Any, bots: list[Any]) -> None:
    begin(world, bots, "a", options={"limit": "5"})
    (listed,) = world.core.matches()
    assert (listed.match_id, listed.block_id, listed.game, listed.delay) == ("a/0", "a", "toy", 2)
    assert (dict(listed.options), listed.edition.id) == ({"limit": "5"}, "toy-1")
    assert list(listed.bots) == ["entrant 0", "entrant 1"]
    world.play(*bots, choose=lambda _: 5)
    assert world.core.matches() == []
    begin(world, bots, "b", named_entrants=True)
    assert list(world.core.matches()[0].bots) == ["ada", "bob"]


def test_bots_by_seat(world: Any, bots: list[Any]) -> None:
    """In match 1 everybody sits one seat further."""
    world.start("b", {"ada": bots[0], "bob": bots[1]}, named_entrants=True)
    world.core.watch(1, match("b/1"))
    world.play(*bots)
    assert list(world.shown[0][1].match.bots) == ["bob", "ada"]


def test_faults_are_not_told(world: Any, bots: list[Any]) -> None:
    """Their sentences quote what a bot sent, perhaps its hand."""
    world.core.watch(1, EVERYTHING)
    begin(world, bots)
    for bot in bots:
        for request in bot.requests():
            failure = play_pb2.DecisionFailure(
                match_id=request.match_id, decision_id=request.decision_id, reason="my secret"
            )
            bot.send(play_pb2.BotMessage(decision_failure=failure))
    world.play(*bots)
    assert b"my secret" in world.results["b"].SerializeToString()
    assert not any(b"my secret" in message.SerializeToString() for _, message in world.shown)
