"""Blocks at their tables: who is invited, which matches wait for their bots, what each decision leads to."""

from collections import deque
from collections.abc import Callable, Sequence

from google.protobuf.any_pb2 import Any as AnyMessage

from tradepit import chance
from tradepit.v1 import block_pb2, play_pb2, referee_pb2
from tradepit_server import registry
from tradepit_server.referee import faults, wire
from tradepit_server.referee.alarms import Alarm, Alarms
from tradepit_server.referee.block import Block, Void
from tradepit_server.referee.effects import Effects
from tradepit_server.referee.gallery import Gallery, Selection, Show, UnknownMatch
from tradepit_server.referee.match import Match
from tradepit_server.referee.session import Request, Session
from tradepit_server.referee.specification import BlockSpec, SpecificationError


class Table:
    """A match with the sessions that play it."""

    __slots__ = ("any_head", "block", "match", "requests", "sessions", "show")

    def __init__(self, block: Block, match: Match, sessions: list[Session]) -> None:
        self.block = block
        self.match = match
        self.sessions = sessions
        """By seat."""
        self.requests: dict[int, Request] = {}
        """What each seat owes."""
        self.show: Show | None = None
        """What spectators see of it; None: nobody watches."""
        self.any_head = wire.any_of(registry.get(block.spec.game).codec.observation_type)


class Tables:
    """All blocks of a referee."""

    def __init__(self, entropy: Callable[[int], bytes], alarms: Alarms, gallery: Gallery) -> None:
        self.effects = Effects()
        """What has come of everything since it was last replaced."""
        self._gallery = gallery
        self._entropy = entropy
        self._alarms = alarms
        self._blocks: dict[str, Block] = {}
        self._sessions: dict[str, list[Session]] = {}
        """The sessions of a block, by entrant."""
        self._playing: dict[str, Table] = {}
        """By match id."""
        self._waiting: dict[Block, deque[Table]] = {}
        """Matches whose bots are busy, first come first; in a block all have the same bots."""
        self._startups: dict[Block, Alarm] = {}
        """When the time to accept is over, of blocks that wait for it."""
        self._room_made = False
        """A match may be able to begin."""
        self._dismissed: dict[Session, None] = {}
        """Sessions that a block has ended for."""

    def start_block(self, spec: BlockSpec, sessions: list[Session], now: int) -> None:
        """Invite the entrants' *sessions*. Raises SpecificationError if it runs already, or has a session twice."""
        if spec.block_id in self._blocks:
            raise SpecificationError(f"block {spec.block_id!r} is being played already")
        if len(set(sessions)) < len(sessions):
            raise SpecificationError(f"block {spec.block_id!r} has a session twice; every entrant plays in its own")
        block = Block(spec, spec.reproducible_secret or self._entropy(chance.SEED_BYTES))
        self._blocks[spec.block_id] = block
        self._sessions[spec.block_id] = sessions
        for entrant, session in enumerate(sessions):
            session.entries[spec.block_id] = entrant
            session.enqueue(block.invitation(entrant).SerializeToString(), now)
            if session.lost is not None:
                block.losses[entrant] = session.lost
            elif session.dropped is not None:
                self._open_window(session, spec.block_id, now)
        if spec.time_control.startup is not None:
            alarm = self._alarms.set(now + spec.time_control.startup, lambda at: self._startup_over(block, at))
            self._startups[block] = alarm
        self._deal_when_ready(block, now)

    def _startup_over(self, block: Block, now: int) -> None:
        for entrant, session in enumerate(self._sessions[block.spec.block_id]):
            if not block.answered(entrant):
                message = _never_accepted(session, block.complaints[entrant])
                self.lose(session, block.spec.block_id, faults.Loss(faults.NO_SHOW, message), now)

    def accept(self, session: Session, block_id: str, nonce: bytes, now: int) -> None:
        """The session takes part in the block it was invited to."""
        block = self._blocks[block_id]
        block.accept(session.entries[block_id], nonce)
        self._deal_when_ready(block, now)

    def note_wrong_acceptance(self, session: Session, block_id: str, complaint: str) -> None:
        """An acceptance did not count. Another may follow; if none does, that is why."""
        self._blocks[block_id].complaints[session.entries[block_id]] = complaint

    def awaits_answer(self, session: Session, block_id: str) -> bool:
        """The session was invited to this block and has neither accepted nor been lost."""
        entrant = session.entries.get(block_id)
        return entrant is not None and not self._blocks[block_id].answered(entrant)

    def _deal_when_ready(self, block: Block, now: int) -> None:
        if not block.ready:
            return
        block.set_up()
        self._alarms.cancel(self._startups.pop(block, None))
        spec, sessions = block.spec, self._sessions[block.spec.block_id]
        self._waiting[block] = deque(
            Table(block, match, [sessions[spec.entrant(seat, match.index)] for seat in range(len(sessions))])
            for match in block.matches
        )
        self._room_made = True

    def start_ready(self, now: int) -> None:
        """Begin the matches all of whose bots have room, first come first."""
        while self._waiting and self._room_made:
            self._room_made = False
            claimed: dict[Session, int] = {}
            for block, tables in list(self._waiting.items()):
                bots = [s for s in self._sessions[block.spec.block_id] if not self._is_lost(block, s)]
                while tables and all(s.has_room(claimed.get(s, 0), block.request_bytes) for s in bots):
                    self._begin(tables.popleft(), now)
                # Places are kept for matches that came first, or a busy bot's matches would never begin.
                claimed.update((s, claimed.get(s, 0) + len(tables)) for s in bots)
                if not tables:
                    self._waiting.pop(block, None)

    @property
    def may_begin(self) -> bool:
        """A match that waits may have room since ``start_ready`` has looked."""
        return self._room_made and bool(self._waiting)

    def _is_lost(self, block: Block, session: Session) -> bool:
        return block.losses[session.entries[block.spec.block_id]] is not None

    def _begin(self, table: Table, now: int) -> None:
        block, match = table.block, table.match
        self._playing[match.id] = table
        for seat, session in enumerate(table.sessions):
            session.playing += 1
            loss = block.losses[session.entries[block.spec.block_id]]
            if loss is not None:
                # Nor is it told: it may never have agreed to the chance by which the match is played.
                match.lose(seat, loss)
            else:
                session.enqueue(block.match_started(match, seat).SerializeToString(), now)
        table.show = self._gallery.open(block, match)
        self._advance(table, None, now)

    def _advance(self, table: Table, answer_read: int | None, now: int) -> None:
        """Ask whom there is to ask; *answer_read* is when the answer was read that led here, None: none did."""
        match = table.match
        for seat in match.advance():
            session = table.sessions[seat]
            request = table.requests[seat] = self._request(table, seat, session.next_decision_id, answer_read)
            session.next_decision_id += 1
            session.enqueue(request, now)
        if table.show is not None:
            self._gallery.look(table.show)
        if match.over:
            self._finish(table, now)

    def _request(self, table: Table, seat: int, decision_id: int, answer_read: int | None) -> Request:
        match = table.match
        bank = match.seats[seat].bank
        tail = wire.observed(table.any_head, match.observation(seat))
        if bank is not None:
            tail = wire.bank_left(max(0, bank)) + tail
        request = Request(match, seat, decision_id, wire.request_head(match.id, decision_id), tail, answer_read)
        table.block.request_bytes = max(table.block.request_bytes, len(request))
        return request

    def _close(self, table: Table, seat: int, *, missed: bool) -> None:
        """A request is decided; *missed*: without an answer to it, so that one may still come."""
        request = table.requests.pop(seat)
        table.sessions[seat].close_request(request)
        if missed:
            table.match.timing.miss(seat, request.decision_id)

    def note_late(self, session: Session, match_id: str, decision_id: int) -> bool:
        """Count an answer to a decided request of *session*. False: it had been answered, or its block is over."""
        block_id, _, _ = match_id.rpartition("/")
        entrant = session.entries.get(block_id)
        if entrant is None:
            return False
        block = self._blocks[block_id]
        match = block.find_match(match_id)
        return match is not None and match.timing.note_late(block.spec.seat(entrant, match.index), decision_id)

    def decide(self, session: Session, request: Request, action: AnyMessage, note: str, now: int) -> None:
        """The bot's answer to an open request of *session*."""
        table, seat = self._playing[request.match.id], request.seat
        fault = table.match.decide(seat, action, request.used(now), note)
        self._close(table, seat, missed=False)
        if fault is not None:
            self._reject(session, table.match, fault, request.decision_id, now)
        self._advance(table, now, now)

    def fail(self, session: Session, request: Request, kind: faults.Kind, message: str, now: int) -> None:
        """An open request of *session* gets no valid answer: the default is played."""
        table, seat = self._playing[request.match.id], request.seat
        fault = table.match.fault(seat, kind, message, request.used(now))
        self._close(table, seat, missed=kind != faults.BOT_ERROR)
        self._reject(session, table.match, fault, request.decision_id, now)
        self._advance(table, None if kind == faults.TIMEOUT else now, now)

    def _reject(self, session: Session, match: Match, fault: block_pb2.Fault, decision_id: int, now: int) -> None:
        rejected = play_pb2.DecisionRejected(
            match_id=match.id,
            decision_id=decision_id,
            fault=fault.kind,
            message=fault.message,
            played=match.played(fault.seat),
        )
        session.enqueue(play_pb2.RefereeMessage(decision_rejected=rejected).SerializeToString(), now)

    def lose(self, session: Session, block_id: str, loss: faults.Loss, now: int) -> None:
        """The session's bot is gone from a block for good; the default plays on for it."""
        block, entrant = self._blocks[block_id], session.entries[block_id]
        if block.losses[entrant] is not None:
            return
        block.losses[entrant] = loss
        self._room_made = True
        self._deal_when_ready(block, now)
        for match in block.matches:
            table = self._playing.get(match.id)
            if table is not None:
                self._lose_seat(table, block.spec.seat(entrant, match.index), loss, now)

    def _lose_seat(self, table: Table, seat: int, loss: faults.Loss, now: int) -> None:
        table.match.lose(seat, loss)
        if seat in table.requests:
            self._close(table, seat, missed=True)
        self._advance(table, None, now)

    def _finish(self, table: Table, now: int) -> None:
        block, match = table.block, table.match
        self._leave(table)
        result = match.result()
        ended = play_pb2.MatchEnded(
            match_id=match.id,
            scores=result.scores,
            placements=result.placements,
            terminations=result.terminations,
        )
        encoded = play_pb2.RefereeMessage(match_ended=ended).SerializeToString()
        for session in table.sessions:
            if not self._is_lost(block, session):
                session.enqueue(encoded, now)
        if table.show is not None:
            self._gallery.over(table.show, _over(match))
        block.matches_ended += 1
        self.effects.matches_ended.append((block.spec.block_id, block.matches_ended, len(block.matches)))
        if block.matches_ended == len(block.matches):
            self._end(block, None, now)

    def _leave(self, table: Table) -> None:
        del self._playing[table.match.id]
        self._room_made = True
        for session in table.sessions:
            session.playing -= 1

    def cancel_block(self, block_id: str, void: Void, now: int) -> None:
        """The block does not count; nothing happens if it is over already."""
        block = self._blocks.get(block_id)
        if block is None:
            return
        self._waiting.pop(block, None)
        self._room_made = True
        for match in block.matches:
            table = self._playing.get(match.id)
            if table is not None:
                for seat in list(table.requests):
                    self._close(table, seat, missed=True)
                self._leave(table)
                if table.show is not None:
                    over = referee_pb2.WatchedMatchOver(match_id=match.id, void_reason=void.reason)
                    self._gallery.over(table.show, over)
        self._end(block, void, now)

    def _end(self, block: Block, void: Void | None, now: int) -> None:
        block_id = block.spec.block_id
        encoded = block.ended(void).SerializeToString()
        del self._blocks[block_id]
        self._alarms.cancel(self._startups.pop(block, None))
        for session in self._sessions.pop(block_id):
            session.enqueue(encoded, now)
            del session.entries[block_id]
            self._alarms.cancel(session.windows.pop(block_id, None))
            self._dismissed[session] = None
        self._gallery.block_over(block, void)
        self.effects.blocks_ended.append((block_id, block.result(void)))

    def watch(self, spectator: int, selection: Selection) -> None:
        """Show *spectator* what is in play of a selection, and from now on what begins. Raises UnknownMatch."""
        self._check_known(selection)
        self._gallery.admit(spectator, selection)
        for block in self._blocks.values():
            for match in block.matches:
                if selection.includes(block, match):
                    self._show(spectator, block, match, late=not selection.everything)

    def _show(self, spectator: int, block: Block, match: Match, *, late: bool) -> None:
        """Begin to show a match in play, and, to who comes *late* for a match of their choice, one that is over."""
        table = self._playing.get(match.id)
        if table is not None:
            table.show = self._gallery.join(table.show, spectator, block, match)
            self._gallery.look(table.show)
        elif match.over and late:
            show = self._gallery.join(None, spectator, block, match)
            self._gallery.look(show)
            self._gallery.over(show, _over(match))

    def _check_known(self, selection: Selection) -> None:
        for block_id in selection.block_ids - self._blocks.keys():
            raise UnknownMatch(f"no block {block_id[:200]!r} is being played")
        known = {match_id for block in self._blocks.values() for match_id in block.match_ids()}
        for match_id in selection.match_ids - known:
            raise UnknownMatch(f"no match {match_id[:200]!r} is being played")

    def unwatch(self, spectator: int) -> None:
        """Show *spectator* nothing more."""
        self._gallery.leave(spectator)
        for table in self._playing.values():
            if table.show is not None and table.show.leave(spectator):
                table.show = None

    def matches(self) -> list[referee_pb2.WatchedMatch]:
        """The matches in play, first come first."""
        return [self._gallery.describe(table.block, table.match) for table in self._playing.values()]

    def take_effects(self) -> Effects:
        """What has come of everything since the last time."""
        effects, self.effects = self.effects, Effects()
        self._gallery.hand_over(effects)
        return effects

    def take_dismissed(self) -> Sequence[Session]:
        """The sessions for which a block has ended since the last time."""
        dismissed, self._dismissed = self._dismissed, {}
        return list(dismissed)

    def make_room(self) -> None:
        """A bot has read what waited for it, or plays more matches at once: one may be able to begin."""
        self._room_made = True

    def stream_lost(self, session: Session, now: int) -> None:
        """No stream carries the session; its bot may come back within the window of each block."""
        for block_id in session.entries:
            self._open_window(session, block_id, now)

    def _open_window(self, session: Session, block_id: str, now: int) -> None:
        def window_over(at: int) -> None:
            message = f"the stream was lost and not resumed in time: {session.dropped}"
            self.lose(session, block_id, faults.Loss(faults.DISCONNECTED, message), at)

        window = self._blocks[block_id].spec.time_control.resume_window
        session.windows[block_id] = self._alarms.set(now + window, window_over)

    def stream_found(self, session: Session) -> None:
        """A stream carries the session again."""
        for alarm in session.windows.values():
            self._alarms.cancel(alarm)
        session.windows.clear()
        self.make_room()


def _never_accepted(session: Session, complaint: str) -> str:
    if complaint:
        return f"the bot did not accept the invitation as it must: {complaint}"
    if session.connection is None:
        return "the bot never connected" if session.dropped is None else "the bot was not connected"
    return "the bot did not accept the invitation in time"


def _over(match: Match) -> referee_pb2.WatchedMatchOver:
    result = match.result()
    return referee_pb2.WatchedMatchOver(
        match_id=match.id,
        scores=result.scores,
        placements=result.placements,
        terminations=result.terminations,
    )
