"""What a bot's side of the stream says, frame by frame."""

import hashlib
from datetime import timedelta

import long_short_frames as frames
import pytest

from tradepit.errors import ProtocolError
from tradepit.long_short import LongShortView, Match, MatchResult, Turn, buy
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.session import ClientSession
from tradepit.v1 import block_pb2, play_pb2


class Recorder(frames.Idle):
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def take_turn(self, view: LongShortView) -> Turn:
        """Buys gold."""
        self.heard.append(view)
        view.note = "gold " * 300
        return Turn([buy("gold", "long", 1)], price_card=view.hand[0], pile=3)

    def match_started(self, match: Match) -> None:
        """Remembers."""
        self.heard.append(match)

    def match_ended(self, match: Match, result: MatchResult) -> None:
        """Remembers."""
        self.heard.append(result)


class Raising(frames.Idle):
    """Has a bug everywhere."""

    def take_turn(self, view: LongShortView) -> Turn:
        """Raises."""
        raise RuntimeError(f"cannot think of {view.hand[0].id}")

    def match_started(self, match: Match) -> None:
        """Raises."""
        raise RuntimeError("cannot start")


def test_hello_names_bot_games_library_and_how_many_matches_it_plays_at_once() -> None:
    bot = frames.Idle()
    bot.max_concurrent_matches = 7
    sent = play_pb2.PlayRequest.FromString(ClientSession(bot).hello())
    hello = sent.messages[0].hello
    assert (sent.sequence, sent.acknowledged_sequence) == (1, 0)
    assert (hello.bot_name, list(hello.games), hello.max_concurrent_matches) == ("Idle", ["long-short"], 7)
    assert hello.client_library.startswith("tradepit-python/")
    assert hello.protocol_revision == 1


def test_a_bot_that_promises_no_match_at_all_is_told_so() -> None:
    bot = frames.Idle()
    bot.max_concurrent_matches = 0
    with pytest.raises(ValueError, match="max_concurrent_matches is 0"):
        ClientSession(bot).hello()


def test_an_invitation_is_accepted_with_a_nonce_of_ones_own_for_each_block() -> None:
    session = frames.session(frames.Idle())
    first, second = (frames.answers(session, frames.invitation(block_id=f"cup/{n}/0"))[0] for n in (1, 2))
    nonces = [answer.block_acceptance.nonce for answer in (first, second)]
    assert first.block_acceptance.block_id == "cup/1/0"
    assert all(16 <= len(nonce) <= 32 for nonce in nonces)
    assert nonces[0] != nonces[1]


def test_a_reproducible_block_is_accepted_with_an_empty_nonce() -> None:
    (answer,) = frames.answers(frames.session(frames.Idle()), frames.invitation(reproducible=True))
    assert answer.block_acceptance.WhichOneof("answer") == "nonce"
    assert answer.block_acceptance.nonce == b""


def test_an_invitation_to_another_game_is_refused_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    (answer,) = frames.answers(frames.session(frames.Idle()), frames.invitation(game="chess"))
    assert answer.block_acceptance.refusal == "Idle does not play 'chess'; it plays long-short"
    assert "does not play 'chess'" in capsys.readouterr().err


def test_an_edition_with_another_digest_is_refused() -> None:
    session = frames.session(frames.Idle())
    session.edition_source = lambda game, sha256: frames.TOML + b"#"
    (answer,) = frames.answers(session, frames.invitation())
    digest = hashlib.sha256(frames.TOML + b"#").hexdigest()
    assert f"has the digest {digest}, announced was {frames.SHA256.hex()}" in answer.block_acceptance.refusal


def test_an_edition_that_is_none_of_long_short_is_refused() -> None:
    toml = b'id = "other"'
    session = frames.session(frames.Idle())
    session.edition_source = lambda game, sha256: toml
    edition = block_pb2.EditionReference(id="other", sha256=hashlib.sha256(toml).digest())
    (answer,) = frames.answers(session, frames.invitation(edition=edition))
    assert "not an edition of Long Short: KeyError" in answer.block_acceptance.refusal


def test_an_edition_is_fetched_once() -> None:
    asked: list[str] = []

    def source(game: str, sha256: bytes) -> bytes:
        asked.append(game)
        return frames.TOML

    session = frames.session(frames.Idle())
    session.edition_source = source
    for number in range(3):
        frames.answers(session, frames.invitation(block_id=f"cup/{number}/0"))
    assert asked == ["long-short"]


def test_an_invitation_is_answered_when_its_edition_arrives() -> None:
    """Meanwhile the session goes on; what waits for another edition waits on."""
    arrived: dict[bytes, bytes] = {}
    session = frames.session(frames.Idle())
    session.edition_source = lambda game, sha256: arrived.get(sha256)
    other = block_pb2.EditionReference(id="other", sha256=bytes(32))
    for number in range(3):
        fields = {"edition": other} if number == 1 else {}
        assert frames.answers(session, frames.invitation(block_id=f"cup/{number}/0", **fields)) == []
    assert session.awaited_edition == ("long-short", frames.SHA256)
    arrived[frames.SHA256] = frames.TOML
    answers = [play_pb2.PlayRequest.FromString(frame) for frame in session.edition_arrived()]
    assert [answer.messages[0].block_acceptance.block_id for answer in answers] == ["cup/0/0", "cup/2/0"]
    assert all(answer.messages[0].block_acceptance.nonce for answer in answers)
    assert session.awaited_edition == ("long-short", bytes(32))


def test_a_match_says_all_that_the_invitation_and_its_start_said() -> None:
    bot = Recorder()
    frames.playing(bot)
    (match,) = bot.heard
    assert isinstance(match, Match)
    assert (match.match_id, match.block_id, match.index, match.game) == (
        frames.MATCH_ID,
        frames.BLOCK_ID,
        0,
        "long-short",
    )
    assert (match.seat, match.seats, match.bot_seed) == (0, 2, frames.BOT_SEED)
    assert match.options == {"end_of_game_card": "in"}
    assert match.edition.data["price_table"]["max"] == 17
    assert (match.time_control.decision, match.time_control.bank) == (timedelta(seconds=2), None)


def test_a_decision_carries_the_action_and_the_ids_of_its_request() -> None:
    session = frames.playing(Recorder())
    (answer,) = frames.answers(session, frames.request(frames.observation(), decision_id=7))
    decision = answer.decision
    assert (decision.match_id, decision.decision_id) == (frames.MATCH_ID, 7)
    action = pb.Action()
    assert decision.action.Unpack(action)
    assert (action.turn.price_card, action.turn.pile, len(action.turn.orders)) == ("yellow-25", 3, 1)
    assert action.turn.orders[0].buy == pb.Buy(good="gold", side=pb.SIDE_LONG, contracts=1)


def test_a_note_is_cut_to_what_the_referee_takes() -> None:
    session = frames.playing(Recorder())
    frames.answers(session, play_pb2.Welcome(limits=play_pb2.Limits(note_bytes=12)))
    (answer,) = frames.answers(session, frames.request(frames.observation()))
    assert answer.decision.note == "gold gold go"


def test_every_answer_is_a_frame_of_its_own_made_when_it_is_asked_for() -> None:
    """The first answer leaves before the second decision is even thought about."""
    bot = Recorder()
    session = frames.playing(bot)
    seen = frames.observation()
    sent = session.received(frames.frame(frames.request(seen, 1), frames.request(seen, 2), sequence=9))
    first = play_pb2.PlayRequest.FromString(next(sent))
    thought_about = len(bot.heard)
    second = play_pb2.PlayRequest.FromString(next(sent))
    assert thought_about == len(bot.heard) - 1
    assert (second.sequence, second.acknowledged_sequence) == (first.sequence + 1, 9)
    assert [frame.messages[0].decision.decision_id for frame in (first, second)] == [1, 2]


def test_an_exception_of_the_authors_is_shown_here_and_reported_as_a_failure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = frames.playing(Raising())
    (answer,) = frames.answers(session, frames.request(frames.observation(), decision_id=5))
    failure = answer.decision_failure
    assert (failure.match_id, failure.decision_id) == (frames.MATCH_ID, 5)
    assert failure.reason == "RuntimeError: cannot think of yellow-25"
    shown = capsys.readouterr().err
    assert "Traceback" in shown
    assert "in take_turn" in shown
    assert "cannot start" in shown


def test_a_reason_that_cannot_be_sent_is_sent_as_well_as_it_can_be() -> None:
    class Odd(frames.Idle):
        def take_turn(self, view: LongShortView) -> Turn:
            raise RuntimeError("\udcff" + "x" * 5000)

    (answer,) = frames.answers(frames.playing(Odd()), frames.request(frames.observation()))
    assert answer.decision_failure.reason.startswith("RuntimeError: ?xxx")
    assert len(answer.decision_failure.reason) == 1000


def test_a_request_for_a_match_that_never_started_is_a_failure() -> None:
    session = frames.session(frames.Idle())
    (answer,) = frames.answers(session, frames.request(frames.observation()))
    assert answer.decision_failure.reason == f"no match {frames.MATCH_ID!r} has started"


def test_a_rejected_decision_is_shown_with_what_was_wrong_and_what_was_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = frames.playing(frames.Idle())
    rejected = play_pb2.DecisionRejected(
        match_id=frames.MATCH_ID,
        decision_id=4,
        fault=block_pb2.FAULT_KIND_ILLEGAL_ACTION,
        message="buy 9 gold long: margin 54000 exceeds cash 10000",
    )
    rejected.played.Pack(pb.Action(turn=pb.Turn(price_card="yellow-01")))
    assert frames.answers(session, rejected) == []
    shown = capsys.readouterr().err
    assert "request 4: illegal_action: buy 9 gold long: margin 54000 exceeds cash 10000" in shown
    assert "played instead: play yellow-01, pile 1" in shown


def test_the_end_of_a_match_tells_scores_placements_and_terminations() -> None:
    bot = Recorder()
    session = frames.playing(bot)
    terminations = [block_pb2.TERMINATION_COMPLETED, block_pb2.TERMINATION_FORFEITED_TIME]
    ended = play_pb2.MatchEnded(match_id=frames.MATCH_ID, scores=[-5, 9], placements=[1, 2], terminations=terminations)
    assert frames.answers(session, ended) == []
    assert bot.heard[-1] == MatchResult((-5, 9), (1, 2), ("completed", "forfeited_time"))


def test_a_kind_of_a_later_revision_is_ignored() -> None:
    unknown = b"\xa2\x06\x03abc"  # field 100
    wrapped = bytes([0x1A, len(unknown)]) + unknown
    session = frames.playing(frames.Idle())
    sent = list(session.received(wrapped + frames.frame(frames.request(frames.observation()))))
    assert len(sent) == 1


def test_bytes_that_are_no_frame_are_an_error() -> None:
    with pytest.raises(ProtocolError, match="3 bytes that are no frame"):
        list(frames.session(frames.Idle()).received(b"\xff\xff\xff"))


def test_a_bot_seed_of_the_wrong_length_is_an_error() -> None:
    session = frames.session(frames.Idle())
    short = play_pb2.MatchStarted(match_id=frames.MATCH_ID, block_id=frames.BLOCK_ID, bot_seed=b"short")
    with pytest.raises(ProtocolError, match="a seed has 32 bytes, this one has 5"):
        frames.answers(session, frames.invitation(), short)


def test_a_match_of_a_block_that_was_not_accepted_is_ignored(capsys: pytest.CaptureFixture[str]) -> None:
    assert frames.answers(frames.session(frames.Idle()), frames.started()) == []
    assert "belongs to no accepted block" in capsys.readouterr().err


def test_a_drained_session_is_finished_when_its_last_block_is(capsys: pytest.CaptureFixture[str]) -> None:
    session = frames.session(frames.Idle())
    frames.answers(session, frames.invitation(), play_pb2.Drain(reconnect_address="b:1"))
    before = session.finished
    void = play_pb2.BlockEnded(block_id=frames.BLOCK_ID, outcome=block_pb2.BLOCK_OUTCOME_VOID, reason="no seat taken")
    frames.answers(session, void)
    assert (before, session.finished) == (False, True)
    shown = capsys.readouterr().err
    assert "reconnect to b:1" in shown
    assert "is void: no seat taken" in shown


def test_notices_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert frames.answers(frames.session(frames.Idle()), play_pb2.Notice(text="your clock is slow")) == []
    assert capsys.readouterr().err == "tradepit: your clock is slow\n"


def test_redirects_are_kept_for_whoever_carries_the_frames() -> None:
    session = frames.session(frames.Idle())
    redirect = play_pb2.Redirect(address="b:1", ticket="secret", block_id="cup/1/0")
    assert frames.answers(session, redirect) == []
    assert session.redirects == [redirect]


def test_equal_seeds_give_equal_chance_at_each_decision_whatever_else_goes_on() -> None:
    def numbers(decisions: int) -> list[float]:
        bot = Recorder()
        session = frames.playing(bot)
        for number in range(decisions):
            frames.answers(session, frames.request(frames.observation(), number))
        return [view.rng.random() for view in bot.heard if isinstance(view, LongShortView)]

    assert numbers(3)[:2] == numbers(2)
    assert len(set(numbers(3))) == 3
