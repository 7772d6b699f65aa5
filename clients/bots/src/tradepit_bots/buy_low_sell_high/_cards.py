"""Cards for search in Buy Low Sell High, on the engine's own state: what each does for a seat, and whole turns of them.

Cards and industries are the small integers of the engine's edition: playouts must be quick.
"""

from tradepit_bots.buy_low_sell_high._trades import dividend_cards
from tradepit_server.games.buy_low_sell_high.actions import CardPlay
from tradepit_server.games.buy_low_sell_high.board import NONE
from tradepit_server.games.buy_low_sell_high.playing import Play
from tradepit_server.games.buy_low_sell_high.state import State

FIELD = 2
"""Dollars by which a share's price changes when its chart moves by a field, more or less."""

Step = tuple[int, int]
"""A card of the hand, and the card that it covers, or NONE."""


class Effects:
    """What cards do for a seat, in dollars, compared with the average of the others, whom they move as well."""

    def __init__(self, state: State, seat: int) -> None:
        """As shares are held and cards stand at *state*."""
        self._edition = state.edition
        self._dividend_cards = dividend_cards(state)
        own, seats = state.shares[seat], state.seats
        held = [sum(shares) for shares in zip(*state.shares, strict=True)]
        self._lead: list[float] = [mine - (all_ - mine) / (seats - 1) for mine, all_ in zip(own, held, strict=True)]
        """Shares that the seat holds more than the others, by industry."""

    def of(self, step: Step) -> float:
        """What *step* does."""
        card, target = step
        if target == NONE:
            return self.of_card(card)
        # A fee that was paid stays paid, whatever covers the card.
        return 0.0 if self._edition.cards[target].kind == "expense" else -self.of_card(target, standing=1)

    def of_card(self, card: int, standing: int = 0) -> float:
        """What *card* does while nothing covers it; *standing* is 1 if it lies there already."""
        _, industry, kind, points = self._edition.cards[card]
        if kind == "dividend":
            number = self._dividend_cards[industry] - standing
            each = self._edition.dividends[number + 1] - self._edition.dividends[number]
        else:
            each = -self._edition.fee_per_share if kind == "expense" else FIELD * points
        return each * self._lead[industry]


def first_steps(state: State, seat: int) -> list[Step]:
    """What can be played first, the best first."""
    return sorted(_steps(state, Play(state, seat)), key=Effects(state, seat).of, reverse=True)


def cards_from(state: State, seat: int, first: Step | None = None) -> tuple[CardPlay, ...]:
    """*first*, or without it the best; then the best again, as long as another card is due."""
    cards, play, effects = state.edition.cards, Play(state, seat), Effects(state, seat)
    entries: list[CardPlay] = []
    while play.due:
        card, target = first or max(_steps(state, play), key=effects.of)
        entries.append(CardPlay(cards[card].id, "" if target == NONE else cards[target].id))
        play.lay(card, target)
        first = None
    return tuple(entries)


def _steps(state: State, play: Play) -> list[Step]:
    news = state.edition.is_news
    return [(card, target) for card in play.playable() for target in (news[card] and play.targets(card)) or [NONE]]


def harmful(state: State, seat: int) -> tuple[str, ...]:
    """The cards of the hand that do more for the others, by id."""
    effects = Effects(state, seat)
    return tuple(state.edition.cards[card].id for card in state.hands[seat] if effects.of_card(card) < 0)
