"""A bot that decides many at once gets all that a frame asks, and answers it in one frame."""

from collections.abc import Callable, Sequence

import long_short_frames as frames
import pytest
from google.protobuf.message import Message

from tradepit.local import play
from tradepit.long_short import Action, LongShortView, Turn
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.match import Request
from tradepit.session import ClientSession
from tradepit.v1 import play_pb2

KINDS = (pb.DECISION_KIND_TURN, pb.DECISION_KIND_DAY_TRADE, pb.DECISION_KIND_END_OF_GAME)


class Batched(frames.Idle):
    """Remembers how many decisions came together; what it answers, a test says."""

    max_concurrent_matches = 8

    def __init__(self, answers: Callable[[Sequence[LongShortView]], object] | None = None) -> None:
        self.frames: list[list[str]] = []
        self.answers = answers or super().decide_many

    def decide_many(self, views: Sequence[LongShortView]) -> Sequence[Action]:
        """One more frame."""
        self.frames.append([view.decision for view in views])
        return self.answers(views)  # type: ignore[return-value]  # an author's mistake may be anything


def asked(*kinds: pb.DecisionKind.ValueType) -> list[play_pb2.DecisionRequest]:
    """A request of each of *kinds*, numbered from 1."""
    return [frames.request(frames.observation(kind), number) for number, kind in enumerate(kinds, start=1)]


def sent(session: ClientSession, *messages: object) -> list[play_pb2.PlayRequest]:
    """The frames with which *session* answers one frame."""
    return [play_pb2.PlayRequest.FromString(answer) for answer in session.received(frames.frame(*messages))]


def test_a_frame_of_any_kinds_is_decided_together_and_answered_in_one_frame() -> None:
    bot = Batched()
    (frame,) = sent(frames.playing(bot), *asked(*KINDS))
    assert bot.frames == [["turn", "day_trade", "end_of_game"]]
    assert [message.decision.decision_id for message in frame.messages] == [1, 2, 3]
    actions = [pb.Action.FromString(message.decision.action.value) for message in frame.messages]
    assert [action.WhichOneof("kind") for action in actions] == ["turn", "day_trade", "end_of_game"]


def test_a_frame_of_one_request_is_decided_so_too() -> None:
    bot = Batched()
    sent(frames.playing(bot), *asked(pb.DECISION_KIND_TURN))
    assert bot.frames == [["turn"]]


def test_whatever_else_a_frame_says_is_done_first() -> None:
    """A match that the same frame ends is not asked about any more; its request is answered all the same."""
    bot = Batched()
    session = frames.playing(bot)
    other = frames.started()
    other.match_id = "cup/3/0/1"
    request = frames.request(frames.observation(), 2)
    request.match_id = other.match_id
    over = play_pb2.MatchEnded(match_id=frames.MATCH_ID)
    (frame,) = sent(session, *asked(pb.DECISION_KIND_TURN), request, other, over)
    assert bot.frames == [["turn"]]
    assert [message.WhichOneof("kind") for message in frame.messages] == ["decision_failure", "decision"]
    assert frame.messages[0].decision_failure.reason == f"no match {frames.MATCH_ID!r} has started"


def test_notes_belong_to_their_own_views() -> None:
    def noted(views: Sequence[LongShortView]) -> list[Turn]:
        for number, view in enumerate(views):
            view.note = f"note {number}"
        return [Turn(price_card=view.hand[number]) for number, view in enumerate(views)]

    (frame,) = sent(frames.playing(Batched(noted)), *asked(pb.DECISION_KIND_TURN, pb.DECISION_KIND_TURN))
    assert [message.decision.note for message in frame.messages] == ["note 0", "note 1"]
    cards = [pb.Action.FromString(message.decision.action.value).turn.price_card for message in frame.messages]
    assert cards == list(frames.HAND[:2])


def test_an_exception_fails_every_request_of_the_frame_and_is_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    def broken(views: Sequence[LongShortView]) -> object:
        raise ZeroDivisionError("no network")

    session = frames.playing(Batched(broken))
    (frame,) = sent(session, *asked(*KINDS))
    failures = [message.decision_failure for message in frame.messages]
    assert [failure.decision_id for failure in failures] == [1, 2, 3]
    assert {failure.reason for failure in failures} == {"ZeroDivisionError: no network"}
    assert capsys.readouterr().err.count("Traceback") == 1
    assert not session.deciding


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        ([], "ValueError: decide_many returned 0 answers to 3 views"),
        ([False] * 4, "ValueError: decide_many returned 4 answers to 3 views"),
        (None, "TypeError: decide_many returned None; it must return a list, one answer for each view"),
        ([(), (), False], "TypeError: for views[0], a turn, decide_many returned (); it must return a Turn"),
    ],
)
def test_answers_that_do_not_fit_the_views_are_named(
    returned: object, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (frame,) = sent(frames.playing(Batched(lambda views: returned)), *asked(*KINDS))
    assert [message.decision_failure.reason for message in frame.messages] == [reason] * 3
    assert reason in capsys.readouterr().err


def test_a_game_of_another_kind_that_answers_too_few_fails_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    class Short(frames.Idle):
        decides_many = True

        def answer_many(self, requests: Sequence[Request]) -> list[Message]:
            """One answer too few."""
            return [self.answer(request) for request in requests[1:]]

    (frame,) = sent(frames.playing(Short()), *asked(*KINDS))
    assert [message.WhichOneof("kind") for message in frame.messages] == ["decision_failure"] * 3
    assert "zip() argument 2 is shorter" in capsys.readouterr().err


def test_a_bot_that_does_not_override_it_answers_one_by_one() -> None:
    assert not frames.Idle().decides_many
    assert len(sent(frames.playing(frames.Idle()), *asked(*KINDS))) == 3


def test_local_play_gathers_the_decisions_of_all_its_matches() -> None:
    """The play is that of the methods for one."""
    bots = [Batched(), Batched(), Batched()]
    together = play(bots, game="long-short", blocks=4, seed="5a" * 32)
    single = play([frames.Idle(), frames.Idle(), frames.Idle()], game="long-short", blocks=4, seed="5a" * 32)
    assert [match.result for match in together] == [match.result for match in single]
    assert max(map(len, bots[0].frames)) > 3
