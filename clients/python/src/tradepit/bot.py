"""The base of all bots. It knows no game: each game derives its own class, as ``tradepit.long_short`` does."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from tradepit.chance import Chance
    from tradepit.match import Edition, Match, MatchResult, Request


class Bot(ABC):
    """A bot, for games of which a class for authors derives from this one.

    That class gives ``games`` and ``answer``, usually by building a view of the observation and
    calling a method that authors write; and ``check_fairness``, if the game has chance.
    """

    name: str = ""
    """As its author writes it; empty stands for the name of the class."""

    games: ClassVar[Sequence[str]] = ()
    """The games that it plays, for example ("long-short",)."""

    max_concurrent_matches: int = 1
    """How many matches it plays at the same time. More than 1 needs a bot that keeps its matches apart."""

    @abstractmethod
    def answer(self, request: "Request") -> "Message":
        """The game's action message for *request*. Whatever it raises is shown here and reported as a failure."""

    @property
    def decides_many(self) -> bool:
        """Whether all requests of a frame are answered together, by ``answer_many``; else each leaves as it is made."""
        return False

    def answer_many(self, requests: Sequence["Request"]) -> Sequence["Message"]:
        """One action message for each of *requests*, in their order. What it raises fails all of them."""
        return [self.answer(request) for request in requests]

    def match_started(self, match: "Match") -> None:  # noqa: B027  # a hook: doing nothing is the default
        """A match begins."""

    def match_ended(self, match: "Match", result: "MatchResult") -> None:  # noqa: B027  # a hook, as above
        """A match is over."""

    def prepare(self, game: str, edition: "Edition") -> None:  # noqa: B027  # a hook, as above
        """A block of *game* is about to be accepted: read *edition* now, while no decision's clock runs."""

    def check_fairness(self, match: "Match", chance: "Chance") -> None:  # noqa: B027  # a hook, as above
        """Compare all that *match* has shown with its revealed *chance*. Raises FairnessError naming what differs."""

    def describe_action(self, game: str, action: bytes) -> str:
        """A serialised action of *game* in words, to show what was played instead of a rejected one."""
        return f"{len(action)} bytes"

    def run(self, argv: Sequence[str] | None = None) -> None:
        """Play until the referee ends the stream; *argv* defaults to the process's arguments.

        ``--referee`` and ``--token-file``, or TRADEPIT_REFEREE and TRADEPIT_TOKEN, say where and as whom.
        Returns when the referee is done or the bot is interrupted; otherwise raises SystemExit after one
        clear line on standard error, with status 2 for options that cannot be used, else 1.
        """
        from tradepit.launch import launch  # only a bot that is run needs grpc

        launch(self, argv)


def bot_name(bot: Bot) -> str:
    """The name by which *bot* introduces itself."""
    return bot.name or type(bot).__name__
