"""A bot for any game that brings trials: it draws a state that agrees with what it sees, and plays at random.

``python -m tradepit_server.testing.bot GAME --referee TARGET --token-file FILE`` runs it.
"""

import sys
from functools import lru_cache
from typing import ClassVar

from google.protobuf.message import Message

from tradepit.bot import Bot
from tradepit.match import Request
from tradepit_server.games.base import Edition
from tradepit_server.testing.messages import message_class
from tradepit_server.testing.trials import Subject, find


class TrialBot(Bot):
    """Plays the game of its class at random, by chance of the match alone."""

    name = "trial"
    max_concurrent_matches = 32
    subject: ClassVar[Subject]

    def answer(self, request: Request) -> Message:
        """A random action that is legal by all that this seat knows."""
        codec, trials = self.subject.codec, self.subject.trials
        state = codec.sample_state(request.observation, request.rng, self._edition(request.match.edition.toml))
        action = trials.random_action(state, request.match.seat, request.rng)
        return message_class(codec.action_type).FromString(codec.encode_action(action))

    @classmethod
    @lru_cache(maxsize=8)
    def _edition(cls, toml: bytes) -> Edition:
        return cls.subject.game.load_edition(toml)


def trial_bot(subject: Subject) -> TrialBot:
    """A bot that plays *subject*."""
    kind: type[TrialBot] = type("TrialBot", (TrialBot,), {"subject": subject, "games": (subject.name,)})
    return kind()


if __name__ == "__main__":
    trial_bot(find(sys.argv[1])).run(sys.argv[2:])
