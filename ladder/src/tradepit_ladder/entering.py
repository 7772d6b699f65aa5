"""Finding the tournament that an order means in the record, or adding it."""

import json
import secrets
from typing import cast

from sqlmodel import Session

from tradepit_ladder import store
from tradepit_ladder.client import EntrantSpec, LadderError, TournamentOrder
from tradepit_ladder.models import Bot, BotVersion, Entrant, Tournament
from tradepit_ladder.orders import PROGRAMS, REST, arguments, in_words, programs, rest
from tradepit_ladder.scheduling.identifiers import reproducible_tournament_id
from tradepit_ladder.scheduling.round_robin import round_robin


def enter(session: Session, order: TournamentOrder) -> Tournament:
    """The tournament of *order*: a new one with its blocks, or the one that it goes on with. Raises LadderError."""
    bots = [_bot(session, entrant) for entrant in order.entrants]
    wanted = _wanted(order)
    tournament = _known(session, order, wanted)
    if tournament is None:
        tournament = wanted
        store.add_tournament(session, tournament, _tables(order))
    for bot, entrant in zip(bots, order.entrants, strict=True):
        _enter_version(session, tournament, bot, entrant)
    return tournament


def _known(session: Session, order: TournamentOrder, wanted: Tournament) -> Tournament | None:
    known = store.find_tournament(session, wanted.name)
    if known is not None:
        _check_same(known, wanted)
        return known
    known = store.find_tournament_by_id(session, wanted.public_id)
    if known is not None and order.name is not None:
        raise LadderError(f"tournament {wanted.name!r} was already played, by the name of {known.name!r}")
    if known is not None:
        _check_same(known, wanted)
    return known


def _bot(session: Session, entrant: EntrantSpec) -> Bot:
    bot = store.find_bot(session, entrant.bot)
    if entrant.house:
        if bot is not None and not bot.house:
            raise LadderError(f"bot {entrant.bot!r} was added by its owner before a house bot had this name")
        return bot or store.add_bot(session, entrant.bot, house=True)
    if bot is None or bot.house:
        raise LadderError(f"there is no bot {entrant.bot!r}; it has to be added first")
    added = store.newest_version(session, bot)
    if (tuple(added.command), added.working_directory) != (entrant.command, entrant.working_directory):
        raise LadderError(f"bot {entrant.bot!r} was added with command {added.command}, not {list(entrant.command)}")
    return bot


def _enter_version(session: Session, tournament: Tournament, bot: Bot, entrant: EntrantSpec) -> None:
    """Note which version plays from now on: that of before, unless it is another program now."""
    if bot.house:
        return
    entry = session.get_one(Entrant, (store.key(tournament), store.key(bot)))
    before = session.get_one(BotVersion, (entry.bot_id, entry.bot_version))
    started = entrant.command, entrant.working_directory, entrant.program_sha256
    if store.is_version(before, *started):
        before.program_sha256 = before.program_sha256 or entrant.program_sha256
    else:
        entry.bot_version = store.set_bot(session, bot, *started).number
    session.flush()


def _wanted(order: TournamentOrder) -> Tournament:
    kept = arguments(order)
    if order.root_seed is None:
        public_id = order.name or f"{order.game}-{secrets.token_hex(6)}"
    else:
        # Without the digests of programs: chance must not follow from what a bot's owner writes in a file.
        public_id = reproducible_tournament_id(order.game, order.root_seed, json.dumps(kept, sort_keys=True))
    return Tournament(
        public_id=public_id,
        name=order.name or public_id,
        game=order.game,
        arguments=kept | programs(order) | rest(order),
        reproducible=order.root_seed is not None,
        root_seed=(order.root_seed or b"").hex(),
        edition_toml=order.edition_toml.decode(),
    )


def _check_same(known: Tournament, wanted: Tournament) -> None:
    for word in {**known.arguments, **wanted.arguments}:
        if word in (PROGRAMS, REST):
            continue
        begun, now = (tournament.arguments.get(word, "of the game's own") for tournament in (known, wanted))
        if begun != now:
            raise LadderError(
                f"tournament {known.name!r} was begun with {word.replace('_', ' ')} {in_words(begun)},"
                f" not {in_words(now)}"
            )
    _check_same_programs(known, wanted)
    if known.public_id != wanted.public_id:
        raise LadderError(f"tournament {known.name!r} was begun with another root seed, or without one")


def _check_same_programs(known: Tournament, wanted: Tournament) -> None:
    """Results of one program must not stand beside those of another in the same tournament."""
    begun, now = (cast(dict[str, str], t.arguments.get(PROGRAMS, {})) for t in (known, wanted))
    for bot, digest in begun.items():
        if now.get(bot, digest) != digest:
            other = "root seed" if known.reproducible else "name"
            raise LadderError(
                f"bot {bot!r} has changed since tournament {known.name!r} was begun with it, so its results would be "
                f"those of two programs; give another {other}, which makes another tournament"
            )


def _tables(order: TournamentOrder) -> list[list[str]]:
    names = [entrant.bot for entrant in order.entrants]
    schedule = round_robin(len(names), order.table_size, order.blocks)
    return [[names[position] for position in block.entrants] for block in schedule]
