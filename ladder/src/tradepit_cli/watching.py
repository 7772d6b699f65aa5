"""The spectator's side of a referee: what is played, what it looks like, and what goes wrong, in one line."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import grpc

from tradepit.errors import EditionError as NoEdition
from tradepit.launch import Target
from tradepit.transport import PATIENCE_SECONDS, get_edition, open_channel
from tradepit.v1 import referee_pb2, referee_pb2_grpc
from tradepit_cli.errors import CommandError
from tradepit_cli.stage import Playbill

if TYPE_CHECKING:
    from tradepit_server.games.base import Edition, Game

Messages = Iterator[referee_pb2.WatchMatchResponse]


class Spectator:
    """Somebody who is connected to a referee."""

    def __init__(self, target: Target, stub: referee_pb2_grpc.RefereeServiceStub) -> None:
        self._target = target
        self._stub = stub
        self._metadata = (("authorization", f"Bearer {target.token}"),)
        self._editions: dict[tuple[str, bytes], Edition] = {}

    def matches(self) -> Sequence[referee_pb2.WatchedMatch]:
        """The matches in play. Raises CommandError."""
        with self._told():
            return self._stub.ListMatches(referee_pb2.ListMatchesRequest(), metadata=self._metadata).matches

    @contextmanager
    def watch(self, matches: Iterable[str], blocks: Iterable[str]) -> Iterator[Messages]:
        """What there is to see of matches and blocks, or of everything, inside the block. It raises CommandError."""
        request = referee_pb2.WatchMatchRequest(match_ids=matches, block_ids=blocks)
        call: Any = self._stub.WatchMatch(request, metadata=self._metadata)
        try:
            call.initial_metadata()  # comes when everything that begins is shown, or the call is refused
            yield self._read(call)
        finally:
            call.cancel()

    def _read(self, call: Messages) -> Messages:
        with self._told():
            yield from call

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn what gRPC raises in the block into a CommandError."""
        try:
            yield
        except grpc.RpcError as error:
            raise CommandError(_line(error, self._target.referee)) from error

    def playbill(self, match: referee_pb2.WatchedMatch) -> Playbill:
        """What it takes to follow *match*; of a game that is not installed here, its name. Raises CommandError."""
        from tradepit_server import registry

        try:
            plugin = registry.get(match.game)
        except registry.UnknownGame:
            return Playbill(match.game or "A game", None, None)
        return Playbill(plugin.game.info.title, self._edition(plugin.game, match), plugin.narration)

    def _edition(self, game: "Game", match: referee_pb2.WatchedMatch) -> "Edition":
        from tradepit_server.games.base import EditionError

        sha256 = match.edition.sha256
        known = next((edition for edition in game.editions if edition.sha256 == sha256), None)
        key = (match.game, sha256)
        try:
            if known is None and key not in self._editions:
                text = get_edition(self._target.referee, self._metadata, match.game, sha256)
                self._editions[key] = game.load_edition(text)
        except (NoEdition, EditionError) as error:
            raise CommandError(f"the edition of match {match.match_id}: {error}") from error
        return known or self._editions[key]


@contextmanager
def connected(target: Target) -> Iterator[Spectator]:
    """A connection to the referee, inside the block. Raises CommandError if there is none."""
    with open_channel(target.referee) as channel:
        try:
            grpc.channel_ready_future(channel).result(PATIENCE_SECONDS)
        except grpc.FutureTimeoutError as error:
            raise CommandError(f"no referee at {target.referee} within {PATIENCE_SECONDS:g} s") from error
        yield Spectator(target, referee_pb2_grpc.RefereeServiceStub(channel))


def _line(error: Any, referee: str) -> str:
    code = error.code()
    reason = (error.details() or code.name).splitlines()[0]
    if code is grpc.StatusCode.UNAUTHENTICATED:
        return f"the referee at {referee} does not accept the token: {reason}"
    if code in (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.PERMISSION_DENIED):
        return f"the referee at {referee}: {reason}"
    return f"lost the referee at {referee}: {reason}"
