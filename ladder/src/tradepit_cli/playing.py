"""Plays bots against each other in this process, neither rated nor stored."""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tradepit import chance
from tradepit.v1 import block_pb2
from tradepit_cli.targets import Target

BLOCKS_AT_ONCE = 32
"""As many as a shard holds: bots are started anew for the next ones."""

Progress = Callable[[int, int], None]
"""Is told the matches that have ended, and how many there are."""


@dataclass(frozen=True)
class PlayOrder:
    """What ``tradepit play`` was asked for."""

    game: str
    bots: tuple[Target, ...]
    """In the order of their seats in the first match; each name once."""
    blocks: int
    options: dict[str, str]
    """The game's options that differ from its defaults."""
    time_control: block_pb2.TimeControl
    root_seed: bytes | None
    """32 bytes that all chance follows from; None: chance is drawn."""
    edition_toml: bytes = b""
    """The text of the edition; empty: the one that the game comes with."""

    @property
    def matches(self) -> int:
        """In all blocks: one for each cyclic seating."""
        return self.blocks * len(self.bots)


def play(order: PlayOrder, progress: Progress) -> list[block_pb2.BlockResult]:
    """Play every block of *order*; the results in its order."""
    from tradepit_server.node import run_blocks

    ended: dict[str, int] = {}

    def block_progress(block_id: str, matches_ended: int, _matches: int) -> None:
        ended[block_id] = matches_ended
        progress(sum(ended.values()), order.matches)

    results: list[block_pb2.BlockResult] = []
    for chunk in _chunks(specifications(order)):
        results.extend(run_blocks(chunk, block_progress, None))
    return results


def specifications(order: PlayOrder) -> list[block_pb2.BlockSpecification]:
    """The blocks of *order*, ready for a referee."""
    tournament = tournament_id(order)
    return [_specification(order, tournament, index) for index in range(order.blocks)]


def tournament_id(order: PlayOrder) -> str:
    """What block ids begin with. With a root seed it follows from that and the arguments: equal ones replay equally."""
    if order.root_seed is None:
        return f"play-{secrets.token_hex(6)}"
    # Neither blocks nor clocks: more blocks go on where fewer ended, and a slower clock deals the same cards.
    arguments = [order.root_seed.hex(), order.game, [bot.name for bot in order.bots], sorted(order.options.items())]
    if order.edition_toml:
        arguments.append(hashlib.sha256(order.edition_toml).hexdigest())
    return f"play-{hashlib.sha256(json.dumps(arguments).encode()).hexdigest()[:12]}"


def _specification(order: PlayOrder, tournament: str, index: int) -> block_pb2.BlockSpecification:
    drawn = order.root_seed is None
    return block_pb2.BlockSpecification(
        block_id=f"{tournament}/{index}/1" if drawn else f"{tournament}/{index}",
        game=order.game,
        edition_toml=order.edition_toml,
        options=order.options,
        deal=block_pb2.DEAL_INDEPENDENT,
        entrants=[_entrant(bot) for bot in order.bots],
        time_control=order.time_control,
        reproducible_secret=b"" if order.root_seed is None else chance.reproducible_secret(order.root_seed, index),
    )


def _entrant(bot: Target) -> block_pb2.Entrant:
    command = block_pb2.Command(arguments=bot.command, working_directory=bot.working_directory)
    return block_pb2.Entrant(bot=bot.name, command=command)


def _chunks(
    blocks: Sequence[block_pb2.BlockSpecification],
) -> Iterator[Sequence[block_pb2.BlockSpecification]]:
    for start in range(0, len(blocks), BLOCKS_AT_ONCE):
        yield blocks[start : start + BLOCKS_AT_ONCE]
