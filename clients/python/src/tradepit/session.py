"""A bot's side of the Play stream without sockets: frames in, frames out.

``tradepit.transport`` puts it on a gRPC stream; local play and tests feed it directly.
"""

import secrets
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any, ClassVar

from google.protobuf.message import DecodeError

from tradepit import __version__, answers, fairness
from tradepit.answers import show, show_exception
from tradepit.bot import Bot, bot_name
from tradepit.delivery import Delivery
from tradepit.editions import EditionAwaited, EditionCache, EditionSource, no_editions
from tradepit.errors import EditionError, ProtocolError
from tradepit.match import Block, Match, MatchResult, Request, TimeControl
from tradepit.v1 import block_pb2, play_pb2
from tradepit.words import Words

PROTOCOL_REVISION = 1
"""The revision of the protocol that this library speaks."""

RESUME_WINDOW = timedelta(seconds=10)
"""For how long a bot tries to come back that plays no block, or one whose organiser does not say."""

_NONCE_BYTES = 32
_NOTE_BYTES = 1024
_FAULTS = Words(block_pb2.FaultKind, "FAULT_KIND_")
_Answer = play_pb2.BotMessage | None


class ClientSession:
    """One bot at one referee: feed it each frame that arrives, send each frame that it gives.

    It outlives the stream that carries it. When that breaks, feed nothing more of it, whatever had not been taken of
    ``received``; begin another stream with ``hello``, and go on. The author's code is never asked twice for a decision.

    The bot's methods are called in the thread that iterates over ``received``.
    """

    edition_source: EditionSource
    """Gives the text of an edition, or has it fetched; set by whoever carries the frames."""

    session_id: str
    """The referee's name for this session, a secret; empty until it has said so."""

    finished: bool
    """Nothing is left to play, and nothing else will come."""

    deciding: bool
    """Code of the bot's author is running, and may run for long."""

    draining: bool
    """The referee is going away."""

    reconnect_address: str
    """Where it sends the bot to when it goes, as a gRPC target; empty: nowhere."""

    only_block: str
    """The block after which it is finished; empty: it is finished when the referee goes away."""

    redirects: list[play_pb2.Redirect]
    """Blocks that are played at other referees; whoever carries the frames goes there, and takes them out."""

    def __init__(
        self, bot: Bot, *, only_block: str = "", entropy: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        """A session for *bot*; *entropy* gives so many random bytes, for nonces."""
        self.edition_source = no_editions
        self.deciding = False
        self.draining = False
        self.reconnect_address = ""
        self.only_block = only_block
        self.redirects = []
        self._bot = bot
        self._decides_many = bot.decides_many
        self._entropy = entropy
        self._editions = EditionCache()
        self._begin()

    def _begin(self) -> None:
        self.session_id = ""
        self.finished = False
        self._over = False
        """The one block that it is for has ended."""
        self._delivery = Delivery()
        self._inbox: deque[play_pb2.RefereeMessage] = deque()
        """What has arrived and is not yet done."""
        self._together: list[play_pb2.DecisionRequest] = []
        """Requests that will be answered together."""
        self._waiting: list[play_pb2.BlockInvitation] = []
        """Invitations that will be answered when their edition is here."""
        self._blocks: dict[str, tuple[Block, dict[str, Match]]] = {}
        self._matches: dict[str, Match] = {}
        self._asked: dict[str, set[int]] = {}
        """By match, the decisions that the author's code was asked for."""
        self._note_bytes = _NOTE_BYTES

    def begin_anew(self) -> list[str]:
        """The referee has this session no more: forget it. Returns the ids of the blocks that are lost with it."""
        lost = [*self._blocks, *(invitation.block_id for invitation in self._waiting)]
        self._begin()
        return lost

    @property
    def playing(self) -> bool:
        """There are blocks that have not ended."""
        return bool(self._blocks or self._waiting)

    @property
    def resume_window(self) -> timedelta:
        """For how long it is worth trying to come back when the stream has broken."""
        said = [block.time_control.resume_window for block, _ in self._blocks.values()]
        return max((RESUME_WINDOW if window is None else window for window in said), default=RESUME_WINDOW)

    def hello(self) -> bytes:
        """The first frame of a stream. Raises ValueError if the bot promises less than one match at a time."""
        if self._bot.max_concurrent_matches < 1:
            raise ValueError(f"max_concurrent_matches is {self._bot.max_concurrent_matches}; it must be 1 or more")
        if not self.session_id:
            self._begin()
        hello = play_pb2.Hello(
            bot_name=bot_name(self._bot),
            games=self._bot.games,
            client_library=f"tradepit-python/{__version__}",
            protocol_revision=PROTOCOL_REVISION,
            max_concurrent_matches=self._bot.max_concurrent_matches,
            resume_session_id=self.session_id,
        )
        return self._delivery.hello(hello)

    def bye(self, reason: str) -> bytes:
        """The last frame of a bot that leaves of its own accord; matches that it still plays are forfeited."""
        return self._delivery.frame(play_pb2.BotMessage(bye=play_pb2.Bye(reason=reason)))

    def received(self, frame: bytes) -> Iterator[bytes]:
        """Handle a frame of the referee, giving each answer as it is made: send it before asking for the next.

        A bot that decides many at once gives the answers to all requests of the frame in one, its last.
        Raises ProtocolError if *frame* is none, FairnessError if a block was not dealt as its chance says.
        """
        try:
            response = play_pb2.PlayResponse.FromString(frame)
        except DecodeError as error:
            raise ProtocolError(f"the referee sent {len(frame)} bytes that are no frame") from error
        self._delivery.arrived(response.sequence, response.acknowledged_sequence)
        messages = response.messages
        again: Sequence[bytes] = ()
        if self._delivery.resuming and messages and messages[0].HasField("welcome"):
            # Before what an older stream has left to do: the referee waits for what it has not received.
            again = self._resume(messages.pop(0).welcome, messages)
        self._inbox.extend(messages)
        return self._work(again)

    def _resume(self, welcome: play_pb2.Welcome, news: Sequence[play_pb2.RefereeMessage]) -> Sequence[bytes]:
        self._welcome(welcome)
        decided = {message.decision_rejected.decision_id for message in news} - {0}
        over = {message.match_ended.match_id for message in news} - {""}
        left = (message for message in self._inbox if message.decision_request.decision_id not in decided)
        self._inbox = deque(message for message in left if message.decision_request.match_id not in over)
        return self._delivery.welcomed(welcome.received_sequence)

    def _work(self, again: Sequence[bytes]) -> Iterator[bytes]:
        """Send *again*, and then whatever there is to answer."""
        yield from again
        while self._inbox:
            message = self._inbox.popleft()
            kind = message.WhichOneof("kind")
            if kind is None:
                continue  # a kind of a later revision
            if self._decides_many and kind == "decision_request":
                self._together.append(message.decision_request)
                continue
            answer = self._HANDLERS[kind](self, getattr(message, kind))
            if answer is not None:
                yield self._delivery.frame(answer)
        if self._together:
            asked, self._together = self._together, []
            decided = self._decision_requests(asked)
            if decided:
                yield self._delivery.frame(*decided)
        self.finished = (self.draining or self._over) and not self.playing

    @property
    def awaited_edition(self) -> tuple[str, bytes] | None:
        """Game and sha256 of an edition that the source has not got yet; get it, and ``edition_arrived``."""
        return (self._waiting[0].game, self._waiting[0].edition.sha256) if self._waiting else None

    def edition_arrived(self) -> Iterator[bytes]:
        """Answer, as ``received`` does, the invitations that waited for what the source has now, or never will have."""
        for _ in range(len(self._waiting)):
            answer = self._block_invitation(self._waiting.pop(0))
            if answer is not None:
                yield self._delivery.frame(answer)

    def _welcome(self, message: play_pb2.Welcome) -> _Answer:
        self.session_id = message.session_id
        self._note_bytes = message.limits.note_bytes or _NOTE_BYTES
        return None

    def _block_invitation(self, message: play_pb2.BlockInvitation) -> _Answer:
        if message.block_id in self._blocks:
            return None  # it is accepted, with the nonce that counts
        acceptance = play_pb2.BlockAcceptance(block_id=message.block_id)
        try:
            acceptance.nonce = self._accept(message).nonce
        except EditionAwaited:
            self._waiting.append(message)
            return None
        except (EditionError, _Refusal) as error:
            show(f"refused block {message.block_id}: {error}")
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
        self._blocks[block.block_id] = (block, {})
        return block

    def _match_started(self, message: play_pb2.MatchStarted) -> _Answer:
        if message.block_id not in self._blocks:
            show(f"match {message.match_id} belongs to no accepted block: ignored")
            return None
        block, matches = self._blocks[message.block_id]
        if message.match_id in matches:
            return None
        try:
            match = Match(block, message)
        except ValueError as error:
            raise ProtocolError(f"match {message.match_id}: {error}") from error
        matches[match.match_id] = self._matches[match.match_id] = match
        self._asked[match.match_id] = set()
        self._call(self._bot.match_started, match)
        return None

    def _decision_request(self, message: play_pb2.DecisionRequest) -> _Answer:
        match = self._matches.get(message.match_id)
        if match is None:
            return answers.unknown_match(message)
        if not self._is_new(message):
            return None
        request = Request(match, message)
        self.deciding = True
        try:
            return answers.decision(request, self._bot.answer(request), self._note_bytes)
        except Exception as error:  # whatever the author's code raises is the author's to see
            return answers.failure(request, show_exception(error))
        finally:
            self.deciding = False

    def _is_new(self, message: play_pb2.DecisionRequest) -> bool:
        """The author's code has not been asked this. Else the answer is on its way, or the referee has it."""
        asked = self._asked[message.match_id]
        before = len(asked)
        asked.add(message.decision_id)
        return len(asked) > before

    def _decision_requests(self, messages: Sequence[play_pb2.DecisionRequest]) -> list[play_pb2.BotMessage]:
        """The answers to all requests of a frame, for a bot that decides many at once."""
        found = [(message, self._matches.get(message.match_id)) for message in messages]
        unknown = [answers.unknown_match(message) for message, match in found if match is None]
        requests = [Request(match, message) for message, match in found if match is not None and self._is_new(message)]
        return unknown + self._decide_many(requests) if requests else unknown

    def _decide_many(self, requests: Sequence[Request]) -> list[play_pb2.BotMessage]:
        self.deciding = True
        try:
            actions = self._bot.answer_many(requests)
            return [
                answers.decision(request, action, self._note_bytes)
                for request, action in zip(requests, actions, strict=True)
            ]
        except Exception as error:  # as for one; nobody can say which request it was about
            reason = show_exception(error)
            return [answers.failure(request, reason) for request in requests]
        finally:
            self.deciding = False

    def _decision_rejected(self, message: play_pb2.DecisionRejected) -> _Answer:
        match = self._matches.get(message.match_id)
        played = self._bot.describe_action(match.game, message.played.value) if match else "the default"
        fault = _FAULTS[message.fault]
        show(f"{message.match_id}, request {message.decision_id}: {fault}: {message.message}; played instead: {played}")
        return None

    def _match_ended(self, message: play_pb2.MatchEnded) -> _Answer:
        match = self._forget(message.match_id)
        if match is not None:
            self._call(self._bot.match_ended, match, MatchResult.from_message(message))
        return None

    def _block_ended(self, message: play_pb2.BlockEnded) -> _Answer:
        block, played = self._blocks.pop(message.block_id, (None, {}))
        matches = list(played.values())
        self._over |= message.block_id == self.only_block
        if message.outcome == block_pb2.BLOCK_OUTCOME_VOID:
            show(f"block {message.block_id} is void: {message.reason}")
        for match in matches:
            self._forget(match.match_id)
        if block is not None and matches:  # a block that is void before its first match has shown nothing to check
            chances = fairness.match_chance(block, matches, message.secret, message.nonces)
            for match, chance in zip(matches, chances, strict=True):
                self._bot.check_fairness(match, chance)
        return None

    def _forget(self, match_id: str) -> Match | None:
        self._asked.pop(match_id, None)
        return self._matches.pop(match_id, None)

    def _redirect(self, message: play_pb2.Redirect) -> _Answer:
        self.redirects.append(message)
        return None

    def _drain(self, message: play_pb2.Drain) -> _Answer:
        if not self.draining:
            hint = f"; then the bot will reconnect to {message.reconnect_address}" if message.reconnect_address else ""
            show(f"the referee is going away{hint}")
        self.draining = True
        self.reconnect_address = message.reconnect_address
        return None

    def _notice(self, message: play_pb2.Notice) -> _Answer:
        show(message.text)
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
