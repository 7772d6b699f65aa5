"""Turns the scheduled blocks of a tournament into results of the record."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tradepit.chance import reproducible_secret
from tradepit.v1 import block_pb2
from tradepit_ladder import store
from tradepit_ladder.client import EntrantSpec, LadderError, TournamentOrder
from tradepit_ladder.conduct import Conduct
from tradepit_ladder.database import Database
from tradepit_ladder.replays import ReplayStore
from tradepit_ladder.results import ResultError, played_matches
from tradepit_ladder.scheduling.identifiers import block_id
from tradepit_ladder.scheduling.shards import Pace, shards
from tradepit_ladder.worker import Worker

MAX_ATTEMPTS = 3
"""How often a block is tried in one run before it is void for good."""

MAX_VOID_IN_A_ROW = 16
"""After so many blocks in a row that ended void, playing is broken, and the run gives up before it voids the rest."""


@dataclass(frozen=True, slots=True)
class OpenBlock:
    """A block of the record that is to be played."""

    key: int
    """Its primary key."""
    index: int
    """Its place in the tournament, from 0."""
    entrants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Failure:
    """An attempt of which nothing counts."""

    block: OpenBlock
    block_id: str
    reason: str


class Runner:
    """Plays the open blocks of one tournament and records what came of each, in a transaction of its own."""

    def __init__(
        self,
        order: TournamentOrder,
        public_id: str,
        database: Database,
        replays: ReplayStore,
        clock: Callable[[], float],
    ) -> None:
        """*clock* counts seconds from anywhere; by it shards find their size."""
        self._order = order
        self._public_id = public_id
        self._database = database
        self._replays = replays
        self._clock = clock
        self._entrants: Mapping[str, EntrantSpec] = {entrant.bot: entrant for entrant in order.entrants}
        self._void_in_a_row = 0
        self.conduct = Conduct()
        """Of the bots in this run."""

    def run(self, blocks: Sequence[OpenBlock], worker: Worker, finished: Callable[[int, int], None]) -> None:
        """Play *blocks*, calling ``finished(blocks, void blocks)`` with how many have just been recorded.

        A block that fails is tried again alone, so that one that ends its worker takes no other with it. Raises
        LadderError when nothing can be played, KeyboardInterrupt when stopped; what is recorded stays.
        """
        pace = Pace()
        for shard in shards(blocks, pace):
            begun = self._clock()
            failures = self._attempt(shard, worker)
            pace.took(len(shard), self._clock() - begun)
            finished(len(shard) - len(failures), 0)
            for failure in failures:
                finished(1, self._try_again(failure, worker))

    def _try_again(self, failure: _Failure, worker: Worker) -> int:
        """Returns how many blocks ended void: 0 or 1."""
        for _ in range(MAX_ATTEMPTS - 1):
            again = self._attempt([failure.block], worker)
            if not again:
                return 0
            failure = again[0]
        self._give_up_or_count(failure)
        with self._database.writing() as session:
            store.record_void(session, failure.block.key, failure.block_id, failure.reason)
        return 1

    def _give_up_or_count(self, failure: _Failure) -> None:
        self._void_in_a_row += 1
        if self._void_in_a_row > MAX_VOID_IN_A_ROW:
            raise LadderError(
                f"gave up: the last {MAX_VOID_IN_A_ROW} blocks were void; the reason now: {failure.reason}"
            )

    def _attempt(self, blocks: Sequence[OpenBlock], worker: Worker) -> list[_Failure]:
        """Play *blocks* and record the complete ones. Returns the others."""
        with self._database.writing() as session:
            attempts = store.begin_attempts(session, [block.key for block in blocks])
        specifications = [self._specification(block, attempts[block.key]) for block in blocks]
        results = worker.play(specifications)
        return list(self._record(blocks, specifications, results))

    def _record(
        self,
        blocks: Sequence[OpenBlock],
        specifications: Sequence[block_pb2.BlockSpecification],
        results: Sequence[block_pb2.BlockResult],
    ) -> Iterator[_Failure]:
        for block, specification, result in zip(blocks, specifications, results, strict=True):
            self.conduct.add_processes(list(block.entrants), result)
            try:
                matches = played_matches(specification, result)
            except ResultError as error:
                yield _Failure(block, specification.block_id, str(error))
                continue
            self._void_in_a_row = 0
            # Before the rows that name them: a row never points to a replay that is not there.
            kept = [(match, self._replays.keep(match.replay)) for match in matches]
            with self._database.writing() as session:
                store.record_complete(session, block.key, specification.block_id, kept)
            for replay in result.replays:
                self.conduct.add_match(replay)

    def _specification(self, block: OpenBlock, attempt: int) -> block_pb2.BlockSpecification:
        root = self._order.root_seed
        return block_pb2.BlockSpecification(
            block_id=block_id(self._public_id, block.index, attempt if root is None else None),
            game=self._order.game,
            edition_toml=self._order.edition_toml,
            options=self._order.options,
            deal=self._order.deal,
            entrants=[_entrant(self._entrants[bot]) for bot in block.entrants],
            time_control=self._order.time_control,
            reproducible_secret=b"" if root is None else reproducible_secret(root, block.index),
        )


def _entrant(spec: EntrantSpec) -> block_pb2.Entrant:
    command = block_pb2.Command(arguments=spec.command, working_directory=spec.working_directory)
    return block_pb2.Entrant(bot=spec.bot, command=command)
