"""Whole matches as text that people can read: every observation, every event, from a fixed seed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf import text_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from tradepit_server.codecs.wire import nested
from tradepit_server.games.base import State
from tradepit_server.testing.messages import message_class
from tradepit_server.testing.records import Case, Look, cases, record, replay, seed
from tradepit_server.testing.trials import Subject

_KEY = """\
Public lines stand where they are new or have changed. Entries of private lists are numbered when they are
first shown; later "events #3 to #9" are the same ones again.
"""

_PUBLIC = b"\x0a"
"""Tag of an observation's public part."""


def transcripts(subject: Subject) -> dict[str, str]:
    """By file name: the match of every number of seats with every preset."""
    return {f"{case}.txt": transcript(subject, case) for case in cases(subject)}


def write(subject: Subject, folder: Path) -> None:
    """Write every transcript into *folder*; other text files that lie there are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.txt"):
        stale.unlink()
    for name, text in transcripts(subject).items():
        (folder / name).write_text(text, encoding="utf-8")


def transcript(subject: Subject, case: Case) -> str:
    """The match of *case*, played by the game's trials."""
    return "\n".join([*_Writer(subject, case).lines(), ""])


class _Writer:
    """Writes one match, and remembers what it has shown."""

    def __init__(self, subject: Subject, case: Case) -> None:
        self._subject = subject
        self._case = case
        self._observation = message_class(subject.codec.observation_type)
        self._public: dict[str, str] = {}
        """Every public line as shown last."""
        self._entries: dict[str, dict[str, int]] = {}
        """By private list: the entries shown so far, and their numbers."""
        self._events = 0

    def lines(self) -> Iterator[str]:
        """The whole text."""
        yield from self._heading()
        known = record(self._subject, self._case)
        for number, state, moment, actions in replay(self._subject, self._case):
            yield from self._happened(state, moment)
            seats = ", ".join(map(str, moment.awaiting))
            yield f"\n-- moment {number}: {moment.decision} of seat {seats}"
            yield from self._moment(moment)
            for seat, action in actions.items():
                yield f"seat {seat} does {json.dumps(self._subject.codec.action_to_json(action))}"
            last = state
        yield from self._happened(last, known.looks[-1])
        yield f"\n-- the end: scores {list(known.looks[-1].scores)}, placements {list(known.looks[-1].placements)}"
        yield from self._public_news(self._observation.FromString(nested(_PUBLIC, known.looks[-1].public)))

    def _heading(self) -> Iterator[str]:
        game = self._subject.game
        options = self._case.options(self._subject)
        yield f"{game.info.title}, {self._case.seats} seats, edition {game.editions[0].id}, {self._case.choice}"
        yield f"Options: {', '.join(f'{name} = {value}' for name, value in options.items()) or 'none'}"
        yield f"Seed: {seed(self._subject, self._case).hex()}"
        yield f"\n{_KEY}"

    def _happened(self, state: State, moment: Look) -> Iterator[str]:
        """The events since the last moment, each with the seats that alone may see it."""
        for _, event in moment.events[self._events :]:
            audience = state.audience(event)
            secret = "" if audience is None else f" (seen by {', '.join(map(str, audience)) or 'nobody'})"
            yield f"* {state.describe(event)}{secret}"
        self._events = len(moment.events)

    def _moment(self, moment: Look) -> Iterator[str]:
        """What every awaited seat sees."""
        for seat, data in zip(moment.awaiting, moment.observations, strict=True):
            observation = self._observation.FromString(data)
            yield from self._public_news(observation)
            yield f"seat {seat} alone sees"
            yield from self._private(observation)

    def _public_news(self, observation: Any) -> Iterator[str]:
        shown = dict(_public_lines(observation.public))
        gone = dict.fromkeys(self._public.keys() - shown.keys(), "(none)")
        for name, text in (shown | dict(sorted(gone.items()))).items():
            if self._public.get(name) != text:
                yield f"  {name}: {text}"
        self._public = shown

    def _private(self, observation: Any) -> Iterator[str]:
        for field, value in observation.private.ListFields():
            if field.is_repeated and field.message_type is not None:
                yield from self._list(field.name, [_one_line(entry) for entry in value])
            else:
                yield f"  {field.name}: {_text(field, value)}"

    def _list(self, name: str, entries: list[str]) -> Iterator[str]:
        """New entries in full, runs of known ones by their numbers."""
        known = self._entries.setdefault(name, {})
        run: list[int] = []
        for entry in entries:
            if entry in known and (not run or known[entry] == run[-1] + 1):
                run.append(known[entry])
                continue
            yield from _run(name, run)
            run = [known[entry]] if entry in known else []
            if entry not in known:
                known[entry] = len(known)
                yield f"  {name} #{known[entry]}: {entry}"
        yield from _run(name, run)


def _run(name: str, numbers: list[int]) -> Iterator[str]:
    if numbers:
        last = f" to #{numbers[-1]}" if len(numbers) > 1 else ""
        yield f"  {name} #{numbers[0]}{last}"


def _public_lines(message: Message) -> Iterator[tuple[str, str]]:
    """Every field that is set, each entry of a list of messages under a name of its own."""
    for field, value in message.ListFields():
        if field.is_repeated and field.message_type is not None:
            yield from ((f"{field.name}[{index}]", _one_line(entry)) for index, entry in enumerate(value))
        else:
            yield field.name, _text(field, value)


def _text(field: FieldDescriptor, value: Any) -> str:
    """The value of a field that is no list of messages."""
    if field.is_repeated:
        return ", ".join(_scalar(field, item) for item in value)
    return _one_line(value) if field.message_type is not None else _scalar(field, value)


def _scalar(field: FieldDescriptor, value: Any) -> str:
    enum = field.enum_type
    return str(enum.values_by_number[value].name if enum is not None and value in enum.values_by_number else value)


def _one_line(message: Message) -> str:
    text = text_format.MessageToString(message, as_one_line=True, as_utf8=True, use_short_repeated_primitives=True)
    return str(text).strip()
