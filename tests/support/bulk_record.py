"""Results without tournaments: rows of finished blocks, written in bulk."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import func, insert
from sqlmodel import Session, select

from tradepit_ladder.database import Database
from tradepit_ladder.models import Block, Bot, BotVersion, Match, Seat, Tournament

_ROWS = 5_000
"""In one statement."""


class Sat(NamedTuple):
    """A seat of a match."""

    bot: int
    """From 1: the bot called "bot-00001" has this primary key."""
    placement: int
    version: int = 1
    faults: int = 0


def name(bot: int) -> str:
    """What the bot is called."""
    return f"bot-{bot:05}"


def random_matches(random: Random, matches: int, bots: int, seats: Sequence[int], ties: float) -> Iterator[list[Sat]]:
    """Matches between *bots*, each with one of so many *seats*, in which the stronger mostly win."""
    for _ in range(matches):
        table = random.sample(range(1, bots + 1), random.choice(seats))
        falling = sorted(table, key=lambda bot: random.gauss(bot / bots, 0.3))
        placements = [1]
        for place in range(2, len(table) + 1):
            placements.append(placements[-1] if random.random() < ties else place)
        random.shuffle(table)
        yield [Sat(bot, placements[falling.index(bot)]) for bot in table]


def add_bots(database: Database, bots: int, versions: int = 1) -> None:
    """Bots 1, 2, ... that were added, each with so many *versions*."""

    def step(session: Session) -> None:
        _insert(session, Bot, ({"id": bot, "name": name(bot), "house": False} for bot in range(1, bots + 1)))
        started: dict[str, Any] = {"command": ["x"], "working_directory": "", "program_sha256": ""}
        pairs = ((bot, number) for bot in range(1, bots + 1) for number in range(1, versions + 1))
        _insert(session, BotVersion, ({"bot_id": bot, "number": number, **started} for bot, number in pairs))

    database.write(step)


def add_results(
    database: Database,
    matches: Iterable[Sequence[Sat]],
    game: str = "toy",
    *,
    per_block: int = 4,
    void: Collection[int] = (),
    unfinished: Collection[int] = (),
) -> None:
    """A tournament of *game*, with *matches* in blocks at the end of its queue.

    All are complete but for those with an index among *void* and *unfinished*, whose matches are left out.
    """
    missing = {**dict.fromkeys(unfinished, None), **dict.fromkeys(void, "void")}
    database.write(partial(_add_results, matches=list(matches), game=game, per_block=per_block, missing=missing))


def finish_block(database: Database, public_id: str, matches: Iterable[Sequence[Sat]]) -> None:
    """Complete the block that was left unfinished and is to have this id, with *matches*."""
    title, _, index = public_id.rpartition("/")

    def step(session: Session) -> None:
        tournament = session.exec(select(Tournament).where(Tournament.public_id == title)).one()
        place = (Block.tournament_id == tournament.id, Block.block_index == int(index))
        block = session.exec(select(Block).where(*place)).one()
        block.public_id, block.outcome = public_id, "complete"
        session.flush()
        _add_matches(session, title, [(block.id or 0, index, match) for index, match in enumerate(matches)])

    database.write(step)


def _add_results(
    session: Session, matches: list[Sequence[Sat]], game: str, per_block: int, missing: dict[int, str | None]
) -> None:
    number = session.exec(select(func.max(Block.number)).where(Block.game == game)).one() or 0
    first = 1 + (session.exec(select(func.max(Block.id))).one() or 0)
    title = f"bulk-{game}-{number}"
    tournament = Tournament(public_id=title, name=title, game=game, arguments={}, reproducible=False)
    session.add(tournament)
    session.flush()
    blocks = range((len(matches) + per_block - 1) // per_block)
    outcomes = [missing.get(index, "complete") for index in blocks]
    rows = (_block(tournament, first + index, index, number + 1 + index, outcomes[index]) for index in blocks)
    _insert(session, Block, rows)
    places = ((divmod(index, per_block), match) for index, match in enumerate(matches))
    played = [(first + block, index, match) for (block, index), match in places if block not in missing]
    _add_matches(session, title, played)


def _add_matches(session: Session, title: str, matches: Sequence[tuple[int, int, Sequence[Sat]]]) -> None:
    """Each with its block's primary key and its index."""
    first = 1 + (session.exec(select(func.max(Match.id))).one() or 0)
    rows = (_match(key, block, index, title) for key, (block, index, _) in enumerate(matches, start=first))
    _insert(session, Match, rows)
    seats = ((key, seat, sat) for key, match in enumerate(matches, start=first) for seat, sat in enumerate(match[2]))
    _insert(session, Seat, (_seat(*each) for each in seats))


def _block(tournament: Tournament, key: int, index: int, number: int, outcome: str | None) -> dict[str, Any]:
    return {
        "id": key,
        "tournament_id": tournament.id,
        "game": tournament.game,
        "block_index": index,
        "number": number,
        "entrants": [],
        "attempts": 1,
        "public_id": f"{tournament.public_id}/{index}" if outcome else None,
        "outcome": outcome,
        "reason": "the roof fell in" if outcome == "void" else "",
    }


def _match(key: int, block: int, index: int, title: str) -> dict[str, Any]:
    return {
        "id": key,
        "block_id": block,
        "match_index": index,
        "public_id": f"{title}/{block}/{index}",
        "replay_sha256": "0" * 64,
    }


def _seat(match: int, seat: int, sat: Sat) -> dict[str, Any]:
    return {
        "match_id": match,
        "seat": seat,
        "bot_id": sat.bot,
        "bot_version": sat.version,
        "score": -sat.placement,
        "placement": sat.placement,
        "termination": "completed",
        "faults": sat.faults,
    }


def _insert(session: Session, model: Any, rows: Iterator[dict[str, Any]]) -> None:
    while some := list(islice(rows, _ROWS)):
        session.connection().execute(insert(model), some)
