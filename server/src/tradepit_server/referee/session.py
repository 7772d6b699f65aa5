"""A bot's session: what waits to be sent, what was sent and not acknowledged, what is still to be answered."""

from collections import deque

from tradepit_server.referee import faults, wire
from tradepit_server.referee.match import Match

GATHER = 2_000_000
"""Nanoseconds for which requests wait for company while the bot has one unanswered."""

GATHER_MOST = 32
"""So many queued requests leave at once."""

BACKLOG_BYTES = 4 * 1024 * 1024
"""A bot that leaves more than this unread or unacknowledged is disconnected."""

VAIN = 1_000_000
"""Nanoseconds for which a bot is not read from: for each message in vain, and each KiB of a frame that held one."""

VAIN_FREE = 1_000_000_000
"""Nanoseconds of this that are forgiven: answers may come late, and twice, without bad intent."""

VAIN_MOST = 10_000_000_000
"""Nanoseconds for which a bot is not read from at most."""


class Request:
    """A decision that a bot owes. Its clock starts when it leaves."""

    __slots__ = ("allowed", "awaited", "deadline", "decision_id", "departed", "head", "match", "open", "seat", "tail")

    def __init__(self, match: Match, seat: int, decision_id: int, head: bytes, tail: bytes) -> None:
        self.match = match
        self.seat = seat
        self.decision_id = decision_id
        self.allowed = match.allowed(seat)
        self.head = head
        self.tail = tail
        self.departed: int | None = None
        """The instant at which it first left; None: it has not."""
        self.deadline: int | None = None
        self.open = True
        """Neither answered nor decided without the bot."""
        self.awaited = False
        """It is in a frame that the bot has not answered."""

    def __len__(self) -> int:
        """About how many bytes it takes in a frame."""
        return len(self.head) + len(self.tail)

    def encode(self, now: int) -> bytes:
        """The message as it leaves at *now*; the first departure starts the clock."""
        if self.departed is None:
            self.departed = now
            self.deadline = None if self.allowed is None else now + self.allowed
        left = None if self.deadline is None else max(0, self.deadline - now)
        return wire.decision_request(self.head, left, self.tail)

    def used(self, now: int) -> int:
        """Nanoseconds on the clock at *now*, at most what was allowed."""
        if self.departed is None:
            return 0
        used = now - self.departed
        return used if self.allowed is None else min(used, self.allowed)


Entry = bytes | Request
"""An encoded RefereeMessage, or a request that is encoded when it leaves."""


class Session:
    """One bot's session. It outlives the stream that carries it."""

    def __init__(self, session_id: str, bot: str, mailbag: dict["Session", None], *, reserved: bool) -> None:
        """*mailbag* gets every session that something waits for."""
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
        self.dropped_at: int | None = None
        """When the stream was last lost; None: it never was, or was resumed."""
        self.playing = 0
        self.requests: dict[int, Request] = {}
        """Open requests by decision id."""
        self.next_decision_id = 1
        self.received_sequence = 0
        """The last frame of the bot's."""
        self.alarm: int | None = None
        """The instant at which the referee looks at this session's deadlines next."""
        self.notices_left = 100
        self.vain = 0
        """Messages in vain since the last ``delay``."""
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
        self._mailbag[self] = None
        self._outbox.append(entry)
        self._backlog += len(entry)
        if isinstance(entry, Request):
            self._queued_requests += 1
            self.requests[entry.decision_id] = entry

    def close_request(self, request: Request) -> None:
        """The request is decided, one way or another."""
        request.open = False
        del self.requests[request.decision_id]
        self._unanswered -= request.awaited

    @property
    def overflowing(self) -> bool:
        """The bot does not read, or does not acknowledge what it reads."""
        return self._backlog > BACKLOG_BYTES

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
        encoded = [entry if isinstance(entry, bytes) else self._depart(entry, now) for entry in leaving]
        deadlines = [e.deadline for e in leaving if isinstance(e, Request) and e.deadline is not None]
        frames = []
        for group in wire.frames(encoded):
            self._sequence += 1
            entries, leaving = leaving[: len(group)], leaving[len(group) :]
            self._retained.append((self._sequence, entries))
            self._backlog += sum(map(len, entries))
            frames.append(wire.frame(self._sequence, self.received_sequence, group))
        return frames, min(deadlines, default=None)

    def _depart(self, request: Request, now: int) -> bytes:
        request.awaited = True
        self._unanswered += 1
        return request.encode(now)

    def acknowledge(self, sequence: int) -> None:
        """The bot has all frames up to *sequence*."""
        while self._retained and self._retained[0][0] <= sequence:
            self._backlog -= sum(map(len, self._retained.popleft()[1]))

    def attach(self, connection: int, welcome: bytes, now: int) -> None:
        """A stream carries the session: *welcome* first, then what was sent and not acknowledged, then what waits."""
        self.connection, self.dropped_at = connection, None
        again = [entry for _, entries in self._retained for entry in entries]
        self._retained.clear()
        self._outbox = [welcome, *again, *self._outbox]
        self._backlog += len(welcome)
        # What was sent on the lost stream is no frame to wait for.
        self._unanswered = 0
        for request in self.requests.values():
            request.awaited = False
        self._queued_at = now
        self._mailbag[self] = None

    def delay(self, vain: int, now: int) -> None:
        """The bot has sent so many messages, or KiB, in vain."""
        self.vain = 0
        self._debt_until = min(max(self._debt_until, now) + vain * VAIN, now + VAIN_FREE + VAIN_MOST)

    def pause(self, now: int) -> int:
        """Nanoseconds for which nothing more should be read from the bot."""
        return max(0, self._debt_until - now - VAIN_FREE)

    def earliest_deadline(self) -> int | None:
        """The first deadline of the requests that have left; None: there is none."""
        deadlines = [request.deadline for request in self.requests.values() if request.deadline is not None]
        return min(deadlines, default=None)
