"""Shared by the tests of replays."""

from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from long_short_play import moments, random_match

from tradepit import chance
from tradepit.v1 import block_pb2
from tradepit_server.codecs.long_short import CODEC
from tradepit_server.games.base import OptionValue
from tradepit_server.games.long_short.actions import Action
from tradepit_server.games.long_short.state import State


class Recorder:
    """Plays a random match and writes down what a referee would."""

    def __init__(self, seats: int, number: int) -> None:
        self.state, self._player = random_match(seats, number)
        self._options: dict[str, OptionValue] = dict(self.state.options)
        self._decisions: list[block_pb2.ReplayDecision] = []

    def play(self) -> block_pb2.Replay:
        """The replay of the whole match."""
        for _ in moments(self.state, self._decide):
            pass
        return self._replay()

    def _decide(self, state: State, seat: int) -> Action:
        action = self._player(state, seat)
        url = f"type.googleapis.com/{CODEC.action_type}"
        decision = block_pb2.ReplayDecision(
            seat=seat, kind=state.decision, action=AnyMessage(type_url=url, value=CODEC.encode_action(action))
        )
        decision.thought.FromNanoseconds(123_456_789 + len(self._decisions))
        self._decisions.append(decision)
        return action

    def _replay(self) -> block_pb2.Replay:
        secret = bytes(range(32))
        replay = block_pb2.Replay(
            format="tradepit-replay/1",
            match_id="cup/3/1/0",
            block_id="cup/3/1",
            deal=block_pb2.DEAL_INDEPENDENT,
            game="long-short",
            edition=block_pb2.EditionReference(id=self.state.edition.id, sha256=self.state.edition.sha256),
            options={name: str(value) for name, value in self._options.items()},
            bots=[f"bot-{seat}" for seat in range(self.state.seats)],
            time_control=block_pb2.TimeControl(name="standard", strikes=3),
            secret=secret,
            commitment=chance.commitment(secret),
            nonces=[b"", b"n" * 16],
            seed=self.state.chance.seed,
            decisions=self._decisions,
            result=block_pb2.MatchResult(
                scores=self.state.scores(),
                placements=self.state.placements(),
                terminations=[block_pb2.TERMINATION_COMPLETED] * self.state.seats,
            ),
        )
        replay.time_control.decision.FromMilliseconds(2500)
        return replay


@pytest.fixture
def record() -> Callable[..., Any]:
    """``record(seats, number)`` is the replay of that random match."""
    return lambda seats=3, number=0: Recorder(seats, number).play()
