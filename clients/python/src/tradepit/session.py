"""A bot's side of the Play stream without sockets: frames in, frames out.

``tradepit.transport`` puts it on a gRPC stream; local play and tests feed it directly.
"""

import secrets
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message

from tradepit import __version__, fairness
from tradepit.bot import Bot, bot_name
from tradepit.editions import EditionAwaited, EditionCache, EditionSource, no_editions
from tradepit.errors import EditionError, ProtocolError
from tradepit.match import Block, Match, MatchResult, Request, TimeControl
from tradepit.v1 import block_pb2, play_pb2
from tradepit.words import Words

PROTOCOL_REVISION = 1
"""The revision of the protocol that this library speaks."""

_NONCE_BYTES = 32
_NOTE_BYTES = 1024
_REASON_CHARACTERS = 1000
_FAULTS = Words(block_pb2.FaultKind, "FAULT_KIND_")
_Answer = play_pb2.BotMessage | None


class ClientSession:
    """One bot at one referee: feed it each frame that arrives, send each frame that it gives.

    The bot's methods are called in the thread that iterates over ``received``.
    """

    edition_source: EditionSource
    """Gives the text of an edition, or has it fetched; set by whoever carries the frames."""

    session_id: str
    """The referee's name for this session, a secret; empty until it has said so."""

    finished: bool
    """The referee is going away and nothing is left to play."""

    deciding: bool
    """Code of the bot's author is running, and may run for long."""

    def __init__(self, bot: Bot, *, entropy: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """A session for *bot*; *entropy* gives so many random bytes, for nonces."""
        self.edition_source = no_editions
        self.session_id = ""
        self.finished = False
        self.deciding = False
        self._bot = bot
        self._decides_many = bot.decides_many
        self._entropy = entropy
        self._editions = EditionCache()
        self._waiting: list[play_pb2.BlockInvitation] = []
        """Invitations that will be answered when their edition is here."""
        self._blocks: dict[str, tuple[Block, list[Match]]] = {}
        self._matches: dict[str, Match] = {}
        self._sent = 0
        self._received = 0
        self._note_bytes = _NOTE_BYTES
        self._draining = False

    def hello(self) -> bytes:
        """The first frame of a stream. Raises ValueError if the bot promises less than one match at a time."""
        if self._bot.max_concurrent_matches < 1:
            raise ValueError(f"max_concurrent_matches is {self._bot.max_concurrent_matches}; it must be 1 or more")
        hello = play_pb2.Hello(
            bot_name=bot_name(self._bot),
            games=self._bot.games,
            client_library=f"tradepit-python/{__version__}",
            protocol_revision=PROTOCOL_REVISION,
            max_concurrent_matches=self._bot.max_concurrent_matches,
        )
        return self._frame(play_pb2.BotMessage(hello=hello))

    def bye(self, reason: str) -> bytes:
        """The last frame of a bot that leaves of its own accord; matches that it still plays are forfeited."""
        return self._frame(play_pb2.BotMessage(bye=play_pb2.Bye(reason=reason)))

    def received(self, frame: bytes) -> Iterator[bytes]:
        """Handle a frame of the referee, giving each answer as it is made: send it before asking for the next.

        A bot that decides many at once gives the answers to all requests of the frame in one, its last.
        Raises ProtocolError if *frame* is none, FairnessError if a block was not dealt as its chance says.
        """
        try:
            response = play_pb2.PlayResponse.FromString(frame)
        except DecodeError as error:
            raise ProtocolError(f"the referee sent {len(frame)} bytes that are no frame") from error
        self._received = response.sequence
        asked: list[play_pb2.DecisionRequest] = []
        for message in response.messages:
            kind = message.WhichOneof("kind")
            if kind is None:
                continue  # a kind of a later revision
            if self._decides_many and kind == "decision_request":
                asked.append(message.decision_request)
                continue
            answer = self._HANDLERS[kind](self, getattr(message, kind))
            if answer is not None:
                yield self._frame(answer)
        if asked:
            yield self._frame(*self._decision_requests(asked))
        self.finished = self._draining and not self._blocks

    @property
    def awaited_edition(self) -> tuple[str, bytes] | None:
        """Game and sha256 of an edition that the source has not got yet; get it, and ``edition_arrived``."""
        return (self._waiting[0].game, self._waiting[0].edition.sha256) if self._waiting else None

    def edition_arrived(self) -> Iterator[bytes]:
        """Answer, as ``received`` does, the invitations that waited for what the source has now, or never will have."""
        waiting, self._waiting = self._waiting, []
        for invitation in waiting:
            answer = self._block_invitation(invitation)
            if answer is not None:
                yield self._frame(answer)

    def _frame(self, *messages: play_pb2.BotMessage) -> bytes:
        self._sent += 1
        frame = play_pb2.PlayRequest(sequence=self._sent, acknowledged_sequence=self._received, messages=messages)
        return frame.SerializeToString()

    def _welcome(self, message: play_pb2.Welcome) -> _Answer:
        self.session_id = message.session_id
        self._note_bytes = message.limits.note_bytes or _NOTE_BYTES
        return None

    def _block_invitation(self, message: play_pb2.BlockInvitation) -> _Answer:
        acceptance = play_pb2.BlockAcceptance(block_id=message.block_id)
        try:
            acceptance.nonce = self._accept(message).nonce
        except EditionAwaited:
            self._waiting.append(message)
            return None
        except (EditionError, _Refusal) as error:
            _show(f"refused block {message.block_id}: {error}")
            acceptance.refusal = str(error)
        return play_pb2.BotMessage(block_acceptance=acceptance)

    def _accept(self, message: play_pb2.BlockInvitation) -> Block:
        if message.game not in self._bot.games:
            games = ", ".join(self._bot.games) or "nothing"
            raise _Refusal(f"{bot_name(self._bot)} does not play {message.game!r}; it plays {games}")
        edition = self._editions.get(message.game, message.edition, self.edition_source)
        self._bot.prepare(message.game, edition)
        block = Block(
            block_id=message.block_id,
            game=message.game,
            edition=edition,
            options=dict(message.options),
            duplicate=message.deal == block_pb2.DEAL_DUPLICATE,
            matches=message.matches,
            entrants=tuple(message.entrants),
            entrant=message.entrant,
            time_control=TimeControl.from_message(message.time_control),
            commitment=message.commitment,
            reproducible=message.reproducible,
            nonce=b"" if message.reproducible else self._entropy(_NONCE_BYTES),
        )
        self._blocks[block.block_id] = (block, [])
        return block

    def _match_started(self, message: play_pb2.MatchStarted) -> _Answer:
        if message.block_id not in self._blocks:
            _show(f"match {message.match_id} belongs to no accepted block: ignored")
            return None
        block, matches = self._blocks[message.block_id]
        try:
            match = Match(block, message)
        except ValueError as error:
            raise ProtocolError(f"match {message.match_id}: {error}") from error
        matches.append(match)
        self._matches[match.match_id] = match
        self._call(self._bot.match_started, match)
        return None

    def _decision_request(self, message: play_pb2.DecisionRequest) -> _Answer:
        match = self._matches.get(message.match_id)
        if match is None:
            return _unknown_match(message)
        request = Request(match, message)
        self.deciding = True
        try:
            return self._decision(request, self._bot.answer(request))
        except Exception as error:  # whatever the author's code raises is the author's to see
            return _failure(request, _show_exception(error))
        finally:
            self.deciding = False

    def _decision_requests(self, messages: Sequence[play_pb2.DecisionRequest]) -> list[play_pb2.BotMessage]:
        """The answers to all requests of a frame, for a bot that decides many at once."""
        found = [(message, self._matches.get(message.match_id)) for message in messages]
        unknown = [_unknown_match(message) for message, match in found if match is None]
        requests = [Request(match, message) for message, match in found if match is not None]
        return unknown + self._decide_many(requests) if requests else unknown

    def _decide_many(self, requests: Sequence[Request]) -> list[play_pb2.BotMessage]:
        self.deciding = True
        try:
            actions = self._bot.answer_many(requests)
            return [self._decision(request, action) for request, action in zip(requests, actions, strict=True)]
        except Exception as error:  # as for one; nobody can say which request it was about
            reason = _show_exception(error)
            return [_failure(request, reason) for request in requests]
        finally:
            self.deciding = False

    def _decision(self, request: Request, action: Message) -> play_pb2.BotMessage:
        decision = play_pb2.Decision(
            match_id=request.match.match_id,
            decision_id=request.decision_id,
            action=AnyMessage(
                type_url=f"type.googleapis.com/{action.DESCRIPTOR.full_name}", value=action.SerializeToString()
            ),
        )
        if request.note:
            decision.note = request.note.encode()[: self._note_bytes].decode(errors="ignore")
        return play_pb2.BotMessage(decision=decision)

    def _decision_rejected(self, message: play_pb2.DecisionRejected) -> _Answer:
        match = self._matches.get(message.match_id)
        played = self._bot.describe_action(match.game, message.played.value) if match else "the default"
        fault = _FAULTS[message.fault]
        _show(
            f"{message.match_id}, request {message.decision_id}: {fault}: {message.message}; played instead: {played}"
        )
        return None

    def _match_ended(self, message: play_pb2.MatchEnded) -> _Answer:
        match = self._matches.pop(message.match_id, None)
        if match is not None:
            self._call(self._bot.match_ended, match, MatchResult.from_message(message))
        return None

    def _block_ended(self, message: play_pb2.BlockEnded) -> _Answer:
        block, matches = self._blocks.pop(message.block_id, (None, []))
        if message.outcome == block_pb2.BLOCK_OUTCOME_VOID:
            _show(f"block {message.block_id} is void: {message.reason}")
        for match in matches:
            self._matches.pop(match.match_id, None)
        if block is not None and matches:  # a block that is void before its first match has shown nothing to check
            chances = fairness.match_chance(block, matches, message.secret, message.nonces)
            for match, chance in zip(matches, chances, strict=True):
                self._bot.check_fairness(match, chance)
        return None

    def _redirect(self, message: play_pb2.Redirect) -> _Answer:
        _show(f"block {message.block_id} is played at {message.address}; this library does not follow")
        return None

    def _drain(self, message: play_pb2.Drain) -> _Answer:
        self._draining = True
        hint = f"; reconnect to {message.reconnect_address}" if message.reconnect_address else ""
        _show(f"the referee is going away{hint}")
        return None

    def _notice(self, message: play_pb2.Notice) -> _Answer:
        _show(message.text)
        return None

    def _call(self, hook: Callable[..., None], *arguments: object) -> None:
        """Call a hook of the author's, to which nobody waits for an answer."""
        self.deciding = True
        try:
            hook(*arguments)
        except Exception:  # as in a decision; the match goes on
            traceback.print_exc()
        finally:
            self.deciding = False

    _HANDLERS: ClassVar[dict[str, Callable[["ClientSession", Any], _Answer]]] = {
        "welcome": _welcome,
        "block_invitation": _block_invitation,
        "match_started": _match_started,
        "decision_request": _decision_request,
        "decision_rejected": _decision_rejected,
        "match_ended": _match_ended,
        "block_ended": _block_ended,
        "redirect": _redirect,
        "drain": _drain,
        "notice": _notice,
    }


class _Refusal(Exception):
    """Why an invitation is refused."""


def _unknown_match(message: play_pb2.DecisionRequest) -> play_pb2.BotMessage:
    return _failure(message, f"no match {message.match_id!r} has started")


def _failure(request: Request | play_pb2.DecisionRequest, reason: str) -> play_pb2.BotMessage:
    sendable = reason[:_REASON_CHARACTERS].encode(errors="replace").decode()
    failure = play_pb2.DecisionFailure(match_id=request.match_id, decision_id=request.decision_id, reason=sendable)
    return play_pb2.BotMessage(decision_failure=failure)


def _show_exception(error: Exception) -> str:
    """Show the author's mistake to the author, and return it as one line."""
    traceback.print_exception(error)
    return traceback.format_exception_only(error)[-1].strip()


def _show(line: str) -> None:
    """To the bot's author, who reads standard error."""
    print(f"tradepit: {line}", file=sys.stderr, flush=True)
