"""What a bot is told about its matches, whatever the game: plain values, apart from the messages they came in."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from random import Random
from typing import Any

from tradepit.chance import Chance
from tradepit.v1 import block_pb2, play_pb2
from tradepit.words import Words

_TERMINATIONS = Words(block_pb2.Termination, "TERMINATION_")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The clocks of a match; None sets no limit."""

    name: str
    """As organisers know it; empty when it was given by value."""
    startup: timedelta | None
    """To accept an invitation."""
    decision: timedelta | None
    """For one decision."""
    bank: timedelta | None
    """For all decisions of a match together."""
    increment: timedelta | None
    """Added to the bank after each decision."""
    strikes: int
    """The number of faults that forfeits a seat."""
    resume_window: timedelta | None
    """How long a dropped stream may be resumed; None: the organiser does not say."""

    @classmethod
    def from_message(cls, message: block_pb2.TimeControl) -> "TimeControl":
        """The plain form of *message*."""
        fields = message.ListFields()
        limits = {field.name: value.ToTimedelta() for field, value in fields if field.message_type is not None}
        limit = limits.get
        clocks = (limit("startup"), limit("decision"), limit("bank"), limit("increment"))
        return cls(message.name, *clocks, message.strikes, limit("resume_window"))


@dataclass(frozen=True, eq=False)
class Edition:
    """The data of a game's box: its lists of cards and the like."""

    id: str
    sha256: bytes
    """Digest of the exact text; 32 bytes."""
    toml: bytes
    """The exact text."""
    data: Mapping[str, Any]
    """The text, parsed."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A set of matches between the same bots, as the invitation announced it."""

    block_id: str
    game: str
    """For example "long-short"."""
    edition: Edition
    options: Mapping[str, str]
    """Every option of the game and its value."""
    duplicate: bool
    """All matches have the deal of match 0."""
    matches: int
    """The number of matches."""
    entrants: tuple[str, ...]
    """The bots at the table; anonymous unless the organiser says otherwise."""
    entrant: int
    """The own index in ``entrants``. In match k entrant e sits in seat (e + k) mod n."""
    time_control: TimeControl
    commitment: bytes
    """SHA-256 of the secret that is revealed when the block is over; 32 bytes."""
    reproducible: bool
    """The secret follows from a published root: no fairness is claimed."""
    nonce: bytes
    """The own share in the block's chance; empty when it is reproducible."""


class Match:
    """One match that the bot plays, from its start to its end. Authors may keep what they like by ``match_id``."""

    __slots__ = ("block", "bot_seed", "chance", "index", "match_id", "observations", "seat", "seats")

    block: Block
    """The block that it belongs to: game, edition, options, clocks."""
    match_id: str
    index: int
    """Its index in the block, from 0."""
    seat: int
    """The own seat, from 0."""
    seats: int
    """The number of seats."""
    bot_seed: bytes
    """32 bytes for the bot's own chance: a bot that uses no other plays equal matches for equal seeds."""
    chance: Chance
    """Keyed by ``bot_seed``: draws by label, whatever the order."""
    observations: list[bytes]
    """Every observation received so far, as serialised by the game; the fairness check reads them."""

    def __init__(self, block: Block, started: play_pb2.MatchStarted) -> None:
        """The match that *started* announces. Raises ValueError unless the bot seed has 32 bytes."""
        self.block = block
        self.match_id = started.match_id
        self.index = started.match_index
        self.seat = started.seat
        self.seats = started.seats
        self.bot_seed = started.bot_seed
        self.chance = Chance(self.bot_seed)
        self.observations = []

    @property
    def block_id(self) -> str:
        """The block that it belongs to."""
        return self.block.block_id

    @property
    def game(self) -> str:
        """For example "long-short"."""
        return self.block.game

    @property
    def options(self) -> Mapping[str, str]:
        """Every option of the game and its value."""
        return self.block.options

    @property
    def edition(self) -> Edition:
        """The data of the game's box."""
        return self.block.edition

    @property
    def time_control(self) -> TimeControl:
        """The clocks."""
        return self.block.time_control

    def __repr__(self) -> str:
        return f"<{self.game} match {self.match_id!r}, seat {self.seat} of {self.seats}>"


class Request:
    """One decision that the referee waits for."""

    match: Match
    observation: bytes
    """The game's observation message, serialised."""
    ordinal: int
    """How many decisions of this seat in this match came before; from 0."""
    note: str
    """What the owner may want to read later: set it while deciding. Beyond the referee's limit (1 KiB) it is cut."""

    def __init__(self, match: Match, message: play_pb2.DecisionRequest) -> None:
        """What *message* asks in *match*; its observation is added to those that the match has seen."""
        self.match = match
        self.observation = message.observation.value
        self.ordinal = len(match.observations)
        self.note = ""
        self._message = message
        match.observations.append(self.observation)

    @property
    def match_id(self) -> str:
        """The match in which it is asked."""
        return self.match.match_id

    @property
    def decision_id(self) -> int:
        """Unique within the session."""
        return self._message.decision_id

    @property
    def time_left(self) -> timedelta | None:
        """How long the referee waits, from the moment the request left it; None: for ever."""
        return self._message.time_left.ToTimedelta() if self._message.HasField("time_left") else None

    @property
    def bank_left(self) -> timedelta | None:
        """What the bank held before this decision; None: no bank is kept."""
        return self._message.bank_left.ToTimedelta() if self._message.HasField("bank_left") else None

    @cached_property
    def rng(self) -> Random:
        """Chance for this decision, from ``bot_seed`` and ``ordinal`` alone: equal seeds give equal play."""
        return Random(self.match.chance.draw(f"decision/{self.ordinal}"))  # noqa: S311  # play, not secrets


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended, by seat."""

    scores: tuple[int, ...]
    """In the game's own unit."""
    placements: tuple[int, ...]
    """1 is best, ties share."""
    terminations: tuple[str, ...]
    """"completed", "forfeited_time", "forfeited_illegal", "forfeited_disconnected" or "forfeited_no_show"."""

    @classmethod
    def from_message(cls, message: play_pb2.MatchEnded | block_pb2.MatchResult) -> "MatchResult":
        """The plain form of *message*."""
        terminations = tuple(_TERMINATIONS[value] for value in message.terminations)
        return cls(tuple(message.scores), tuple(message.placements), terminations)
