"""The referee: a plain object without threads, sockets, sleeps or clocks.

Its owner, the *shell*, feeds everything that has arrived, each with the instant at which it was read,
then calls ``tick``, then takes ``effects``, once a turn of its loop. Instants are integer nanoseconds of
a monotonic clock. A deadline fires in ``tick`` alone, so an answer that was fed first is in time.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import NamedTuple

from google.protobuf.message import DecodeError

from tradepit.chance import NONCE_BYTES
from tradepit.v1 import block_pb2, play_pb2, referee_pb2
from tradepit_server.referee import faults
from tradepit_server.referee.alarms import Alarms
from tradepit_server.referee.block import Void
from tradepit_server.referee.effects import Effects
from tradepit_server.referee.endings import Ending
from tradepit_server.referee.gallery import DEFAULT_DELAY, Gallery, Selection
from tradepit_server.referee.session import Session
from tradepit_server.referee.specification import BlockSpec, SpecificationError
from tradepit_server.referee.tables import Tables

PROTOCOL_REVISION = 1
"""The revision of the protocol that is spoken here."""

FRAME_BYTES = 1024 * 1024
"""The largest frame that a bot may send. Said in Welcome and enforced by whoever reads the stream."""

FRAME_MESSAGES = 4096
"""So many messages of a frame are heard; what comes behind them is not."""

NOTE_BYTES = 1024
"""The longest note of a decision, in bytes of UTF-8."""

_SESSION_ID_BYTES = 16


class Identity(NamedTuple):
    """Who a stream's token says it is."""

    bot: str
    session_id: str | None = None
    """The reserved session that the token belongs to; None: the token opens sessions of its own."""


class Referee:
    """All sessions and blocks of one referee."""

    def __init__(self, entropy: Callable[[int], bytes] = secrets.token_bytes, watch_delay: int = DEFAULT_DELAY) -> None:
        """*entropy(n)* gives n bytes that nobody can guess: for secrets and session ids.

        Spectators see a moment of a match when *watch_delay* more decisions have been carried out.
        """
        self._entropy = entropy
        self._alarms = Alarms()
        self._tables = Tables(entropy, self._alarms, Gallery(watch_delay))
        self._sessions: dict[str, Session] = {}
        self._streams: dict[int, Identity | Session] = {}
        """Every open stream: who it may be before its Hello, then its session."""
        self._mailbag: dict[Session, None] = {}
        self._farewell: bytes | None = None
        """The Drain that every session gets; None: the referee stays."""

    # Sessions

    def reserve_session(self, bot: str) -> str:
        """A session for a process that is about to be started; its id."""
        return self._open_session(bot, reserved=True).id

    def _open_session(self, bot: str, *, reserved: bool) -> Session:
        session = Session(self._entropy(_SESSION_ID_BYTES).hex(), bot, self._mailbag, reserved=reserved)
        self._sessions[session.id] = session
        return session

    def release_session(self, session_id: str, now: int) -> None:
        """Forget a reserved session; blocks that it is still entered in lose it."""
        session = self._sessions[session_id]
        self._lose(session, faults.Loss(faults.DISCONNECTED, "the session was ended"), now)
        if session.connection is not None:
            self._close(session.connection, "the session is over", Ending.ORDERLY)
        del self._sessions[session_id]
        self._mailbag.pop(session, None)

    def process_ended(self, session_id: str, detail: str, now: int) -> None:
        """The process that holds a reserved session is gone; *detail* says how."""
        self._lose(self._sessions[session_id], faults.Loss(faults.CRASHED, f"the bot's process ended: {detail}"), now)

    def _lose(self, session: Session, loss: faults.Loss, now: int) -> None:
        if session.lost is None:
            session.lost = loss
            for block_id in list(session.entries):
                self._tables.lose(session, block_id, loss, now)

    def sessions(self) -> list[tuple[str, str, bool]]:
        """Every session: its id, its bot, whether a stream carries it at the moment."""
        return [(s.id, s.bot, s.connection is not None) for s in self._sessions.values()]

    # Streams

    def connected(self, connection: int, identity: Identity, now: int) -> None:
        """A stream has been opened by *identity*; *connection* is a number of the shell's that is never used again."""
        self._streams[connection] = identity

    def disconnected(self, connection: int, reason: str, now: int) -> None:
        """The stream has ended, however; *reason* is a sentence."""
        session = self._streams.pop(connection, None)
        if not isinstance(session, Session):
            return
        session.connection, session.dropped_at = None, now
        self._note_change(session)
        for block_id in session.entries:
            self._await_resumption(session, block_id, reason, now)
        self._forget_if_idle(session)

    def _await_resumption(self, session: Session, block_id: str, reason: str, now: int) -> None:
        def window_over(at: int) -> None:
            if session.dropped_at == now and block_id in session.entries:
                message = f"the stream was lost and not resumed in time: {reason}"
                self._tables.lose(session, block_id, faults.Loss(faults.DISCONNECTED, message), at)

        self._alarms.set(now + self._tables.resume_window(block_id), window_over)

    def _forget_if_idle(self, session: Session) -> None:
        if session.connection is None and not session.reserved and not session.entries:
            self._sessions.pop(session.id, None)
            self._mailbag.pop(session, None)

    def _close(self, connection: int, reason: str, ending: Ending = Ending.MISUSE) -> None:
        self._tables.effects.closing.append((connection, reason, ending))
        session = self._streams.pop(connection, None)
        if isinstance(session, Session) and session.connection == connection:
            session.connection = None
            self._note_change(session)

    def _note_change(self, session: Session) -> None:
        self._tables.effects.sessions_changed.append((session.id, session.bot, session.connection is not None))

    # What bots say

    def received(self, connection: int, frame: bytes, now: int) -> None:
        """One encoded PlayRequest, read at *now*."""
        who = self._streams.get(connection)
        if who is None:
            return
        try:
            request = play_pb2.PlayRequest.FromString(frame)
        except DecodeError:
            self._not_a_frame(connection, who, frame, now)
            return
        if isinstance(who, Identity):
            session = self._greet(connection, who, request, now)
        else:
            session = who
            session.acknowledge(request.acknowledged_sequence)
        if session is not None:
            session.received_sequence = max(session.received_sequence, request.sequence)
            self._hear_all(session, request.messages, 0 if session is who else 1, len(frame), now)

    def _hear_all(
        self, session: Session, messages: Sequence[play_pb2.BotMessage], first: int, size: int, now: int
    ) -> None:
        unheard = max(0, len(messages) - FRAME_MESSAGES)
        if unheard:
            self._notice(session, f"of {len(messages)} messages in a frame the last {unheard} were not heard", now)
        for message in messages[first:FRAME_MESSAGES]:
            self._hear(session, message, now)
        if session.vain or not messages:
            session.delay(session.vain + unheard + size // 1024, now)

    def pause(self, connection: int, now: int) -> int:
        """Nanoseconds for which the shell should read nothing more from a stream: its bot floods us."""
        session = self._streams.get(connection)
        return session.pause(now) if isinstance(session, Session) else 0

    def _not_a_frame(self, connection: int, who: Identity | Session, frame: bytes, now: int) -> None:
        what = f"{len(frame)} bytes that are no frame: {frame[:16].hex()}{'...' if len(frame) > 16 else ''}"
        if isinstance(who, Identity):
            self._close(connection, f"before Hello came {what}")
            return
        self._notice(who, what, now)
        who.delay(who.vain + len(frame) // 1024, now)
        for open_request in list(who.requests.values()):
            if open_request.departed is not None:
                self._tables.fail(who, open_request, faults.MALFORMED, what, now)

    def _greet(self, connection: int, identity: Identity, request: play_pb2.PlayRequest, now: int) -> Session | None:
        if not request.messages or request.messages[0].WhichOneof("kind") != "hello":
            self._close(connection, "the first message of a stream must be Hello")
            return None
        hello = request.messages[0].hello
        if hello.protocol_revision != PROTOCOL_REVISION:
            spoken = f"this referee speaks revision {PROTOCOL_REVISION} of the protocol"
            self._close(connection, f"{spoken}, the bot revision {hello.protocol_revision}", Ending.WRONG_REVISION)
            return None
        session = self._session_for(identity, hello)
        if session is None or session.lost is not None:
            self._close(connection, "there is no session to go on with", Ending.NO_SESSION)
            return None
        if session.connection is not None:
            self._close(session.connection, "a newer stream has taken over the session", Ending.SUPERSEDED)
        session.acknowledge(request.acknowledged_sequence)
        session.capacity = max(1, hello.max_concurrent_matches)
        self._streams[connection] = session
        session.attach(connection, _welcome(session), now)
        self._note_change(session)
        if self._farewell is not None:
            session.enqueue(self._farewell, now)
        return session

    def _session_for(self, identity: Identity, hello: play_pb2.Hello) -> Session | None:
        wanted = hello.resume_session_id or identity.session_id
        if not wanted:
            return self._open_session(identity.bot, reserved=False)
        session = self._sessions.get(wanted)
        if session is None or session.bot != identity.bot or identity.session_id not in (None, session.id):
            return None
        return session

    def _hear(self, session: Session, message: play_pb2.BotMessage, now: int) -> None:
        kind = message.WhichOneof("kind")
        if kind == "decision":
            self._decision(session, message.decision, now)
        elif kind == "decision_failure":
            self._failure(session, message.decision_failure, now)
        elif kind == "block_acceptance":
            self._acceptance(session, message.block_acceptance, now)
        elif kind == "bye":
            self._goodbye(session, message.bye, now)
        elif kind == "hello":
            self._notice(session, "Hello is sent once, at the beginning of a stream", now)
        else:
            self._notice(session, "a message of a kind that this referee does not know was ignored", now)

    def _decision(self, session: Session, decision: play_pb2.Decision, now: int) -> None:
        if not self._is_due(session, decision, now):
            return
        note = decision.note
        if len(note.encode()) > NOTE_BYTES:
            self._notice(session, f"a note of {len(note.encode())} bytes was dropped; {NOTE_BYTES} is the most", now)
            note = ""
        self._tables.decide(session, session.requests[decision.decision_id], decision.action, note, now)

    def _failure(self, session: Session, failure: play_pb2.DecisionFailure, now: int) -> None:
        if self._is_due(session, failure, now):
            request = session.requests[failure.decision_id]
            reason = failure.reason[:NOTE_BYTES] or "the bot gave no reason"
            self._tables.fail(session, request, faults.BOT_ERROR, f"the bot failed: {reason}", now)

    def _is_due(self, session: Session, answer: play_pb2.Decision | play_pb2.DecisionFailure, now: int) -> bool:
        request = session.requests.get(answer.decision_id)
        if request is None or request.departed is None:
            if 0 < answer.decision_id < session.next_decision_id and request is None:
                session.vain += 1
                self._tables.effects.late_answers.append((session.bot, answer.decision_id))
            else:
                self._notice(session, f"decision {answer.decision_id} was never asked for", now)
            return False
        if request.match.id != answer.match_id:
            asked = f"decision {answer.decision_id} belongs to match {request.match.id!r}"
            self._notice(session, f"{asked}, not {answer.match_id[:200]!r}; it is still open", now)
            return False
        return True

    def _acceptance(self, session: Session, acceptance: play_pb2.BlockAcceptance, now: int) -> None:
        block_id = acceptance.block_id
        if not self._tables.awaits_answer(session, block_id):
            self._notice(session, f"block {block_id[:200]!r} awaits no answer from this bot", now)
        elif acceptance.WhichOneof("answer") == "refusal":
            message = f"the bot refused the invitation: {acceptance.refusal[:NOTE_BYTES]}"
            self._tables.lose(session, block_id, faults.Loss(faults.NO_SHOW, message), now)
        elif acceptance.nonce and len(acceptance.nonce) not in NONCE_BYTES:
            message = f"its nonce has {len(acceptance.nonce)} bytes; it must have 16 to 32, or none"
            self._tables.note_wrong_acceptance(session, block_id, message)
            self._notice(session, f"the invitation to block {block_id!r} is not accepted: {message}", now)
        else:
            self._tables.accept(session, block_id, acceptance.nonce, now)

    def _goodbye(self, session: Session, bye: play_pb2.Bye, now: int) -> None:
        message = f"the bot said goodbye: {bye.reason[:NOTE_BYTES]}" if bye.reason else "the bot said goodbye"
        self._lose(session, faults.Loss(faults.DISCONNECTED, message), now)
        if session.connection is not None:
            self._close(session.connection, "goodbye", Ending.ORDERLY)

    def _notice(self, session: Session, text: str, now: int) -> None:
        session.vain += 1
        # A bot that floods gets a hundred notices, not as many as it sends.
        if session.notices_left > 0:
            session.notices_left -= 1
            notice = play_pb2.RefereeMessage(notice=play_pb2.Notice(text=text))
            session.enqueue(notice.SerializeToString(), now)

    # Blocks

    def start_block(self, spec: BlockSpec, now: int) -> None:
        """Begin with a block. Raises SpecificationError if it is running, or for a session that is not there."""
        for entrant in spec.entrants:
            if entrant.session_id not in self._sessions:
                raise SpecificationError(f"bot {entrant.bot!r} is not connected: there is no such session")
        self._tables.start_block(spec, [self._sessions[entrant.session_id] for entrant in spec.entrants], now)

    def cancel_block(self, block_id: str, cause: block_pb2.VoidCause.ValueType, reason: str, now: int) -> None:
        """Make a block void, *reason* being a sentence; nothing happens if it is over already."""
        self._tables.cancel_block(block_id, Void(cause, reason), now)

    def drain(self, grace: int, now: int, reconnect_address: str = "") -> None:
        """Tell every bot, also those that come later, that the referee goes away; blocks may go on for *grace* ns.

        *reconnect_address* is where bots are to go, as a gRPC target; empty: nowhere.
        """
        drain = play_pb2.Drain(reconnect_address=reconnect_address)
        drain.grace.FromNanoseconds(grace)
        self._farewell = play_pb2.RefereeMessage(drain=drain).SerializeToString()
        for session in self._sessions.values():
            if session.connection is not None:
                session.enqueue(self._farewell, now)

    # Spectators

    def matches(self) -> list[referee_pb2.WatchedMatch]:
        """The matches in play, first come first."""
        return self._tables.matches()

    def watch(self, spectator: int, selection: Selection) -> None:
        """Show a selection of matches to *spectator*, a number that is never used again. Raises UnknownMatch."""
        self._tables.watch(spectator, selection)

    def unwatch(self, spectator: int) -> None:
        """A spectator is gone."""
        self._tables.unwatch(spectator)

    # Time

    def tick(self, now: int) -> None:
        """Let every deadline fire that has come, after everything that was readable has been fed."""
        self._alarms.due(now)

    def next_deadline(self) -> int | None:
        """The instant at which ``tick`` and ``effects`` have something to do; None: not before something arrives."""
        instants = [session.departure() for session in self._mailbag if session.connection is not None]
        alarm = self._alarms.next()
        return min(instants if alarm is None else [*instants, alarm], default=None)

    def effects(self, now: int) -> Effects:
        """What is to be done now. Requests that leave have their clocks started."""
        self._tables.start_ready(now)
        for session in list(self._mailbag):
            if session.overflowing:
                self._cut_off(session, now)
            elif session.connection is not None and session.departure() <= now:
                self._send(session, session.connection, now)
        effects = self._tables.take_effects()
        if effects.blocks_ended:
            for session in list(self._sessions.values()):
                self._forget_if_idle(session)
        return effects

    def _send(self, session: Session, connection: int, now: int) -> None:
        frames, first_deadline = session.take_frames(now)
        del self._mailbag[session]
        self._tables.effects.frames += [(connection, frame) for frame in frames]
        self._watch(session, first_deadline)

    def _watch(self, session: Session, deadline: int | None) -> None:
        if deadline is not None and (session.alarm is None or deadline < session.alarm):
            session.alarm = deadline
            self._alarms.set(deadline, lambda now: self._deadline(session, deadline, now))

    def _deadline(self, session: Session, alarm: int, now: int) -> None:
        if session.alarm != alarm:
            return
        session.alarm = None
        for request in list(session.requests.values()):
            if request.deadline is not None and request.deadline <= now and request.allowed is not None:
                text = f"no answer within {request.allowed / 1e9:g} s"
                self._tables.fail(session, request, faults.TIMEOUT, text, now)
        self._watch(session, session.earliest_deadline())

    def _cut_off(self, session: Session, now: int) -> None:
        del self._mailbag[session]
        reason = "the bot does not read, or does not acknowledge, what it is sent"
        connection = session.connection
        self._lose(session, faults.Loss(faults.DISCONNECTED, reason), now)
        if connection is not None:
            self._close(connection, reason, Ending.UNREAD)


def _welcome(session: Session) -> bytes:
    welcome = play_pb2.Welcome(
        session_id=session.id,
        protocol_revision=PROTOCOL_REVISION,
        limits=play_pb2.Limits(frame_bytes=FRAME_BYTES, note_bytes=NOTE_BYTES),
    )
    return play_pb2.RefereeMessage(welcome=welcome).SerializeToString()
