"""A ladder with a worker that fabricates results."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Protocol

import fake_worker
import pytest
from fake_time import FakeTime

from tradepit.v1 import block_pb2
from tradepit_ladder.application import Ladder
from tradepit_ladder.client import EntrantSpec, Progress, TournamentOrder, TournamentReport
from tradepit_ladder.database import Database
from tradepit_ladder.timing import Timing

HOUSE = ("ann", "bob", "cid", "dot", "eve")


class OpenLadder(Protocol):
    """Opens another ladder, on the same record unless another name is given."""

    def __call__(
        self,
        run_shard: Callable[[bytes], bytes] = ...,
        executor: Callable[[], Executor] = ...,
        name: str = ...,
        time: FakeTime | None = ...,
        workers: int = ...,
        notice: Callable[[str], None] = ...,
    ) -> Ladder:
        """With this worker."""


class MakeOrder(Protocol):
    """Makes an order of house bots."""

    def __call__(self, *bots: str, **changes: Any) -> TournamentOrder:
        """Of these *bots*, with *changes* to an order of one block a table of two."""


@pytest.fixture
def url(database_url: str) -> str:
    """Of the record."""
    return database_url


@pytest.fixture
def replays(tmp_path: Path) -> Path:
    return tmp_path / "replays"


@pytest.fixture
def open_ladder(new_database: Callable[..., str], replays: Path) -> Iterator[OpenLadder]:
    opened: list[Ladder] = []

    def open_ladder(
        run_shard: Callable[[bytes], bytes] = fake_worker.run_shard,
        executor: Callable[[], Executor] = fake_worker.Inline,
        name: str = "ladder",
        time: FakeTime | None = None,
        workers: int = 1,
        notice: Callable[[str], None] = lambda _: None,
    ) -> Ladder:
        url = new_database(name, prepared=True)
        # Real processes take real time.
        timing = Timing() if time is None and executor is not fake_worker.Inline else (time or FakeTime()).timing
        others: Any = {"replays": replays, "house_bots": HOUSE, "timing": timing, "workers": workers, "notice": notice}
        opened.append(Ladder(url, run_shard, executor, **others))
        return opened[-1]

    yield open_ladder
    for ladder in opened:
        ladder.close()


@pytest.fixture
def ladder(open_ladder: OpenLadder) -> Ladder:
    return open_ladder()


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    opened = Database(url)
    yield opened
    opened.close()


@pytest.fixture
def make_order() -> MakeOrder:
    def make_order(*bots: str, **changes: Any) -> TournamentOrder:
        entrants = tuple(EntrantSpec(bot, ("run", bot), "", house=True) for bot in bots or HOUSE[:3])
        order: dict[str, Any] = {
            "game": "toy",
            "min_seats": 2,
            "max_seats": 4,
            "entrants": entrants,
            "blocks": 1,
            "table_size": 2,
            "options": {},
            "time_control": block_pb2.TimeControl(strikes=3),
            "deal": block_pb2.DEAL_INDEPENDENT,
        }
        return TournamentOrder(**order | changes)

    return make_order


@pytest.fixture
def run(ladder: Ladder) -> Callable[[TournamentOrder], TournamentReport]:
    def run(order: TournamentOrder) -> TournamentReport:
        return ladder.run_tournament(order, ignore)

    return run


def ignore(_: Progress) -> None:
    """Nobody watches."""
