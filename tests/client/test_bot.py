"""The base of all bots knows no game; the first bot of an author's is as short as the library says."""

import hashlib
import textwrap
from typing import Any, ClassVar

import long_short_frames as frames
import pytest
from google.protobuf.wrappers_pb2 import Int64Value, StringValue
from scripted_referee import ScriptedReferee

import tradepit.long_short
from tradepit import chance
from tradepit.bot import Bot
from tradepit.chance import Chance
from tradepit.errors import FairnessError
from tradepit.match import Edition, Match, Request
from tradepit.session import ClientSession
from tradepit.v1 import block_pb2, play_pb2

TOML = b'id = "toy-1"\n'


class ToyBot(Bot):
    """A third party's base for bots of its own game, and a bot at once."""

    games: ClassVar = ("toy",)
    name = "toy bot"

    def __init__(self) -> None:
        self.prepared: list[Edition] = []

    def prepare(self, game: str, edition: Edition) -> None:
        """Remembers."""
        self.prepared.append(edition)

    def answer(self, request: Request) -> Int64Value:
        """As many as the observation has letters."""
        return Int64Value(value=len(StringValue.FromString(request.observation).value))

    def check_fairness(self, match: Match, chance: Chance) -> None:
        """Suspects everybody."""
        raise FairnessError(f"{len(match.observations)} observations")


@pytest.fixture
def toy() -> tuple[ToyBot, ClientSession]:
    """A toy bot that has been invited, and its session."""
    bot = ToyBot()
    session = ClientSession(bot, entropy=bytes)
    session.edition_source = lambda game, sha256: TOML
    edition = block_pb2.EditionReference(id="toy-1", sha256=hashlib.sha256(TOML).digest())
    frames.answers(session, frames.invitation(game="toy", edition=edition))
    return bot, session


def test_a_third_partys_game_is_played_with_its_own_messages(toy: tuple[ToyBot, ClientSession]) -> None:
    bot, session = toy
    request = play_pb2.DecisionRequest(match_id=frames.MATCH_ID, decision_id=3)
    request.observation.Pack(StringValue(value="seven"))
    (answer,) = frames.answers(session, frames.started(), request)
    assert [edition.data for edition in bot.prepared] == [{"id": "toy-1"}]
    assert answer.decision.action.type_url == "type.googleapis.com/google.protobuf.Int64Value"
    assert Int64Value.FromString(answer.decision.action.value).value == 5


def test_a_third_partys_check_is_called_when_the_block_is_over(toy: tuple[ToyBot, ClientSession]) -> None:
    _, session = toy
    nonces = [bytes(32), b""]
    seed = chance.match_seed(chance.block_seed(bytes(32), frames.BLOCK_ID, nonces), 0)
    started = frames.started()
    started.bot_seed = chance.bot_seed(seed, 0)
    ended = play_pb2.BlockEnded(block_id=frames.BLOCK_ID, secret=bytes(32), nonces=nonces)
    with pytest.raises(FairnessError, match="0 observations"):
        frames.answers(session, started, ended)


def test_the_bot_in_the_documentation_plays() -> None:
    """The docstring of tradepit.long_short, word for word."""
    text = textwrap.dedent((tradepit.long_short.__doc__ or "").partition("::\n")[2])
    names: dict[str, Any] = {"__name__": "momentum"}
    exec(compile(text, "momentum.py", "exec"), names)  # noqa: S102  # the documentation is ours
    referee = ScriptedReferee([names["Momentum"](), names["Momentum"]()])
    referee.play()
    assert referee.failures == []
    assert any(action.orders for _, kind, action in referee.decisions if kind == "turn")
