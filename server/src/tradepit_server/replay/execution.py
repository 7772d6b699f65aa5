"""Playing a match again from seed, options, edition and decisions alone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tradepit.chance import Chance
from tradepit.v1 import block_pb2
from tradepit_server import registry
from tradepit_server.codecs.base import Codec, MalformedAction
from tradepit_server.games.base import Edition, Game, GameError, IllegalAction, State
from tradepit_server.replay.base import TYPE_URL, ReplayError


class Outcome(NamedTuple):
    """What the rules make of a replay; forfeits, which are the referee's, are not considered."""

    scores: list[int]
    placements: list[int]


class Moment(NamedTuple):
    """A moment of a match at which something is decided."""

    first: int
    """The index of its first decision."""
    decisions: Sequence[block_pb2.ReplayDecision]
    """Those that are made at this moment, one for each awaited seat."""
    actions: Mapping[int, Any]
    """By seat: what is done, and legal."""


def execute(replay: block_pb2.Replay) -> Outcome:
    """Play *replay* again. Raises ReplayError, naming the first decision that is not what the rules ask for."""
    plugin = find_plugin(replay.game)
    state = start(plugin.game, replay)
    for _ in moments(plugin.codec, state, replay.decisions):
        pass
    return Outcome(state.scores(), state.placements())


def find_plugin(name: str) -> registry.Plugin:
    """The game called *name*. Raises ReplayError."""
    try:
        return registry.get(name)
    except registry.UnknownGame as error:
        raise ReplayError(str(error)) from error


def start(game: Game, replay: block_pb2.Replay) -> State:
    """The match of *replay*, about to begin. Raises ReplayError."""
    try:
        return game.new(len(replay.bots), dict(replay.options), Chance(replay.seed), find_edition(game, replay))
    except ValueError as error:
        raise ReplayError(f"the match cannot be set up: {error}") from error


def find_edition(game: Game, replay: block_pb2.Replay) -> Edition:
    """The edition of *replay*: the one that it holds, or one that comes with the game. Raises GameError."""
    if replay.edition_toml:
        return game.load_edition(replay.edition_toml)
    for edition in game.editions:
        if edition.id == replay.edition.id and replay.edition.sha256 in (b"", edition.sha256):
            return edition
    digest = replay.edition.sha256.hex()
    raise GameError(f"edition {replay.edition.id!r} with sha256 {digest!r} does not come with {game.info.name}")


def moments(codec: Codec, state: State, decisions: Sequence[block_pb2.ReplayDecision]) -> Iterator[Moment]:
    """Play *state* to its end: each moment while *state* is as it was before it. Raises ReplayError."""
    first = 0
    while awaiting := tuple(state.awaiting):
        actions = {
            seat: _judge(codec, state, seat, index, decisions) for index, seat in enumerate(awaiting, start=first)
        }
        yield Moment(first, decisions[first : first + len(awaiting)], actions)
        state.apply(actions)
        first += len(awaiting)
    if first < len(decisions):
        raise ReplayError(f"decision {first} is one too many: the match is over")


def _judge(codec: Codec, state: State, seat: int, index: int, decisions: Sequence[block_pb2.ReplayDecision]) -> Any:
    """The action of decision *index*, if it is what is due and legal."""
    if index >= len(decisions):
        raise ReplayError(f"decision {index} is missing: seat {seat}'s {state.decision} is due")
    decision = decisions[index]
    if (decision.seat, decision.kind) != (seat, state.decision):
        given = f"seat {decision.seat}'s {decision.kind}"
        raise ReplayError(f"decision {index} is {given}, where seat {seat}'s {state.decision} is due")
    if decision.action.type_url != TYPE_URL + codec.action_type:
        raise ReplayError(f"decision {index} has an action of type {decision.action.type_url!r}")
    try:
        action = codec.decode_action(state, decision.action.value)
        state.validate(seat, action)
    except (MalformedAction, IllegalAction) as error:
        raise ReplayError(f"decision {index}, seat {seat}'s {decision.kind}: {error}") from error
    return action
