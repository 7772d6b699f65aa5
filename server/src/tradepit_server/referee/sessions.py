"""Every session of a referee, and the streams that carry them."""

from collections.abc import Callable

from tradepit.v1 import play_pb2
from tradepit_server.referee import faults, limits
from tradepit_server.referee.alarms import Alarms
from tradepit_server.referee.endings import Ending
from tradepit_server.referee.lobby import Identity, Lobby
from tradepit_server.referee.session import Fleeting, Mailbag, Session
from tradepit_server.referee.tables import Tables

PROTOCOL_REVISION = 1
"""The revision of the protocol that is spoken here."""

_SESSION_ID_BYTES = 16


class Sessions:
    """All sessions by id, and by the stream that carries them; and the streams that have not said Hello."""

    def __init__(self, entropy: Callable[[int], bytes], alarms: Alarms, tables: Tables) -> None:
        self.mailbag = Mailbag()
        self._entropy = entropy
        self._alarms = alarms
        self._tables = tables
        self._by_id: dict[str, Session] = {}
        self._by_stream: dict[int, Session] = {}
        self._lobby = Lobby(alarms)
        self._farewell: Fleeting | None = None
        """The Drain that every session gets; None: the referee stays."""

    def open(self, bot: str, *, reserved: bool) -> Session:
        """A new session of *bot*."""
        session = Session(self._entropy(_SESSION_ID_BYTES).hex(), bot, self.mailbag, reserved=reserved)
        self._by_id[session.id] = session
        return session

    def find(self, session_id: str) -> Session | None:
        """The session with this id."""
        return self._by_id.get(session_id)

    def listed(self) -> list[tuple[str, str, bool]]:
        """Every session: its id, its bot, whether a stream carries it at the moment."""
        return [(s.id, s.bot, s.connection is not None) for s in self._by_id.values()]

    def carried_by(self, connection: int) -> Session | None:
        """The session that a stream carries; None: it has not said Hello, or is over."""
        return self._by_stream.get(connection)

    def identity(self, connection: int) -> Identity | None:
        """Who a stream is that has not said Hello; None: it has, or is over."""
        return self._lobby.identity(connection)

    # The ends of sessions

    def release(self, session: Session, now: int) -> None:
        """Forget a session of a process at once; blocks that it is still entered in lose it."""
        self.end(session, faults.Loss(faults.DISCONNECTED, "the session was ended"), "the session is over", now)
        self._forget(session)

    def end(self, session: Session, loss: faults.Loss, reason: str, now: int, ending: Ending = Ending.ORDERLY) -> None:
        """The bot is gone for good, and its stream is closed for a *reason*."""
        self.lose(session, loss, now)
        if session.connection is not None:
            self.close(session.connection, reason, ending)
        self.forget_if_idle(session)

    def lose(self, session: Session, loss: faults.Loss, now: int) -> None:
        """The bot is gone for good; nothing happens if it was before."""
        if session.lost is not None:
            return
        session.lose(loss)
        for block_id in list(session.entries):
            self._tables.lose(session, block_id, loss, now)

    def forget_if_idle(self, session: Session) -> None:
        """Forget a session that nobody has and no block needs. Its id is then as good as one that never was."""
        if session.connection is None and not session.reserved and not session.entries:
            self._forget(session)

    def _forget(self, session: Session) -> None:
        self._by_id.pop(session.id, None)
        self._alarms.cancel(session.alarm)
        self.mailbag.forget(session)

    # Streams

    def connected(self, connection: int, identity: Identity, now: int) -> None:
        """A stream has been opened by *identity*; it is to say Hello soon."""
        if self._lobby.is_full(identity):
            text = f"{limits.STREAMS_BEFORE_HELLO} streams of this token are open without a Hello; no more are taken"
            self.close(connection, text, Ending.MISUSE)
            return
        text = f"no Hello came within {limits.HELLO_WITHIN / 1e9:g} s"
        self._lobby.enter(connection, identity, now, lambda _: self.close(connection, text, Ending.MISUSE))

    def disconnected(self, connection: int, reason: str, now: int) -> None:
        """A stream has ended, however."""
        self._lobby.leave(connection)
        session = self._by_stream.pop(connection, None)
        if session is None:
            return
        session.connection, session.dropped = None, reason
        self._note_change(session)
        self._tables.stream_lost(session, now)
        self.forget_if_idle(session)

    def close(self, connection: int, reason: str, ending: Ending) -> None:
        """End a stream; what arrives on it from now on is not heard."""
        self._tables.effects.closing.append((connection, reason, ending))
        self._lobby.leave(connection)
        session = self._by_stream.pop(connection, None)
        if session is not None:
            session.connection = None
            self._note_change(session)

    def _note_change(self, session: Session) -> None:
        self._tables.effects.sessions_changed.append((session.id, session.bot, session.connection is not None))

    # Hello

    def greet(self, connection: int, identity: Identity, request: play_pb2.PlayRequest, now: int) -> Session | None:
        """The first frame of a stream; None: it was none, and the stream is closed."""
        if not request.messages or request.messages[0].WhichOneof("kind") != "hello":
            self.close(connection, "the first message of a stream must be Hello", Ending.MISUSE)
            return None
        hello = request.messages[0].hello
        if hello.protocol_revision != PROTOCOL_REVISION:
            spoken = f"this referee speaks revision {PROTOCOL_REVISION} of the protocol"
            self.close(connection, f"{spoken}, the bot revision {hello.protocol_revision}", Ending.WRONG_REVISION)
            return None
        session = self._session_for(identity, hello)
        if session is None:
            self.close(connection, "there is no session to go on with", Ending.NO_SESSION)
            return None
        if session.lost is not None:
            self.close(connection, f"the session is over: {session.lost.message}", Ending.NO_SESSION)
            return None
        session.acknowledge(request.acknowledged_sequence)
        self._carry(session, connection, hello, now)
        return session

    def _session_for(self, identity: Identity, hello: play_pb2.Hello) -> Session | None:
        wanted = hello.resume_session_id or identity.session_id
        if not wanted:
            return self.open(identity.bot, reserved=False)
        session = self._by_id.get(wanted)
        if session is None or identity != Identity(session.bot, session.id if session.reserved else None):
            return None
        return session

    def _carry(self, session: Session, connection: int, hello: play_pb2.Hello, now: int) -> None:
        if session.connection is not None:
            self.close(session.connection, "a newer stream has taken over the session", Ending.SUPERSEDED)
        self._lobby.leave(connection)
        self._by_stream[connection] = session
        self._tables.stream_found(session)
        session.capacity = max(1, hello.max_concurrent_matches)
        session.attach(connection, _welcome(session), now)
        self._note_change(session)
        if self._farewell is not None:
            session.enqueue(self._farewell, now)

    def say_farewell(self, drain: play_pb2.Drain, now: int) -> None:
        """Send *drain* to every bot, also to those that come later."""
        self._farewell = Fleeting(play_pb2.RefereeMessage(drain=drain).SerializeToString())
        for session in self._by_stream.values():
            session.enqueue(self._farewell, now)


def _welcome(session: Session) -> bytes:
    welcome = play_pb2.Welcome(
        session_id=session.id,
        protocol_revision=PROTOCOL_REVISION,
        limits=limits.to_message(),
        received_sequence=session.received_sequence,
    )
    return play_pb2.RefereeMessage(welcome=welcome).SerializeToString()
