"""Spectators, and what they may see."""

from typing import TYPE_CHECKING

from simulation.errors import require
from simulation.ledger import Ledger
from tradepit.v1 import referee_pb2
from tradepit_server.referee import Effects, Selection

if TYPE_CHECKING:
    from simulation.world import World


class Gallery:
    """Who watches a world."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._last = 0
        self._watching: dict[int, set[str]] = {}
        """Spectators, each with the matches of which they have been told."""
        self._leaving: dict[int, set[str]] = {}
        """Those who have left since the last effects; what waited for them may still come."""

    def come(self) -> None:
        """Somebody wants to see everything, one match in play, or one block."""
        world = self._world
        playing = world.shell.core.matches()
        chosen = Selection()
        if playing and world.rng.random() < 0.5:
            match = world.rng.choice(playing)
            matches, blocks = frozenset((match.match_id,)), frozenset((match.block_id,))
            chosen = Selection(match_ids=matches) if world.rng.random() < 0.5 else Selection(block_ids=blocks)
        self._last += 1
        if not world.closing and world.shell.watch(self._last, chosen):
            self._watching[self._last] = set()
            world.tally["spectators"] += 1
            world.after(world.rng.randrange(1, 2_000_000_000), self.leave, self._last)

    def leave(self, spectator: int) -> None:
        """A spectator goes."""
        matches = self._watching.pop(spectator, None)
        if matches is not None:
            self._leaving[spectator] = matches
            self._world.shell.core.unwatch(spectator)

    def all_leave(self) -> None:
        """Nobody watches any more."""
        for spectator in list(self._watching):
            self.leave(spectator)

    def shown(self, effects: Effects, ledger: Ledger) -> None:
        """Judge what spectators are shown."""
        for spectator, message in effects.shown:
            matches = self._watching.get(spectator, self._leaving.get(spectator))
            require(matches is not None, "spectators see what they asked for", f"{spectator} is not there")
            if matches is not None:
                self._judge(matches, message, ledger)
        self._leaving.clear()

    def _judge(self, matches: set[str], message: referee_pb2.WatchMatchResponse, ledger: Ledger) -> None:
        ledger.needles.search(message.SerializeToString(), None)
        kind = message.WhichOneof("kind")
        if kind == "match":
            matches.add(message.match.match_id)
        elif kind == "snapshot":
            snapshot = message.snapshot
            require(snapshot.match_id in matches, "spectators see what they asked for", snapshot.match_id)
            twin = ledger.twins[snapshot.match_id]
            ended = twin.over or twin.id.rpartition("/")[0] not in ledger.blocks
            late = ended or snapshot.decisions + self._world.watch_delay <= len(twin.records)
            require(late, "spectators see late", f"decision {snapshot.decisions} of {len(twin.records)} in {twin.id}")
            public = (twin.publics or {}).get(snapshot.decisions)
            require(snapshot.public == public, "spectators see the public part", f"{twin.id}, {snapshot.decisions}")
