"""What the classes for authors of all games have in common: an author's method for each kind of decision."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from google.protobuf.message import Message

from tradepit.bot import Bot
from tradepit.match import Request
from tradepit.view import View

_View = TypeVar("_View", bound=View)
_Answer = TypeVar("_Answer")


class Kind(NamedTuple):
    """A kind of decision."""

    method: str
    """The author's method that is asked."""
    message: Callable[[Any, str], Message]
    """From what it returned, and who did that in words, to the action. Raises TypeError or ValueError, naming both."""


class GameBot(Bot, Generic[_View, _Answer]):
    """A bot that is shown views. A game's class for authors gives ``decision_kinds`` and ``make_view``."""

    decision_kinds: ClassVar[Mapping[str, Kind]]
    """By the word of ``View.decision``."""

    @abstractmethod
    def make_view(self, request: Request) -> _View:
        """What *request* shows."""

    def decide(self, view: _View) -> _Answer:
        """What the method for the kind of decision says: ``take_turn`` for a turn."""
        answer: _Answer = getattr(self, self.decision_kinds[view.decision].method)(view)
        return answer

    def decide_many(self, views: Sequence[_View]) -> Sequence[_Answer]:
        """What to answer to each of *views*, in their order.

        For bots that think about many decisions at once, as a neural network does. Override it, and all that the
        referee asks in one frame comes here together: decisions of any kind, in up to ``max_concurrent_matches``
        matches. The answers leave together too, so the first one waits for the last. An exception fails them all.
        """
        return [self.decide(view) for view in views]

    @property
    def decides_many(self) -> bool:
        """Whether ``decide_many`` is the author's."""
        return type(self).decide_many is not GameBot.decide_many

    def answer(self, request: Request) -> Message:
        """The action for *request*, by ``decide``. Raises TypeError or ValueError if that returns something else."""
        view = self.make_view(request)
        kind = self.decision_kinds[view.decision]
        return kind.message(self.decide(view), kind.method)

    def answer_many(self, requests: Sequence[Request]) -> Sequence[Message]:
        """The actions for *requests*, by ``decide_many``. Raises TypeError or ValueError if its answers do not fit."""
        views = [self.make_view(request) for request in requests]
        returned = self.decide_many(views)
        if not isinstance(returned, Iterable):
            raise TypeError(f"decide_many returned {returned!r}; it must return a list, one answer for each view")
        answers = list(returned)
        if len(answers) != len(views):
            raise ValueError(f"decide_many returned {len(answers)} answers to {len(views)} views")
        return [
            self.decision_kinds[view.decision].message(answer, f"for views[{index}], a {view.decision}, decide_many")
            for index, (view, answer) in enumerate(zip(views, answers, strict=True))
        ]
