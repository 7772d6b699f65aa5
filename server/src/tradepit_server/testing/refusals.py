"""Checks with actions that the rules forbid: made from legal ones by changing one value of their JSON."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from tradepit_server.codecs.base import MalformedAction
from tradepit_server.games.base import IllegalAction, State
from tradepit_server.testing.records import Case, compare, look, record, replay, require
from tradepit_server.testing.trials import Subject

STRANGERS: Mapping[type, tuple[Any, ...]] = {int: (-1, 987_654_321), str: ("no-such-word",)}
"""By type of a value: what no game is likely to allow in its place."""


class Change(NamedTuple):
    """A JSON object in which one thing is not what it was."""

    entry: Any
    value: Any
    """What was put in, if a refusal must name it."""
    named: bool
    """Whether a refusal must name the value; a list that was doubled has no name."""


def changes(entry: Any) -> Iterator[Change]:
    """*entry* with one value changed, each in turn, wherever it stands."""
    if isinstance(entry, Mapping):
        for key, value in entry.items():
            yield from (changed._replace(entry={**entry, key: changed.entry}) for changed in changes(value))
    elif isinstance(entry, list):
        yield Change(entry * 2, None, False)
        yield Change(entry[:-1], None, False)
        for index, value in enumerate(entry):
            for changed in changes(value):
                yield changed._replace(entry=[*entry[:index], changed.entry, *entry[index + 1 :]])
    else:
        yield from (Change(value, value, True) for value in STRANGERS.get(type(entry), ()))


def illegal(subject: Subject, case: Case) -> None:
    """An illegal action is refused with a sentence that names the value, and leaves the match as it was."""
    refused = 0
    for number, state, known, actions in replay(subject, case):
        for seat, action in actions.items():
            for change in changes(subject.codec.action_to_json(action)):
                refused += _refused(subject, state, seat, change, f"moment {number}, seat {seat}")
        compare(look(subject, state), known, f"judging illegal actions has changed moment {number}")
    require(refused > 0, "not one of the actions with a changed value was refused")


def _refused(subject: Subject, state: State, seat: int, change: Change, where: str) -> bool:
    """Whether the action of a changed entry is refused; if it is, by a sentence that names what was changed."""
    try:
        state.validate(seat, subject.codec.action_from_json(state.decision, change.entry))
    except (IllegalAction, MalformedAction) as error:
        named = str(change.value) in str(error) if change.named else bool(str(error))
        require(named, f"{where}: {change.entry} is refused without naming {change.value!r}: {error}")
        return True
    return False


def uninvited(subject: Subject, case: Case) -> None:
    """A seat that is not asked cannot act, and is told so by its number."""
    for number, state, known, actions in replay(subject, case):
        action = next(iter(actions.values()))
        for seat in set(range(case.seats + 1)) - set(known.awaiting):
            try:
                state.validate(seat, action)
            except IllegalAction as error:
                require(str(seat) in str(error), f"seat {seat} is refused without naming it: {error}")
            else:
                require(False, f"seat {seat} may act at moment {number}, which awaits {list(known.awaiting)}")


def answers_of_another_kind(subject: Subject, case: Case) -> None:
    """What answers another decision of the match is legal or illegal, and nothing worse."""
    known = record(subject, case)
    first = {moment.decision: actions for moment, actions in zip(known.looks, known.actions, strict=False)}
    answers = [action for actions in first.values() for action in actions.values()]
    for number, state, known_look, _ in replay(subject, case):
        for action in answers:
            _judge(state, known_look.awaiting[0], action)
        compare(look(subject, state), known_look, f"judging answers of another kind has changed moment {number}")


def _judge(state: State, seat: int, action: Any) -> None:
    try:
        state.validate(seat, action)
    except IllegalAction as error:
        require(bool(str(error)), f"{action!r} is refused without a word")


def garbage(subject: Subject, case: Case) -> None:
    """Bytes that are no action, or a spoilt one, are refused or judged, and leave the match as it was."""
    rng = Random(str(case))  # noqa: S311  # repeatable damage, not secrets
    for number, state, known, actions in replay(subject, case):
        for seat, action in actions.items():
            for data in _spoilt(subject.codec.encode_action(action), rng):
                _receive(subject, state, seat, data)
        compare(look(subject, state), known, f"reading garbage has changed moment {number}")


def _spoilt(data: bytes, rng: Random) -> Iterator[bytes]:
    yield b""
    yield rng.randbytes(20)
    yield data[: rng.randrange(len(data) + 1)]
    for _ in range(4 if data else 0):
        place = rng.randrange(len(data))
        yield data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def _receive(subject: Subject, state: State, seat: int, data: bytes) -> None:
    try:
        state.validate(seat, subject.codec.decode_action(state, data))
    except (IllegalAction, MalformedAction) as error:
        require(bool(str(error)), f"{data!r} is refused without a word")
