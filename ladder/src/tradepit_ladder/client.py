"""What a ladder can be asked to do, and the plain values that go in and come out.

The command line knows a ladder by this protocol alone, whether it runs in the same process or on a
server. Errors::

    LadderError(ValueError)    the order cannot be carried out; one line that quotes the value
    +-- RecordError            the order may be right, but database or replays fail
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from tradepit.v1 import block_pb2
from tradepit_ladder.rating_reports import RatingHistory, Rebuilt


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
    separable: bool | None = None
    """Whether its interval mu +- 2 sigma lies apart from that of the next in the table; None: there is none."""


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
    """Complete blocks that wait behind an unfinished one and do not count yet."""
    void: tuple[VoidBlock, ...]
    bots: int = 0
    """How many are rated; *standings* may be a part of them."""
    fold_version: int = 0
    """Which parameters the ratings were made by; a game's are counted from 1, those of one tournament alone are 0."""
    draw_probability: float = 0.1
    """Between two equal bots."""
    draw_measured: int = 0
    """On how many matches it rests, the first of the game; 0: it is the default."""


class TournamentState(StrEnum):
    """What becomes of the blocks of a tournament that are open."""

    OPEN = "open"
    """They are played."""
    PAUSED = "paused"
    """None is begun, until somebody goes on with it."""
    CANCELLED = "cancelled"
    """There are none: those that were open are void."""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A bot that left a tournament: its open blocks are void, what it has played counts."""

    bot: str
    reason: str
    """In words; may be empty."""


@dataclass(frozen=True, slots=True)
class Overhead:
    """The referee's own part in the time between a bot's answer and the next request: what clocks must allow for."""

    requests: int
    """How many were measured."""
    mean_seconds: float
    percentile_99_seconds: float
    """99 of 100 took at most so long; up to twice what they really took."""
    longest_seconds: float


@dataclass(frozen=True, slots=True)
class LateAnswers:
    """Answers of one bot that came after their deadline, so that a default had been played."""

    bot: str
    count: int


@dataclass(frozen=True, slots=True)
class TournamentSummary:
    """One tournament of a list."""

    tournament: str
    game: str
    bots: tuple[str, ...]
    state: TournamentState
    running: bool
    """Some program plays it now."""
    reproducible: bool
    blocks: int
    blocks_complete: int
    blocks_void: int


@dataclass(frozen=True, slots=True)
class MatchSeat:
    """What came of a match for the bot in one seat."""

    bot: str
    version: int
    """Which version of the bot played, from 1."""
    score: int
    """In the game's own unit."""
    placement: int
    """1 is best, ties share."""
    termination: str
    """In lower case, for example ``completed``."""
    faults: int
    late_answers: int | None
    """Answers that came after their deadline; None: not measured."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that counts."""

    match_id: str
    tournament: str
    game: str
    seats: tuple[MatchSeat, ...]
    """By seat."""
    replay_sha256: str
    """The digest of its replay, in hex."""
    overhead: Overhead | None
    """None: not measured."""


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
    state: TournamentState
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
    withdrawals: tuple[Withdrawal, ...]
    blocks_withdrawn: int
    """Void blocks with a bot that was withdrawn."""
    overhead: Overhead | None
    """Over all its matches; None: nothing was measured."""
    late_answers: tuple[LateAnswers, ...]
    """Over all its matches, by bot; those that had none are left out."""
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
        """Play a tournament, or what is left of it, also of one that was paused.

        Several programs may do so at once. *progress* is called at the start, and when blocks have ended.
        """

    def tournament_order(self, name: str) -> TournamentOrder:
        """What the tournament *name* was ordered with, to go on with it. How house bots are started is not known."""

    def tournaments(self) -> list[TournamentSummary]:
        """All tournaments, in the order in which they were begun."""

    def pause_tournament(self, name: str) -> TournamentSummary:
        """Have no further block of the tournament begun. Programs that play it finish what they have begun, and end."""

    def cancel_tournament(self, name: str) -> TournamentSummary:
        """End the tournament for good: its open blocks are void, also those that are being played."""

    def withdraw_bot(self, bot: str, tournament: str, reason: str) -> int:
        """Take *bot* out of a tournament. How many open blocks are void thereby, also some that are being played."""

    def matches(self, *, bot: str | None = None, tournament: str | None = None, limit: int) -> list[MatchRecord]:
        """The last *limit* matches that count, the latest first: of one *bot*, of one *tournament*."""

    def match(self, match_id: str) -> MatchRecord:
        """The match with this id."""

    def replay(self, match_id: str) -> bytes:
        """The serialised replay of the match with this id."""

    def leaderboard(self, game: str, *, limit: int = 100, skip: int = 0) -> Leaderboard:
        """The ratings of the bots that have played *game*, over all tournaments: of the first *limit* behind *skip*."""

    def rating_history(self, bot: str, game: str) -> RatingHistory:
        """How the rating of *bot* in *game* came about."""

    def rebuild_ratings(self, game: str, on_new_version: str | None = None) -> Rebuilt:
        """Make the ratings of *game* again from the first result, and compare them with those that are stored.

        From now on *on_new_version*, ``keep``, ``widen`` or ``reset``, is what a new version of a bot does to its
        rating; None: as before.
        """
