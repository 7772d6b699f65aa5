"""The independent bookkeeper: what was fed to the referee, and what must come of it.

It is told of everything that is fed, at the same instants, and plays every match along in a ``Twin``. What leaves the
referee is compared in ``outgoing``, what came of a block in ``results``.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

from google.protobuf.message import DecodeError

from simulation import told
from simulation.accounts import Account, Ask, Block, Plan, Stream
from simulation.needles import Needles
from simulation.twin import Kind, Twin
from tradepit import chance
from tradepit.v1 import block_pb2, play_pb2
from tradepit_server import registry

FRAME_MESSAGES = 4096
NOTE_BYTES = 1024
TIMEOUT = block_pb2.FAULT_KIND_TIMEOUT
MALFORMED = block_pb2.FAULT_KIND_MALFORMED
BOT_ERROR = block_pb2.FAULT_KIND_BOT_ERROR
DISCONNECTED = block_pb2.FAULT_KIND_DISCONNECTED
CRASHED = block_pb2.FAULT_KIND_CRASHED
NO_SHOW = block_pb2.FAULT_KIND_NO_SHOW


class Ledger:
    """All accounts and blocks of one referee."""

    def __init__(self, charged: Callable[[str, Kind], None]) -> None:
        """*charged(bot, kind)* is told of every fault that is due."""
        self.streams: dict[int, Stream] = {}
        self.accounts: dict[str, Account] = {}
        """By session id, once it is known."""
        self.blocks: dict[str, Block] = {}
        self.ended: dict[str, Block] = {}
        """Blocks that must be reported as over with the next effects."""
        self.progress: list[tuple[str, int, int]] = []
        """Matches that must be reported as over with the next effects."""
        self.late: list[tuple[str, int]] = []
        """Answers that must be reported as late with the next effects."""
        self.closing: dict[int, str] = {}
        """Streams that must be closed with the next effects, each with the ending's name."""
        self.needles = Needles()
        self.drained = False
        self.decisions = 0
        self.watched = False
        """Spectators may come: what they may see is kept."""
        self.twins: dict[str, Twin] = {}
        """All matches by id, when they are watched."""
        self._charged = charged
        self._alarms: list[tuple[int, int, Callable[[int], None]]] = []
        self._serial = count()

    # Sessions and streams

    def reserved(self, session_id: str, bot: str) -> None:
        """A session was made for a process."""
        account = self.accounts[session_id] = Account(bot, reserved=True)
        account.id = session_id
        self.needles.add_session(account)

    def released(self, session_id: str, now: int) -> None:
        """A reserved session is over."""
        account = self.accounts.pop(session_id)
        self.lose_account(account, DISCONNECTED, now)
        account.gone = True
        self.must_close(account, "ORDERLY")
        self.needles.drop_session(account)

    def process_ended(self, session_id: str, now: int) -> None:
        """The process of a reserved session is gone."""
        self.lose_account(self.accounts[session_id], CRASHED, now)

    def connected(self, number: int, bot: str, reserved: str | None) -> None:
        """A stream opened."""
        self.streams[number] = Stream(bot, reserved)

    def disconnected(self, number: int, now: int) -> None:
        """A stream ended; the windows of its blocks begin."""
        stream = self.streams.pop(number, None)
        account = stream.account if stream else None
        if account is None:
            return
        account.stream, account.dropped = None, True
        account.drops += 1
        for block in account.entries.values():
            self._open_window(account, block, now)
        self._forget_if_idle(account)

    def _open_window(self, account: Account, block: Block, now: int) -> None:
        drops = account.drops

        def over(at: int) -> None:
            if account.dropped and account.drops == drops and block.id in account.entries:
                self.lose_entrant(block, account, DISCONNECTED, at)

        self.alarm(now + block.plan.clocks.window, over)

    def _forget_if_idle(self, account: Account) -> None:
        if account.stream is None and not account.reserved and not account.entries and not account.gone:
            account.gone = True
            self.needles.drop_session(account)
            self.accounts.pop(account.id, None)

    def forget_idle(self) -> None:
        """Sessions without stream and block are gone."""
        for account in list(self.accounts.values()):
            self._forget_if_idle(account)

    def must_close(self, account: Account, ending: str) -> None:
        """The stream of a session must be closed."""
        if account.stream is not None:
            self.closing[account.stream] = ending
            del self.streams[account.stream]
            account.stream = None

    # What bots say

    def received(self, number: int, frame: bytes, now: int) -> None:
        """A frame was fed."""
        stream = self.streams.get(number)
        if stream is None:
            return
        try:
            request = play_pb2.PlayRequest.FromString(frame)
        except DecodeError:
            self._no_frame(number, stream, now)
            return
        known = stream.account
        account = known or self._greet(number, stream, request, now)
        if account is None:
            del self.streams[number]
            return
        if known:
            account.acknowledge(request.acknowledged_sequence)
            account.received_sequence = request.sequence
        for message in request.messages[0 if known else 1 : FRAME_MESSAGES]:
            self._hear(account, message, now)

    def _no_frame(self, number: int, stream: Stream, now: int) -> None:
        if stream.account is None:
            self.closing[number] = "MISUSE"
            del self.streams[number]
            return
        for ask in list(stream.account.asks.values()):
            if ask.open:
                self._strike(ask, MALFORMED, now)

    def _greet(self, number: int, stream: Stream, request: play_pb2.PlayRequest, now: int) -> Account | None:
        if not request.messages or request.messages[0].WhichOneof("kind") != "hello":
            self.closing[number] = "MISUSE"
            return None
        hello = request.messages[0].hello
        if hello.protocol_revision != 1:
            self.closing[number] = "WRONG_REVISION"
            return None
        account = self._find(stream, hello.resume_session_id)
        if account is None:
            self.closing[number] = "NO_SESSION"
            return None
        self.must_close(account, "SUPERSEDED")
        account.acknowledge(request.acknowledged_sequence)
        account.capacity = max(1, hello.max_concurrent_matches)
        account.received_before = account.received_sequence
        account.attach(number, now)
        stream.account = account
        if self.drained:
            account.owe("drain", "", told.drain())
        return account

    def _find(self, stream: Stream, resume: str) -> Account | None:
        wanted = resume or stream.reserved
        if not wanted:
            return Account(stream.bot, reserved=False)
        account = self.accounts.get(wanted)
        if (
            account is None
            or account.lost
            or (account.bot, account.id if account.reserved else None)
            != (
                stream.bot,
                stream.reserved,
            )
        ):
            return None
        return account

    def _hear(self, account: Account, message: play_pb2.BotMessage, now: int) -> None:
        kind = message.WhichOneof("kind")
        if kind == "decision":
            self._decision(account, message.decision, now)
        elif kind == "decision_failure":
            ask = self._asked(account, message.decision_failure)
            if ask is not None:
                self._strike(ask, BOT_ERROR, now)
        elif kind == "block_acceptance":
            self._acceptance(account, message.block_acceptance, now)
        elif kind == "bye":
            self.lose_account(account, DISCONNECTED, now)
            self.must_close(account, "ORDERLY")
            self._forget_if_idle(account)

    def _asked(self, account: Account, answer: play_pb2.Decision | play_pb2.DecisionFailure) -> Ask | None:
        ask = account.asks.get(answer.decision_id)
        if ask is None:
            if answer.decision_id in account.decided:
                self.late.append((account.bot, answer.decision_id))
                self._count_late(account, answer)
            return None
        return ask if ask.twin.id == answer.match_id else None

    def _count_late(self, account: Account, answer: play_pb2.Decision | play_pb2.DecisionFailure) -> None:
        """The first answer to what was decided without one counts, while the block runs."""
        ask = account.missed.get(answer.decision_id)
        if ask is not None and ask.twin.id == answer.match_id and ask.block.id in self.blocks:
            ask.twin.late[ask.seat] += 1
            del account.missed[answer.decision_id]

    def _decision(self, account: Account, decision: play_pb2.Decision, now: int) -> None:
        ask = self._asked(account, decision)
        if ask is None:
            return
        fault, action = ask.twin.judge(ask.seat, decision.action)
        if fault:
            self._strike(ask, fault, now, judged=True)
            return
        note = decision.note if len(decision.note.encode()) <= NOTE_BYTES else ""
        ask.twin.take(ask.seat, action, decision.action.value, ask.used(now), note)
        account.close(ask)
        self.decisions += 1
        self._settle(ask.block, ask.twin, now, answered=True)

    def _acceptance(self, account: Account, acceptance: play_pb2.BlockAcceptance, now: int) -> None:
        block = account.entries.get(acceptance.block_id)
        if block is None or block.answered(block.accounts.index(account)):
            return
        if acceptance.WhichOneof("answer") == "refusal":
            self.lose_entrant(block, account, NO_SHOW, now)
        elif not acceptance.nonce or 16 <= len(acceptance.nonce) <= 32:
            nonce = b"" if block.plan.reproducible else acceptance.nonce
            block.nonces[block.accounts.index(account)] = nonce
            self._deal_when_ready(block)

    # Faults

    def _strike(self, ask: Ask, kind: Kind, now: int, *, judged: bool = False) -> None:
        """A fault that costs a strike; *judged*: it is an answer's."""
        self._charged(ask.account.bot, kind)
        self.decisions += 1
        played = ask.twin.strike(ask.seat, kind, ask.used(now))
        ask.account.close(ask, missed=kind in (TIMEOUT, MALFORMED) and not judged)
        ask.account.owe("decision_rejected", str(ask.id), told.rejected(ask, kind, played))
        self._settle(ask.block, ask.twin, now, answered=kind != TIMEOUT)

    def lose_account(self, account: Account, kind: Kind, now: int) -> None:
        """A bot is gone for good."""
        if account.lost:
            return
        account.lost = kind
        account.owed.clear()
        for block in list(account.entries.values()):
            self.lose_entrant(block, account, kind, now)

    def lose_entrant(self, block: Block, account: Account, kind: Kind, now: int) -> None:
        """A bot is gone from a block for good."""
        entrant = block.accounts.index(account)
        if block.losses[entrant]:
            return
        self._charged(account.bot, kind)
        block.losses[entrant] = kind
        self._deal_when_ready(block)
        for twin in block.twins:
            if twin.begun and not twin.over:
                seat = block.seat(entrant, twin.index)
                for ask in [ask for ask in account.asks.values() if ask.twin is twin]:
                    account.close(ask, missed=True)
                twin.lose(seat, kind)
                self._settle(block, twin, now)

    def drain(self) -> None:
        """The referee goes away; every bot must be told."""
        self.drained = True
        for stream in self.streams.values():
            if stream.account is not None:
                stream.account.owe("drain", "", told.drain())

    # Blocks

    def started(self, plan: Plan, secret: bytes, session_ids: list[str], now: int) -> None:
        """A block was begun."""
        accounts = [self.accounts[session_id] for session_id in session_ids]
        block = Block(plan, registry.get(plan.game), secret, accounts)
        self.blocks[block.id] = block
        self.needles.add_secret(block)
        for entrant, account in enumerate(accounts):
            account.entries[block.id] = block
            account.owe("block_invitation", block.id, told.invitation(block, entrant))
            if account.dropped and not account.lost:
                self._open_window(account, block, now)
        if plan.clocks.startup is not None:
            self.alarm(now + plan.clocks.startup, lambda at: self._startup_over(block, at))
        self._deal_when_ready(block)

    def _startup_over(self, block: Block, now: int) -> None:
        if block.twins or self.blocks.get(block.id) is not block:
            return
        for entrant, account in enumerate(block.accounts):
            if not block.answered(entrant):
                self.lose_entrant(block, account, NO_SHOW, now)

    def _deal_when_ready(self, block: Block) -> None:
        plan = block.plan
        if block.twins or not all(map(block.answered, range(len(block.accounts)))):
            return
        seed = chance.block_seed(block.secret, block.id, block.known_nonces())
        game = block.plugin.game
        for index in range(plan.matches):
            match_seed = chance.match_seed(seed, index, duplicate=plan.duplicate)
            block.seeds.append(match_seed)
            state = game.new(len(plan.bots), plan.options, chance.Chance(match_seed))
            block.twins.append(Twin(f"{block.id}/{index}", index, block.plugin, state, plan.clocks))
            if self.watched:
                block.twins[-1].publics = {}
                self.twins[block.twins[-1].id] = block.twins[-1]
        block.waiting.extend(block.twins)
        self.needles.add_seeds(block, seed)

    def begin_next(self, block: Block, now: int) -> None:
        """The next match of a block has begun."""
        twin = block.waiting.popleft()
        for seat in range(len(block.accounts)):
            account = block.account(twin, seat)
            if not block.losses[block.entrant(seat, twin.index)]:
                account.owe("match_started", twin.id, told.started(block, twin, seat))
        twin.begin(block.lost_seats(twin), now)
        self._finish_if_over(block, twin)

    def _settle(self, block: Block, twin: Twin, now: int, *, answered: bool = False) -> None:
        twin.settle(now, answered=answered)
        self._finish_if_over(block, twin)

    def _finish_if_over(self, block: Block, twin: Twin) -> None:
        if not twin.over:
            return
        ended = told.ended(twin)
        for account, loss in zip(block.accounts, block.losses, strict=True):
            if not loss:
                account.owe("match_ended", twin.id, ended)
        block.over += 1
        self.progress.append((block.id, block.over, len(block.twins)))
        if block.over == len(block.twins):
            block.outcome = block_pb2.BLOCK_OUTCOME_COMPLETE
            self._end(block)

    def cancelled(self, block_id: str, cause: block_pb2.VoidCause.ValueType, reason: str) -> None:
        """A block was made void, if it was not over."""
        block = self.blocks.get(block_id)
        if block is None:
            return
        block.outcome, block.cause, block.reason = block_pb2.BLOCK_OUTCOME_VOID, cause, reason
        for account in block.accounts:
            for ask in [ask for ask in account.asks.values() if ask.block is block]:
                account.close(ask)
        self._end(block)

    def _end(self, block: Block) -> None:
        del self.blocks[block.id]
        self.ended[block.id] = block
        ended = told.block_ended(block)
        for account in block.accounts:
            del account.entries[block.id]
            account.owe("block_ended", block.id, ended)
        self.needles.drop_block(block)

    # Time

    def alarm(self, when: int, ring: Callable[[int], None]) -> None:
        """Have ``ring(now)`` called by the first tick at or after *when*."""
        heappush(self._alarms, (when, next(self._serial), ring))

    def asked(self, ask: Ask) -> None:
        """A request has left for the first time."""
        if ask.deadline is not None:
            self.alarm(ask.deadline, lambda at: self._strike(ask, TIMEOUT, at) if ask.open else None)

    def tick(self, now: int) -> None:
        """Every deadline fires that has come."""
        while self._alarms and self._alarms[0][0] <= now:
            heappop(self._alarms)[2](now)
