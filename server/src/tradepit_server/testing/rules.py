"""Checks of a game's states. Each takes a subject and a case, and raises Nonconformity."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from tradepit_server.games.base import IllegalAction, State
from tradepit_server.testing.records import (
    Case,
    Look,
    begin,
    compare,
    look,
    moments,
    play,
    play_at_random,
    record,
    replay,
    require,
)
from tradepit_server.testing.trials import Subject


def determinism(subject: Subject, case: Case) -> None:
    """The same seed and the same actions give the same match; so does a player with the same chance."""
    for number, state, known, _ in replay(subject, case):
        compare(look(subject, state), known, f"moment {number} differs when the match is played again")
    again = play_at_random(subject, case)
    require(again.actions == record(subject, case).actions, "random_action draws from something else than its rng")


def shape(subject: Subject, case: Case) -> None:
    """What a state says of itself is what the referee can work with."""
    known = record(subject, case)
    for number, moment in enumerate(known.looks):
        over = number == len(known.actions)
        seats = sorted(set(moment.awaiting))
        require(set(seats) <= set(range(case.seats)), f"moment {number} awaits seats {list(moment.awaiting)}")
        require(len(seats) == len(moment.awaiting), f"moment {number} awaits a seat twice: {list(moment.awaiting)}")
        require((moment.decision == "") == over, f"the decision of moment {number} is {moment.decision!r}")
    state = begin(subject, case)
    for actions in moments(state, lambda state, seat: state.default_action(seat)):
        require(bool(actions), "nobody decides")
    for event in state.events_since(0):
        _describes(state, event, case.seats)


def _describes(state: State, event: Any, seats: int) -> None:
    sentence, audience = state.describe(event), state.audience(event)
    require(bool(sentence.strip()), f"{event!r} is described as {sentence!r}")
    known = audience is None or set(audience) <= set(range(seats))
    require(known, f"{event!r} may be seen by {audience!r}")


def events(subject: Subject, case: Case) -> None:
    """What has happened stays as it is, and can be asked for from any number on."""
    known = record(subject, case)
    for number, (before, after) in enumerate(pairwise(known.looks)):
        kept = after.events[: len(before.events)]
        require(kept == before.events, f"moment {number} has changed earlier events")
    for _, state, moment, _ in replay(subject, case):
        half = len(moment.events) // 2
        later = [event for _, event in moment.events[half:]]
        require(list(state.events_since(half)) == later, f"events_since({half}) are not the events from {half} on")


def clones(subject: Subject, case: Case) -> None:
    """A copy and its original share nothing: whatever is played on one leaves the other as it was."""
    kept: list[tuple[State, Look]] = []
    for number, state, known, actions in replay(subject, case):
        kept.append((state.clone(), known))
        idle, twin = state.clone(), state.clone()
        compare(look(subject, twin), known, f"a copy at moment {number} is not like its original")
        idle.apply({seat: idle.default_action(seat) for seat in idle.awaiting})
        twin.apply(dict(actions))
        compare(look(subject, state), known, f"playing a copy at moment {number} has changed the original")
        next_look = record(subject, case).looks[number + 1]
        compare(look(subject, twin), next_look, f"a copy at moment {number} goes on otherwise than its original")
    for number, (twin, known) in enumerate(kept):
        compare(look(subject, twin), known, f"playing the original has changed a copy of moment {number}")
    _play_on(subject, case, [twin for twin, _ in kept])


def _play_on(subject: Subject, case: Case, copies: Sequence[State]) -> None:
    """A few of the copies, one of every moment, are played to the recorded end."""
    known = record(subject, case)
    for number in range(0, len(copies), max(len(copies) // 4, 1)):
        for actions in known.actions[number:]:
            copies[number].apply(dict(actions))
        compare(look(subject, copies[number]), known.looks[-1], f"a copy of moment {number} comes to an end of its own")


def defaults(subject: Subject, case: Case) -> None:
    """The default action is legal at every moment, is always the same, and finding it changes nothing."""
    for number, state, known, _ in replay(subject, case):
        for seat in known.awaiting:
            _legal(state, seat, state.default_action(seat), f"the default of seat {seat} at moment {number}")
            require(state.default_action(seat) == state.default_action(seat), f"seat {seat} has two defaults")
        compare(look(subject, state), known, f"finding and judging defaults has changed moment {number}")
    state = begin(subject, case)
    for number, actions in enumerate(moments(state, lambda state, seat: state.default_action(seat))):
        for seat, action in actions.items():
            _legal(state, seat, action, f"the default of seat {seat} at moment {number} of a match of defaults")


def _legal(state: State, seat: int, action: Any, what: str) -> None:
    try:
        state.validate(seat, action)
    except IllegalAction as error:
        require(False, f"{what} is illegal: {action!r}: {error}")


def legality(subject: Subject, case: Case) -> None:
    """What the trials play is legal, and judging it changes nothing."""
    for number, state, known, actions in replay(subject, case):
        for seat, action in actions.items():
            _legal(state, seat, action, f"random_action of seat {seat} at moment {number}")
        compare(look(subject, state), known, f"judging legal actions has changed moment {number}")


def bound(subject: Subject, case: Case) -> None:
    """Neither at random nor by default does a match take more decisions than the game declares."""
    declared = subject.game.decision_bound(case.seats)
    of_defaults = play(subject, begin(subject, case), lambda state, seat: state.default_action(seat))
    for way, played in (("at random", record(subject, case)), ("by default", of_defaults)):
        require(
            0 < played.decisions <= declared,
            f"a match played {way} takes {played.decisions} decisions; the declared bound is {declared}",
        )


def ledger(subject: Subject, case: Case) -> None:
    """Every change of a score is borne out by the events that came with it."""
    for number, (before, after) in enumerate(pairwise(record(subject, case).looks)):
        booked = list(before.scores)
        for _, event in after.events[len(before.events) :]:
            for seat, change in _changes(subject, event, case.seats).items():
                booked[seat] += change
        require(
            booked == list(after.scores),
            f"after moment {number} the scores are {list(after.scores)}; by the events they are {booked}",
        )


def _changes(subject: Subject, event: Any, seats: int) -> Mapping[int, int]:
    changes = subject.trials.score_changes(event)
    require(set(changes) <= set(range(seats)), f"{event!r} changes the scores of seats {list(changes)}")
    return changes


def placements(subject: Subject, case: Case) -> None:
    """Placements are those of a contest in which ties share, and no better score is placed worse."""
    end = record(subject, case).looks[-1]
    shown = f"scores {list(end.scores)}, placements {list(end.placements)}"
    require(len(end.scores) == len(end.placements) == case.seats, f"not one for each of {case.seats} seats: {shown}")
    for own, place in zip(end.scores, end.placements, strict=True):
        better = sum(other < place for other in end.placements)
        require(place == 1 + better, f"placement {place} is behind {better} seats: {shown}")
        worse = [at for score, at in zip(end.scores, end.placements, strict=True) if score < own and at <= place]
        require(not worse, f"a score below {own} is placed no worse than it: {shown}")
