"""Play in this process, without gRPC: the referee's own core, one thread, breakpoints work.

For training and debugging. Nothing times out: the time control is ``training``. A block is played as the
referee plays it, all cyclic seatings, so a bot that does well here does well there.
"""

import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from tradepit.bot import Bot, bot_name
from tradepit.chance import SEED_BYTES, reproducible_secret
from tradepit.match import MatchResult
from tradepit.session import ClientSession
from tradepit.v1 import block_pb2
from tradepit_server.referee import BlockSpec, Identity, Referee
from tradepit_server.referee.time_control import parse
from tradepit_server.replay import to_json


@dataclass(frozen=True, slots=True)
class LocalMatch:
    """One match that was played here."""

    bots: tuple[str, ...]
    """The name of the bot in each seat; a bot that comes twice is "Name" and "Name#2"."""
    result: MatchResult
    """By seat."""
    replay: block_pb2.Replay = field(repr=False)
    """Everything about the match."""

    def json(self) -> dict[str, Any]:
        """The replay in its published form, as ``tradepit play --export`` writes it."""
        return to_json(self.replay)


def play(
    bots: Sequence[Bot],
    *,
    game: str,
    blocks: int = 1,
    seed: str | bytes | None = None,
    options: Mapping[str, str | int] | None = None,
) -> list[LocalMatch]:
    """Let *bots* play *blocks* blocks of *game*; every match, block after block.

    So many blocks are played at the same time as the least ``max_concurrent_matches`` of the bots says.
    *seed* is 32 bytes, or 64 hex digits: equal seeds give equal matches; None draws one.
    Raises ValueError for a seed, a game, options or a number of bots that cannot be, quoting the value.
    """
    root, names = _root(seed), _names(bots)
    specifications = (
        block_pb2.BlockSpecification(
            block_id=f"local/{index}",
            game=game,
            options={name: str(value) for name, value in (options or {}).items()},
            entrants=[block_pb2.Entrant(bot=name) for name in names],
            time_control=parse("training").to_message(),
            reproducible_secret=reproducible_secret(root, index),
        )
        for index in range(blocks)
    )
    replays = (replay for result in _Hall(bots).play(specifications) for replay in result.replays)
    return [LocalMatch(tuple(replay.bots), MatchResult.from_message(replay.result), replay) for replay in replays]


def _root(seed: str | bytes | None) -> bytes:
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    try:
        root = bytes.fromhex(seed) if isinstance(seed, str) else seed
    except ValueError:
        root = b""
    if len(root) != SEED_BYTES:
        raise ValueError(f"a seed is {SEED_BYTES} bytes, or {2 * SEED_BYTES} hex digits, not {seed!r}")
    return root


def _names(bots: Sequence[Bot]) -> list[str]:
    names = [bot_name(bot) for bot in bots]
    return [
        name if names[:index].count(name) == 0 else f"{name}#{names[:index].count(name) + 1}"
        for index, name in enumerate(names)
    ]


def play_block(specification: block_pb2.BlockSpecification, bots: Sequence[Bot]) -> block_pb2.BlockResult:
    """Play the block of *specification*, entrant by entrant by *bots*. Raises ValueError if it cannot be played."""
    (result,) = _Hall(bots).play([specification])
    return result


class _Hall:
    """A referee and its bots in one thread."""

    def __init__(self, bots: Sequence[Bot]) -> None:
        self._referee = Referee()
        self._editions: dict[bytes, bytes] = {}
        self._sessions = [ClientSession(bot) for bot in bots]
        self._ids = [self._join(connection) for connection in range(len(bots))]
        self._at_once = min((bot.max_concurrent_matches for bot in bots), default=1)

    def _join(self, connection: int) -> str:
        now = time.monotonic_ns()
        self._sessions[connection].edition_source = lambda game, sha256: self._editions[sha256]
        session_id = self._referee.reserve_session(f"bot {connection}")
        self._referee.connected(connection, Identity(f"bot {connection}", session_id), now)
        self._referee.received(connection, self._sessions[connection].hello(), now)
        return session_id

    def play(self, specifications: Iterable[block_pb2.BlockSpecification]) -> list[block_pb2.BlockResult]:
        """All blocks to their end, as many at once as the bots want; the results in the order of *specifications*."""
        specs = (BlockSpec.from_message(specification, self._ids) for specification in specifications)
        started = [self._start(spec) for spec in islice(specs, self._at_once)]
        results: dict[str, block_pb2.BlockResult] = {}
        while len(results) < len(started):
            for block_id, result in self._turn():
                results[block_id] = result
                started += [self._start(spec) for spec in islice(specs, 1)]
        return [results[block_id] for block_id in started]

    def _start(self, spec: BlockSpec) -> str:
        self._editions[spec.edition.sha256] = spec.edition.toml
        self._referee.start_block(spec, time.monotonic_ns())
        return spec.block_id

    def _turn(self) -> list[tuple[str, block_pb2.BlockResult]]:
        """Let everybody do what is due; the blocks that ended by it."""
        # Nothing is worth waiting for in one thread: what is due later is done at once.
        now = max(time.monotonic_ns(), self._referee.next_deadline() or 0)
        self._referee.tick(now)
        effects = self._referee.effects(now)
        for connection, frame in effects.frames:
            self._deliver(connection, frame)
        return effects.blocks_ended

    def _deliver(self, connection: int, frame: bytes) -> None:
        for answer in self._sessions[connection].received(frame):
            self._referee.received(connection, answer, time.monotonic_ns())
