"""A referee that cheats is caught when the block's chance is revealed."""

from collections.abc import Callable
from typing import Any

import cheating
import pytest
from cheating import in_kind, only_for_entrant_0
from long_short_frames import Idle
from scripted_referee import Change, ScriptedReferee

from tradepit.errors import FairnessError
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.v1 import block_pb2, play_pb2
from tradepit_bots import make

Message = play_pb2.RefereeMessage


def play(change: Change, **arguments: Any) -> None:
    """A block between random bots at a referee that changes what it sends to entrant 0."""
    ScriptedReferee([make("long-short", "random"), Idle()], change=only_for_entrant_0(change), **arguments).play()


def in_observations(alter: Callable[[pb.Observation], None]) -> Change:
    """Alters every observation."""
    return cheating.in_observations(pb.Observation, alter)


def other_commitment(invitation: play_pb2.BlockInvitation) -> None:
    invitation.commitment = bytes(32)


def other_secret(ended: play_pb2.BlockEnded) -> None:
    ended.secret = bytes(32)


def short_secret(ended: play_pb2.BlockEnded) -> None:
    ended.secret = b"short"


def no_nonce(ended: play_pb2.BlockEnded) -> None:
    ended.nonces[0] = b""


def too_few_nonces(ended: play_pb2.BlockEnded) -> None:
    del ended.nonces[1:]


def other_nonce_of_another(ended: play_pb2.BlockEnded) -> None:
    """Seeds then differ: the bot seed shows it first."""
    ended.nonces[1] = bytes(16)


def other_bot_seed(started: play_pb2.MatchStarted) -> None:
    started.bot_seed = bytes(32)


def repeated_index(started: play_pb2.MatchStarted) -> None:
    started.match_index = 0


def other_seat(started: play_pb2.MatchStarted) -> None:
    started.seat = 1 - started.seat


@pytest.mark.parametrize(
    ("kind", "alter", "named"),
    [
        ("block_invitation", other_commitment, f"the commitment was {bytes(32).hex()}"),
        ("block_ended", other_secret, "the commitment was"),
        ("block_ended", short_secret, "the secret has 5 bytes"),
        ("block_ended", no_nonce, "revealed is none"),
        ("block_ended", too_few_nonces, "1 nonces for 2 entrants"),
        ("block_ended", other_nonce_of_another, "the bot seed was not the one"),
        ("match_started", other_bot_seed, "the bot seed was not the one"),
        ("match_started", repeated_index, "index 0 of 2 is repeated"),
        ("match_started", other_seat, "the own seat was 1 of 2, not 0 of 2"),
    ],
)
def test_a_changed_block_is_caught(kind: str, alter: Callable[[Any], None], named: str) -> None:
    with pytest.raises(FairnessError) as raised:
        play(in_kind(kind, alter))
    assert named in str(raised.value)


def other_hand(seen: pb.Observation) -> None:
    seen.private.hand[-1] = "green-01" if seen.private.hand[-1] != "green-01" else "green-02"


def other_deal(seen: pb.Observation) -> None:
    for event in seen.private.events:
        if event.HasField("dealt"):
            event.dealt.cards[0] = "yellow-00"


def other_card_of_another(seen: pb.Observation) -> None:
    for played in seen.public.played_cards:
        if played.seat != seen.private.seat:
            played.card = seen.private.hand[0]


def another_begins(seen: pb.Observation) -> None:
    seen.public.starting_seat = 1 - seen.public.starting_seat


def more_rolls_to_begin(seen: pb.Observation) -> None:
    for event in seen.private.events:
        event.started.rolls += 2 * event.HasField("started")


def other_die_in_an_event(seen: pb.Observation) -> None:
    for event in seen.private.events:
        if event.HasField("rolled"):
            event.rolled.red = "gold" if event.rolled.red != "gold" else "soya"
            return


def other_last_roll(seen: pb.Observation) -> None:
    if seen.public.HasField("last_roll"):
        seen.public.last_roll.green = "limit_up" if seen.public.last_roll.green != "limit_up" else "limit_down"


def other_draw(seen: pb.Observation) -> None:
    for pile in seen.public.piles:
        if pile.drawn:
            pile.drawn[0] = "action-01" if pile.drawn[0] != "action-01" else "action-02"


def other_draw_in_an_event(seen: pb.Observation) -> None:
    for event in seen.private.events:
        if event.HasField("action_card_drawn"):
            event.action_card_drawn.card += "x"


def smaller_pile(seen: pb.Observation) -> None:
    seen.public.piles[2].size -= 1


def one_pile_less(seen: pb.Observation) -> None:
    del seen.public.piles[2]


@pytest.mark.parametrize(
    ("alter", "named"),
    [
        (other_hand, "the own hand with the cards played was"),
        (other_deal, "the deal to the own seat was"),
        (other_card_of_another, "which it was not dealt"),
        (another_begins, "the starting seat was"),
        (more_rolls_to_begin, "the start took"),
        (other_die_in_an_event, "the dice of turn 0 showed"),
        (other_last_roll, "the dice of turn"),
        (other_draw, "draw 0 from pile"),
        (other_draw_in_an_event, "the last draws from pile"),
        (smaller_pile, "pile 3 had 13 cards, not 14"),
        (one_pile_less, "there were 2 piles, not 3"),
    ],
)
def test_a_changed_match_is_caught(alter: Callable[[pb.Observation], None], named: str) -> None:
    with pytest.raises(FairnessError) as raised:
        play(in_observations(alter))
    assert named in str(raised.value)
    assert "match test/0/0/" in str(raised.value)


def test_a_referee_that_deals_other_cards_than_its_seed_says_is_caught() -> None:
    with pytest.raises(FairnessError, match=r"the starting seat was|the own hand|which it was not dealt"):
        ScriptedReferee([Idle(), Idle()], seed_used=lambda seed: seed[::-1]).play()


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("end_of_game_card", ["in", "removed", "cancellable"])
def test_an_honest_referee_is_not_accused(seats: int, end_of_game_card: str) -> None:
    bots = [make("long-short", "random") for _ in range(seats)]
    referee = ScriptedReferee(bots, options={"end_of_game_card": end_of_game_card})
    referee.play()
    assert referee.failures == []
    assert len(referee.scores) == seats


def test_a_reproducible_block_is_checked_as_well() -> None:
    ScriptedReferee([Idle(), Idle()], reproducible=True).play()
    with pytest.raises(FairnessError):
        play(in_observations(other_hand), reproducible=True)


def test_a_match_in_which_nothing_was_asked_can_be_checked() -> None:
    def dropped(entrant: int, message: Message) -> Message | None:
        return None if message.HasField("decision_request") else message

    def dropped_with_the_nonce(entrant: int, message: Message) -> Message | None:
        return in_kind("block_ended", no_nonce)(entrant, message) if dropped(entrant, message) else None

    play(dropped)
    with pytest.raises(FairnessError, match="revealed is none"):
        play(dropped_with_the_nonce)


def test_a_match_of_which_only_a_part_was_seen_can_be_checked() -> None:
    """Every second request is lost; the dice of the rest are still told apart by their turn."""

    def lossy(then: Change) -> Change:
        requests = 0

        def change(entrant: int, message: Message) -> Message | None:
            nonlocal requests
            requests += message.HasField("decision_request")
            return None if message.HasField("decision_request") and requests % 2 else then(entrant, message)

        return change

    play(lossy(lambda entrant, message: message))
    with pytest.raises(FairnessError, match="the dice of turn"):
        play(lossy(in_observations(other_die_in_an_event)))


def test_duplicate_deals_have_the_seed_of_match_0() -> None:
    """Announced as duplicate but dealt independently: the second match shows it."""

    def duplicate(invitation: play_pb2.BlockInvitation) -> None:
        invitation.deal = block_pb2.DEAL_DUPLICATE

    with pytest.raises(FairnessError, match="match test/0/0/1: the bot seed"):
        play(in_kind("block_invitation", duplicate))


def test_a_block_that_is_void_before_its_first_match_has_nothing_to_check() -> None:
    def void(entrant: int, message: Message) -> Message | None:
        if message.HasField("match_started") or message.HasField("decision_request"):
            return None
        ended = play_pb2.BlockEnded(block_id="test/0/0", outcome=block_pb2.BLOCK_OUTCOME_VOID)
        return Message(block_ended=ended) if message.HasField("block_ended") else message

    play(void)


def test_the_checks_name_neither_seed_nor_secret() -> None:
    for kind, alter in (("match_started", other_bot_seed), ("block_ended", other_secret)):
        with pytest.raises(FairnessError) as raised:
            play(in_kind(kind, alter))
        assert bytes(range(32)).hex() not in str(raised.value)
