"""Queries on tournaments as a whole. Each works in the session that it is given."""

from collections.abc import Collection, Sequence

from sqlmodel import Session, col, select

from tradepit_ladder import leases, store
from tradepit_ladder.client import EntrantSpec, LadderError, TournamentOrder, TournamentState, TournamentSummary
from tradepit_ladder.models import Block, Bot, BotVersion, Entrant, Tournament
from tradepit_ladder.orders import restored
from tradepit_ladder.owners import Owner

NOBODY = Owner("")
"""Holds no lease."""


def known(session: Session, name: str) -> Tournament:
    """The tournament called *name*. Raises LadderError."""
    found = store.find_tournament(session, name)
    if found is None:
        raise LadderError(f"there is no tournament {name!r}; 'tradepit tournament list' tells which there are")
    return found


def summaries(session: Session, now: float) -> list[TournamentSummary]:
    """All tournaments, in the order in which they were begun; *now* is in seconds since the epoch."""
    found = session.exec(select(Tournament).order_by(col(Tournament.id))).all()
    return [summary(session, tournament, now) for tournament in found]


def summary(session: Session, tournament: Tournament, now: float) -> TournamentSummary:
    """How far *tournament* is."""
    counts = store.count_blocks(session, store.key(tournament))
    bots = tournament.arguments["bots"]
    return TournamentSummary(
        tournament=tournament.name,
        game=tournament.game,
        bots=tuple(bots if isinstance(bots, list) else []),
        state=TournamentState(tournament.state),
        running=leases.held_by_others(session, store.key(tournament), NOBODY, now) > 0,
        reproducible=tournament.reproducible,
        blocks=sum(counts.values()),
        blocks_complete=counts.get(store.COMPLETE, 0),
        blocks_void=counts.get(store.VOID, 0),
    )


def void_with(session: Session, tournament_id: int, bots: Collection[str]) -> int:
    """How many void blocks of the tournament have one of *bots* at their table."""
    if not bots:
        return 0
    void = select(Block.entrants).where(Block.tournament_id == tournament_id, Block.outcome == store.VOID)
    return sum(not set(bots).isdisjoint(at_table) for at_table in session.exec(void))


def order(session: Session, tournament: Tournament) -> TournamentOrder:
    """What *tournament* was ordered with, its bots as they were entered. Raises LadderError."""
    stored, columns = tournament.arguments, (tournament.edition_toml, tournament.root_seed)
    return restored(tournament.name, stored, _entrants(session, tournament, stored["bots"]), *columns)


def _entrants(session: Session, tournament: Tournament, names: object) -> Sequence[EntrantSpec]:
    rows = (
        select(Bot, BotVersion)
        .join(BotVersion, col(BotVersion.bot_id) == col(Bot.id))
        .join(Entrant, (col(Entrant.bot_id) == col(Bot.id)) & (col(Entrant.bot_version) == col(BotVersion.number)))
        .where(Entrant.tournament_id == store.key(tournament))
    )
    entered = {bot.name: _entrant(bot, version) for bot, version in session.exec(rows)}
    return [entered[name] for name in names] if isinstance(names, list) else []


def _entrant(bot: Bot, version: BotVersion) -> EntrantSpec:
    return EntrantSpec(bot.name, tuple(version.command), version.working_directory, bot.house, version.program_sha256)


def pause(session: Session, name: str, now: float) -> TournamentSummary:
    """See LadderClient."""
    tournament = known(session, name)
    _check_open(session, tournament, "pause")
    store.pause(session, tournament)
    return summary(session, tournament, now)


def cancel(session: Session, name: str, now: float) -> TournamentSummary:
    """See LadderClient."""
    tournament = known(session, name)
    if tournament.state != store.CANCELLED:
        _check_open(session, tournament, "cancel")
        store.cancel(session, tournament)
    return summary(session, tournament, now)


def withdraw(session: Session, bot: str, name: str, reason: str, now: float) -> int:
    """See LadderClient."""
    tournament = known(session, name)
    _check_open(session, tournament, "withdraw from")
    return store.withdraw(session, tournament, bot, reason, now)


def _check_open(session: Session, tournament: Tournament, what: str) -> None:
    """Raises LadderError where nothing is open any more."""
    if None not in store.count_blocks(session, store.key(tournament)):
        raise LadderError(f"tournament {tournament.name!r} is over: there is nothing left to {what}")
