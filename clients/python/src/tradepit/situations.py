"""Asks a bot about situations that an author wrote by hand: what the games' modules for testing have in common."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import ClassVar, Generic, Protocol, TypeVar

from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import Message

from tradepit.bot import Bot
from tradepit.match import Request
from tradepit.testing import Question, ScriptedReferee, packaged_edition
from tradepit.view import View


class Situation(Protocol):
    """What a referee of situations needs to know of one, whatever the game."""

    @property
    def seat(self) -> int:
        """The bot's own."""

    @property
    def seats(self) -> int:
        """How many play."""

    @property
    def time_left(self) -> timedelta | None:
        """What the bot reads on its clock; None: no limit."""

    def option_words(self) -> Mapping[str, str]:
        """Every option of the match. Raises ValueError for a name that is none."""


_Situation = TypeVar("_Situation", bound=Situation)
_Answer = TypeVar("_Answer")
_View = TypeVar("_View", bound=View)


class SituationReferee(ScriptedReferee, ABC, Generic[_Situation, _Answer, _View]):
    """Asks one bot about situations. Each question goes on with the match before, if seat, seats and options agree."""

    game: ClassVar[str]
    packaged: ClassVar[str]
    """Where the edition in the box is, within ``tradepit_server``."""
    edition: bytes
    """The TOML text by which is played."""
    notes: list[str]
    """What the bot noted with its last answers."""

    def __init__(self, bot: Bot, *, edition: bytes | None = None) -> None:
        """A referee for *bot*, by the TOML text *edition*; None: the one in the box."""
        self.edition = packaged_edition(self.packaged) if edition is None else edition
        super().__init__(bot, game=self.game, edition=self.edition)
        self.notes = []
        self._match_ids: dict[object, str] = {}
        self._last = ""

    @abstractmethod
    def observation(self, situation: _Situation) -> Message:
        """What a referee would send. Raises ValueError quoting what cannot be."""

    @classmethod
    @abstractmethod
    def read_view(cls, request: Request) -> _View:
        """What *request* shows."""

    @abstractmethod
    def read_answer(self, action: bytes) -> _Answer:
        """A serialised action as an author would give it."""

    @abstractmethod
    def problem(self, answer: _Answer, view: _View) -> str:
        """Why a referee would not take *answer*; empty if it would."""

    @abstractmethod
    def text(self, answer: _Answer) -> str:
        """*answer* in words."""

    @classmethod
    def view_of(cls, situation: _Situation, *, edition: bytes | None = None) -> _View:
        """What a bot would be given to look at."""
        onlooker = _Onlooker(cls.game)
        referee = cls(onlooker, edition=edition)
        referee.ask_all([referee.question(situation)])
        return cls.read_view(onlooker.request)

    def ask(self, situations: Sequence[_Situation]) -> list[_Answer]:
        """Ask about all *situations* in one frame, each in a match of its own; what the bot answers, in their order.

        AssertionError if it raises, or the rules forbid what it answers.
        """
        answers = self.ask_all([self.question(situation, index) for index, situation in enumerate(situations)])
        self.notes = [answer.note for answer in answers]
        return [
            self._judged(self.read_answer(answer.action), situation)
            for situation, answer in zip(situations, answers, strict=True)
        ]

    def question(self, situation: _Situation, index: int = 0) -> Question:
        """*situation* as a question, for the place *index* in its frame. Raises ValueError if it cannot be."""
        observation = self.observation(situation)
        return Question(self._match_id(index, situation), observation, situation.time_left)

    def end(self, scores: Sequence[int]) -> None:
        """Tell the bot that the match it was asked about last is over, with *scores* in dollars by seat."""
        self.end_match(self._last, scores)
        self._match_ids = {key: match_id for key, match_id in self._match_ids.items() if match_id != self._last}

    def _match_id(self, index: int, situation: _Situation) -> str:
        words = situation.option_words()
        key = (index, situation.seat, situation.seats, tuple(words.items()))
        if key not in self._match_ids:
            self._match_ids[key] = self.start_match(situation.seat, situation.seats, words)
        self._last = self._match_ids[key]
        return self._last

    def _judged(self, answer: _Answer, situation: _Situation) -> _Answer:
        view = self.view_of(situation, edition=self.edition)
        problem = self.problem(answer, view)
        if problem:
            raise AssertionError(f"{problem}\nthe bot answered: {self.text(answer)}\nto: {view}")
        return answer


class _Onlooker(Bot):
    """Keeps what it is asked, and answers nothing."""

    request: Request

    def __init__(self, game: str) -> None:
        self.games = (game,)  # type: ignore[misc]  # it looks on at any game

    def answer(self, request: Request) -> Empty:
        self.request = request
        return Empty()
