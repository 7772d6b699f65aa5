"""Observations, joined from encoded pieces: the public part once a state, an event once for all, cards once an edition.

What is written here is all that a seat may see; there is no filter that something could slip through.
"""

from functools import lru_cache

from tradepit_server.codecs.buy_low_sell_high import event_messages
from tradepit_server.codecs.buy_low_sell_high.words import DECISIONS
from tradepit_server.codecs.wire import nested, number, packed
from tradepit_server.games.buy_low_sell_high.board import NONE, Space
from tradepit_server.games.buy_low_sell_high.charts import below, lowest
from tradepit_server.games.buy_low_sell_high.edition import BuyLowSellHighEdition
from tradepit_server.games.buy_low_sell_high.state import State

_MOST_PIECES = 1 << 14
"""Of each kind, that are kept for an edition."""


class _Pieces:
    """What is encoded once an edition; the tags are those of the schema."""

    def __init__(self, edition: BuyLowSellHighEdition) -> None:
        self._edition = edition
        self.hand = [nested(b"\x12", card.id.encode()) for card in edition.cards]
        self.chart = lru_cache(_MOST_PIECES)(self._chart)
        """An entry of PublicState.charts, from the top share's field and the number of shares."""
        self.seat = lru_cache(_MOST_PIECES)(self._seat)
        """An entry of PublicState.seats, from cash, shares and number of cards."""
        self.space = lru_cache(_MOST_PIECES)(self._space)
        """An entry of PublicState.spaces."""

    def _chart(self, top: int, stock: int) -> bytes:
        chart = self._edition.chart
        body = number(b"\x08", chart[top]) + number(b"\x10", stock)
        buy_price = chart[lowest(top, stock)] if stock > 1 else 0
        return nested(b"\x32", body + number(b"\x18", buy_price) + number(b"\x20", chart[below(top, stock)]))

    def _seat(self, cash: int, shares: tuple[int, ...], cards: int) -> bytes:
        body = number(b"\x08", max(cash, 0)) + number(b"\x10", max(-cash, 0))
        return nested(b"\x3a", body + packed(b"\x1a", shares) + number(b"\x20", cards))

    def _space(self, space: Space) -> bytes:
        cards = self._edition.cards
        body = nested(b"\x0a", cards[space.card].id.encode()) + number(b"\x10", space.seat)
        if space.news != NONE:
            body += nested(b"\x1a", cards[space.news].id.encode()) + number(b"\x20", space.news_seat)
        return nested(b"\x4a", body)


@lru_cache(maxsize=16)
def _pieces(edition: BuyLowSellHighEdition) -> _Pieces:
    return _Pieces(edition)


class _Memo:
    """What has been encoded of one match so far; kept in ``state.memo``, which no copy shares."""

    __slots__ = ("events", "moment", "pieces", "public")

    def __init__(self, state: State) -> None:
        self.pieces = _pieces(state.edition)
        self.events: list[tuple[bytes, tuple[int] | None]] = []
        """Each with the seats that may see it; None: everybody."""
        self.moment = (-1, -1)
        """The state that ``public`` belongs to."""
        self.public = b""


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
    # Whatever is decided ends a turn or makes an event.
    moment = (state.turn, len(state.events))
    if memo.moment != moment:
        memo.public = _public(state, memo.pieces)
        memo.moment = moment
    return memo.public


def _public(state: State, pieces: _Pieces) -> bytes:
    parts = [
        number(b"\x08", DECISIONS.get(state.decision, 0)),
        number(b"\x10", state.active),
        number(b"\x18", state.starting_seat),
        number(b"\x20", state.year),
        number(b"\x28", state.turn),
        *map(pieces.chart, state.tops, state.stock),
        *map(pieces.seat, state.cash, map(tuple, state.shares), map(len, state.hands)),
        number(b"\x40", state.edition.card_spaces[state.seats]),
        *map(pieces.space, state.spaces),
        number(b"\x50", len(state.pile)),
        number(b"\x58", len(state.discards)),
    ]
    return b"".join(parts)


def _private(state: State, seat: int) -> bytes:
    memo = _memo(state)
    hand = [memo.pieces.hand[card] for card in state.hands[seat]]
    return b"".join([number(b"\x08", seat), *hand, *_events(state, memo, seat)])


def _events(state: State, memo: _Memo, seat: int) -> list[bytes]:
    """The entries of PrivateState.events: what *seat* saw since its last decision."""
    for index in range(len(memo.events), len(state.events)):
        event = state.events[index]
        piece = nested(b"\x1a", event_messages.encode(state.first_event + index, event))
        memo.events.append((piece, state.audience(event)))
    start = max(state.seen[seat] - state.first_event, 0)
    return [piece for piece, seats in memo.events[start:] if seats is None or seat in seats]
