"""A bot's session: what waits to be sent, what was sent and not acknowledged, what is still to be answered."""

from collections import deque
from dataclasses import dataclass, field

from tradepit_server.referee import faults, wire
from tradepit_server.referee.alarms import Alarm
from tradepit_server.referee.limits import BACKLOG_BYTES, IDLE_MOST, NOTICES_MOST, VAIN, VAIN_FREE, VAIN_MOST
from tradepit_server.referee.match import Match

GATHER = 2_000_000
"""Nanoseconds for which requests wait for company while the bot has one unanswered."""

GATHER_MOST = 32
"""So many queued requests leave at once."""


class Request:
    """A decision that a bot owes. Its clock starts when it leaves."""

    __slots__ = (
        "_head",
        "_size",
        "_tail",
        "allowed",
        "answer_read",
        "awaited",
        "deadline",
        "decision_id",
        "departed",
        "match",
        "open",
        "seat",
    )

    def __init__(
        self, match: Match, seat: int, decision_id: int, head: bytes, tail: bytes, answer_read: int | None
    ) -> None:
        """*head* and *tail* are its encoded fields before and after ``time_left``."""
        self.match = match
        self.seat = seat
        self.decision_id = decision_id
        self.allowed = match.allowed(seat)
        self.answer_read = answer_read
        """The instant at which the answer was read that made it due; None: no answer did, or the bot had no stream."""
        self.departed: int | None = None
        """The instant at which it first left; None: it has not."""
        self.deadline: int | None = None
        self.open = True
        """Neither answered nor decided without the bot."""
        self.awaited = False
        """It is in a frame that the bot has not answered."""
        self._head = head
        self._tail = tail
        self._size = len(head) + len(tail)

    def __len__(self) -> int:
        """About how many bytes it takes in a frame."""
        return self._size

    def encode(self, now: int) -> bytes:
        """The message as it leaves at *now*; the first departure starts the clock."""
        if self.departed is None:
            self.departed = now
            self.deadline = None if self.allowed is None else now + self.allowed
            if self.answer_read is not None:
                self.match.timing.measure(now - self.answer_read)
        left = None if self.deadline is None else max(0, self.deadline - now)
        return wire.decision_request(self._head, left, self._tail)

    def used(self, now: int) -> int:
        """Nanoseconds on the clock at *now*, at most what was allowed."""
        if self.departed is None:
            return 0
        used = now - self.departed
        return used if self.allowed is None else min(used, self.allowed)

    def close(self) -> None:
        """It is decided. Until the bot acknowledges it, its size is kept, but neither its bytes nor its match."""
        self.open = False
        self._head = self._tail = b""
        del self.match


class Fleeting(bytes):
    """An encoded RefereeMessage that is about the stream itself, and so is not sent again on another."""


Entry = bytes | Request
"""An encoded RefereeMessage, or a request that is encoded when it leaves."""


@dataclass(slots=True)
class Mailbag:
    """The sessions that something is to be done about."""

    waiting: dict["Session", None] = field(default_factory=dict)
    """Something waits for their bots."""
    overflowing: dict["Session", None] = field(default_factory=dict)
    """Their bots do not read, or do not acknowledge what they read."""

    def forget(self, session: "Session") -> None:
        """Nothing is to be done about a session any more."""
        self.waiting.pop(session, None)
        self.overflowing.pop(session, None)


class Session:
    """One bot's session. It outlives the stream that carries it."""

    def __init__(self, session_id: str, bot: str, mailbag: Mailbag, *, reserved: bool) -> None:
        """*mailbag* is told when something is to be done about it."""
        self.id = session_id
        self.bot = bot
        self.reserved = reserved
        """Made for a process that the referee's owner starts; forgotten only when released."""
        self.connection: int | None = None
        """The stream that carries it; None: none at the moment."""
        self.capacity = 1
        """How many matches the bot plays at the same time."""
        self.lost: faults.Loss | None = None
        """Why the bot will never come back; None: it may."""
        self.entries: dict[str, int] = {}
        """The blocks it is entered in, each with its index among the entrants."""
        self.dropped: str | None = None
        """How the stream was lost; None: it never was, or was resumed."""
        self.windows: dict[str, Alarm] = {}
        """Of a dropped session, for each block the end of the time in which it may be resumed."""
        self.playing = 0
        self.requests: dict[int, Request] = {}
        """Open requests by decision id."""
        self.next_decision_id = 1
        self.received_sequence = 0
        """The number of the frame that was received last, those that began with Hello left out."""
        self.alarm: Alarm | None = None
        """Rings when the referee looks at this session's deadlines next."""
        self.notices_left = NOTICES_MOST
        self.vain = 0
        """Messages in vain since the last ``delay``."""
        self._idle_frames = 0
        self._debt_until = 0
        self._mailbag = mailbag
        self._sequence = 0
        self._outbox: list[Entry] = []
        self._queued_requests = 0
        self._queued_at = 0
        self._unanswered = 0
        self._retained: deque[tuple[int, list[Entry]]] = deque()
        self._backlog = 0

    def enqueue(self, entry: Entry, now: int) -> None:
        """Have *entry* sent with the next frame."""
        if self.lost is not None:
            return
        if not self._outbox:
            self._queued_at = now
        self._mailbag.waiting[self] = None
        self._outbox.append(entry)
        self._backlog += len(entry)
        if self._backlog > BACKLOG_BYTES:
            self._mailbag.overflowing[self] = None
        if isinstance(entry, Request):
            self._queued_requests += 1
            self.requests[entry.decision_id] = entry

    def close_request(self, request: Request) -> None:
        """The request is decided, one way or another."""
        request.close()
        del self.requests[request.decision_id]
        self._unanswered -= request.awaited

    @property
    def crowded(self) -> bool:
        """Half of what may be unread or unacknowledged is."""
        return 2 * self._backlog > BACKLOG_BYTES

    def has_room(self, claimed: int, request_bytes: int) -> bool:
        """The bot can take one more match besides *claimed* places, and so can what waits for it.

        Every match may come to ask at the same moment, with *request_bytes* each. One match at a time begins in any
        case: a bot that reads nothing is cut off in the end, and delays nobody.
        """
        playing = self.playing + claimed
        fits = not self.crowded and 2 * (playing + 1) * request_bytes <= BACKLOG_BYTES
        return playing < self.capacity and (playing == 0 or fits)

    def lose(self, loss: faults.Loss) -> None:
        """The bot will never come back, and nothing is kept for it."""
        self.lost = loss
        self._outbox, self._queued_requests, self._backlog = [], 0, 0
        self._retained.clear()
        self._mailbag.forget(self)

    def departure(self) -> int:
        """The instant at which what waits should leave: at once, unless requests wait for company."""
        if self._unanswered == 0 or self._queued_requests >= GATHER_MOST:
            return self._queued_at
        return self._queued_at + GATHER

    def take_frames(self, now: int) -> tuple[list[bytes], int | None]:
        """Everything that waits, as frames that leave now, and the first deadline among them.

        Requests decided meanwhile are left out.
        """
        leaving = [entry for entry in self._outbox if not isinstance(entry, Request) or entry.open]
        self._backlog -= sum(map(len, self._outbox))
        self._outbox, self._queued_requests = [], 0
        del self._mailbag.waiting[self]
        encoded = [entry if isinstance(entry, bytes) else self._depart(entry, now) for entry in leaving]
        deadlines = [e.deadline for e in leaving if isinstance(e, Request) and e.deadline is not None]
        frames = []
        for group in wire.frames(encoded):
            self._sequence += 1
            entries, leaving = leaving[: len(group)], leaving[len(group) :]
            self._retained.append((self._sequence, entries))
            self._backlog += sum(map(len, entries))
            frames.append(wire.frame(self._sequence, self.received_sequence, group))
        self._idle_frames = min(self._idle_frames + len(encoded), IDLE_MOST)
        return frames, min(deadlines, default=None)

    def _depart(self, request: Request, now: int) -> bytes:
        request.awaited = True
        self._unanswered += 1
        return request.encode(now)

    def acknowledge(self, sequence: int) -> bool:
        """The bot has all frames up to *sequence*. False: so many were never sent, and nothing is taken for read."""
        if sequence > self._sequence:
            return False
        while self._retained and self._retained[0][0] <= sequence:
            self._backlog -= sum(map(len, self._retained.popleft()[1]))
        return True

    def attach(self, connection: int, welcome: bytes, now: int) -> None:
        """A stream carries the session: *welcome* first, then what was sent and not acknowledged, then what waits."""
        self.connection, self.dropped = connection, None
        sent = [entry for _, entries in self._retained for entry in entries]
        again = [entry for entry in (*sent, *self._outbox) if not isinstance(entry, Fleeting)]
        self._retained.clear()
        self._outbox = [Fleeting(welcome), *again]
        self._backlog = sum(map(len, self._outbox))
        # What was sent on the lost stream is no frame to wait for, and what waited has waited for the bot.
        self._unanswered = 0
        for request in self.requests.values():
            request.awaited, request.answer_read = False, None
        self._queued_at = now
        self._mailbag.waiting[self] = None

    def delay(self, vain: int, now: int) -> None:
        """The bot has sent so many messages, or KiB, in vain."""
        self.vain = 0
        self._debt_until = min(max(self._debt_until, now) + vain * VAIN, now + VAIN_FREE + VAIN_MOST)

    def spend_idle_frame(self) -> bool:
        """The bot has sent a frame without messages. Whether it has been sent a message for it to acknowledge."""
        if self._idle_frames:
            self._idle_frames -= 1
            return True
        return False

    def pause(self, now: int) -> int:
        """Nanoseconds for which nothing more should be read from the bot."""
        return max(0, self._debt_until - now - VAIN_FREE)

    def earliest_deadline(self) -> int | None:
        """The first deadline of the requests that have left; None: there is none."""
        deadlines = [request.deadline for request in self.requests.values() if request.deadline is not None]
        return min(deadlines, default=None)
