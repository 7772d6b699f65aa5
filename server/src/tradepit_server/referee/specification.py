"""What a block is to be, checked."""

from collections.abc import Sequence
from dataclasses import dataclass

from tradepit import chance
from tradepit.v1 import block_pb2
from tradepit_server import registry
from tradepit_server.games.base import Edition, GameError, OptionValue
from tradepit_server.referee.time_control import TimeControl

_LONGEST_ID = 200
_MOST_MATCHES = 1000


class SpecificationError(ValueError):
    """A block that cannot be played; one line that quotes the value."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of a block and the session it plays in."""

    bot: str
    session_id: str


@dataclass(frozen=True, slots=True)
class BlockSpec:
    """A block that can be played as it stands."""

    block_id: str
    game: str
    edition: Edition
    packaged_edition: bool
    """The edition comes with the game, so that replays need not carry it."""
    options: dict[str, OptionValue]
    """Every option and its value."""
    duplicate: bool
    """All matches share the deal of match 0."""
    entrants: tuple[Entrant, ...]
    matches: int
    time_control: TimeControl
    reproducible_secret: bytes | None
    """32 bytes; None: the referee draws one."""
    named_entrants: bool

    @classmethod
    def from_message(cls, message: block_pb2.BlockSpecification, session_ids: Sequence[str]) -> "BlockSpec":
        """The block in *message*, its entrants in the sessions *session_ids*. Raises SpecificationError."""
        try:
            return cls._checked(message, session_ids)
        except (GameError, registry.UnknownGame, ValueError) as error:
            raise SpecificationError(f"block {message.block_id!r}: {error}") from error

    @classmethod
    def _checked(cls, message: block_pb2.BlockSpecification, session_ids: Sequence[str]) -> "BlockSpec":
        game = registry.get(message.game).game
        names = [entrant.bot for entrant in message.entrants]
        _check_id(message.block_id)
        _check_names(names)
        game.info.check_seats(len(names))
        if message.matches > _MOST_MATCHES:
            raise ValueError(f"a block has at most {_MOST_MATCHES} matches, not {message.matches}")
        secret = message.reproducible_secret
        if len(secret) not in (0, chance.SEED_BYTES):
            raise ValueError(f"a reproducible secret has {chance.SEED_BYTES} bytes, not {len(secret)}")
        edition = game.load_edition(message.edition_toml) if message.edition_toml else game.editions[0]
        options = game.info.resolve(message.options)
        # An edition may seat fewer than the game: what it refuses, it must refuse before the block begins.
        game.new(len(names), options, chance.Chance(bytes(chance.SEED_BYTES)), edition)
        return cls(
            block_id=message.block_id,
            game=message.game,
            edition=edition,
            packaged_edition=any(known.toml == edition.toml for known in game.editions),
            options=options,
            duplicate=message.deal == block_pb2.DEAL_DUPLICATE,
            entrants=tuple(Entrant(*pair) for pair in zip(names, session_ids, strict=True)),
            matches=message.matches or len(names),
            time_control=TimeControl.from_message(message.time_control),
            reproducible_secret=secret or None,
            named_entrants=message.named_entrants,
        )

    def seat(self, entrant: int, match_index: int) -> int:
        """The seat of an entrant in a match: cyclic seatings."""
        return (entrant + match_index) % len(self.entrants)

    def entrant(self, seat: int, match_index: int) -> int:
        """The entrant in a seat of a match."""
        return (seat - match_index) % len(self.entrants)

    def edition_reference(self) -> block_pb2.EditionReference:
        """The edition as a message."""
        return block_pb2.EditionReference(id=self.edition.id, sha256=self.edition.sha256)

    def deal(self) -> block_pb2.Deal.ValueType:
        """The deal as a message's value."""
        return block_pb2.DEAL_DUPLICATE if self.duplicate else block_pb2.DEAL_INDEPENDENT


def _check_id(block_id: str) -> None:
    if not block_id or not block_id.isprintable() or len(block_id.encode()) > _LONGEST_ID:
        raise ValueError(f"a block id is 1 to {_LONGEST_ID} bytes of printable text")


def _check_names(names: Sequence[str]) -> None:
    for name in names:
        if not name or not name.isprintable():
            raise ValueError(f"a bot's name cannot be {name!r}")
        if names.count(name) > 1:
            raise ValueError(f"bot {name!r} is entered {names.count(name)} times; a block has each bot once")
