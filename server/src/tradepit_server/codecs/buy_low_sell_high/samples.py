"""A full state from one seat's observation: the hidden parts drawn anew."""

from itertools import islice
from random import Random

from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit.chance import SEED_BYTES, Chance
from tradepit_server.codecs.buy_low_sell_high import event_messages
from tradepit_server.codecs.buy_low_sell_high.words import DECISION_WORDS
from tradepit_server.games.buy_low_sell_high.board import NONE, Space
from tradepit_server.games.buy_low_sell_high.edition import BuyLowSellHighEdition
from tradepit_server.games.buy_low_sell_high.events import CardPlayed, CardsDrawn, Dealt, Discarded, Event, Started
from tradepit_server.games.buy_low_sell_high.state import State


def sample(data: bytes, rng: Random, edition: BuyLowSellHighEdition) -> State:
    """A state that agrees with an observation, serialised; all that its seat cannot see comes from *rng*.

    Of the other seats' last decisions nothing is known: each is taken to have seen what this seat saw.
    """
    observation = pb.Observation.FromString(data)
    public, private = observation.public, observation.private
    state = State(edition, len(public.seats), {}, Chance(rng.randbytes(SEED_BYTES)))
    _restore_table(state, public)
    _restore_turn(state, public)
    hands = _deal(state, public, private, rng)
    _restore_events(state, private, hands)
    return state


def _restore_table(state: State, public: pb.PublicState) -> None:
    edition = state.edition
    state.tops = [edition.chart.index(chart.top) for chart in public.charts]
    state.stock = [chart.shares for chart in public.charts]
    state.cash = [seat.cash - seat.fee_owed for seat in public.seats]
    state.shares = [list(seat.shares) for seat in public.seats]
    state.spaces = [
        Space(
            edition.card_of[space.card],
            space.seat,
            edition.card_of[space.news] if space.news else NONE,
            space.news_seat,
        )
        for space in public.spaces
    ]


def _restore_turn(state: State, public: pb.PublicState) -> None:
    state.starting_seat = public.starting_seat
    state.year = public.year
    state.turn = public.turn
    state.active = public.active_seat
    state.decision = DECISION_WORDS.get(public.decision, "")
    state.awaiting = (state.active,) if state.decision else ()


def _deal(state: State, public: pb.PublicState, private: pb.PrivateState, rng: Random) -> list[list[int]]:
    """Draw the other hands, the discards and the draw pile; by seat, the cards of the hands as they were drawn."""
    edition = state.edition
    own = [edition.card_of[card] for card in private.hand]
    known = {*own, *(space.card for space in state.spaces), *(space.news for space in state.spaces)}
    hidden = [card for card in range(len(edition.cards)) if card not in known]
    # Sorting by random keys is as fair as ``rng.shuffle`` and costs less.
    hidden.sort(key=lambda _: rng.random())
    cards = iter(hidden)
    hands = [
        own if seat == private.seat else list(islice(cards, entry.hand_size)) for seat, entry in enumerate(public.seats)
    ]
    state.hands = [tuple(sorted(hand)) for hand in hands]
    state.discards = list(islice(cards, public.discards))
    state.pile = list(cards)
    return hands


def _restore_events(state: State, private: pb.PrivateState, hands: list[list[int]]) -> None:
    """The events that the seat saw, under their own numbers; what the others were dealt is drawn."""
    known = {event.number: event_messages.decode(event) for event in private.events}
    if not known:
        return
    state.first_event = 0 if any(isinstance(event, Started) for event in known.values()) else min(known)
    last = max(known)
    if isinstance(known[last], CardsDrawn):
        last += 1  # another seat's: it did not see the Dealt that follows
    past = _Past(state, hands)
    state.events = [past.event(number, known) for number in range(last, state.first_event - 1, -1)]
    state.events.reverse()
    state.seen = [state.first_event] * state.seats


class _Past:
    """The way back from the hands of now, event by event, to what they were dealt from."""

    def __init__(self, state: State, hands: list[list[int]]) -> None:
        self._edition = state.edition
        self._hands = hands
        self._spare = iter(state.discards + state.pile)
        """What may have been discarded."""

    def event(self, number: int, known: dict[int, Event]) -> Event:
        """Event *number*; the hands are then those before it."""
        event = known.get(number)
        if isinstance(event, CardPlayed):
            self._hands[event.seat].append(self._edition.card_of[event.card])
        elif isinstance(event, Discarded):
            self._hands[event.seat].extend(islice(self._spare, event.cards))
        return self._dealt(number, known.get(number - 1)) if event is None else event

    def _dealt(self, number: int, before: Event | None) -> Dealt:
        """What another seat was dealt: after a CardsDrawn so many cards, at the start the hand of seat *number*."""
        seat, cards = before if isinstance(before, CardsDrawn) else (number, self._edition.hand_size)
        hand = self._hands[seat]
        dealt = sorted(hand[:cards])
        del hand[:cards]
        return Dealt(seat, tuple(self._edition.cards[card].id for card in dealt))
