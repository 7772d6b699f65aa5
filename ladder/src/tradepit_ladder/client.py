"""What a ladder can be asked to do, and the plain values that go in and come out.

The command line knows a ladder by this protocol alone, whether it runs in the same process or on a
server. Errors::

    LadderError(ValueError)    the order cannot be carried out; one line that quotes the value
    +-- RecordError            the order may be right, but database or replays fail
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tradepit.v1 import block_pb2


class LadderError(ValueError):
    """The ladder cannot do what it was asked; the message is one line and quotes the value."""


class RecordError(LadderError):
    """The database or a replay cannot be read or written."""


@dataclass(frozen=True, slots=True)
class BotRecord:
    """A bot that its owner has added."""

    name: str
    command: tuple[str, ...]
    """Program and arguments; never empty."""
    working_directory: str
    """The folder it runs in; empty: the ladder's own."""


@dataclass(frozen=True, slots=True)
class EntrantSpec:
    """A bot that is to play in a tournament."""

    bot: str
    """Its name."""
    command: tuple[str, ...]
    """Program and arguments. Of a bot that its owner added: exactly as it was added."""
    working_directory: str
    """The folder it runs in; empty: the ladder's own."""
    house: bool
    """It comes with the program, so nobody needs to add it."""
    program_sha256: str = ""
    """The digest of the bot's file, in hex, by which a ladder sees that it is another program now; empty: unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOrder:
    """A round robin that is to be played."""

    game: str
    """The game's name, for example "long-short"."""
    min_seats: int
    """The fewest seats that the game can be played with."""
    max_seats: int
    """The most seats that the game can be played with."""
    entrants: tuple[EntrantSpec, ...]
    blocks: int
    """Blocks a table, 1 or more; a block is one match for each cyclic seating."""
    table_size: int
    """Bots at a table, 2 or more."""
    options: Mapping[str, str]
    """The game's options that differ from its defaults; already checked."""
    time_control: block_pb2.TimeControl
    deal: block_pb2.Deal.ValueType
    edition_toml: bytes = b""
    """The text of the game's edition, already checked; empty: the one that it comes with."""
    root_seed: bytes | None = None
    """32 bytes: the tournament is reproducible. None: all chance is drawn."""
    name: str | None = None
    """None: the ladder makes one up. The name of an unfinished tournament with the same order goes on with it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is."""

    tournament: str
    blocks_finished: int
    """Complete and void ones."""
    blocks: int
    blocks_void: int
    """How many of the finished ones are void."""


@dataclass(frozen=True, slots=True)
class VoidBlock:
    """A block of which nothing counts."""

    block_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class EndedProcess:
    """The process of a bot that ended before it was asked to."""

    bot: str
    block_id: str
    """The first block of this run that it left."""
    exit_status: int
    """Below zero for a signal."""
    last_output: str
    """The end of what it wrote to standard output and error; at most 4 KiB."""


@dataclass(frozen=True, slots=True)
class BotFaults:
    """What a bot did wrong in one way."""

    bot: str
    kind: str
    """In lower case, for example ``illegal_action``."""
    count: int
    """In the matches of this run that count."""
    match_id: str
    """The first of them."""
    decision: int | None
    """The index of the decision in that match's record, from 0."""
    message: str
    """Of the first; a sentence that quotes the offending value."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's row of a leaderboard."""

    rank: int
    """1 is best, by *conservative*; equals share."""
    bot: str
    mu: float
    """Estimated skill; a new bot has 25."""
    sigma: float
    """Standard deviation of *mu*; a new bot has 25/3."""
    conservative: float
    """mu - 3 sigma."""
    matches: int
    mean_placement: float
    """1 is best."""
    faults: int
    """All that the bot did wrong in these matches."""


@dataclass(frozen=True, slots=True)
class PairCount:
    """How often one bot finished above another in the same match."""

    bot: str
    other: str
    above: int
    """Matches in which *bot* was placed better than *other*."""
    ties: int
    """Matches in which they shared a placement."""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Ratings, and what they rest on: the blocks up to the first unfinished one, void ones left out."""

    game: str
    standings: tuple[Standing, ...]
    """By rank, equals by name."""
    pairs: tuple[PairCount, ...]
    """Every ordered pair that met, in the order of the standings."""
    blocks_counted: int
    blocks_reproducible: int
    """How many of them have chance that follows from a published root, so that no fairness is claimed."""
    blocks_waiting: int
    """Finished blocks that wait behind an unfinished one and do not count yet."""
    void: tuple[VoidBlock, ...]


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """What came of a tournament, up to now."""

    tournament: str
    """Its name; with the same order, it goes on with an unfinished tournament."""
    id: str
    """What its block ids begin with. Of a reproducible tournament it follows from root and order."""
    reproducible: bool
    """Its chance follows from a published root; no fairness is claimed."""
    interrupted: bool
    """Somebody stopped it: what is complete is kept, and the same order goes on with the rest."""
    blocks: int
    blocks_complete: int
    blocks_open: int
    """Neither complete nor void."""
    blocks_played: int
    """Finished in this run; 0 where it only tells what was finished before."""
    void: tuple[VoidBlock, ...]
    ended_processes: tuple[EndedProcess, ...]
    """At most one a bot: the first of this run."""
    faults: tuple[BotFaults, ...]
    """Of this run."""
    idle: tuple[str, ...]
    """Bots that made no decision of their own in this run: what they lost, they lost by default."""
    standings: Leaderboard
    """The table of this tournament alone, every bot starting from the prior."""


class LadderClient(Protocol):
    """A ladder, wherever it runs. Every method raises LadderError."""

    def add_bot(self, name: str, command: Sequence[str], working_directory: str) -> BotRecord:
        """Add a bot, which then enters tournaments by its name."""

    def set_bot(self, name: str, command: Sequence[str], working_directory: str) -> BotRecord:
        """Have the added bot *name* started so from now on. Its results and its rating stay, under its name."""

    def bots(self) -> list[BotRecord]:
        """The bots that were added, by name."""

    def run_tournament(self, order: TournamentOrder, progress: Callable[[Progress], None]) -> TournamentReport:
        """Play a tournament, or what is left of it. *progress* is called at the start and when blocks have ended."""

    def leaderboard(self, game: str) -> Leaderboard:
        """The ratings of all bots that have played *game*, over all tournaments."""
