"""A scripted referee, for an author's own tests: it asks a bot what the test makes up, and hands over the answers.

It knows no game: the ``testing`` module of each derives one that does, by ``tradepit.situations``. The bot plays
through the session that it has at a real referee, so whatever it overrides is called as it is there. Neither grpc nor
the server is imported.
"""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from tradepit import chance
from tradepit.bot import Bot
from tradepit.session import ClientSession
from tradepit.v1 import block_pb2, play_pb2


class Question(NamedTuple):
    """One decision to ask for."""

    match_id: str
    """As ``start_match`` gave it."""
    observation: Message
    """The game's own."""
    time_left: timedelta | None = None
    """What the bot reads on its clock; None: no limit. Nothing is measured."""


class Answer(NamedTuple):
    """What the bot answered."""

    action: bytes
    """The game's own message, serialised."""
    note: str


class ScriptedReferee:
    """A referee for one bot, which says what a test tells it to."""

    def __init__(self, bot: Bot, *, game: str, edition: bytes, seed: bytes = bytes(chance.SEED_BYTES)) -> None:
        """A referee for *bot* in *game*, by the TOML text *edition*; all chance of the bot follows from *seed*.

        Raises ValueError if the bot promises less than one match at a time.
        """
        self._session = ClientSession(bot, entropy=bytes)
        self._session.edition_source = lambda game, sha256: edition
        self._session.hello()
        self._game = game
        self._edition = block_pb2.EditionReference(
            id=tomllib.loads(edition.decode())["id"], sha256=hashlib.sha256(edition).digest()
        )
        self._seed = seed
        self._matches = 0
        self._sequence = 0
        self._acknowledged = 0
        self._decision_id = 0

    def start_match(self, seat: int, seats: int, options: Mapping[str, str]) -> str:
        """Invite the bot to a block, begin its first match, and return the match's id. AssertionError if it refuses."""
        block_id = f"scripted/{self._matches}"
        invitation = play_pb2.BlockInvitation(
            block_id=block_id,
            game=self._game,
            edition=self._edition,
            options=options,
            deal=block_pb2.DEAL_INDEPENDENT,
            matches=seats,
            entrants=["anonymous"] * seats,
            entrant=seat,
            commitment=chance.commitment(self._seed),
        )
        started = play_pb2.MatchStarted(
            match_id=f"{block_id}/0",
            block_id=block_id,
            seat=seat,
            seats=seats,
            bot_seed=chance.bot_seed(chance.match_seed(self._seed, self._matches), seat),
        )
        self._matches += 1
        (accepted,) = self._send(play_pb2.RefereeMessage(block_invitation=invitation))
        refusal = accepted.block_acceptance.refusal
        if refusal:
            raise AssertionError(f"the bot refused to play: {refusal}")
        self._send(play_pb2.RefereeMessage(match_started=started))
        return started.match_id

    def ask_all(self, questions: Sequence[Question]) -> list[Answer]:
        """Ask all *questions* in one frame; the answers in the same order. AssertionError if the bot raises."""
        requests = [self._request(question) for question in questions]
        sent = self._send(*(play_pb2.RefereeMessage(decision_request=request) for request in requests))
        decisions = {message.decision.decision_id: message.decision for message in sent}
        failures = [message.decision_failure for message in sent if message.HasField("decision_failure")]
        if failures:
            raise AssertionError(f"the bot raised {failures[0].reason} (the traceback is on standard error)")
        answers = [decisions[request.decision_id] for request in requests]
        return [Answer(answer.action.value, answer.note) for answer in answers]

    def end_match(self, match_id: str, scores: Sequence[int]) -> None:
        """Tell the bot that a match is over, with *scores* by seat; the higher ones are placed first."""
        ended = play_pb2.MatchEnded(
            match_id=match_id,
            scores=scores,
            placements=[1 + sum(other > score for other in scores) for score in scores],
            terminations=[block_pb2.TERMINATION_COMPLETED] * len(scores),
        )
        self._send(play_pb2.RefereeMessage(match_ended=ended))

    def _request(self, question: Question) -> play_pb2.DecisionRequest:
        self._decision_id += 1
        observation = AnyMessage()
        observation.Pack(question.observation)
        request = play_pb2.DecisionRequest(
            match_id=question.match_id, decision_id=self._decision_id, observation=observation
        )
        if question.time_left is not None:
            request.time_left.FromTimedelta(question.time_left)
        return request

    def _send(self, *messages: play_pb2.RefereeMessage) -> list[play_pb2.BotMessage]:
        self._sequence += 1
        frame = play_pb2.PlayResponse(
            sequence=self._sequence, acknowledged_sequence=self._acknowledged, messages=messages
        )
        sent = self._session.received(frame.SerializeToString())
        answers = [play_pb2.PlayRequest.FromString(answer) for answer in sent]
        self._acknowledged = answers[-1].sequence if answers else self._acknowledged
        return [message for answer in answers for message in answer.messages]


def packaged_edition(path: str) -> bytes:
    """The text of an edition that the wheel ships beside a game's engine; *path* is that within ``tradepit_server``.

    The file is read; nothing of the server is imported. Raises FileNotFoundError.
    """
    server = find_spec("tradepit_server")
    folders = server.submodule_search_locations if server else None
    if not folders:
        raise FileNotFoundError(f"tradepit_server is not installed, so it has no {path}")
    return Path(folders[0], path).read_bytes()
