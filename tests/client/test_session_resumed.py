"""A session that goes on over another stream, frame by frame."""

from collections.abc import Sequence
from datetime import timedelta

import long_short_frames as frames
import pytest
from google.protobuf.message import Message

from tradepit.bot import Bot
from tradepit.long_short import Match, MatchResult
from tradepit.match import Request
from tradepit.session import RESUME_WINDOW, ClientSession
from tradepit.v1 import block_pb2, play_pb2


class Counting(frames.Idle):
    """Counts what it is asked and told."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.told: list[str] = []

    def answer(self, request: Request) -> Message:
        """As always."""
        self.asked.append(request.decision_id)
        return super().answer(request)

    def match_started(self, match: Match) -> None:
        """Counts."""
        self.told.append("started")

    def match_ended(self, match: Match, result: MatchResult) -> None:
        """Counts."""
        self.told.append("ended")


class Together(Counting):
    """Decides many at once."""

    decides_many = True

    def answer_many(self, requests: Sequence[Request]) -> Sequence[Message]:
        """One by one after all."""
        return [self.answer(request) for request in requests]


def asked(*decision_ids: int) -> list[play_pb2.DecisionRequest]:
    """Requests in the match that is played."""
    return [frames.request(frames.observation(), decision_id) for decision_id in decision_ids]


def playing(bot: Bot) -> ClientSession:
    """Welcomed, and in a match; three frames were sent and two received."""
    session = frames.session(bot)
    frames.answers(session, play_pb2.Welcome(session_id="secret"), frames.invitation(), frames.started())
    return session


def break_off(session: ClientSession, *messages: object, sequence: int = 2, after: int = 0) -> None:
    """A frame arrives, and the stream breaks when so many of its answers are taken."""
    sent = session.received(frames.frame(*messages, sequence=sequence))
    for _ in range(after + 1):  # the last one is taken, and cannot be sent
        next(sent)
    sent.close()  # type: ignore[attr-defined]  # a generator


def resume(session: ClientSession, received: int, *messages: object) -> list[play_pb2.PlayRequest]:
    """The session goes on over another stream; what it sends there behind its Hello."""
    session.hello()
    welcome = play_pb2.Welcome(session_id="secret", received_sequence=received)
    sent = session.received(frames.frame(welcome, *messages, sequence=9))
    return [play_pb2.PlayRequest.FromString(frame) for frame in sent]


def decisions(sent: Sequence[play_pb2.PlayRequest]) -> list[int]:
    """The decisions in *sent*, by id."""
    return [message.decision.decision_id for frame in sent for message in frame.messages]


def test_a_second_hello_asks_to_go_on_and_says_what_has_arrived() -> None:
    session = playing(frames.Idle())
    frames.answers(session, *asked(1), sequence=5)
    again = play_pb2.PlayRequest.FromString(session.hello())
    assert again.messages[0].hello.resume_session_id == "secret"
    assert (again.sequence, again.acknowledged_sequence) == (4, 5)


@pytest.mark.parametrize("bot", [Counting(), Together()])
def test_an_answer_that_was_not_received_is_sent_again_and_the_author_is_not_asked(bot: Counting) -> None:
    session = playing(bot)
    frames.answers(session, *asked(1), sequence=2)
    assert decisions(resume(session, 2)) == [1]
    assert bot.asked == [1]


def test_an_answer_that_was_received_is_not_sent_again() -> None:
    session = playing(frames.Idle())
    frames.answers(session, *asked(1), sequence=2)
    assert resume(session, 3) == []


def test_answers_are_forgotten_once_they_are_acknowledged() -> None:
    session = playing(frames.Idle())
    frames.answers(session, *asked(1), sequence=2)
    list(session.received(play_pb2.PlayResponse(sequence=3, acknowledged_sequence=3).SerializeToString()))
    assert resume(session, 0) == []


def test_the_rest_of_a_frame_is_decided_on_the_next_stream_behind_what_was_lost() -> None:
    bot = Counting()
    session = playing(bot)
    break_off(session, *asked(1, 2, 3), after=1)
    sent = resume(session, 3, *asked(4))
    assert decisions(sent) == [2, 3, 4]
    assert bot.asked == [1, 2, 3, 4]
    assert [frame.sequence for frame in sent] == [6, 7, 8]


def test_requests_that_wait_for_the_rest_of_their_frame_are_decided_on_the_next_stream() -> None:
    bot = Together()
    session = playing(bot)
    break_off(session, *asked(1, 2), frames.invitation(block_id="cup/4/0"))
    acceptance, decided = resume(session, 2)
    assert acceptance.messages[0].block_acceptance.block_id == "cup/4/0"
    assert decisions([decided]) == [1, 2] == bot.asked


def test_what_was_decided_meanwhile_is_not_asked_any_more() -> None:
    bot = Counting()
    session = playing(bot)
    break_off(session, *asked(1, 2, 3))
    late = play_pb2.DecisionRejected(
        match_id=frames.MATCH_ID, decision_id=2, fault=block_pb2.FAULT_KIND_TIMEOUT, message="no answer"
    )
    assert decisions(resume(session, 3, late)) == [3]
    assert bot.asked == [1, 3]


def test_a_match_that_ended_meanwhile_is_not_asked_about_any_more() -> None:
    bot = Counting()
    session = playing(bot)
    break_off(session, *asked(1, 2, 3))
    assert resume(session, 3, play_pb2.MatchEnded(match_id=frames.MATCH_ID)) == []
    assert (bot.asked, bot.told) == ([1], ["started", "ended"])


@pytest.mark.parametrize("bot", [Counting(), Together()])
def test_what_comes_twice_is_done_once(bot: Counting, capsys: pytest.CaptureFixture[str]) -> None:
    session = playing(bot)
    ended = play_pb2.MatchEnded(match_id=frames.MATCH_ID)
    frames.answers(session, *asked(1), sequence=2)
    assert resume(session, 3, frames.invitation(), frames.started(), *asked(1, 1)) == []
    assert frames.answers(session, frames.started(), ended, ended, frames.started()) == []
    assert (bot.asked, bot.told) == ([1], ["started", "ended"])
    assert capsys.readouterr().err == ""


def test_the_nonce_of_a_block_stays_when_its_acceptance_is_sent_again() -> None:
    session = frames.session(frames.Idle())
    frames.answers(session, play_pb2.Welcome(session_id="secret"))
    (first,) = frames.answers(session, frames.invitation())
    (again,) = resume(session, 1, frames.invitation())
    assert again.messages == [first]


def test_invitations_that_wait_for_an_edition_wait_on() -> None:
    session = frames.session(frames.Idle())
    session.edition_source = lambda game, sha256: None
    invitations = [frames.invitation(block_id=f"cup/{number}/0") for number in range(2)]
    frames.answers(session, play_pb2.Welcome(session_id="secret"), *invitations)
    session.edition_source = lambda game, sha256: frames.TOML
    arrived = session.edition_arrived()
    next(arrived)
    arrived.close()  # type: ignore[attr-defined]  # a generator
    (lost,) = resume(session, 1)
    (answer,) = (play_pb2.PlayRequest.FromString(frame) for frame in session.edition_arrived())
    accepted = [frame.messages[0].block_acceptance.block_id for frame in (lost, answer)]
    assert accepted == ["cup/0/0", "cup/1/0"]


def test_a_session_that_the_referee_has_forgotten_is_forgotten_here(capsys: pytest.CaptureFixture[str]) -> None:
    bot = Counting()
    session = playing(bot)
    break_off(session, *asked(1, 2))
    assert session.begin_anew() == [frames.BLOCK_ID]
    assert not session.playing
    hello = play_pb2.PlayRequest.FromString(session.hello())
    assert (hello.sequence, hello.acknowledged_sequence) == (1, 0)
    assert hello.messages[0].hello.resume_session_id == ""
    welcome = play_pb2.Welcome(session_id="another")
    again = frames.answers(session, welcome, frames.invitation(), frames.started(), *asked(1))
    assert [message.WhichOneof("kind") for message in again] == ["block_acceptance", "decision"]
    assert bot.asked == [1, 1]


def test_a_bot_tries_for_as_long_as_the_longest_window_of_its_blocks() -> None:
    def window(seconds: int) -> play_pb2.BlockInvitation:
        invitation = frames.invitation(block_id=f"cup/{seconds}/0")
        invitation.time_control.resume_window.FromSeconds(seconds)
        return invitation

    session = frames.session(frames.Idle())
    assert session.resume_window == RESUME_WINDOW
    frames.answers(session, window(2), window(3))
    assert session.resume_window == timedelta(seconds=3)
    frames.answers(session, frames.invitation(block_id="cup/4/0"))
    assert session.resume_window == RESUME_WINDOW


def test_a_window_of_nothing_is_one() -> None:
    session = frames.session(frames.Idle())
    invitation = frames.invitation()
    invitation.time_control.resume_window.FromSeconds(0)
    frames.answers(session, invitation)
    assert session.resume_window == timedelta(0)


def test_a_session_for_one_block_is_finished_when_that_has_ended() -> None:
    session = ClientSession(frames.Idle(), only_block="cup/2/0")
    session.edition_source = lambda game, sha256: frames.TOML
    session.hello()
    void = [
        play_pb2.BlockEnded(block_id=block_id, outcome=block_pb2.BLOCK_OUTCOME_VOID)
        for block_id in ("cup/1/0", "cup/2/0")
    ]
    frames.answers(session, frames.invitation(block_id="cup/2/0"), void[0])
    before = session.finished
    frames.answers(session, void[1])
    assert (before, session.finished) == (False, True)
