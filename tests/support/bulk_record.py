"""Results without tournaments: rows of finished blocks, written in bulk."""

from collections.abc import Iterable, Iterator, Sequence
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


def add_results(database: Database, matches: Iterable[Sequence[Sat]], game: str = "toy", per_block: int = 4) -> None:
    """A tournament of *game*, with *matches* in complete blocks at the end of its queue."""
    database.write(partial(_add_results, matches=list(matches), game=game, per_block=per_block))


def _add_results(session: Session, matches: list[Sequence[Sat]], game: str, per_block: int) -> None:
    number = session.exec(select(func.max(Block.number)).where(Block.game == game)).one() or 0
    match_key = session.exec(select(func.max(Match.id))).one() or 0
    block_key = session.exec(select(func.max(Block.id))).one() or 0
    title = f"bulk-{game}-{number}"
    tournament = Tournament(public_id=title, name=title, game=game, arguments={}, reproducible=False)
    session.add(tournament)
    session.flush()
    blocks = range((len(matches) + per_block - 1) // per_block)
    _insert(session, Block, (_block(tournament, block_key + 1 + index, index, number + 1 + index) for index in blocks))
    rows = [(match_key + 1 + index, *divmod(index, per_block)) for index in range(len(matches))]
    _insert(session, Match, (_match(key, block_key + 1 + block, index, title) for key, block, index in rows))
    seats = (
        (match_key + 1 + index, seat, sat) for index, match in enumerate(matches) for seat, sat in enumerate(match)
    )
    _insert(session, Seat, (_seat(*each) for each in seats))


def _block(tournament: Tournament, key: int, index: int, number: int) -> dict[str, Any]:
    return {
        "id": key,
        "tournament_id": tournament.id,
        "game": tournament.game,
        "block_index": index,
        "number": number,
        "entrants": [],
        "attempts": 1,
        "public_id": f"{tournament.public_id}/{index}",
        "outcome": "complete",
        "reason": "",
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
