"""Blocks played by the referee's own bookkeeping, with bots that are late, wrong and lost at random, and no clock."""

from random import Random

from google.protobuf.any_pb2 import Any as AnyMessage

from tradepit.v1 import block_pb2
from tradepit_server.referee import faults
from tradepit_server.referee.block import Block
from tradepit_server.referee.match import Match
from tradepit_server.referee.specification import BlockSpec
from tradepit_server.referee.time_control import SECOND, parse
from tradepit_server.testing.trials import Subject, find

CLOCKS = "decision=2s,bank=20s,increment=100ms"

STRIKES = [faults.TIMEOUT, faults.ILLEGAL_ACTION, faults.MALFORMED, faults.BOT_ERROR]
LOSSES = [faults.DISCONNECTED, faults.CRASHED, faults.NO_SHOW]


def play_block(
    game: str, seats: int, number: int, trouble: float = 0.05, clocks: str = CLOCKS
) -> block_pb2.BlockResult:
    """The *number*-th block with so many seats; *trouble* is how likely a decision goes wrong, from 0 to 1."""
    rng = Random(f"{game}/{seats}/{number}")
    specification = block_pb2.BlockSpecification(
        block_id=f"cup/{number}/1",
        game=game,
        entrants=[block_pb2.Entrant(bot=f"bot-{entrant}") for entrant in range(seats)],
        time_control=parse(clocks).to_message(),
        deal=rng.choice([block_pb2.DEAL_INDEPENDENT, block_pb2.DEAL_DUPLICATE]),
    )
    block = Block(BlockSpec.from_message(specification, [""] * seats), rng.randbytes(32))
    for entrant in range(seats):
        block.accept(entrant, rng.randbytes(rng.choice([0, 16, 32])))
    block.set_up()
    for match in block.matches:
        _Hall(find(game), match, rng, trouble).play()
    return block.result(None)


def replay_of(game: str, seats: int, number: int = 0, trouble: float = 0.05) -> block_pb2.Replay:
    """The first match of a block."""
    return play_block(game, seats, number, trouble).replays[0]


class _Hall:
    """Where one match is played."""

    def __init__(self, subject: Subject, match: Match, rng: Random, trouble: float) -> None:
        self._subject = subject
        self._match = match
        self._rng = rng
        self._trouble = trouble
        self._asked: set[int] = set()

    def play(self) -> None:
        """The match to its end, the seats that are asked at once in any order."""
        self._asked.update(self._match.advance())
        while not self._match.over:
            if self._rng.random() < self._trouble / 8:
                self._lose(self._rng.randrange(len(self._match.seats)))
            else:
                self._answer(self._rng.choice(sorted(self._asked)))
            self._asked.update(self._match.advance())

    def _lose(self, seat: int) -> None:
        self._match.lose(seat, faults.Loss(self._rng.choice(LOSSES), "gone"))
        self._asked.discard(seat)

    def _answer(self, seat: int) -> None:
        self._asked.discard(seat)
        allowed = self._match.allowed(seat)
        used = self._rng.randrange(1 + (SECOND if allowed is None else allowed))
        if self._rng.random() < self._trouble:
            kind = self._rng.choice(STRIKES if allowed is not None else STRIKES[1:])
            took = allowed if kind == faults.TIMEOUT and allowed is not None else used
            self._match.fault(seat, kind, f"fault of seat {seat}", took)
        else:
            self._match.decide(seat, self._action(seat), used, self._rng.choice(["", f"note of seat {seat}"]))

    def _action(self, seat: int) -> AnyMessage:
        codec, trials = self._subject.codec, self._subject.trials
        action = trials.random_action(self._match.state, seat, self._rng)
        return AnyMessage(type_url=f"type.googleapis.com/{codec.action_type}", value=codec.encode_action(action))
