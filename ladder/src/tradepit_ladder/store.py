"""Queries on the record. Each works in the session that it is given and commits nothing."""

from collections.abc import Iterable, Sequence

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from tradepit_ladder.client import LadderError
from tradepit_ladder.models import Attempt, Block, Bot, BotVersion, Entrant, Match, Seat, Tournament, Withdrawal
from tradepit_ladder.results import PlayedMatch, PlayedSeat
from tradepit_ladder.scheduling.identifiers import block_id

COMPLETE = "complete"
VOID = "void"

OPEN = "open"
PAUSED = "paused"
CANCELLED = "cancelled"


def key(row: Bot | Tournament | Block | Attempt | Match) -> int:
    """The primary key of a stored *row*."""
    if row.id is None:
        raise AssertionError(f"{row!r} has not been stored")
    return row.id


def find_bot(session: Session, name: str) -> Bot | None:
    """The bot called *name*."""
    return session.exec(select(Bot).where(col(Bot.name) == name)).one_or_none()


def add_bot(
    session: Session,
    name: str,
    command: Sequence[str] = (),
    working_directory: str = "",
    *,
    house: bool = False,
    program_sha256: str = "",
) -> Bot:
    """Store a new bot with its version 1."""
    bot = Bot(name=name, house=house)
    session.add(bot)
    session.flush()
    session.add(_version(bot, 1, command, working_directory, program_sha256))
    session.flush()
    return bot


def set_bot(
    session: Session, bot: Bot, command: Sequence[str], working_directory: str, program_sha256: str = ""
) -> BotVersion:
    """The version of *bot* that is started so: the newest, or a new one. A digest that is empty is not known."""
    newest = newest_version(session, bot)
    if is_version(newest, command, working_directory, program_sha256):
        newest.program_sha256 = newest.program_sha256 or program_sha256
        return newest
    version = _version(bot, newest.number + 1, command, working_directory, program_sha256)
    session.add(version)
    session.flush()
    return version


def is_version(version: BotVersion, command: Sequence[str], working_directory: str, program_sha256: str) -> bool:
    """Whether *version* is started so, as far as is known."""
    unknown = not (version.program_sha256 and program_sha256)
    same_program = unknown or version.program_sha256 == program_sha256
    return same_program and (version.command, version.working_directory) == (list(command), working_directory)


def newest_version(session: Session, bot: Bot) -> BotVersion:
    """The version of *bot* that is in force."""
    versions = select(BotVersion).where(BotVersion.bot_id == key(bot)).order_by(col(BotVersion.number).desc())
    return session.exec(versions.limit(1)).one()


def _version(bot: Bot, number: int, command: Sequence[str], working_directory: str, program_sha256: str) -> BotVersion:
    return BotVersion(
        bot_id=key(bot),
        number=number,
        command=list(command),
        working_directory=working_directory,
        program_sha256=program_sha256,
    )


def added_bots(session: Session) -> list[tuple[Bot, BotVersion]]:
    """The bots that are not of the house, by name, each with its newest version."""
    bots = session.exec(select(Bot).where(col(Bot.house).is_(False)).order_by(col(Bot.name))).all()
    return [(bot, newest_version(session, bot)) for bot in bots]


def find_tournament(session: Session, name: str) -> Tournament | None:
    """The tournament called *name*."""
    return session.exec(select(Tournament).where(col(Tournament.name) == name)).one_or_none()


def find_tournament_by_id(session: Session, public_id: str) -> Tournament | None:
    """The tournament whose block ids begin with *public_id*."""
    return session.exec(select(Tournament).where(col(Tournament.public_id) == public_id)).one_or_none()


def add_tournament(session: Session, tournament: Tournament, tables: Iterable[list[str]]) -> None:
    """Store a new *tournament* and its blocks, in order; *tables* are the bots of each, known ones.

    They enter in their newest versions.
    """
    session.add(tournament)
    session.flush()
    tournament_id, names = key(tournament), set[str]()
    for index, bots in enumerate(tables):
        session.add(Block(tournament_id=tournament_id, game=tournament.game, block_index=index, entrants=bots))
        names.update(bots)
    newest = select(BotVersion.bot_id, func.max(BotVersion.number)).join(Bot).where(col(Bot.name).in_(names))
    session.add_all(
        Entrant(tournament_id=tournament_id, bot_id=bot, bot_version=number)
        for bot, number in session.exec(newest.group_by(col(BotVersion.bot_id)))
    )
    session.flush()


def enqueue(session: Session, tournament_id: int) -> None:
    """Give every block of the tournament that has no place in its game's queue the next one, in order."""
    game = select(Tournament.game).where(Tournament.id == tournament_id).scalar_subquery()
    last = session.exec(select(func.max(Block.number)).where(Block.game == game)).one()
    waiting = select(Block).where(Block.tournament_id == tournament_id, col(Block.number).is_(None))
    for number, block in enumerate(session.exec(waiting.order_by(col(Block.block_index))), start=(last or 0) + 1):
        block.number = number
    session.flush()


def pause(session: Session, tournament: Tournament) -> None:
    """Have no further block of *tournament* begun. Raises LadderError if it was cancelled."""
    _set_state(session, tournament, PAUSED)


def reopen(session: Session, tournament: Tournament) -> None:
    """Go on with *tournament*. Raises LadderError if it was cancelled."""
    _set_state(session, tournament, OPEN)


def _set_state(session: Session, tournament: Tournament, state: str) -> None:
    stored = session.get_one(Tournament, key(tournament))
    if stored.state == CANCELLED:
        raise LadderError(f"tournament {stored.name!r} was cancelled: what was open of it is void for good")
    stored.state = state
    session.flush()


def cancel(session: Session, tournament: Tournament, reason: str = "the tournament was cancelled") -> int:
    """End *tournament*: what is open of it is void for this *reason*, what it has played counts.

    Returns how many blocks that made void.
    """
    session.get_one(Tournament, key(tournament)).state = CANCELLED
    return _void(session, tournament, open_blocks(session, key(tournament)), reason)


def withdraw(session: Session, tournament: Tournament, bot: str, reason: str, now: float) -> int:
    """Take *bot* out of *tournament*: its open blocks are void for this *reason*, what it has played counts.

    *now* is in seconds since the epoch. Returns how many blocks that made void. Again, it changes nothing. Raises
    LadderError if the bot is not in the tournament.
    """
    known = find_bot(session, bot)
    place = (key(tournament), key(known)) if known is not None else None
    if place is None or session.get(Entrant, place) is None:
        raise LadderError(f"bot {bot!r} is not in tournament {tournament.name!r}")
    if session.get(Withdrawal, place) is None:
        session.add(Withdrawal(tournament_id=place[0], bot_id=place[1], reason=reason, at=now))
    its_own = [block for block in open_blocks(session, key(tournament)) if bot in block.entrants]
    return _void(session, tournament, its_own, f"{bot} was withdrawn{f': {reason}' if reason else ''}")


def withdrawals(session: Session, tournament_id: int) -> Sequence[tuple[str, str]]:
    """The bots that left the tournament, each with the reason, in the order in which they left."""
    left = select(Bot.name, Withdrawal.reason).join(Bot, col(Withdrawal.bot_id) == col(Bot.id))
    return session.exec(
        left.where(Withdrawal.tournament_id == tournament_id).order_by(col(Withdrawal.at), col(Bot.name))
    ).all()


def _void(session: Session, tournament: Tournament, blocks: Sequence[Block], reason: str) -> int:
    """Finish *blocks*, which are open, as void, leased ones too. Returns how many they are."""
    for block in blocks:
        lasting = update(Attempt).where(col(Attempt.block_id) == key(block), col(Attempt.ended).is_(None))
        session.exec(lasting.values(ended=VOID, reason=reason))
        # As it would be called if its last attempt had been played.
        attempt = None if tournament.reproducible else block.attempts or None
        finish(session, key(block), block_id(tournament.public_id, block.block_index, attempt), VOID, reason)
    if not open_blocks(session, key(tournament)):
        # Nobody will go on with it, and what it has played counts.
        enqueue(session, key(tournament))
    return len(blocks)


def open_blocks(session: Session, tournament_id: int) -> Sequence[Block]:
    """The unfinished blocks of the tournament, in order."""
    unfinished = select(Block).where(Block.tournament_id == tournament_id, col(Block.outcome).is_(None))
    return session.exec(unfinished.order_by(col(Block.block_index))).all()


def count_blocks(session: Session, tournament_id: int) -> dict[str | None, int]:
    """How many blocks of the tournament have each outcome; None: unfinished."""
    counts = select(Block.outcome, func.count()).where(Block.tournament_id == tournament_id)
    return dict(session.exec(counts.group_by(col(Block.outcome))).all())


def finish(session: Session, block: int, public_id: str, outcome: str, reason: str) -> None:
    """Give the open block with the key *block* its outcome."""
    is_open = col(Block.id) == block, col(Block.outcome).is_(None)
    session.exec(update(Block).where(*is_open).values(public_id=public_id, outcome=outcome, reason=reason))


def add_matches(session: Session, block: int, matches: Sequence[tuple[PlayedMatch, str]]) -> None:
    """Store *matches* of the block with the key *block*, each with its replay's digest."""
    rows = [_match(block, index, match, digest) for index, (match, digest) in enumerate(matches)]
    session.add_all(rows)
    session.flush()
    entrants = select(Bot.name, Entrant).join(Bot, col(Entrant.bot_id) == col(Bot.id))
    at_table = entrants.join(Block, col(Block.tournament_id) == col(Entrant.tournament_id)).where(Block.id == block)
    by_name = dict(session.exec(at_table).all())
    for row, (match, _) in zip(rows, matches, strict=True):
        session.add_all(_seat(key(row), number, seat, by_name[seat.bot]) for number, seat in enumerate(match.seats))
    session.flush()


def _match(block: int, index: int, match: PlayedMatch, digest: str) -> Match:
    row = Match(block_id=block, match_index=index, public_id=match.match_id, replay_sha256=digest)
    if match.timing is not None:
        row.requests = match.timing.requests
        row.overhead_ns = match.timing.overhead_ns
        row.overhead_longest_ns = match.timing.overhead_longest_ns
        row.overhead_buckets = list(match.timing.overhead_buckets)
        row.late_answers = list(match.timing.late_answers)
    return row


def _seat(match: int, number: int, seat: PlayedSeat, entrant: Entrant) -> Seat:
    return Seat(
        match_id=match,
        seat=number,
        bot_id=entrant.bot_id,
        bot_version=entrant.bot_version,
        score=seat.score,
        placement=seat.placement,
        termination=seat.termination,
        faults=seat.faults,
    )
