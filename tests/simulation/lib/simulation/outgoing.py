"""What leaves the referee, held against the ledger: every message of every frame, every end, every closing."""

from collections.abc import Callable

from simulation import results
from simulation.accounts import Account, Ask
from simulation.errors import Violation, require
from simulation.ledger import DISCONNECTED, Ledger
from tradepit.v1 import play_pb2
from tradepit_server.referee import Effects

GATHER = 2_000_000
"""Nanoseconds for which a request may wait for company."""

BACKLOG_BYTES = 4 * 1024 * 1024
"""That a bot may leave unacknowledged."""

CLOSE = 64 * 1024
"""Bytes by which a count of what waits for a bot may be wrong."""

MOST_NOTICES = 110
"""For a session, however much nonsense it sends."""

Frame = tuple[int, play_pb2.PlayResponse, int]
"""A stream, a frame for it, and its length in bytes."""


class Outgoing:
    """Judges what one referee says."""

    def __init__(self, ledger: Ledger, sound: Callable[[str], bool]) -> None:
        """*sound(bot)* tells whether a bot does nothing wrong, so that it must never be charged."""
        self._ledger = ledger
        self._sound = sound
        self._previous = 0

    def check(self, effects: Effects, playing: frozenset[str] | None, now: int) -> list[Frame]:
        """Judge everything; the frames, decoded. *playing* are the matches in play; None: nobody asked."""
        ledger = self._ledger
        self._closings(effects, now)
        if playing is not None:
            self._begin(playing, now)
            self._cut_off_absent(now)
        self._begin_unseen(effects, now)
        frames = [self._frame(number, encoded, now) for number, encoded in effects.frames]
        self._late(effects)
        require(
            effects.matches_ended == ledger.progress,
            "matches end when they are over",
            f"reported {effects.matches_ended}, due {ledger.progress}",
        )
        self._blocks(effects)
        ledger.progress, ledger.late = [], []
        self._previous = now
        return frames

    def _begin(self, playing: frozenset[str], now: int) -> None:
        begun: dict[Account, None] = {}
        for block in list(self._ledger.blocks.values()):
            while block.waiting and block.waiting[0].id in playing:
                self._ledger.begin_next(block, now)
                begun.update((a, None) for a, loss in zip(block.accounts, block.losses, strict=True) if not loss)
        mine = {
            twin.id for block in self._ledger.blocks.values() for twin in block.twins if twin.begun and not twin.over
        }
        require(mine == playing, "matches in play", f"listed {sorted(playing)}, should be {sorted(mine)}")
        for account in begun:
            self._check_capacity(account)

    def _check_capacity(self, account: Account) -> None:
        """A bot one of whose matches has just begun plays no more than it said that it can."""
        blocks = [b for b in account.entries.values() if not b.losses[b.accounts.index(account)]]
        matches = sum(twin.begun and not twin.over for block in blocks for twin in block.twins)
        require(matches <= account.capacity, "capacity", f"{account.bot} plays {matches} matches at once")

    def _begin_unseen(self, effects: Effects, now: int) -> None:
        """Matches that have begun and ended at once, all of whose bots are gone."""
        for block_id, ended, _ in effects.matches_ended:
            block = self._ledger.blocks.get(block_id)
            while block is not None and block.over < ended and block.waiting and all(block.losses):
                self._ledger.begin_next(block, now)

    def _cut_off_absent(self, now: int) -> None:
        """Bots without a stream are cut off too, and it is not said: too much waits for them."""
        accounts = [
            a for a in self._ledger.accounts.values() if a.stream is None and a.retained_bytes > CLOSE and not a.lost
        ]
        for account in accounts:
            if account.retained_bytes + _waiting_bytes(account) > BACKLOG_BYTES:
                self._ledger.lose_account(account, DISCONNECTED, now)
                self._cut_off_absent(now)
                return

    def _closings(self, effects: Effects, now: int) -> None:
        ledger = self._ledger
        self._cut_off_absent(now)
        for number, reason, ending in effects.closing:
            due = ledger.closing.pop(number, None)
            if due is None:
                self._unforeseen(number, reason, ending.name, now)
            else:
                require(due == ending.name, "how streams end", f"stream {number} ended {ending.name}, should be {due}")
        require(not ledger.closing, "how streams end", f"still open: {ledger.closing}")

    def _unforeseen(self, number: int, reason: str, ending: str, now: int) -> None:
        stream = self._ledger.streams.get(number)
        account = stream.account if stream else None
        if stream is None or account is None:
            # The core may be strict with streams that have not said Hello.
            require(stream is not None, "how streams end", f"stream {number} is not open: {reason}")
            self._ledger.streams.pop(number)
            return
        require(ending == "UNREAD", "how streams end", f"the stream of {account.bot} ended without cause: {reason}")
        unread = account.retained_bytes + _waiting_bytes(account) + _beginning_bytes(account)
        require(
            unread > BACKLOG_BYTES - CLOSE, "how streams end", f"{account.bot} was cut off with {unread} bytes unread"
        )
        self._ledger.lose_account(account, DISCONNECTED, now)
        del self._ledger.streams[number]
        account.stream = None
        self._cut_off_absent(now)

    def _frame(self, number: int, encoded: bytes, now: int) -> Frame:
        stream = self._ledger.streams.get(number)
        account = stream.account if stream else None
        if account is None:
            raise Violation("frames go to streams that said Hello", f"one for stream {number}")
        self._ledger.needles.search(encoded, account)
        frame = play_pb2.PlayResponse.FromString(encoded)
        account.sent_sequence += 1
        require(
            frame.sequence == account.sent_sequence,
            "frames are numbered",
            f"{account.bot} got {frame.sequence}, not {account.sent_sequence}",
        )
        require(
            frame.acknowledged_sequence == account.received_sequence,
            "frames acknowledge",
            f"{frame.acknowledged_sequence} is not {account.received_sequence}",
        )
        require(
            len(encoded) <= 256 * 1024 + 64 or len(frame.messages) == 1, "frames are split", f"{len(encoded)} bytes"
        )
        for message in frame.messages:
            self._message(account, number, message, now)
        account.retained.append((frame.sequence, len(encoded), list(frame.messages)))
        account.retained_bytes += len(encoded)
        require(
            account.retained_bytes <= BACKLOG_BYTES + CLOSE,
            "what is kept for a bot is bounded",
            f"{account.retained_bytes} bytes wait for {account.bot}",
        )
        return number, frame, len(encoded)

    def _message(self, account: Account, number: int, message: play_pb2.RefereeMessage, now: int) -> None:
        kind = message.WhichOneof("kind")
        if account.welcome_due or kind == "welcome":
            self._welcome(account, number, message)
        elif self._is_repeated(account, number, message, now):
            return
        elif kind == "decision_request":
            self._request(account, number, message.decision_request, now)
        elif kind == "notice":
            account.notices += 1
            require(account.notices <= MOST_NOTICES, "notices are bounded", f"{account.bot} got {account.notices}")
        else:
            self._owed(account, message)

    def _welcome(self, account: Account, number: int, message: play_pb2.RefereeMessage) -> None:
        require(
            account.welcome_due and message.WhichOneof("kind") == "welcome",
            "a stream begins with one Welcome",
            f"stream {number} of {account.bot} got {message.WhichOneof('kind')}",
        )
        welcome = message.welcome
        if not account.id:
            account.id = welcome.session_id
            self._ledger.accounts[account.id] = account
            self._ledger.needles.add_session(account)
        require(welcome.session_id == account.id, "a session keeps its id", f"{account.bot}: {welcome.session_id}")
        require(
            welcome.received_sequence == account.received_before,
            "Welcome tells what was received",
            f"{account.bot}: {welcome.received_sequence}, not {account.received_before}",
        )
        account.welcome_due = False

    def _is_repeated(self, account: Account, number: int, message: play_pb2.RefereeMessage, now: int) -> bool:
        while account.again:
            due = account.again.popleft()
            kind = due.WhichOneof("kind")
            if kind == "decision_request":
                ask = account.asks.get(due.decision_request.decision_id)
                if ask is None:
                    continue
                self._same_request(ask, number, message, now)
                return True
            require(
                message == due, "what was not acknowledged is sent again", f"{account.bot} got {message}, not {due}"
            )
            return True
        return False

    def _same_request(self, ask: Ask, number: int, message: play_pb2.RefereeMessage, now: int) -> None:
        request = message.decision_request
        require(
            request.decision_id == ask.id,
            "what was not acknowledged is sent again",
            f"{ask.account.bot} was to get request {ask.id} again, not {message.WhichOneof('kind')}",
        )
        require(ask.stream != number, "a request is sent once a stream", f"request {ask.id} to {ask.account.bot}")
        ask.stream = number
        self._shown(ask, request, now)

    def _request(self, account: Account, number: int, request: play_pb2.DecisionRequest, now: int) -> None:
        who = f"request {request.decision_id} to {account.bot}"
        require(request.decision_id not in account.decided, "a decided request is not asked again", who)
        require(request.decision_id > account.last_asked, "a request is asked once", who)
        ask = self._new_ask(account, request, who)
        account.last_asked = ask.id
        account.asks[ask.id] = ask
        due = ask.twin.due.pop(ask.seat)
        since = max(due, account.attached_at)
        if ask.seat in ask.twin.prompted:
            ask.twin.prompted.discard(ask.seat)
            if since == due:
                ask.twin.overheads.append(now - due)
        require(self._previous <= since + GATHER, "a request waits 2 ms at most", f"{who} was due at {since}")
        ask.twin.asked.add(ask.seat)
        ask.stream = number
        ask.depart(now)
        self._shown(ask, request, now)
        self._ledger.asked(ask)

    def _new_ask(self, account: Account, request: play_pb2.DecisionRequest, who: str) -> Ask:
        block = next((b for b in account.entries.values() if request.match_id.startswith(f"{b.id}/")), None)
        twin = next((t for t in block.twins if t.id == request.match_id), None) if block else None
        if block is None or twin is None or not twin.begun:
            raise Violation("bots are asked about matches in play", f"{who} about {request.match_id}")
        seat = block.seat(block.accounts.index(account), twin.index)
        require(seat in twin.due, "bots are asked when it is their turn", f"{who} in {request.match_id}")
        return Ask(account, block, twin, seat, request.decision_id)

    def _shown(self, ask: Ask, request: play_pb2.DecisionRequest, now: int) -> None:
        who = f"request {ask.id} to {ask.account.bot} in {ask.twin.id}"
        twin = ask.twin
        require(request.match_id == twin.id, "bots are asked about matches in play", who)
        left = request.time_left.ToNanoseconds() if request.HasField("time_left") else None
        due = None if ask.deadline is None else max(0, ask.deadline - now)
        require(left == due, "clocks", f"{who}: time_left is {left}, should be {due}")
        bank = request.bank_left.ToNanoseconds() if request.HasField("bank_left") else None
        shown = None if ask.bank is None else max(0, ask.bank)
        require(bank == shown, "clocks", f"{who}: bank_left is {bank}, should be {shown}")
        require(
            request.observation.type_url == f"type.googleapis.com/{twin.codec.observation_type}", "observations", who
        )
        expected = twin.codec.observation(twin.state, ask.seat)
        require(request.observation.value == expected, "observations", f"{who} shows something else")

    def _owed(self, account: Account, message: play_pb2.RefereeMessage) -> None:
        kind = message.WhichOneof("kind") or ""
        if kind == "drain":
            require(self._ledger.drained, "bots are told what happens, once", "Drain without drain")
            account.owed.pop((kind, ""), None)
            return
        name = _name(kind, message)
        due = account.owed.pop((kind, name), None)
        if due is None:
            raise Violation("bots are told what happens, once", f"{kind} {name} to {account.bot}")
        if kind == "decision_rejected":
            require(bool(message.decision_rejected.message), "bots are told what happens, once", "no sentence")
            require(
                not self._sound(account.bot),
                "an honest bot is never charged",
                f"{account.bot}: {message.decision_rejected.message}",
            )
            message = play_pb2.RefereeMessage.FromString(message.SerializeToString())
            message.decision_rejected.ClearField("message")
        require(message == due, "bots are told what happens, once", f"{account.bot} was told {message}, not {due}")

    def _late(self, effects: Effects) -> None:
        reported = list(effects.late_answers)
        for late in self._ledger.late:
            require(late in reported, "late answers are counted", f"{late} is not")
            reported.remove(late)
        # The rest was decided before it was ever sent: those requests are not known here.

    def _blocks(self, effects: Effects) -> None:
        ended = dict(effects.blocks_ended)
        require(
            ended.keys() == self._ledger.ended.keys() and len(ended) == len(effects.blocks_ended),
            "blocks end when they are over",
            f"reported {list(ended)}, due {list(self._ledger.ended)}",
        )
        for block_id, result in ended.items():
            results.check(self._ledger.ended.pop(block_id), result, self._sound)
        if ended:
            self._ledger.forget_idle()

    def check_silence(self) -> None:
        """Nothing more will come: every bot that can be reached has been told everything."""
        for stream in self._ledger.streams.values():
            account = stream.account
            if account is not None and not account.lost:
                require(
                    not account.owed and not account.again,
                    "bots are told what happens, once",
                    f"{account.bot} was not told {list(account.owed)}",
                )


def _waiting_bytes(account: Account) -> int:
    """About how much waits to be sent: what must be sent again, and requests that are due."""
    size = sum(message.ByteSize() for message in account.again)
    for block in account.entries.values():
        entrant = block.accounts.index(account)
        for twin in block.twins if not block.losses[entrant] else ():
            seat = block.seat(entrant, twin.index)
            if seat in twin.due:
                size += len(twin.codec.observation(twin.state, seat))
    return size


def _beginning_bytes(account: Account) -> int:
    """About how much may wait besides, since matches have begun of which the ledger will only hear."""
    first = [block.waiting[0] for block in account.entries.values() if block.waiting]
    return sum(len(twin.codec.observation(twin.state, 0)) for twin in first)


def _name(kind: str, message: play_pb2.RefereeMessage) -> str:
    if kind == "decision_rejected":
        return str(message.decision_rejected.decision_id)
    if kind in ("match_started", "match_ended"):
        return str(getattr(message, kind).match_id)
    if kind in ("block_invitation", "block_ended"):
        return str(getattr(message, kind).block_id)
    return ""
