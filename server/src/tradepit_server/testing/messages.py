"""Checks of a game's codec: actions and observations as messages, and what they may not give away."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.message import Message

from tradepit_server.codecs.base import Codec
from tradepit_server.codecs.wire import nested
from tradepit_server.games.base import IllegalAction, State
from tradepit_server.testing.records import Case, Look, begin, compare, look, moments, record, replay, require
from tradepit_server.testing.trials import Subject

RESERVED = {"seat", "kind", "thought", "fault", "note"}
"""Keys of a replay's decision that are not the game's to use."""

_PUBLIC, _PRIVATE = b"\x0a", b"\x12"
"""Tags of an observation's two parts, messages with the numbers 1 and 2."""

_SAMPLES = 8
"""Drawn of the first decision, to see whether they differ."""


def message_class(full_name: str) -> type[Message]:
    """The generated class of a message. Raises KeyError when there is none."""
    pool = descriptor_pool.Default()  # type: ignore[no-untyped-call]  # the stubs leave it without a type
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(full_name))


def schema(subject: Subject, case: Case) -> None:
    """An observation is ``{public = 1, private = 2}``, in protobuf's own bytes; every seat has the same public part."""
    observation = message_class(subject.codec.observation_type)
    fields = {field.name: field.number for field in observation.DESCRIPTOR.fields}
    require(fields == {"public": 1, "private": 2}, f"{subject.codec.observation_type} has the fields {fields}")
    for number, moment in enumerate(record(subject, case).looks):
        public = nested(_PUBLIC, moment.public)
        for seat, data in zip(moment.awaiting, moment.observations, strict=True):
            where = f"the observation of seat {seat} at moment {number}"
            require(data.startswith(public + _PRIVATE), f"{where} is not the public part and then the private one")
            own = observation.FromString(data).SerializeToString(deterministic=True)
            require(own == data, f"{where} is not as protobuf writes it: {data.hex()}, not {own.hex()}")


def actions(subject: Subject, case: Case) -> None:
    """An action is the same after a way through its message, and after one through JSON."""
    codec = subject.codec
    action_class = message_class(codec.action_type)
    for number, state, _, played in replay(subject, case):
        for action in _actions(state, played):
            where = f"moment {number}"
            data = codec.encode_action(action)
            own = action_class.FromString(data).SerializeToString(deterministic=True)
            require(own == data, f"{where}: {action!r} is {data.hex()}, which {codec.action_type} writes {own.hex()}")
            _same(codec.decode_action(state, data), action, f"{where}: after a way through its message")
            _same(_through_json(codec, state.decision, action), action, f"{where}: after a way through JSON")


def _actions(state: State, played: Any) -> Iterator[Any]:
    for seat, action in played.items():
        yield action
        yield state.default_action(seat)


def _through_json(codec: Codec, kind: str, action: Any) -> Any:
    entry = codec.action_to_json(action)
    require(not RESERVED & set(entry), f"the JSON of {action!r} uses a replay's own keys: {entry}")
    return codec.action_from_json(kind, json.loads(json.dumps(entry)))


def _same(found: Any, known: Any, where: str) -> None:
    require(type(found) is type(known) and found == known, f"{where} {known!r} has become {found!r}")


def hidden(subject: Subject, case: Case) -> None:
    """What a seat cannot see changes neither its bytes nor the public part: it is drawn anew at every decision."""
    rng = Random(str(case))  # noqa: S311  # repeatable samples, not secrets
    for number, state, known, played in replay(subject, case):
        for seat, data in zip(known.awaiting, known.observations, strict=True):
            sample = subject.codec.sample_state(data, rng, subject.game.editions[0])
            where = f"in a sample of what seat {seat} sees at moment {number}"
            _agrees(subject, sample, known, seat, where)
            _legal_too(sample, seat, played[seat], where)
        compare(look(subject, state), known, f"drawing samples has changed moment {number}")


def _agrees(subject: Subject, sample: State, known: Look, seat: int, where: str) -> None:
    data = known.observations[known.awaiting.index(seat)]
    require(tuple(sample.awaiting) == known.awaiting, f"{where} seats {list(sample.awaiting)} are awaited")
    require(sample.decision == known.decision, f"{where} the decision is {sample.decision!r}")
    require(subject.codec.public(sample) == known.public, f"{where} the public part is another")
    found = subject.codec.observation(sample, seat)
    require(found == data, f"{where} the observation is another: {found.hex()}, not {data.hex()}")


def _legal_too(sample: State, seat: int, action: Any, where: str) -> None:
    try:
        sample.validate(seat, action)
    except IllegalAction as error:
        require(False, f"{where} {action!r} is illegal, so that legality tells what is hidden: {error}")


def samples(subject: Subject, case: Case) -> None:
    """Samples can be played to the end, and where data are hidden they do not all come to the same one."""
    rng = Random(str(case))  # noqa: S311  # as above
    state = begin(subject, case)
    seat = state.awaiting[0]
    data = subject.codec.observation(state, seat)
    ends = {_end(subject, subject.codec.sample_state(data, rng, subject.game.editions[0])) for _ in range(_SAMPLES)}
    require(
        len(ends) > 1 or not subject.trials.hidden_data,
        f"all {_SAMPLES} samples of what seat {seat} sees at the first decision are alike, though data are hidden",
    )


def _end(subject: Subject, state: State) -> Look:
    for _ in moments(state, lambda state, seat: state.default_action(seat)):
        pass
    return look(subject, state)
