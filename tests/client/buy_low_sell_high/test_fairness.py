"""A referee of Buy Low Sell High that cheats is caught when the block's chance is revealed."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from cheating import in_observations, only_for_entrant_0
from scripted_referee import Change, ScriptedReferee, unchanged

from tradepit.buy_low_sell_high import BuyLowSellHighBot, BuyLowSellHighView, Card, Turn
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit.errors import FairnessError
from tradepit.v1 import play_pb2
from tradepit_bots import make
from tradepit_server.games.buy_low_sell_high.board import Board
from tradepit_server.games.buy_low_sell_high.setup import shuffled

Alter = Callable[[pb.Observation], None]


class Exchanger(BuyLowSellHighBot):
    """Exchanges a part of its hand every year."""

    def __init__(self, discards: int) -> None:
        self._discards = discards

    def take_turn(self, view: BuyLowSellHighView) -> Turn:
        """The last card that can be played."""
        desk = view.desk()
        while desk.due:
            desk.play(*desk.next_plays()[-1])
        return desk.turn()

    def discard(self, view: BuyLowSellHighView) -> tuple[Card, ...]:
        """The first ones."""
        return view.hand[: self._discards]


def play(change: Change = unchanged, *, seats: int = 2, discards: int = 0, **arguments: Any) -> ScriptedReferee:
    """A block at a referee that changes what it sends to entrant 0; each bot discards so many cards a year."""
    bots = [Exchanger(discards) for _ in range(seats)]
    referee = ScriptedReferee(bots, game="buy-low-sell-high", change=only_for_entrant_0(change), **arguments)
    referee.play()
    return referee


def in_year(year: int, alter: Alter) -> Alter:
    """Alters the observations of turns in that year alone."""

    def in_that_year(seen: pb.Observation) -> None:
        if seen.public.year == year and seen.public.decision == pb.DECISION_KIND_TURN:
            alter(seen)

    return in_that_year


def another_begins(seen: pb.Observation) -> None:
    seen.public.starting_seat = 1 - seen.public.starting_seat


def another_began(seen: pb.Observation) -> None:
    for event in seen.private.events:
        if event.HasField("started"):
            event.started.seat = 1 - event.started.seat


def other_hand(seen: pb.Observation) -> None:
    """A card less good than the one that was dealt: both hand and events say so."""
    swap(seen, seen.private.hand[0])


def other_draw(seen: pb.Observation) -> None:
    """The card drawn after the last turn is another one."""
    drawn = [event.dealt.cards[0] for event in seen.private.events if event.HasField("dealt")]
    if drawn:
        swap(seen, drawn[-1])


def swap(seen: pb.Observation, card: str) -> None:
    """Show one that is nowhere to be seen in place of *card*."""
    events = seen.private.events
    shown = {*seen.private.hand, *(space.card for space in seen.public.spaces)}
    shown |= {event.card_played.card for event in events} | {card for event in events for card in event.dealt.cards}
    other = next(f"retail-{number:02}" for number in range(1, 16) if f"retail-{number:02}" not in shown)
    for cards in (seen.private.hand, *(event.dealt.cards for event in events)):
        cards[:] = [other if entry == card else entry for entry in cards]


def other_hand_alone(seen: pb.Observation) -> None:
    seen.private.hand[-1] = "oil-01" if "oil-01" not in seen.private.hand else "oil-02"


def other_card_of_another(seen: pb.Observation) -> None:
    for event in seen.private.events:
        if event.HasField("card_played") and event.card_played.seat != seen.private.seat:
            event.card_played.card = seen.private.hand[0]


def smaller_pile(seen: pb.Observation) -> None:
    seen.public.draw_pile -= 1


def drawn_too_many(seen: pb.Observation) -> None:
    for event in seen.private.events:
        if event.HasField("cards_drawn") and event.cards_drawn.seat != seen.private.seat:
            event.cards_drawn.cards += 99


@pytest.mark.parametrize(
    ("alter", "named"),
    [
        (another_begins, "the starting seat was"),
        (another_began, "the starting seat was"),
        (other_hand, "the deal to the own seat was"),
        (other_hand_alone, "the own hand was"),
        (other_draw, "drawn were|the deal to the own seat was"),
        (other_card_of_another, r"seat \d played \w+-\d+, which it cannot have held"),
        (smaller_pile, r"the draw pile had \d+ cards, not \d+"),
        (drawn_too_many, "more than the pile had"),
    ],
)
def test_a_changed_match_is_caught(alter: Alter, named: str) -> None:
    with pytest.raises(FairnessError, match=rf"match test/0/0/\d, turn \d+: .*({named})"):
        play(in_observations(pb.Observation, alter))


@pytest.mark.parametrize("year", [2, 3])
@pytest.mark.parametrize("discards", [0, 1, 3])
@pytest.mark.parametrize("alter", [other_draw, other_hand_alone, smaller_pile])
def test_cards_that_are_drawn_after_a_shuffle_are_checked_too(year: int, discards: int, alter: Alter) -> None:
    """Whatever the others discard, and though nobody tells."""
    with pytest.raises(FairnessError, match="turn"):
        play(in_observations(pb.Observation, in_year(year, alter)), discards=discards)


@pytest.mark.parametrize("year", [2, 3])
@pytest.mark.parametrize("discards", [0, 2])
def test_what_others_play_must_have_been_theirs_in_every_year(year: int, discards: int) -> None:
    with pytest.raises(FairnessError, match="which it cannot have held"):
        play(in_observations(pb.Observation, in_year(year, other_card_of_another)), discards=discards)


@pytest.mark.parametrize("name", ["deck/1", "deck/2", "deck/2/again", "deck/3", "deck/3/again"])
def test_a_referee_that_shuffles_otherwise_once_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def backwards(board: Board, label: str, cards: Sequence[int]) -> list[int]:
        return shuffled(board, label, cards)[:: -1 if label == name else 1]

    for module in ("setup", "years"):
        monkeypatch.setattr(f"tradepit_server.games.buy_low_sell_high.{module}.shuffled", backwards)
    with pytest.raises(FairnessError, match=r"drawn were|which it cannot have held|the own hand|the deal"):
        play(discards=2, seats=3)


def test_a_referee_that_deals_other_cards_than_its_seed_says_is_caught() -> None:
    with pytest.raises(FairnessError, match=r"the starting seat was|the deal to the own seat"):
        play(seed_used=lambda seed: seed[::-1])


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("discards", [0, 1, 2, 5])
def test_an_honest_referee_is_not_accused(seats: int, discards: int) -> None:
    referee = play(seats=seats, discards=discards)
    assert referee.failures == []
    assert len(referee.scores) == seats


@pytest.mark.parametrize("seed", range(6))
def test_an_honest_referee_is_not_accused_of_what_random_bots_do(seed: int) -> None:
    """They discard any number of cards, and play news over anything."""
    bots = [make("buy-low-sell-high", "random") for _ in range(2 + seed % 3)]
    referee = ScriptedReferee(bots, game="buy-low-sell-high", secret=Random(seed).randbytes(32), reproducible=True)
    referee.play()
    assert referee.failures == []


def lossy(then: Change) -> Change:
    """Every seventh request is lost."""
    requests = 0

    def change(entrant: int, message: play_pb2.RefereeMessage) -> play_pb2.RefereeMessage | None:
        nonlocal requests
        requests += message.HasField("decision_request")
        return None if message.HasField("decision_request") and requests % 7 == 0 else then(entrant, message)

    return change


def test_a_match_of_which_only_a_part_was_seen_is_checked_until_then() -> None:
    play(lossy(unchanged), discards=2)
    with pytest.raises(FairnessError, match="the deal to the own seat"):
        play(lossy(in_observations(pb.Observation, other_hand)))


def test_the_own_hand_of_year_1_is_checked_whatever_was_not_seen() -> None:
    def first_events_lost(seen: pb.Observation) -> None:
        del seen.private.events[:1]

    def and_another_hand(seen: pb.Observation) -> None:
        first_events_lost(seen)
        swap(seen, seen.private.hand[0])

    play(in_observations(pb.Observation, first_events_lost), discards=2)
    with pytest.raises(FairnessError, match=r"the own hand had \w+-\d+, which cannot have been drawn so far"):
        play(in_observations(pb.Observation, and_another_hand))


def test_a_match_in_which_nothing_was_asked_can_be_checked() -> None:
    play(lambda entrant, message: None if message.HasField("decision_request") else message)


def test_a_match_with_more_possibilities_than_can_be_followed_is_let_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tradepit.buy_low_sell_high.fairness._MOST_WORLDS", 3)
    play(discards=2)
    play(in_observations(pb.Observation, in_year(3, other_draw)), discards=2)
