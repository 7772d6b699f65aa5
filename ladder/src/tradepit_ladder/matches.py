"""Queries on single matches of the record. Each works in the session that it is given."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sqlmodel import Session, col, select

from tradepit_ladder.client import LadderError, LateAnswers, MatchRecord, MatchSeat, Overhead
from tradepit_ladder.models import Block, Bot, Match, Seat, Tournament
from tradepit_ladder.overheads import overhead
from tradepit_ladder.results import PlayedTiming
from tradepit_ladder.store import find_bot, find_tournament, key

MOST_LISTED = 1_000
"""Matches that are listed at once."""

_AT_ONCE = 500
"""Keys in one query: databases have a bound."""


def listed(session: Session, bot: str | None, tournament: str | None, limit: int) -> list[MatchRecord]:
    """The last *limit* matches, the latest first: of one *bot*, of one *tournament*. Raises LadderError."""
    if not 1 <= limit <= MOST_LISTED:
        raise LadderError(f"{limit} matches cannot be listed: from 1 to {MOST_LISTED:,} can")
    wanted = select(Match, Tournament).join(Block, col(Match.block_id) == col(Block.id)).join(Tournament)
    if tournament is not None:
        known = find_tournament(session, tournament)
        if known is None:
            raise LadderError(f"there is no tournament {tournament!r}")
        wanted = wanted.where(Block.tournament_id == key(known))
    if bot is not None:
        player = find_bot(session, bot)
        if player is None:
            raise LadderError(f"no bot {bot!r} has played here")
        wanted = wanted.where(col(Match.id).in_(select(Seat.match_id).where(Seat.bot_id == key(player))))
    return _records(session, session.exec(wanted.order_by(col(Match.id).desc()).limit(limit)).all())


def find(session: Session, match_id: str) -> MatchRecord:
    """The match with this id. Raises LadderError."""
    wanted = select(Match, Tournament).join(Block, col(Match.block_id) == col(Block.id)).join(Tournament)
    found = _records(session, session.exec(wanted.where(Match.public_id == match_id)).all())
    if not found:
        raise LadderError(f"there is no match {match_id!r}; 'tradepit match list' tells the ids of those that count")
    return found[0]


def measured(session: Session, tournament_id: int) -> tuple[Overhead | None, tuple[LateAnswers, ...]]:
    """What the referee took for itself in all matches of a tournament, and the bots whose answers came too late."""
    of_it = select(Match).join(Block, col(Match.block_id) == col(Block.id)).where(Block.tournament_id == tournament_id)
    late: dict[int, list[int]] = {}

    def timings() -> Iterator[PlayedTiming]:
        for match in session.exec(of_it.where(col(Match.requests).is_not(None))):
            if any(match.late_answers or []):
                late[key(match)] = match.late_answers or []
            if (timing := _timing(match)) is not None:
                yield timing

    return overhead(timings()), _late(session, late)


def _late(session: Session, late: dict[int, list[int]]) -> tuple[LateAnswers, ...]:
    """By bot, from the answers by match and seat."""
    counts: Counter[str] = Counter()
    seats = select(Seat.match_id, Seat.seat, Bot.name).join(Bot, col(Seat.bot_id) == col(Bot.id))
    matches = list(late)
    for start in range(0, len(matches), _AT_ONCE):
        some = matches[start : start + _AT_ONCE]
        for match, seat, bot in session.exec(seats.where(col(Seat.match_id).in_(some))):
            counts[bot] += late[match][seat]
    return tuple(LateAnswers(bot, counts[bot]) for bot in sorted(counts) if counts[bot])


def _records(session: Session, rows: Sequence[tuple[Match, Tournament]]) -> list[MatchRecord]:
    wanted = select(Seat, Bot.name).join(Bot, col(Seat.bot_id) == col(Bot.id)).order_by(col(Seat.seat))
    seats: dict[int, list[tuple[Seat, str]]] = {key(match): [] for match, _ in rows}
    for seat, bot in session.exec(wanted.where(col(Seat.match_id).in_(seats))):
        seats[seat.match_id].append((seat, bot))
    return [_record(match, tournament, seats[key(match)]) for match, tournament in rows]


def _record(match: Match, tournament: Tournament, seats: Sequence[tuple[Seat, str]]) -> MatchRecord:
    timing = _timing(match)
    return MatchRecord(
        match_id=match.public_id,
        tournament=tournament.name,
        game=tournament.game,
        seats=tuple(_seat(seat, bot, match.late_answers) for seat, bot in seats),
        replay_sha256=match.replay_sha256,
        overhead=None if timing is None else overhead([timing]),
    )


def _seat(seat: Seat, bot: str, late_answers: Sequence[int] | None) -> MatchSeat:
    return MatchSeat(
        bot=bot,
        version=seat.bot_version,
        score=seat.score,
        placement=seat.placement,
        termination=seat.termination,
        faults=seat.faults,
        late_answers=None if late_answers is None else late_answers[seat.seat],
    )


def _timing(match: Match) -> PlayedTiming | None:
    if match.requests is None or match.overhead_ns is None or match.overhead_longest_ns is None:
        return None
    buckets, late_answers = tuple(match.overhead_buckets or []), tuple(match.late_answers or [])
    return PlayedTiming(match.requests, match.overhead_ns, match.overhead_longest_ns, buckets, late_answers)
