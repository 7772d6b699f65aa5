"""What a spectator has not been sent yet."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tradepit.v1 import referee_pb2

SNAPSHOTS = 64
"""Of one match that may wait for a spectator; when one more comes, all but that are left out. That is more than
are ever withheld, since those come all at once when the match is over."""

MATCHES = 64
"""That may be over without the spectator having been told that they began; of more, the oldest are left out."""

Message = referee_pb2.WatchMatchResponse


@dataclass(slots=True)
class _Waiting:
    """What waits of one match. The messages are for others too: where something was left out, a copy says so."""

    match: Message | None = None
    snapshots: list[Message] = field(default_factory=list)
    skipped: int = 0
    """Snapshots that were left out before those."""
    over: Message | None = None

    def add(self, message: Message) -> None:
        kind = message.WhichOneof("kind")
        if kind == "match":
            self.match = message
        elif kind == "over":
            self.over = message
        else:
            if len(self.snapshots) == SNAPSHOTS:
                self.skipped += SNAPSHOTS
                self.snapshots.clear()
            self.snapshots.append(message)

    @property
    def forgettable(self) -> bool:
        """Over, and the spectator does not even know that it began."""
        return self.match is not None and self.over is not None

    def messages(self, matches_skipped: int) -> Iterator[Message]:
        if self.match is not None:
            yield _match_after(matches_skipped, self.match)
        for index, snapshot in enumerate(self.snapshots):
            yield snapshot if index else _snapshot_after(self.skipped, snapshot)
        if self.over is not None:
            yield self.over


def _match_after(skipped: int, message: Message) -> Message:
    if skipped:
        message = Message(match=message.match)
        message.match.matches_skipped = skipped
    return message


def _snapshot_after(skipped: int, message: Message) -> Message:
    if skipped:
        message = Message(snapshot=message.snapshot)
        message.snapshot.skipped = skipped
    return message


class MatchWatch:
    """The news of each match, bounded: a spectator who does not read costs little memory, and slows nobody."""

    def __init__(self) -> None:
        self._waiting: dict[str, _Waiting] = {}
        """By match, first come first."""
        self._matches_skipped = 0
        self._closed = False
        self._told = asyncio.Event()

    def show(self, message: Message) -> None:
        """There is something to see."""
        match_id: str = getattr(message, message.WhichOneof("kind") or "").match_id
        waiting = self._waiting.setdefault(match_id, _Waiting())
        waiting.add(message)
        if waiting.forgettable:
            self._forget_some()
        self._told.set()

    def _forget_some(self) -> None:
        over = [match_id for match_id, waiting in self._waiting.items() if waiting.forgettable]
        for match_id in over[:-MATCHES]:
            del self._waiting[match_id]
            self._matches_skipped += 1

    def close(self) -> None:
        """There will be no more."""
        self._closed = True
        self._told.set()

    async def news(self) -> Iterable[Message] | None:
        """Wait for something to see. None: there will be no more."""
        await self._told.wait()
        if not self._waiting:
            return None
        waiting, self._waiting = self._waiting, {}
        if not self._closed:
            self._told.clear()
        return list(self._messages(waiting.values()))

    def _messages(self, all_waiting: Iterable[_Waiting]) -> Iterator[Message]:
        for waiting in all_waiting:
            yield from waiting.messages(self._matches_skipped)
            if waiting.match is not None:
                self._matches_skipped = 0
