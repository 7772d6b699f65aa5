"""A replay from its published JSON form."""

from collections.abc import Mapping
from typing import Any, TypeVar

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration

from tradepit.v1 import block_pb2
from tradepit_server import registry
from tradepit_server.codecs.base import Codec
from tradepit_server.games.base import Game
from tradepit_server.replay.base import CLOCKS, FORMAT, NANOSECONDS, TYPE_URL, ReplayError, word
from tradepit_server.replay.execution import find_plugin

_LONGEST = 10**9
"""Seconds; no duration in a replay is longer."""

_T = TypeVar("_T")


def from_json(entry: Mapping[str, Any]) -> block_pb2.Replay:
    """The replay of a JSON object; it is read, not yet played. Raises ReplayError, naming key and value.

    Only format, game, edition, options, bots, seed, decisions and result must be there.
    """
    if (given := _get(entry, "format", str)) != FORMAT:
        raise ReplayError(f"format {given!r} is not {FORMAT!r}")
    plugin = find_plugin(_get(entry, "game", str))
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
        content_sha256=_hex("content_sha256", _get(entry, "content_sha256", str, "")),
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


def _number(enum: Any, key: str, given: str) -> Any:
    """The number of an enum's value from its word."""
    known = {word(enum, number): number for number in enum.values() if number}
    if given not in known:
        raise ReplayError(f"{key} {given!r} is none of: {', '.join(known)}")
    return known[given]


def _edition_reference(game: Game, entry: Mapping[str, Any], toml: bytes) -> block_pb2.EditionReference:
    name = _get(entry, "edition", str)
    digest = _hex("edition_sha256", _get(entry, "edition_sha256", str, ""))
    computed = game.load_edition(toml).sha256 if toml else b""
    return block_pb2.EditionReference(id=name, sha256=digest or computed)


def _set_duration(duration: Duration, key: str, seconds: Any) -> None:
    if type(seconds) not in (int, float) or not 0 <= seconds <= _LONGEST:
        raise ReplayError(f"{key} {seconds!r} is no number of seconds")
    duration.FromNanoseconds(round(seconds * NANOSECONDS))


def _time_control(entry: Mapping[str, Any]) -> block_pb2.TimeControl:
    clocks = block_pb2.TimeControl(name=_get(entry, "name", str, ""), strikes=_index(entry, "strikes", 0))
    for name in CLOCKS:
        if entry.get(name) is not None:
            _set_duration(getattr(clocks, name), name, entry[name])
    return clocks


def _decision(codec: Codec, index: int, entry: Mapping[str, Any]) -> block_pb2.ReplayDecision:
    try:
        decision = block_pb2.ReplayDecision(
            seat=_index(entry, "seat"), kind=_get(entry, "kind", str), note=_get(entry, "note", str, "")
        )
        decision.action.CopyFrom(AnyMessage(type_url=TYPE_URL + codec.action_type, value=_action(codec, entry)))
        if "fault" in entry:
            decision.fault = _number(block_pb2.FaultKind, "fault", _get(entry, "fault", str))
        if "thought" in entry:
            _set_duration(decision.thought, "thought", entry["thought"])
    except ValueError as error:
        raise ReplayError(f"decision {index}: {error}") from error
    return decision


def _action(codec: Codec, entry: Mapping[str, Any]) -> bytes:
    """The action's message: as it was sent, or as it is usually written."""
    written = codec.encode_action(codec.action_from_json(_get(entry, "kind", str), entry))
    return _hex("encoded", _get(entry, "encoded", str)) if "encoded" in entry else written


def _result(entry: Mapping[str, Any]) -> block_pb2.MatchResult:
    words = _list(entry, "terminations", str)
    return block_pb2.MatchResult(
        scores=_list(entry, "scores", int),
        placements=_list(entry, "placements", int),
        terminations=[_number(block_pb2.Termination, "terminations", each) for each in words],
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
