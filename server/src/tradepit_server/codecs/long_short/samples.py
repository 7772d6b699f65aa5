"""A full state from one seat's observation: the hidden parts drawn anew."""

from functools import lru_cache
from random import Random

from tradepit.chance import SEED_BYTES, Chance
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit_server.codecs.enums import backwards
from tradepit_server.codecs.long_short import event_messages
from tradepit_server.codecs.long_short.words import DECISION_WORDS, OPTION_WORDS, SIDE_WORDS
from tradepit_server.games.base import OptionValue
from tradepit_server.games.long_short.board import Roll
from tradepit_server.games.long_short.edition import LongShortEdition
from tradepit_server.games.long_short.events import Dealt
from tradepit_server.games.long_short.state import State


def sample(data: bytes, rng: Random, edition: LongShortEdition) -> State:
    """A state that agrees with an observation, serialised; all that its seat cannot see comes from *rng*.

    Of the other seats' last decisions nothing is known: each is taken to have seen what this seat saw. A seat that
    has seen nothing since its last decision does not know the number of events either; they then start from 0.
    """
    observation = pb.Observation.FromString(data)
    public, private = observation.public, observation.private
    state = State(
        edition, len(public.seats), _options(public.options.SerializeToString()), Chance(rng.randbytes(SEED_BYTES))
    )
    _restore_table(state, public)
    _restore_turn(state, public)
    _lay_piles(state, public, rng)
    _deal(state, private, rng)
    _restore_events(state, private)
    return state


@lru_cache(maxsize=1024)
def _options(data: bytes) -> dict[str, OptionValue]:
    """The options in a message, serialised; boards share them and change none."""
    message = pb.Options.FromString(data)
    options: dict[str, OptionValue] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        options[field.name] = backwards(OPTION_WORDS[field.name])[value] if field.name in OPTION_WORDS else value
    return options


def _restore_table(state: State, public: pb.PublicState) -> None:
    edition = state.edition
    state.levels = list(public.levels)
    state.cash = [seat.cash for seat in public.seats]
    state.day_trade_cards = [seat.day_trade_cards for seat in public.seats]
    state.bank_day_trade_cards = public.bank_day_trade_cards
    for positions, seat in zip(state.positions, public.seats, strict=True):
        for position in seat.positions:
            line = edition.line_of[position.good, SIDE_WORDS[position.side]]
            positions[edition.field(line, position.entry_level)] = position.contracts


def _restore_turn(state: State, public: pb.PublicState) -> None:
    state.starting_seat = public.starting_seat
    state.active = public.active_seat
    state.turn = public.turn
    state.decision = DECISION_WORDS.get(public.decision, "")
    state.awaiting = tuple(sorted(public.awaited_seats, key=lambda seat: (seat - state.active) % state.seats))
    state.played = [state.edition.price_card_of[played.card] for played in public.played_cards]
    if public.HasField("last_roll"):
        roll = public.last_roll
        state.last_roll = Roll(roll.seat, state.edition.good_of[roll.red], roll.green)


def _shuffle(cards: list[int], rng: Random) -> None:
    """Sorting by random keys is as fair as ``rng.shuffle`` and costs less."""
    cards.sort(key=lambda _: rng.random())


def _lay_piles(state: State, public: pb.PublicState, rng: Random) -> None:
    """A card that was drawn lies at the bottom of its pile: it comes up again after all the others."""
    edition = state.edition
    removed = state.options["end_of_game_card"] == "removed"
    known = {edition.action_card_of[card] for pile in public.piles for card in pile.drawn}
    hidden = [
        index
        for index, card in enumerate(edition.action_cards)
        if index not in known and not (removed and card.effect == "end_of_game")
    ]
    _shuffle(hidden, rng)
    piles = []
    for pile in public.piles:
        # In a pile that was gone through, the same cards came up in the same order again.
        order = [edition.action_card_of[card] for card in pile.drawn[: pile.size]]
        while len(order) < pile.size:
            order.append(hidden.pop())
        piles.append(tuple(order))
    state.piles = tuple(piles)
    state.drawn = [len(pile.drawn) for pile in public.piles]


def _deal(state: State, private: pb.PrivateState, rng: Random) -> None:
    """Every other seat holds, of each colour, as many cards as it was dealt and has not played."""
    edition = state.edition
    own = tuple(edition.price_card_of[card] for card in private.hand)
    hidden = _hidden_cards(state, own)
    for cards in hidden.values():
        _shuffle(cards, rng)
    for seat in range(state.seats):
        state.hands[seat] = own if seat == private.seat else _draw_hand(state, seat, hidden)


def _hidden_cards(state: State, own: tuple[int, ...]) -> dict[str, list[int]]:
    """By colour: the cards that are neither in the *own* hand nor played."""
    hidden: dict[str, list[int]] = {colour: [] for colour in state.edition.deal}
    known = {*own, *state.played}
    for card, colour in enumerate(state.edition.colours):
        if card not in known:
            hidden[colour].append(card)
    return hidden


def _draw_hand(state: State, seat: int, hidden: dict[str, list[int]]) -> tuple[int, ...]:
    """Take out of the *hidden* cards what *seat* must hold."""
    played = [state.edition.colours[card] for card in _played_by(state, seat)]
    hand: list[int] = []
    for colour, dealt in state.edition.deal.items():
        hand.extend(hidden[colour].pop() for _ in range(dealt - played.count(colour)))
    return tuple(sorted(hand))


def _played_by(state: State, seat: int) -> list[int]:
    return state.played[(seat - state.starting_seat) % state.seats :: state.seats]


def _restore_events(state: State, private: pb.PrivateState) -> None:
    """The events that the seat saw, under their own numbers; of the deal, what the others got is drawn."""
    known = {event.number: event_messages.decode(event) for event in private.events}
    if not known:
        return
    dealing = any(isinstance(event, Dealt) for event in known.values())
    state.first_event = 0 if dealing else min(known)
    numbers = range(state.first_event, max(known) + 1)
    # Only the deals of the others are missing, and the deal of seat s is event s.
    state.events = [known[number] if number in known else _dealt(state, number) for number in numbers]
    state.seen = [state.first_event] * state.seats


def _dealt(state: State, seat: int) -> Dealt:
    cards = sorted([*state.hands[seat], *_played_by(state, seat)])
    return Dealt(seat, tuple(state.edition.price_cards[card].id for card in cards))
