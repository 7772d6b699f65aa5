"""A replay in its published JSON form."""

from collections.abc import Iterator
from typing import Any

from google.protobuf.duration_pb2 import Duration

from tradepit.v1 import block_pb2
from tradepit_server.codecs.base import Codec, JsonObject
from tradepit_server.games.base import State
from tradepit_server.replay.base import CLOCKS, NANOSECONDS, word
from tradepit_server.replay.execution import find_plugin, moments, start


def to_json(replay: block_pb2.Replay) -> JsonObject:
    """*replay* in its published JSON form. Raises ReplayError when it cannot be played again."""
    plugin = find_plugin(replay.game)
    decisions = list(_decisions(plugin.codec, start(plugin.game, replay), replay))
    return {
        "format": replay.format,
        "match_id": replay.match_id,
        "block_id": replay.block_id,
        "match_index": replay.match_index,
        "deal": word(block_pb2.Deal, replay.deal or block_pb2.DEAL_INDEPENDENT),
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
        **({"content_sha256": replay.content_sha256.hex()} if replay.content_sha256 else {}),
    }


def _decisions(codec: Codec, state: State, replay: block_pb2.Replay) -> Iterator[JsonObject]:
    for moment in moments(codec, state, replay.decisions):
        for decision, action in zip(moment.decisions, moment.actions.values(), strict=True):
            yield _decision_to_json(decision, _action_to_json(codec, decision, action))


def _action_to_json(codec: Codec, decision: block_pb2.ReplayDecision, action: Any) -> JsonObject:
    """With the message as it was sent, where another encoder would write it otherwise: content_sha256 is over it."""
    entry = codec.action_to_json(action)
    if decision.action.value != codec.encode_action(action):
        entry["encoded"] = decision.action.value.hex()
    return entry


def _seconds(duration: Duration) -> float:
    return duration.ToNanoseconds() / NANOSECONDS


def _decision_to_json(decision: block_pb2.ReplayDecision, action: JsonObject) -> JsonObject:
    return {
        "seat": decision.seat,
        "kind": decision.kind,
        **action,
        **({"thought": _seconds(decision.thought)} if decision.HasField("thought") else {}),
        **({"fault": word(block_pb2.FaultKind, decision.fault)} if decision.fault else {}),
        **({"note": decision.note} if decision.note else {}),
    }


def _time_control_to_json(clocks: block_pb2.TimeControl) -> JsonObject:
    """Durations in seconds; null sets no limit."""
    durations: JsonObject = {
        name: _seconds(getattr(clocks, name)) if clocks.HasField(name) else None for name in CLOCKS
    }
    return {"name": clocks.name, **durations, "strikes": clocks.strikes}


def _result_to_json(result: block_pb2.MatchResult) -> JsonObject:
    return {
        "scores": list(result.scores),
        "placements": list(result.placements),
        "terminations": [word(block_pb2.Termination, termination) for termination in result.terminations],
        "faults": [_fault_to_json(fault) for fault in result.faults],
    }


def _fault_to_json(fault: block_pb2.Fault) -> JsonObject:
    return {
        "seat": fault.seat,
        **({"decision": fault.decision_index} if fault.HasField("decision_index") else {}),
        "kind": word(block_pb2.FaultKind, fault.kind),
        "message": fault.message,
    }
