"""The spectator's side of a referee: what is played, what it looks like, and what goes wrong, in one line."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import grpc

from tradepit.launch import Target
from tradepit.transport import PATIENCE_SECONDS, open_channel
from tradepit.v1 import referee_pb2, referee_pb2_grpc
from tradepit_cli.errors import CommandError
from tradepit_cli.stage import Playbill

if TYPE_CHECKING:
    from tradepit_server.games.base import Edition, Game

_ANSWER_SECONDS = 10.0

Messages = Iterator[referee_pb2.WatchMatchResponse]


class NotFound(CommandError):
    """What was asked for is not there, or no longer."""


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
            return self._stub.ListMatches(
                referee_pb2.ListMatchesRequest(), metadata=self._metadata, timeout=_ANSWER_SECONDS
            ).matches

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
            raise _error(error, self._target.referee) from error

    def playbill(self, match: referee_pb2.WatchedMatch) -> Playbill:
        """What it takes to follow *match*, as far as it can be had. Raises CommandError."""
        from tradepit_server import registry

        try:
            plugin = registry.get(match.game)
        except registry.UnknownGame:
            return Playbill(match.game or "A game", None, None)
        edition = self._edition(plugin.game, match)
        return Playbill(plugin.game.info.title, edition, plugin.narration if edition is not None else None)

    def _edition(self, game: "Game", match: referee_pb2.WatchedMatch) -> "Edition | None":
        """The edition of *match*; None: the referee has it no longer, as when the block is over already."""
        from tradepit_server.games.base import EditionError

        sha256 = match.edition.sha256
        known = next((edition for edition in game.editions if edition.sha256 == sha256), None)
        key = (match.game, sha256)
        if known is None and key not in self._editions:
            toml = self._text(match.game, sha256)
            if toml is None:
                return None
            try:
                self._editions[key] = game.load_edition(toml)
            except EditionError as error:
                raise CommandError(f"the edition of match {match.match_id}: {error}") from error
        return known or self._editions[key]

    def _text(self, game: str, sha256: bytes) -> bytes | None:
        request = referee_pb2.GetEditionRequest(game=game, sha256=sha256)
        try:
            with self._told():
                return self._stub.GetEdition(request, metadata=self._metadata, timeout=_ANSWER_SECONDS).toml
        except NotFound:
            return None


@contextmanager
def connected(target: Target) -> Iterator[Spectator]:
    """A connection to the referee, inside the block. Raises CommandError if there is none."""
    with open_channel(target.referee) as channel:
        try:
            grpc.channel_ready_future(channel).result(PATIENCE_SECONDS)
        except grpc.FutureTimeoutError as error:
            raise CommandError(f"no referee at {target.referee} within {PATIENCE_SECONDS:g} s") from error
        yield Spectator(target, referee_pb2_grpc.RefereeServiceStub(channel))


def _error(error: Any, referee: str) -> CommandError:
    code = error.code()
    reason = (error.details() or code.name).splitlines()[0]
    if code is grpc.StatusCode.UNAUTHENTICATED:
        return CommandError(f"the referee at {referee} does not accept the token: {reason}")
    if code is grpc.StatusCode.NOT_FOUND:
        return NotFound(f"the referee at {referee}: {reason}")
    if code is grpc.StatusCode.PERMISSION_DENIED:
        return CommandError(f"the referee at {referee}: {reason}")
    return CommandError(f"lost the referee at {referee}: {reason}")
