"""A referee for tests of bots and of the client library: plays blocks between sessions in one thread.

It knows no clocks and no faults. A test may change any message on its way to a bot, and so cheat.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from tradepit import chance
from tradepit.bot import Bot
from tradepit.session import ClientSession
from tradepit.v1 import block_pb2, play_pb2
from tradepit_server.games.base import OptionValue
from tradepit_server.registry import get

SECRET = bytes(range(32))

Change = Callable[[int, play_pb2.RefereeMessage], play_pb2.RefereeMessage | None]
"""From an entrant and a message for it to what is sent instead; None: nothing is."""


def unchanged(entrant: int, message: play_pb2.RefereeMessage) -> play_pb2.RefereeMessage:
    """What an honest referee sends."""
    return message


class ScriptedReferee:
    """One block between *bots*, over all cyclic seatings."""

    def __init__(
        self,
        bots: Sequence[Bot],
        *,
        game: str = "long-short",
        options: Mapping[str, OptionValue] | None = None,
        secret: bytes = SECRET,
        reproducible: bool = False,
        change: Change = unchanged,
        seed_used: Callable[[bytes], bytes] = bytes,
    ) -> None:
        """A referee that draws from *secret*, and sends what *change* makes of it.

        It deals each match from what *seed_used* makes of the seed that it ought to have: the same, if it is honest.
        """
        plugin = get(game)
        self.game, self.codec = plugin.game, plugin.codec
        self.options = self.game.info.resolve(options or {})
        self.secret = secret
        self.reproducible = reproducible
        self.change = change
        self.seed_used = seed_used
        self.sessions = [ClientSession(bot) for bot in bots]
        self.failures: list[tuple[int, str]] = []
        """(entrant, reason): DecisionFailures and illegal actions."""
        self.scores: list[list[int]] = []
        """By match and seat."""
        self.placements: list[list[int]] = []
        self.decisions: list[tuple[int, str, Any]] = []
        """(seat, kind, action), of all matches in order."""
        self._sequences = [0] * len(bots)
        self._decision_id = 0

    def play(self, block_id: str = "test/0/0") -> None:
        """Play the block to its end; what a session raises, comes out here."""
        for session in self.sessions:
            session.edition_source = lambda game, sha256: self.game.editions[0].toml
            session.hello()
        nonces = [self._invite(entrant, block_id).nonce for entrant in range(len(self.sessions))]
        seed = chance.block_seed(self.secret, block_id, nonces)
        for index in range(len(self.sessions)):
            self._play_match(block_id, index, chance.match_seed(seed, index))
        for entrant in range(len(self.sessions)):
            ended = play_pb2.BlockEnded(
                block_id=block_id, outcome=block_pb2.BLOCK_OUTCOME_COMPLETE, secret=self.secret, nonces=nonces
            )
            self.send(entrant, play_pb2.RefereeMessage(block_ended=ended))

    def send(self, entrant: int, message: play_pb2.RefereeMessage) -> list[play_pb2.BotMessage]:
        """Send *message* to a bot as a frame of its own, and return what it answers."""
        sent = self.change(entrant, message)
        if sent is None:
            return []
        self._sequences[entrant] += 1
        frame = play_pb2.PlayResponse(sequence=self._sequences[entrant], messages=[sent]).SerializeToString()
        answers = [play_pb2.PlayRequest.FromString(answer) for answer in self.sessions[entrant].received(frame)]
        return [message for answer in answers for message in answer.messages]

    def _invite(self, entrant: int, block_id: str) -> play_pb2.BlockAcceptance:
        edition = self.game.editions[0]
        invitation = play_pb2.BlockInvitation(
            block_id=block_id,
            game=self.game.info.name,
            edition=block_pb2.EditionReference(id=edition.id, sha256=edition.sha256),
            options={name: str(value) for name, value in self.options.items()},
            deal=block_pb2.DEAL_INDEPENDENT,
            matches=len(self.sessions),
            entrants=[f"entrant {number}" for number in range(len(self.sessions))],
            entrant=entrant,
            commitment=hashlib.sha256(self.secret).digest(),
            reproducible=self.reproducible,
        )
        answers = self.send(entrant, play_pb2.RefereeMessage(block_invitation=invitation))
        return answers[0].block_acceptance if answers else play_pb2.BlockAcceptance()

    def _play_match(self, block_id: str, index: int, seed: bytes) -> None:
        seats = len(self.sessions)
        match_id = f"{block_id}/{index}"
        entrants = [(seat - index) % seats for seat in range(seats)]
        for seat, entrant in enumerate(entrants):
            started = play_pb2.MatchStarted(
                match_id=match_id,
                block_id=block_id,
                match_index=index,
                seat=seat,
                seats=seats,
                bot_seed=chance.bot_seed(seed, seat),
            )
            self.send(entrant, play_pb2.RefereeMessage(match_started=started))
        state = self.game.new(seats, self.options, chance.Chance(self.seed_used(seed)))
        while state.awaiting:
            kind = state.decision
            actions = {seat: self._ask(state, match_id, seat, entrants[seat]) for seat in state.awaiting}
            self.decisions += [(seat, kind, action) for seat, action in actions.items()]
            state.apply(actions)
        self._end_match(match_id, entrants, state)

    def _ask(self, state: Any, match_id: str, seat: int, entrant: int) -> Any:
        self._decision_id += 1
        observation = AnyMessage(
            type_url=f"type.googleapis.com/{self.codec.observation_type}", value=self.codec.observation(state, seat)
        )
        request = play_pb2.DecisionRequest(match_id=match_id, decision_id=self._decision_id, observation=observation)
        for answer in self.send(entrant, play_pb2.RefereeMessage(decision_request=request)):
            try:
                action = self.codec.decode_action(state, answer.decision.action.value)
                state.validate(seat, action)
                return action
            except ValueError as error:
                self.failures.append((entrant, answer.decision_failure.reason or str(error)))
        return state.default_action(seat)

    def _end_match(self, match_id: str, entrants: Sequence[int], state: Any) -> None:
        self.scores.append(state.scores())
        self.placements.append(state.placements())
        ended = play_pb2.MatchEnded(
            match_id=match_id,
            scores=state.scores(),
            placements=state.placements(),
            terminations=[block_pb2.TERMINATION_COMPLETED] * len(entrants),
        )
        for entrant in entrants:
            self.send(entrant, play_pb2.RefereeMessage(match_ended=ended))
