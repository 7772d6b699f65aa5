"""What bots say: frames and their messages, each as it is heard."""

from collections.abc import Sequence
from typing import TypeAlias

from google.protobuf.message import DecodeError

from tradepit.chance import NONCE_BYTES
from tradepit.v1 import play_pb2
from tradepit_server.referee import faults
from tradepit_server.referee.endings import Ending
from tradepit_server.referee.limits import FRAME_MESSAGES, NOTE_BYTES
from tradepit_server.referee.lobby import Identity
from tradepit_server.referee.session import Session
from tradepit_server.referee.sessions import Sessions
from tradepit_server.referee.tables import Tables

_Messages: TypeAlias = Sequence[play_pb2.BotMessage]


class Hearing:
    """Hears what arrives on streams, and has it done."""

    def __init__(self, sessions: Sessions, tables: Tables) -> None:
        self._sessions = sessions
        self._tables = tables

    def received(self, connection: int, frame: bytes, now: int) -> None:
        """One encoded PlayRequest, read at *now*; one of a stream that is over is not heard."""
        session = self._sessions.carried_by(connection)
        identity = self._sessions.identity(connection) if session is None else None
        if session is None and identity is None:
            return
        try:
            request = play_pb2.PlayRequest.FromString(frame)
        except DecodeError:
            self._not_a_frame(connection, session, frame, now)
            return
        if session is not None:
            self._acknowledgement(session, request, now)
            self._hear_all(session, request.messages, 0, len(frame), now)
        elif identity is not None:
            self._greet(connection, identity, request, len(frame), now)

    def _greet(self, connection: int, identity: Identity, request: play_pb2.PlayRequest, size: int, now: int) -> None:
        session = self._sessions.greet(connection, identity, request, now)
        if session is not None:
            self._hear_all(session, request.messages, 1, size, now)

    def _not_a_frame(self, connection: int, session: Session | None, frame: bytes, now: int) -> None:
        what = f"{len(frame)} bytes that are no frame: {frame[:16].hex()}{'...' if len(frame) > 16 else ''}"
        if session is None:
            self._sessions.close(connection, f"before Hello came {what}", Ending.MISUSE)
            return
        self._notice(session, what, now)
        session.delay(session.vain + len(frame) // 1024, now)
        for open_request in list(session.requests.values()):
            if open_request.open and open_request.departed is not None:
                self._tables.fail(session, open_request, faults.MALFORMED, what, now)

    def _acknowledgement(self, session: Session, request: play_pb2.PlayRequest, now: int) -> None:
        session.received_sequence = request.sequence
        crowded = session.crowded
        if not session.acknowledge(request.acknowledged_sequence):
            self._notice(session, f"frame {request.acknowledged_sequence} was acknowledged and never sent", now)
        if crowded and not session.crowded:
            self._tables.make_room()

    def _hear_all(self, session: Session, messages: _Messages, first: int, size: int, now: int) -> None:
        """The messages of a frame of *size* bytes, from the *first* on."""
        unheard = max(0, len(messages) - FRAME_MESSAGES)
        if unheard:
            self._notice(session, f"of {len(messages)} messages in a frame the last {unheard} were not heard", now)
        for message in messages[first:FRAME_MESSAGES]:
            self._hear(session, message, now)
        idle = not messages
        if idle and not session.spend_idle_frame():
            session.vain += 1
        if session.vain or idle:
            session.delay(session.vain + unheard + size // 1024, now)

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
        if request is None and 0 < answer.decision_id < session.next_decision_id:
            self._too_late(session, answer)
        elif request is None or request.departed is None:
            self._notice(session, f"decision {answer.decision_id} was never asked for", now)
        elif request.match.id != answer.match_id:
            asked = f"decision {answer.decision_id} belongs to match {request.match.id!r}"
            self._notice(session, f"{asked}, not {answer.match_id[:200]!r}; it is still open", now)
        else:
            return True
        return False

    def _too_late(self, session: Session, answer: play_pb2.Decision | play_pb2.DecisionFailure) -> None:
        """An answer to a decided request. The first to one that was decided without the bot is no message in vain."""
        self._tables.effects.late_answers.append((session.bot, answer.decision_id))
        if not self._tables.note_late(session, answer.match_id, answer.decision_id):
            session.vain += 1

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
        self._sessions.end(session, faults.Loss(faults.DISCONNECTED, message), "goodbye", now)

    def _notice(self, session: Session, text: str, now: int) -> None:
        session.vain += 1
        # A bot that floods gets a hundred notices, not as many as it sends.
        if session.notices_left > 0:
            session.notices_left -= 1
            notice = play_pb2.RefereeMessage(notice=play_pb2.Notice(text=text))
            session.enqueue(notice.SerializeToString(), now)
