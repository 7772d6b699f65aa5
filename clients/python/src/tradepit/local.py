"""Play in this process, without gRPC: the referee's own core, one thread, breakpoints work.

For training and debugging. Nothing times out: the time control is ``training``. A block is played as the
referee plays it, all cyclic seatings, so a bot that does well here does well there.
"""

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tradepit.bot import Bot, bot_name
from tradepit.chance import SEED_BYTES, reproducible_secret
from tradepit.match import MatchResult
from tradepit.session import ClientSession
from tradepit.v1 import block_pb2
from tradepit_server.referee import BlockSpec, Identity, Referee
from tradepit_server.referee.time_control import parse


@dataclass(frozen=True, slots=True)
class LocalMatch:
    """One match that was played here."""

    bots: tuple[str, ...]
    """The name of the bot in each seat; a bot that comes twice is "Name" and "Name#2"."""
    result: MatchResult
    """By seat."""
    replay: block_pb2.Replay
    """Everything about the match."""


def play(
    bots: Sequence[Bot],
    *,
    game: str,
    blocks: int = 1,
    seed: str | bytes | None = None,
    options: Mapping[str, str | int] | None = None,
) -> list[LocalMatch]:
    """Let *bots* play *blocks* blocks of *game*; every match in the order played.

    *seed* is 32 bytes, or 64 hex digits: equal seeds give equal matches; None draws one.
    Raises ValueError for a seed, a game, options or a number of bots that cannot be, quoting the value.
    """
    root = _root(seed)
    names, hall = _names(bots), _Hall(bots)
    matches: list[LocalMatch] = []
    for index in range(blocks):
        specification = block_pb2.BlockSpecification(
            block_id=f"local/{index}",
            game=game,
            options={name: str(value) for name, value in (options or {}).items()},
            entrants=[block_pb2.Entrant(bot=name) for name in names],
            time_control=parse("training").to_message(),
            reproducible_secret=reproducible_secret(root, index),
        )
        replays = hall.play(specification).replays
        matches += [LocalMatch(tuple(r.bots), MatchResult.from_message(r.result), r) for r in replays]
    return matches


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
    return _Hall(bots).play(specification)


class _Hall:
    """A referee and its bots in one thread."""

    def __init__(self, bots: Sequence[Bot]) -> None:
        self._referee = Referee()
        self._sessions = [ClientSession(bot) for bot in bots]
        self._ids = [self._join(connection) for connection in range(len(bots))]

    def _join(self, connection: int) -> str:
        now = time.monotonic_ns()
        session_id = self._referee.reserve_session(f"bot {connection}")
        self._referee.connected(connection, Identity(f"bot {connection}", session_id), now)
        self._referee.received(connection, self._sessions[connection].hello(), now)
        return session_id

    def play(self, specification: block_pb2.BlockSpecification) -> block_pb2.BlockResult:
        """A block, to its end."""
        spec = BlockSpec.from_message(specification, self._ids)
        for session in self._sessions:
            # The block's own edition is the only one that can be asked for; the session checks the digest.
            session.edition_source = lambda game, sha256: spec.edition.toml
        self._referee.start_block(spec, time.monotonic_ns())
        while True:
            # Nothing is worth waiting for in one thread: what is due later is done at once.
            now = max(time.monotonic_ns(), self._referee.next_deadline() or 0)
            self._referee.tick(now)
            effects = self._referee.effects(now)
            for connection, frame in effects.frames:
                self._deliver(connection, frame)
            for _, result in effects.blocks_ended:
                return result

    def _deliver(self, connection: int, frame: bytes) -> None:
        for answer in self._sessions[connection].received(frame):
            self._referee.received(connection, answer, time.monotonic_ns())
