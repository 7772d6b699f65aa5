"""Checks what a match of Buy Low Sell High has shown against its revealed chance.

Whatever is drawn follows from chance and from what was played and discarded. What the other seats discarded nobody
tells, so the cards are followed through every *world* that it leaves possible. A card that is drawn or played leaves
those worlds in which it could be; where none is left, the match was not dealt as its chance says.

Works on whatever observations there are, but the cards can be followed only until one is missing; from there on the
own hand of year 1 is all that can be checked.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations
from math import comb
from typing import Any, ClassVar, NamedTuple

from tradepit.buy_low_sell_high.edition import BuyLowSellHighEdition, read_edition
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit.chance import Chance
from tradepit.errors import FairnessError
from tradepit.match import Match

_MOST_WORLDS = 5_000
"""Where there are more, a match is followed no further: it would take longer than it is worth. Hundreds are many."""


def check_match(match: Match, chance: Chance) -> None:
    """Raises FairnessError naming the first thing in *match* that is not as *chance* says."""
    edition = read_edition(match.edition.toml)
    start = chance.pick("buy-low-sell-high/start", match.seats)
    cards = _Cards(edition, match.seat, match.seats, chance)
    for data in match.observations:
        observation = pb.Observation.FromString(data)
        for differs in chain(_start_differences(observation, start), cards.differences(observation)):
            raise FairnessError(f"match {match.match_id}, turn {observation.public.turn}: {differs}")


def _start_differences(observation: pb.Observation, start: int) -> Iterator[str]:
    events = observation.private.events
    shown = [observation.public.starting_seat, *(event.started.seat for event in events if event.HasField("started"))]
    yield from (f"the starting seat was {seat}, not {start}" for seat in shown if seat != start)


class _World(NamedTuple):
    """Where the cards may be that are not on a space."""

    hands: tuple[frozenset[str], ...]
    """By seat."""
    pile: tuple[str, ...]
    """The draw pile, top first."""
    aside: frozenset[str]
    """Discarded at the end of this year."""

    # Each makes a world at once: there may be thousands, and ``_replace`` takes several times as long.

    def played(self, seat: int, card: str) -> "_World":
        """After *seat* has played *card*."""
        return _World(self._hands(seat, self.hands[seat] - {card}), self.pile, self.aside)

    def drawn(self, seat: int, cards: int) -> "_World":
        """After *seat* has drawn from the pile."""
        hand = self.hands[seat].union(self.pile[:cards])
        return _World(self._hands(seat, hand), self.pile[cards:], self.aside)

    def discarded(self, seat: int, cards: frozenset[str]) -> "_World":
        """After *seat* has set *cards* aside."""
        return _World(self._hands(seat, self.hands[seat] - cards), self.pile, self.aside | cards)

    def _hands(self, seat: int, hand: frozenset[str]) -> tuple[frozenset[str], ...]:
        return (*self.hands[:seat], hand, *self.hands[seat + 1 :])


class _Cards:
    """The cards of a match, as its chance and all that was seen say."""

    def __init__(self, edition: BuyLowSellHighEdition, seat: int, seats: int, chance: Chance) -> None:
        self._edition = edition
        self._seat = seat
        self._seats = seats
        self._chance = chance
        order, size = self._order("1"), edition.hand_size
        hands = tuple(frozenset(order[other * size : (other + 1) * size]) for other in range(seats))
        self._worlds = {_World(hands, tuple(order[seats * size :]), frozenset())}
        self._year = 1
        self._played: list[str] = []
        """This year."""
        self._asked = 0
        """How many seats have discarded, or not, at the end of this year."""
        self._hand: frozenset[str] = frozenset()
        """The own, in the observation that is being read."""
        self._expected = seat  # each seat is dealt its hand in an event of that number
        self._lost = False
        """Something was not seen: nothing can be said from here on."""

    def differences(self, observation: pb.Observation) -> Iterator[str]:
        """What cannot be in the next *observation*; after one, nothing more may be asked."""
        self._hand = frozenset(observation.private.hand)
        for event in observation.private.events:
            self._lost = self._lost or event.number != self._expected
            if not self._lost:
                yield from self._event(event)
        if self._lost:
            yield from self._unfollowed(observation.public)
            return
        world = next(iter(self._worlds))  # own hand and size of the pile are the same in all of them
        if world.hands[self._seat] != self._hand:
            yield f"the own hand was {_ids(self._hand)}, not {_ids(world.hands[self._seat])}"
        if len(world.pile) != observation.public.draw_pile:
            yield f"the draw pile had {observation.public.draw_pile} cards, not {len(world.pile)}"

    def _unfollowed(self, public: pb.PublicState) -> Iterator[str]:
        """What can be said of the own hand without what went before: in year 1 the order of all cards is known."""
        if public.year == 1 and public.decision == pb.DECISION_KIND_TURN:
            first, size = self._seat * self._edition.hand_size, self._edition.hand_size
            order = self._order("1")
            known = {*order[first : first + size], *order[self._seats * size : len(order) - public.draw_pile]}
            if self._hand - known:
                yield f"the own hand had {_ids(self._hand - known)}, which cannot have been drawn so far"

    def _event(self, event: pb.Event) -> Iterator[str]:
        kind = event.WhichOneof("kind") or ""
        at_start = event.number < self._seats
        unseen = kind == "cards_drawn" and event.cards_drawn.seat != self._seat  # the cards, in the event after it
        self._expected = self._seats if at_start else event.number + 1 + unseen
        if at_start:
            yield from self._first_deal(event.dealt)
        elif kind in self._HANDLERS:
            yield from self._HANDLERS[kind](self, getattr(event, kind))

    def _first_deal(self, dealt: pb.Dealt) -> Iterator[str]:
        (world,) = self._worlds
        if frozenset(dealt.cards) != world.hands[self._seat]:
            yield f"the deal to the own seat was {_ids(dealt.cards)}, not {_ids(world.hands[self._seat])}"

    def _dealt(self, dealt: pb.Dealt) -> Iterator[str]:
        cards, number = frozenset(dealt.cards), len(dealt.cards)
        expected = next(iter(self._worlds)).pile[:number]
        fitting = (world for world in self._worlds if cards == frozenset(world.pile[:number]))
        yield from self._keep(
            (world.drawn(self._seat, number) for world in fitting), f"drawn were {_ids(cards)}, not {_ids(expected)}"
        )
        self._reshuffle()

    def _cards_drawn(self, drawn: pb.CardsDrawn) -> Iterator[str]:
        if drawn.seat == self._seat:
            return
        possible = (world.drawn(drawn.seat, drawn.cards) for world in self._worlds if len(world.pile) >= drawn.cards)
        yield from self._keep(possible, f"seat {drawn.seat} drew {drawn.cards} cards, more than the pile had")
        self._reshuffle()

    def _card_played(self, played: pb.CardPlayed) -> Iterator[str]:
        possible = (
            world.played(played.seat, played.card) for world in self._worlds if played.card in world.hands[played.seat]
        )
        yield from self._keep(possible, f"seat {played.seat} played {played.card}, which it cannot have held")
        self._played.append(played.card)

    def _year_ended(self, ended: pb.YearEnded) -> Iterator[str]:
        if ended.year < self._edition.years:
            self._shuffle(f"{ended.year + 1}", lambda world: {*world.pile, *self._played})
            self._played.clear()
            self._year = ended.year + 1
        yield from ()

    def _discarded(self, discarded: pb.Discarded) -> Iterator[str]:
        seat, number = discarded.seat, discarded.cards
        hand = len(next(iter(self._worlds)).hands[seat])
        if seat != self._seat and len(self._worlds) * comb(hand, number) > _MOST_WORLDS:
            self._lost = True
            return
        # What is set aside does not come back before the next year: the own discards are what is gone.
        possible = (
            world.discarded(seat, frozenset(cards))
            for world in self._worlds
            for cards in (
                [world.hands[seat] - self._hand] if seat == self._seat else combinations(world.hands[seat], number)
            )
            if len(cards) == number
        )
        yield from self._keep(possible, f"seat {seat} discarded {number} cards, but its hand differs by others")
        self._asked += 1
        if not min(number, len(next(iter(self._worlds)).pile)):
            self._reshuffle()

    def _keep(self, possible: Iterable[_World], differs: str) -> Iterator[str]:
        self._worlds = set(possible)
        if not self._worlds:
            yield differs

    def _reshuffle(self) -> None:
        """After the draw of the last seat that discards: its year begins."""
        if self._asked == self._seats:
            self._shuffle(f"{self._year}/again", lambda world: {*world.pile, *world.aside})
            self._asked = 0

    def _shuffle(self, name: str, cards: Callable[[_World], set[str]]) -> None:
        """Let the pile of each world hold its *cards*, shuffled, and nothing be set aside."""
        order = self._order(name)
        self._worlds = {
            _World(world.hands, tuple(filter(cards(world).__contains__, order)), frozenset()) for world in self._worlds
        }

    def _order(self, name: str) -> list[str]:
        """All cards in the order of a shuffle: it is that of any part of them, too."""
        return self._chance.shuffle(f"buy-low-sell-high/deck/{name}", list(self._edition.cards))

    _HANDLERS: ClassVar[dict[str, Callable[["_Cards", Any], Iterator[str]]]] = {
        "dealt": _dealt,
        "cards_drawn": _cards_drawn,
        "card_played": _card_played,
        "year_ended": _year_ended,
        "discarded": _discarded,
    }


def _ids(cards: Iterable[str]) -> str:
    return ", ".join(sorted(cards)) or "none"
