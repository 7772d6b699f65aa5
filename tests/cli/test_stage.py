"""The stage, driven by a scripted show and scripted keys; how it is drawn and told without a game's narration."""

import os
import threading
from collections.abc import Iterable

import pytest
from rich.console import Console

from tradepit.v1.block_pb2 import TERMINATION_COMPLETED, TERMINATION_FORFEITED_TIME
from tradepit.v1.referee_pb2 import (
    MatchSnapshot,
    PublicEvent,
    WatchedMatch,
    WatchedMatchOver,
    WatchMatchResponse,
)
from tradepit_cli import charts, keys, live, stage_lines
from tradepit_cli.errors import CommandError
from tradepit_cli.stage import MATCHES, Playbill, Stage
from tradepit_cli.stage_rendering import LEAST_EVENTS, Scene


def match(name: str, delay: int = 6, skipped: int = 0) -> WatchMatchResponse:
    watched = WatchedMatch(match_id=name, bots=["ada", "bob"], delay=delay, matches_skipped=skipped)
    return WatchMatchResponse(match=watched)


def snapshot(name: str, decisions: int, *events: str, skipped: int = 0) -> WatchMatchResponse:
    told = [PublicEvent(sentence=event) for event in events]
    return WatchMatchResponse(snapshot=MatchSnapshot(match_id=name, decisions=decisions, events=told, skipped=skipped))


def over(name: str, void: str = "") -> WatchMatchResponse:
    if void:
        return WatchMatchResponse(over=WatchedMatchOver(match_id=name, void_reason=void))
    ended = [TERMINATION_FORFEITED_TIME, TERMINATION_COMPLETED]
    return WatchMatchResponse(
        over=WatchedMatchOver(match_id=name, scores=[9000, 1200], placements=[2, 1], terminations=ended)
    )


def run(things: Iterable[live.Input], *, stay: bool = True) -> tuple[Stage, list[str]]:
    """Show *things*, each drawn; the stage, and which match was to be seen each time."""
    stage, inputs, drawn = Stage(lambda _: Playbill("Toy", None, None)), live.Inputs(), list[str]()
    script = iter(things)

    def draw() -> None:
        drawn.append(stage.selected.match.match_id if stage.selected else "-")
        if (thing := next(script, "end")) != "end":
            inputs.put(thing)

    inputs.put("nothing")
    live.play(stage, inputs, draw, stay=stay)
    return stage, drawn


def picture(stage: Stage, height: int = 30) -> list[str]:
    with open(os.devnull, "w") as nowhere:
        screen = Console(record=True, file=nowhere, width=80, height=height, markup=False, highlight=False)
        screen.print(Scene(stage))
        return screen.export_text().splitlines()


THREE = (match("a"), match("b"), match("c"))


def test_keys_go_through_the_matches_round_and_round_and_choose_by_number() -> None:
    pressed = ("right", "right", "right", "left", "2", "9", "0", "x", "q")
    _, drawn = run((*THREE, *pressed))
    assert drawn == ["-", "a", "a", "a", "b", "c", "a", "c", "b", "b", "b", "b", "b"]


def test_a_match_that_is_over_gives_way_to_the_next_unless_somebody_chose_it() -> None:
    _, drawn = run((match("a"), match("b"), over("a"), match("c"), "q"))
    assert drawn[-2:] == ["c", "c"]
    _, drawn = run((match("a"), match("b"), "1", over("a"), match("c"), "q"))
    assert drawn[-2:] == ["a", "a"]


def test_it_goes_on_after_the_end_only_for_somebody_who_has_keys() -> None:
    stage, _ = run((match("a"), over("a"), None), stay=False)
    assert stage.ended
    stage, _ = run((match("a"), over("a"), None, "q"), stay=True)
    assert "there is no more to come" in picture(stage)[-1]


def test_a_show_that_breaks_off_says_why() -> None:
    with pytest.raises(CommandError, match="lost the referee"):
        run((match("a"), CommandError("lost the referee")))


def test_before_anything_is_shown_the_stage_says_what_it_waits_for() -> None:
    stage = Stage(lambda _: Playbill("Toy", None, None))
    assert picture(stage)[0] == "Waiting for a match to begin."
    stage.take(match("a", delay=6))
    assert picture(stage)[1] == "Nothing to see before 6 decisions more: everything is shown so late"


def test_a_game_without_narration_is_told_by_its_events_and_its_end() -> None:
    stage, _ = run((match("a"), snapshot("a", 3, "Ada bids.", "Bob\x1b[2J bids."), over("a"), "q"))
    assert [line.rstrip() for line in picture(stage)] == [
        "Toy, match a",
        "The match is over",
        "1. seat 1 bob: 1,200",
        "2. seat 0 ada: 9,000 (forfeited)",
        "Ada bids.",
        "Bob\\x1b[2J bids.",
        "",
        " 1 a (over)",
        "left/right or 1-9: another match   q: leave",
    ]


def test_a_void_match_says_why_also_one_that_never_began() -> None:
    stage, _ = run((over("a", void="rain"), "q"))
    assert "It does not count: rain" in picture(stage)


@pytest.mark.parametrize("height", [12, 30])
def test_the_last_events_fill_the_room_that_is_left(height: int) -> None:
    stage, _ = run((match("a"), snapshot("a", 1, *(f"Event {n}." for n in range(100))), "q"))
    lines = picture(stage, height)
    assert len(lines) == height
    assert lines[-4].rstrip() == "Event 99."
    assert len([line for line in picture(stage, 2) if line.startswith("Event")]) == LEAST_EVENTS


def test_what_was_missed_is_told() -> None:
    stage, _ = run((match("a", skipped=3), snapshot("a", 70, skipped=64), "q"))
    assert picture(stage)[1] == "After 70 decisions, shown 6 decisions late; 64 moments missed"
    assert picture(stage)[-1].endswith("; 3 matches missed")


def test_of_many_matches_the_oldest_that_are_over_are_forgotten_but_not_the_one_that_is_looked_at() -> None:
    things: list[live.Input] = [match("kept"), match("running"), "1", over("kept")]
    for number in range(2 * MATCHES):
        things += [match(f"{number}"), over(f"{number}")]
    stage, _ = run([*things, "q"])
    assert len(stage.matches) == MATCHES
    assert list(stage.matches)[:2] == ["kept", "running"]
    assert list(stage.matches)[-1] == str(2 * MATCHES - 1)


def test_plain_lines_begin_with_the_match() -> None:
    stage = Stage(lambda _: Playbill("Toy", None, None))
    messages = (match("a", skipped=2), snapshot("a", 1, "Ada bids.", skipped=5), over("a"), over("b", void="rain"))
    assert [line for message in messages for line in stage_lines.lines(stage.take(message), message)] == [
        "a: 2 matches before this missed",
        "a: Toy with seat 0 ada, seat 1 bob; shown 6 decisions late",
        "a: 5 moments missed",
        "a: Ada bids.",
        "a: over: 1. seat 1 bob: 1,200",
        "a: over: 2. seat 0 ada: 9,000 (forfeited)",
        "b: over, and does not count: rain",
    ]


def test_a_terminal_that_is_slow_makes_the_reader_wait() -> None:
    """So that the referee leaves things out, rather than that they pile up here."""
    read = 0
    enough = threading.Event()

    def messages() -> Iterable[WatchMatchResponse]:
        nonlocal read
        while not enough.is_set():
            read += 1
            yield match("a")

    inputs = live.Inputs()
    with inputs.reading(messages()):
        while read < live.WAITING:
            pass
        assert len(list(inputs.take())) == live.AT_ONCE
        enough.set()
    assert read <= live.WAITING + live.AT_ONCE + 1


@pytest.mark.parametrize(
    ("typed", "named"),
    [("q", "q"), ("Q1", "q 1"), ("\x1b[C\x1b[Dx", "right left x"), ("\x1bOC\x1b[A", "right"), ("", "")],
)
def test_what_a_terminal_sends_is_named(typed: str, named: str) -> None:
    assert " ".join(keys.names(typed)) == named


def test_small_charts() -> None:
    assert charts.spark([3, 10, 17, None], 3, 17) == "▁▄█ "
    assert charts.spark([5, 5], 5, 5) == "▁▁"
    assert [charts.bar(value, 16, 2) for value in (0, 1, 8, 9, 16)] == ["", "▏", "█", "█▏", "██"]
    assert charts.bar(1, 1_000_000, 20) == "▏"
