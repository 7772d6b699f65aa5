"""The referee: a plain object without threads, sockets, sleeps or clocks.

Its owner, the *shell*, feeds everything that has arrived, each with the instant at which it was read,
then calls ``tick``, then takes ``effects``, once a turn of its loop. Instants are integer nanoseconds of
a monotonic clock. A deadline fires in ``tick`` alone, so an answer that was fed first is in time.
"""

import secrets
from collections.abc import Callable

from tradepit.v1 import block_pb2, play_pb2, referee_pb2
from tradepit_server.referee import faults
from tradepit_server.referee.alarms import Alarms
from tradepit_server.referee.block import Void
from tradepit_server.referee.effects import Effects
from tradepit_server.referee.endings import Ending
from tradepit_server.referee.gallery import DEFAULT_DELAY, Gallery, Selection
from tradepit_server.referee.hearing import Hearing
from tradepit_server.referee.lobby import Identity
from tradepit_server.referee.session import Session
from tradepit_server.referee.sessions import Sessions
from tradepit_server.referee.specification import BlockSpec, SpecificationError
from tradepit_server.referee.tables import Tables

_UNREAD = "the bot does not read, or does not acknowledge, what it is sent"


class Referee:
    """All sessions and blocks of one referee."""

    def __init__(self, entropy: Callable[[int], bytes] = secrets.token_bytes, watch_delay: int = DEFAULT_DELAY) -> None:
        """*entropy(n)* gives n bytes that nobody can guess: for secrets and session ids.

        Spectators see a moment of a match when *watch_delay* more decisions have been carried out.
        """
        self._alarms = Alarms()
        self._tables = Tables(entropy, self._alarms, Gallery(watch_delay))
        self._sessions = Sessions(entropy, self._alarms, self._tables)
        self._hearing = Hearing(self._sessions, self._tables)
        self._mailbag = self._sessions.mailbag
        self._unfinished: int | None = None
        """The instant of the last ``effects``, if they made room for matches that did not begin by them."""

    # Sessions

    def reserve_session(self, bot: str) -> str:
        """A session for a process that is about to be started; its id."""
        return self._sessions.open(bot, reserved=True).id

    def release_session(self, session_id: str, now: int) -> None:
        """Forget a reserved session; blocks that it is still entered in lose it."""
        self._sessions.release(self._reserved(session_id), now)

    def process_ended(self, session_id: str, detail: str, now: int) -> None:
        """The process that holds a reserved session is gone; *detail* says how."""
        loss = faults.Loss(faults.CRASHED, f"the bot's process ended: {detail}")
        self._sessions.lose(self._reserved(session_id), loss, now)

    def _reserved(self, session_id: str) -> Session:
        session = self._sessions.find(session_id)
        if session is None or not session.reserved:
            raise LookupError(f"no session was reserved as {session_id!r}")
        return session

    def sessions(self) -> list[tuple[str, str, bool]]:
        """Every session: its id, its bot, whether a stream carries it at the moment."""
        return self._sessions.listed()

    # Streams

    def connected(self, connection: int, identity: Identity, now: int) -> None:
        """A stream has been opened by *identity*; *connection* is a number of the shell's that is never used again."""
        self._sessions.connected(connection, identity, now)

    def disconnected(self, connection: int, reason: str, now: int) -> None:
        """The stream has ended, however; *reason* is a sentence."""
        self._sessions.disconnected(connection, reason, now)

    def received(self, connection: int, frame: bytes, now: int) -> None:
        """One encoded PlayRequest, read at *now*. What arrives on a stream that is over is not heard."""
        self._hearing.received(connection, frame, now)

    def pause(self, connection: int, now: int) -> int:
        """Nanoseconds for which the shell should read nothing more from a stream: its bot floods us."""
        session = self._sessions.carried_by(connection)
        return 0 if session is None else session.pause(now)

    # Blocks

    def start_block(self, spec: BlockSpec, now: int) -> None:
        """Begin with a block. Raises SpecificationError if it is running, or for a session that is not there."""
        sessions = [self._entered(entrant.bot, entrant.session_id) for entrant in spec.entrants]
        self._tables.start_block(spec, sessions, now)

    def _entered(self, bot: str, session_id: str) -> Session:
        session = self._sessions.find(session_id)
        if session is None:
            raise SpecificationError(f"bot {bot!r} is not connected: there is no such session")
        return session

    def cancel_block(self, block_id: str, cause: block_pb2.VoidCause.ValueType, reason: str, now: int) -> None:
        """Make a block void, *reason* being a sentence; nothing happens if it is over already."""
        self._tables.cancel_block(block_id, Void(cause, reason), now)

    def drain(self, grace: int, now: int, reconnect_address: str = "") -> None:
        """Tell every bot, also those that come later, that the referee goes away; blocks may go on for *grace* ns.

        *reconnect_address* is where bots are to go, as a gRPC target; empty: nowhere.
        """
        drain = play_pb2.Drain(reconnect_address=reconnect_address)
        drain.grace.FromNanoseconds(grace)
        self._sessions.say_farewell(drain, now)

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
        instants = [session.departure() for session in self._mailbag.waiting if session.connection is not None]
        if self._unfinished is not None:
            instants.append(self._unfinished)
        alarm = self._alarms.next()
        return min(instants if alarm is None else [*instants, alarm], default=None)

    def effects(self, now: int) -> Effects:
        """What is to be done now. Requests that leave have their clocks started."""
        self._tables.start_ready(now)
        while self._mailbag.overflowing:
            for session in list(self._mailbag.overflowing):
                self._sessions.end(session, faults.Loss(faults.DISCONNECTED, _UNREAD), _UNREAD, now, Ending.UNREAD)
        # Who waited for a bot that has just been cut off waits for it no longer.
        self._unfinished = now if self._tables.may_begin else None
        for session in list(self._mailbag.waiting):
            if session.connection is not None and session.departure() <= now:
                self._send(session, session.connection, now)
        for session in self._tables.take_dismissed():
            self._sessions.forget_if_idle(session)
        return self._tables.take_effects()

    def _send(self, session: Session, connection: int, now: int) -> None:
        frames, first_deadline = session.take_frames(now)
        self._tables.effects.frames += [(connection, frame) for frame in frames]
        self._watch(session, first_deadline)

    def _watch(self, session: Session, deadline: int | None) -> None:
        if deadline is not None and (session.alarm is None or deadline < session.alarm.when):
            self._alarms.cancel(session.alarm)
            session.alarm = self._alarms.set(deadline, lambda now: self._deadline(session, deadline, now))

    def _deadline(self, session: Session, deadline: int, now: int) -> None:
        session.alarm = None
        # What comes due between the deadline and a later now has an alarm of its own: other things may come before it.
        for request in list(session.requests.values()):
            if request.open and request.deadline is not None and request.deadline <= deadline:
                text = f"no answer within {(request.allowed or 0) / 1e9:g} s"
                self._tables.fail(session, request, faults.TIMEOUT, text, now)
        self._watch(session, session.earliest_deadline())
