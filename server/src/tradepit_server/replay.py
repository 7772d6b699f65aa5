"""Replays: their published JSON form, and playing a match again from seed, options, edition and decisions alone.

The JSON form is described in ``docs/protocol.md``, "Replay". Nothing here knows a game; each is found in the registry.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration

from tradepit.chance import Chance
from tradepit.v1 import block_pb2
from tradepit_server import registry
from tradepit_server.codecs.base import Codec, JsonObject, MalformedAction
from tradepit_server.games.base import Edition, Game, GameError, IllegalAction, State

FORMAT = "tradepit-replay/1"

_TYPE_URL = "type.googleapis.com/"
_NANOSECONDS = 1_000_000_000
_LONGEST = 10**9
"""Seconds; no duration in a replay is longer."""
_Clock = Literal["startup", "decision", "bank", "increment", "resume_window"]
_CLOCKS: tuple[_Clock, ...] = ("startup", "decision", "bank", "increment", "resume_window")

_T = TypeVar("_T")


class ReplayError(ValueError):
    """A replay that is not one, or that the rules do not bear out; the message names key or decision."""


class Outcome(NamedTuple):
    """What the rules make of a replay; forfeits, which are the referee's, are not considered."""

    scores: list[int]
    placements: list[int]


def execute(replay: block_pb2.Replay) -> Outcome:
    """Play *replay* again. Raises ReplayError, naming the first decision that is not what the rules ask for."""
    plugin = _plugin(replay.game)
    state = _start(plugin.game, replay)
    for _ in _play(plugin.codec, state, replay.decisions):
        pass
    return Outcome(state.scores(), state.placements())


def _plugin(name: str) -> registry.Plugin:
    try:
        return registry.get(name)
    except registry.UnknownGame as error:
        raise ReplayError(str(error)) from error


def _start(game: Game, replay: block_pb2.Replay) -> State:
    try:
        return game.new(len(replay.bots), dict(replay.options), Chance(replay.seed), _edition(game, replay))
    except ValueError as error:
        raise ReplayError(f"the match cannot be set up: {error}") from error


def _edition(game: Game, replay: block_pb2.Replay) -> Edition:
    if replay.edition_toml:
        return game.load_edition(replay.edition_toml)
    for edition in game.editions:
        if edition.id == replay.edition.id and replay.edition.sha256 in (b"", edition.sha256):
            return edition
    digest = replay.edition.sha256.hex()
    raise GameError(f"edition {replay.edition.id!r} with sha256 {digest!r} does not come with {game.info.name}")


def _play(codec: Codec, state: State, decisions: Sequence[block_pb2.ReplayDecision]) -> Iterator[Any]:
    """Play *state* to its end; yields the action of each decision."""
    index = 0
    while awaiting := state.awaiting:
        actions = {}
        for seat in awaiting:
            if index == len(decisions):
                raise ReplayError(f"decision {index} is missing: seat {seat}'s {state.decision} is due")
            actions[seat] = _judge(codec, state, seat, index, decisions[index])
            yield actions[seat]
            index += 1
        state.apply(actions)
    if index < len(decisions):
        raise ReplayError(f"decision {index} is one too many: the match is over")


def _judge(codec: Codec, state: State, seat: int, index: int, decision: block_pb2.ReplayDecision) -> Any:
    """The action of *decision*, if it is what is due and legal."""
    if (decision.seat, decision.kind) != (seat, state.decision):
        given = f"seat {decision.seat}'s {decision.kind}"
        raise ReplayError(f"decision {index} is {given}, where seat {seat}'s {state.decision} is due")
    if decision.action.type_url != _TYPE_URL + codec.action_type:
        raise ReplayError(f"decision {index} has an action of type {decision.action.type_url!r}")
    try:
        action = codec.decode_action(state, decision.action.value)
        state.validate(seat, action)
    except (MalformedAction, IllegalAction) as error:
        raise ReplayError(f"decision {index}, seat {seat}'s {decision.kind}: {error}") from error
    return action


def to_json(replay: block_pb2.Replay) -> JsonObject:
    """*replay* in its published JSON form. Raises ReplayError when it cannot be played again."""
    plugin = _plugin(replay.game)
    actions = _play(plugin.codec, _start(plugin.game, replay), replay.decisions)
    decisions = [
        _decision_to_json(decision, plugin.codec.action_to_json(action))
        for action, decision in zip(actions, replay.decisions, strict=True)
    ]
    return {
        "format": replay.format,
        "match_id": replay.match_id,
        "block_id": replay.block_id,
        "match_index": replay.match_index,
        "deal": _word(block_pb2.Deal, replay.deal or block_pb2.DEAL_INDEPENDENT),
        "game": replay.game,
        "edition": replay.edition.id,
        "edition_sha256": replay.edition.sha256.hex(),
        **({"edition_toml": replay.edition_toml.decode()} if replay.edition_toml else {}),
        "options": plugin.game.info.resolve(dict(replay.options)),
        "bots": list(replay.bots),
        "time_control": _time_control_to_json(replay.time_control),
        "reproducible": replay.reproducible,
        "secret": replay.secret.hex(),
        "commitment": replay.commitment.hex(),
        "nonces": [nonce.hex() for nonce in replay.nonces],
        "seed": replay.seed.hex(),
        "decisions": decisions,
        "result": _result_to_json(replay.result),
    }


def _word(enum: Any, number: int) -> str:
    """An enum's value without its prefix, in lower case; the prefix is what the unspecified value begins with."""
    prefix = enum.Name(0).removesuffix("UNSPECIFIED")
    return str(enum.Name(number).removeprefix(prefix).lower())


def _seconds(duration: Duration) -> float:
    return duration.ToNanoseconds() / _NANOSECONDS


def _decision_to_json(decision: block_pb2.ReplayDecision, action: JsonObject) -> JsonObject:
    return {
        "seat": decision.seat,
        "kind": decision.kind,
        **action,
        **({"thought": _seconds(decision.thought)} if decision.HasField("thought") else {}),
        **({"fault": _word(block_pb2.FaultKind, decision.fault)} if decision.fault else {}),
        **({"note": decision.note} if decision.note else {}),
    }


def _time_control_to_json(clocks: block_pb2.TimeControl) -> JsonObject:
    """Durations in seconds; null sets no limit."""
    durations: JsonObject = {
        name: _seconds(getattr(clocks, name)) if clocks.HasField(name) else None for name in _CLOCKS
    }
    return {"name": clocks.name, **durations, "strikes": clocks.strikes}


def _result_to_json(result: block_pb2.MatchResult) -> JsonObject:
    return {
        "scores": list(result.scores),
        "placements": list(result.placements),
        "terminations": [_word(block_pb2.Termination, termination) for termination in result.terminations],
        "faults": [_fault_to_json(fault) for fault in result.faults],
    }


def _fault_to_json(fault: block_pb2.Fault) -> JsonObject:
    return {
        "seat": fault.seat,
        **({"decision": fault.decision_index} if fault.HasField("decision_index") else {}),
        "kind": _word(block_pb2.FaultKind, fault.kind),
        "message": fault.message,
    }


def from_json(entry: Mapping[str, Any]) -> block_pb2.Replay:
    """The replay of a JSON object; it is read, not yet played. Raises ReplayError, naming key and value.

    Only format, game, edition, options, bots, seed, decisions and result must be there.
    """
    if (given := _get(entry, "format", str)) != FORMAT:
        raise ReplayError(f"format {given!r} is not {FORMAT!r}")
    plugin = _plugin(_get(entry, "game", str))
    try:
        return _from_json(plugin, entry)
    except ValueError as error:
        raise ReplayError(str(error)) from error


def _from_json(plugin: registry.Plugin, entry: Mapping[str, Any]) -> block_pb2.Replay:
    edition_toml = _get(entry, "edition_toml", str, "").encode()
    return block_pb2.Replay(
        format=FORMAT,
        match_id=_get(entry, "match_id", str, ""),
        block_id=_get(entry, "block_id", str, ""),
        match_index=_index(entry, "match_index", 0),
        deal=_number(block_pb2.Deal, "deal", _get(entry, "deal", str, "independent")),
        game=plugin.game.info.name,
        edition=_edition_reference(plugin.game, entry, edition_toml),
        edition_toml=edition_toml,
        options={name: str(value) for name, value in _get(entry, "options", dict).items()},
        bots=_list(entry, "bots", str),
        time_control=_time_control(_get(entry, "time_control", dict, {})),
        reproducible=_get(entry, "reproducible", bool, False),
        secret=_hex("secret", _get(entry, "secret", str, "")),
        commitment=_hex("commitment", _get(entry, "commitment", str, "")),
        nonces=[_hex("nonces", nonce) for nonce in _list(entry, "nonces", str, [])],
        seed=_hex("seed", _get(entry, "seed", str)),
        decisions=[
            _decision(plugin.codec, index, decision) for index, decision in enumerate(_list(entry, "decisions", dict))
        ],
        result=_result(_get(entry, "result", dict)),
    )


def _get(entry: Any, key: str, wanted: type[_T], default: _T | None = None) -> _T:
    """The value of *key*, of exactly the type *wanted*; without a *default* it must be there."""
    if not isinstance(entry, Mapping):
        raise ReplayError(f"{entry!r} is no object")
    if key not in entry:
        if default is None:
            raise ReplayError(f"{key} is missing")
        return default
    return _check(key, entry[key], wanted)


def _check(key: str, value: Any, wanted: type[_T]) -> _T:
    # Exactly: true is no number.
    if type(value) is not wanted:
        raise ReplayError(f"{key} {value!r} is no {wanted.__name__}")
    return value


def _list(entry: Mapping[str, Any], key: str, wanted: type[_T], default: list[_T] | None = None) -> list[_T]:
    return [_check(key, value, wanted) for value in _get(entry, key, list, default)]


def _index(entry: Mapping[str, Any], key: str, default: int | None = None) -> int:
    value = _get(entry, key, int, default)
    if not 0 <= value < 1 << 32:
        raise ReplayError(f"{key} {value} is no index")
    return value


def _hex(key: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise ReplayError(f"{key} {text!r} is not hexadecimal") from error


def _number(enum: Any, key: str, word: str) -> Any:
    """The number of an enum's value from its word."""
    known = {_word(enum, number): number for number in enum.values() if number}
    if word not in known:
        raise ReplayError(f"{key} {word!r} is none of: {', '.join(known)}")
    return known[word]


def _edition_reference(game: Game, entry: Mapping[str, Any], toml: bytes) -> block_pb2.EditionReference:
    name = _get(entry, "edition", str)
    if toml:
        return block_pb2.EditionReference(id=name, sha256=game.load_edition(toml).sha256)
    return block_pb2.EditionReference(id=name, sha256=_hex("edition_sha256", _get(entry, "edition_sha256", str, "")))


def _set_duration(duration: Duration, key: str, seconds: Any) -> None:
    if type(seconds) not in (int, float) or not 0 <= seconds <= _LONGEST:
        raise ReplayError(f"{key} {seconds!r} is no number of seconds")
    duration.FromNanoseconds(round(seconds * _NANOSECONDS))


def _time_control(entry: Mapping[str, Any]) -> block_pb2.TimeControl:
    clocks = block_pb2.TimeControl(name=_get(entry, "name", str, ""), strikes=_index(entry, "strikes", 0))
    for name in _CLOCKS:
        if entry.get(name) is not None:
            _set_duration(getattr(clocks, name), name, entry[name])
    return clocks


def _decision(codec: Codec, index: int, entry: Mapping[str, Any]) -> block_pb2.ReplayDecision:
    try:
        decision = block_pb2.ReplayDecision(
            seat=_index(entry, "seat"), kind=_get(entry, "kind", str), note=_get(entry, "note", str, "")
        )
        action = codec.action_from_json(decision.kind, entry)
        decision.action.CopyFrom(AnyMessage(type_url=_TYPE_URL + codec.action_type, value=codec.encode_action(action)))
        if "fault" in entry:
            decision.fault = _number(block_pb2.FaultKind, "fault", _get(entry, "fault", str))
        if "thought" in entry:
            _set_duration(decision.thought, "thought", entry["thought"])
    except ValueError as error:
        raise ReplayError(f"decision {index}: {error}") from error
    return decision


def _result(entry: Mapping[str, Any]) -> block_pb2.MatchResult:
    words = _list(entry, "terminations", str)
    return block_pb2.MatchResult(
        scores=_list(entry, "scores", int),
        placements=_list(entry, "placements", int),
        terminations=[_number(block_pb2.Termination, "terminations", word) for word in words],
        faults=[_fault(fault) for fault in _list(entry, "faults", dict, [])],
    )


def _fault(entry: Mapping[str, Any]) -> block_pb2.Fault:
    fault = block_pb2.Fault(
        seat=_index(entry, "seat"),
        kind=_number(block_pb2.FaultKind, "kind", _get(entry, "kind", str)),
        message=_get(entry, "message", str),
    )
    if "decision" in entry:
        fault.decision_index = _index(entry, "decision")
    return fault
