"""Observations, joined from encoded pieces: the public part once a state, an event once for all, cards once an edition.

What is written here is all that a seat may see; there is no filter that something could slip through.
"""

from functools import lru_cache
from typing import Any

from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit_server.codecs.long_short import event_messages
from tradepit_server.codecs.long_short.words import DECISIONS, OPTION_WORDS, SIDES
from tradepit_server.codecs.wire import nested, number, packed, signed
from tradepit_server.games.base import OptionValue
from tradepit_server.games.long_short.board import Roll
from tradepit_server.games.long_short.edition import LongShortEdition
from tradepit_server.games.long_short.state import State

_MOST_PIECES = 1 << 14
"""Of each kind, that are kept for an edition."""


class _Pieces:
    """What is encoded once an edition; the tags are those of the schema."""

    def __init__(self, edition: LongShortEdition) -> None:
        self._edition = edition
        self.hand = [nested(b"\x12", card.id.encode()) for card in edition.price_cards]
        self.position = lru_cache(_MOST_PIECES)(self._position)
        """An entry of SeatState.positions, from field and number of contracts."""
        self.seat = lru_cache(_MOST_PIECES)(self._seat)
        """An entry of PublicState.seats, from cash, positions in rising order, and day-trade cards."""
        self.played = lru_cache(_MOST_PIECES)(self._played)
        """An entry of PublicState.played_cards, from seat and card."""
        self.pile = lru_cache(_MOST_PIECES)(self._pile)
        """An entry of PublicState.piles, from its cards and how often one was drawn."""
        self.roll = lru_cache(_MOST_PIECES)(self._roll)
        """PublicState.last_roll."""

    def _position(self, field: int, contracts: int) -> bytes:
        good, side, entry_level = self._edition.name_field(field)
        body = nested(b"\x0a", good.encode()) + number(b"\x10", SIDES[side])
        return nested(b"\x12", body + number(b"\x18", entry_level) + number(b"\x20", contracts))

    def _seat(self, cash: int, positions: tuple[tuple[int, int], ...], day_trade_cards: int) -> bytes:
        pieces = [self.position(field, contracts) for field, contracts in positions]
        return nested(b"\x4a", signed(b"\x08", cash) + b"".join(pieces) + number(b"\x18", day_trade_cards))

    def _played(self, seat: int, card: int) -> bytes:
        return nested(b"\x5a", number(b"\x08", seat) + nested(b"\x12", self._edition.price_cards[card].id.encode()))

    def _pile(self, cards: tuple[int, ...], drawn: int) -> bytes:
        ids = [self._edition.action_cards[cards[time % len(cards)]].id for time in range(drawn)]
        return nested(b"\x62", number(b"\x08", len(cards)) + b"".join([nested(b"\x12", card.encode()) for card in ids]))

    def _roll(self, roll: Roll) -> bytes:
        body = number(b"\x08", roll.seat) + nested(b"\x12", self._edition.goods[roll.red].encode())
        return nested(b"\x6a", body + nested(b"\x1a", roll.green.encode()))


@lru_cache(maxsize=16)
def _pieces(edition: LongShortEdition) -> _Pieces:
    return _Pieces(edition)


class _Memo:
    """What has been encoded of one match so far; kept in ``state.memo``, which no copy shares."""

    __slots__ = ("events", "last_private", "moment", "options", "pieces", "played", "played_count", "public")

    def __init__(self, state: State) -> None:
        self.pieces = _pieces(state.edition)
        self.options = nested(b"\x0a", _options(tuple(state.options.items())))
        self.played = b""
        self.played_count = 0
        self.events: list[bytes] = []
        self.last_private = -1
        """Index of the last event that not everybody may see."""
        self.moment: tuple[int, str] = (-1, "")
        """The state that ``public`` belongs to."""
        self.public = b""


@lru_cache(maxsize=1024)
def _options(options: tuple[tuple[str, OptionValue], ...]) -> bytes:
    values: Any = {name: OPTION_WORDS.get(name, {}).get(str(value), value) for name, value in options}
    return pb.Options(**values).SerializeToString(deterministic=True)


def _memo(state: State) -> _Memo:
    memo = state.memo
    if not isinstance(memo, _Memo):
        memo = state.memo = _Memo(state)
    return memo


def observation(state: State, seat: int) -> bytes:
    """The Observation of *seat*, serialised."""
    return nested(b"\x0a", public(state)) + nested(b"\x12", _private(state, seat))


def public(state: State) -> bytes:
    """The PublicState, serialised."""
    memo = _memo(state)
    # A turn asks for each kind of decision once at most.
    moment = (state.turn, state.decision)
    if memo.moment != moment:
        memo.public = _public(state, memo)
        memo.moment = moment
    return memo.public


def _public(state: State, memo: _Memo) -> bytes:
    positions = [tuple(sorted(fields.items())) for fields in state.positions]
    parts = [
        memo.options,
        number(b"\x10", DECISIONS.get(state.decision, 0)),
        packed(b"\x1a", sorted(state.awaiting)),
        number(b"\x20", state.round),
        number(b"\x28", state.turn),
        number(b"\x30", state.starting_seat),
        number(b"\x38", state.active),
        packed(b"\x42", state.levels),
        *map(memo.pieces.seat, state.cash, positions, state.day_trade_cards),
        number(b"\x50", state.bank_day_trade_cards),
        _played(state, memo),
        *map(memo.pieces.pile, state.piles, state.drawn),
    ]
    if state.last_roll is not None:
        parts.append(memo.pieces.roll(state.last_roll))
    return b"".join(parts)


def _played(state: State, memo: _Memo) -> bytes:
    for turn in range(memo.played_count, len(state.played)):
        memo.played += memo.pieces.played((state.starting_seat + turn) % state.seats, state.played[turn])
    memo.played_count = len(state.played)
    return memo.played


def _private(state: State, seat: int) -> bytes:
    memo = _memo(state)
    hand = [memo.pieces.hand[card] for card in state.hands[seat]]
    return b"".join([number(b"\x08", seat), *hand, *_events(state, memo, seat)])


def _events(state: State, memo: _Memo, seat: int) -> list[bytes]:
    """The entries of PrivateState.events: what *seat* saw since its last decision."""
    for index in range(len(memo.events), len(state.events)):
        event = state.events[index]
        memo.events.append(nested(b"\x1a", event_messages.encode(state.first_event + index, event)))
        if state.audience(event) is not None:
            memo.last_private = index
    start = max(state.seen[seat] - state.first_event, 0)
    if start > memo.last_private:
        return memo.events[start:]
    audiences = [state.audience(event) for event in state.events[start:]]
    return [
        piece for piece, seats in zip(memo.events[start:], audiences, strict=True) if seats is None or seat in seats
    ]
