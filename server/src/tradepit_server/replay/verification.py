"""Checking that a replay proves what it says: everything in it that follows from something else is computed again."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tradepit import chance
from tradepit.v1 import block_pb2
from tradepit_server import content
from tradepit_server.codecs.base import Codec
from tradepit_server.games.base import State
from tradepit_server.replay.base import FORMAT, ReplayError, word
from tradepit_server.replay.execution import find_edition, find_plugin, moments, start
from tradepit_server.replay.forfeits import Forfeits
from tradepit_server.replay.json_writing import to_json


def verify(replay: block_pb2.Replay, entry: Mapping[str, Any] | None = None) -> list[str]:
    """What could not be checked, since *replay* does not carry it: names such as "secret"; mostly nothing.

    *entry* is the JSON object that the replay was read from. Raises ReplayError, which says where the first
    difference is.
    """
    try:
        return list(_verify(replay, entry))
    except ReplayError:
        raise
    except ValueError as error:
        raise ReplayError(str(error)) from error


def _verify(replay: block_pb2.Replay, entry: Mapping[str, Any] | None) -> Iterator[str]:
    if replay.format != FORMAT:
        raise ReplayError(f"format {replay.format!r} is not {FORMAT!r}")
    _check_names(replay)
    if replay.secret or replay.commitment:
        _check_chance(replay)
    else:
        yield "secret"
    _check_match(replay)
    if entry is not None:
        _check_entry(replay, entry)
    if replay.content_sha256:
        _check_content(replay)
    else:
        yield "content_sha256"


def _check_names(replay: block_pb2.Replay) -> None:
    expected = f"{replay.block_id}/{replay.match_index}"
    if (replay.match_id or replay.block_id) and replay.match_id != expected:
        raise ReplayError(f"match_id is {replay.match_id!r}; block_id and match_index make it {expected!r}")
    word(block_pb2.Deal, replay.deal)


def _check_chance(replay: block_pb2.Replay) -> None:
    """Commitment and seed follow from the secret, block id, nonces, match index and deal."""
    if len(replay.secret) != chance.SEED_BYTES:
        raise ReplayError(f"secret has {len(replay.secret)} bytes, not {chance.SEED_BYTES}")
    _check_bytes("commitment", replay.commitment, chance.commitment(replay.secret), "the secret's")
    if len(replay.nonces) != len(replay.bots):
        raise ReplayError(f"nonces: there are {len(replay.nonces)} for {len(replay.bots)} bots")
    for entrant, nonce in enumerate(replay.nonces):
        if nonce and (replay.reproducible or len(nonce) not in chance.NONCE_BYTES):
            kind = "reproducible" if replay.reproducible else "drawn"
            raise ReplayError(f"nonces[{entrant}] has {len(nonce)} bytes, which none in a {kind} block has")
    block = chance.block_seed(replay.secret, replay.block_id, replay.nonces)
    seed = chance.match_seed(block, replay.match_index, duplicate=replay.deal == block_pb2.DEAL_DUPLICATE)
    _check_bytes("seed", replay.seed, seed, "that of secret, block_id, nonces, match_index and deal")


def _check_bytes(name: str, given: bytes, computed: bytes, whose: str) -> None:
    if given != computed:
        raise ReplayError(f"{name} is {given.hex() or 'missing'}; {whose} is {computed.hex()}")


def _check_match(replay: block_pb2.Replay) -> None:
    """Play the match again, and hold what it comes to against the result."""
    plugin = find_plugin(replay.game)
    state = start(plugin.game, replay)
    _check_edition(replay, find_edition(plugin.game, replay).id, find_edition(plugin.game, replay).sha256)
    forfeits = Forfeits(replay)
    for moment in moments(plugin.codec, state, replay.decisions):
        for index, decision in enumerate(moment.decisions, start=moment.first):
            if decision.fault:
                _check_default(plugin.codec, state, index, decision, moment.actions[decision.seat])
        forfeits.moment(moment.first, moment.decisions)
    forfeits.finish()
    _check_by_seat("scores", replay.result.scores, state.scores())
    _check_by_seat("placements", replay.result.placements, forfeits.placements(state.placements()))
    _check_by_seat(
        "terminations",
        [word(block_pb2.Termination, each) for each in replay.result.terminations],
        [word(block_pb2.Termination, each) for each in forfeits.terminations()],
    )


def _check_edition(replay: block_pb2.Replay, name: str, sha256: bytes) -> None:
    if replay.edition.id != name:
        raise ReplayError(f"edition is {replay.edition.id!r}; edition_toml is that of {name!r}")
    if replay.edition.sha256:
        _check_bytes("edition_sha256", replay.edition.sha256, sha256, "that of edition_toml")


def _check_default(codec: Codec, state: State, index: int, decision: block_pb2.ReplayDecision, action: Any) -> None:
    default = state.default_action(decision.seat)
    if codec.encode_action(action) != codec.encode_action(default):
        fault = word(block_pb2.FaultKind, decision.fault)
        raise ReplayError(
            f"decision {index}, seat {decision.seat}'s {decision.kind}, is marked {fault} and is not the default"
            f" {codec.action_to_json(default)}"
        )


def _check_by_seat(name: str, given: Sequence[object], computed: Sequence[object]) -> None:
    if len(given) != len(computed):
        raise ReplayError(f"result.{name} has {len(given)} entries for {len(computed)} seats")
    for seat, (mine, theirs) in enumerate(zip(given, computed, strict=True)):
        if mine != theirs:
            raise ReplayError(f"result.{name}: seat {seat} has {mine}; the match comes to {theirs}")


def _check_content(replay: block_pb2.Replay) -> None:
    _check_bytes("content_sha256", replay.content_sha256, content.content_sha256(replay), "that of the content")


def _check_entry(replay: block_pb2.Replay, entry: Mapping[str, Any]) -> None:
    """The JSON object says what was read from it: all of it, where its content is digested; else its decisions."""
    written = to_json(replay)
    if replay.content_sha256:
        differences = _differences("", entry, written, strict=True)
    else:
        differences = _differences("decisions", entry["decisions"], written["decisions"], strict=False)
    if (difference := next(differences, None)) is not None:
        raise ReplayError(difference)


def _differences(place: str, given: Any, written: Any, *, strict: bool) -> Iterator[str]:
    """Where *given* is not what the replay would be *written* as; if not *strict*, missing and foreign keys may be."""
    if isinstance(given, dict) and isinstance(written, dict):
        for key in {**written, **given}:
            inside = f"{place}.{key}" if place else key
            if key in given and key in written:
                yield from _differences(inside, given[key], written[key], strict=strict)
            elif strict:
                yield f"{inside} is {'missing' if key in written else 'no key of a replay'}"
    elif isinstance(given, list) and isinstance(written, list) and len(given) == len(written):
        for index, pair in enumerate(zip(given, written, strict=True)):
            yield from _differences(f"{place}[{index}]", *pair, strict=strict)
    elif given != written or isinstance(given, bool) != isinstance(written, bool):
        yield f"{place} is {given!r}, and is read as {written!r}"
