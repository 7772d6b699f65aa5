"""What the ledger knows of streams, sessions, requests and blocks."""

from collections import deque
from typing import NamedTuple

from simulation.clocks import Clocks
from simulation.twin import Kind, Twin
from tradepit.v1 import block_pb2, play_pb2
from tradepit_server.registry import Plugin


class Ask:
    """A request that has left."""

    __slots__ = (
        "account",
        "allowed",
        "bank",
        "block",
        "deadline",
        "departed",
        "id",
        "observation",
        "open",
        "seat",
        "stream",
        "twin",
    )

    def __init__(self, account: "Account", block: "Block", twin: Twin, seat: int, number: int) -> None:
        self.account = account
        self.block = block
        self.twin = twin
        self.seat = seat
        self.id = number
        self.bank = twin.places[seat].bank
        self.allowed = twin.clocks.allowed(self.bank)
        self.departed = 0
        self.deadline: int | None = None
        self.stream = 0
        """The last stream that it was sent on."""
        self.observation = b""
        self.open = True

    def depart(self, now: int) -> None:
        """It leaves for the first time."""
        self.departed = now
        self.deadline = None if self.allowed is None else now + self.allowed

    def used(self, now: int) -> int:
        """Nanoseconds on its clock."""
        used = now - self.departed
        return used if self.allowed is None else min(used, self.allowed)


class Account:
    """A session."""

    def __init__(self, bot: str, *, reserved: bool) -> None:
        self.id = ""
        """Not known before the first Welcome."""
        self.bot = bot
        self.reserved = reserved
        self.capacity = 1
        self.stream: int | None = None
        self.dropped = False
        """Its stream was lost, and none has come to resume it."""
        self.drops = 0
        self.attached_at = 0
        self.lost: Kind = block_pb2.FAULT_KIND_UNSPECIFIED
        self.gone = False
        self.entries: dict[str, Block] = {}
        self.asks: dict[int, Ask] = {}
        self.decided: set[int] = set()
        self.missed: dict[int, Ask] = {}
        """What was decided without an answer, by decision id."""
        self.last_asked = 0
        self.sent_sequence = 0
        self.received_sequence = 0
        self.received_before = 0
        """The last frame received before the present stream's Hello."""
        self.welcome_due = False
        self.retained: deque[tuple[int, int, list[play_pb2.RefereeMessage]]] = deque()
        """Frames that were sent and not acknowledged: number, bytes, messages."""
        self.retained_bytes = 0
        self.again: deque[play_pb2.RefereeMessage] = deque()
        """What must be sent again before anything new."""
        self.owed: dict[tuple[str, str], play_pb2.RefereeMessage] = {}
        """What the bot must be told, by kind and id."""
        self.notices = 0

    def acknowledge(self, sequence: int) -> None:
        """The bot says that it has everything up to *sequence*."""
        if sequence > self.sent_sequence:
            return  # a boast, of which nothing is believed
        while self.retained and self.retained[0][0] <= sequence:
            self.retained_bytes -= self.retained.popleft()[1]

    def attach(self, number: int, now: int) -> None:
        """A stream carries the session; what was not acknowledged is to be sent again."""
        self.stream, self.dropped, self.attached_at, self.welcome_due = number, False, now, True
        unacknowledged = [message for _, _, messages in self.retained for message in messages]
        # What is about the stream itself is not sent on another.
        kept = [m for m in (*unacknowledged, *self.again) if m.WhichOneof("kind") not in ("welcome", "drain")]
        self.again = deque(kept)
        self.retained.clear()
        self.retained_bytes = 0

    def owe(self, kind: str, name: str, message: play_pb2.RefereeMessage) -> None:
        """The bot must be told *message*, unless it is gone."""
        if not self.lost:
            self.owed[kind, name] = message

    def close(self, ask: Ask, *, missed: bool = False) -> None:
        """The request is decided; *missed*: without an answer to it."""
        if missed:
            self.missed[ask.id] = ask
        ask.open = False
        ask.twin.asked.discard(ask.seat)
        del self.asks[ask.id]
        self.decided.add(ask.id)


class Stream:
    """A stream that is open for the referee."""

    __slots__ = ("account", "bot", "reserved")

    def __init__(self, bot: str, reserved: str | None) -> None:
        self.bot = bot
        self.reserved = reserved
        self.account: Account | None = None


class Plan(NamedTuple):
    """A block as it was ordered."""

    block_id: str
    game: str
    options: dict[str, int | str]
    duplicate: bool
    bots: tuple[str, ...]
    matches: int
    clocks: Clocks
    reproducible: bytes
    named: bool


class Block:
    """A block in progress."""

    def __init__(self, plan: Plan, plugin: Plugin, secret: bytes, accounts: list[Account]) -> None:
        self.plan = plan
        self.plugin = plugin
        self.secret = secret
        self.accounts = accounts
        self.nonces: list[bytes | None] = [None] * len(accounts)
        self.losses: list[Kind] = [account.lost for account in accounts]
        self.seeds: list[bytes] = []
        self.twins: list[Twin] = []
        self.waiting: deque[Twin] = deque()
        """Matches that have not begun."""
        self.over = 0
        """How many matches have ended."""
        self.outcome: block_pb2.BlockOutcome.ValueType = block_pb2.BLOCK_OUTCOME_UNSPECIFIED
        self.reason = ""
        """Why it is void."""
        self.cause: block_pb2.VoidCause.ValueType = block_pb2.VOID_CAUSE_UNSPECIFIED

    @property
    def id(self) -> str:
        """Its id."""
        return self.plan.block_id

    def seat(self, entrant: int, index: int) -> int:
        """Where *entrant* sits in a match."""
        return (entrant + index) % len(self.accounts)

    def entrant(self, seat: int, index: int) -> int:
        """Who sits in *seat* of a match."""
        return (seat - index) % len(self.accounts)

    def account(self, twin: Twin, seat: int) -> Account:
        """The session that plays a seat."""
        return self.accounts[self.entrant(seat, twin.index)]

    def lost_seats(self, twin: Twin) -> dict[int, Kind]:
        """The seats of a match whose bots are gone."""
        return {self.seat(entrant, twin.index): loss for entrant, loss in enumerate(self.losses) if loss}

    def answered(self, entrant: int) -> bool:
        """The entrant has accepted, or is gone."""
        return self.nonces[entrant] is not None or bool(self.losses[entrant])

    def known_nonces(self) -> list[bytes]:
        """Every nonce, empty for none."""
        return [nonce or b"" for nonce in self.nonces]
