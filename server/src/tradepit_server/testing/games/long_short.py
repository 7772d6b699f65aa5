"""The trials of Long Short: many orders, large ones, both sides, day trades; money as events move it."""

from collections.abc import Callable, Mapping
from random import Random

from tradepit_server.games.base import IllegalAction
from tradepit_server.games.long_short.actions import Action, Buy, DayTrade, EndOfGame, Sell, Turn
from tradepit_server.games.long_short.events import Bought, CashMoved, Event, Sold
from tradepit_server.games.long_short.state import State
from tradepit_server.testing.trials import Trials

_SIDES = ("long", "short")


class LongShortTrials(Trials):
    """Legal actions at random, in which much happens."""

    def random_action(self, state: State, seat: int, rng: Random) -> Action:
        """A turn with up to four orders, a day trade, or an answer to the end-of-game card."""
        if state.decision == "end_of_game":
            return EndOfGame(rng.random() < 0.8)
        if state.decision == "day_trade":
            return _grow(state, seat, rng, lambda sales: DayTrade(tuple(o for o in sales if isinstance(o, Sell))), 0.0)
        card = state.edition.price_cards[rng.choice(state.hands[seat])].id
        pile = rng.randrange(1, 4)
        return _grow(state, seat, rng, lambda orders: Turn(orders, card, pile), 0.7)

    def score_changes(self, event: Event) -> Mapping[int, int]:
        """Cash, in dollars: a score is a seat's cash at every moment."""
        if isinstance(event, Bought):
            return {event.seat: -event.paid}
        return {event.seat: event.received} if isinstance(event, (Sold, CashMoved)) else {}


def _grow(
    state: State, seat: int, rng: Random, build: Callable[[tuple[Buy | Sell, ...]], Action], buying: float
) -> Action:
    """Propose orders one at a time and keep those that stay legal."""
    action = build(())
    orders: tuple[Buy | Sell, ...] = ()
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        order = _buy(state, seat, rng) if rng.random() < buying else _sale(state, seat, rng)
        if order is None:
            continue
        try:
            state.validate(seat, build((*orders, order)))
        except IllegalAction:
            continue
        orders = (*orders, order)
        action = build(orders)
    return action


def _buy(state: State, seat: int, rng: Random) -> Buy:
    good, side = rng.choice(state.edition.goods), rng.choice(_SIDES)
    contracts = rng.choice((1, 1, 2, 3, 5, 10, state.max_contracts(seat, good, side)))
    return Buy(good, side, max(contracts, 1))


def _sale(state: State, seat: int, rng: Random) -> Sell | None:
    held = sorted(state.positions[seat].items())
    if not held:
        return None
    field, contracts = rng.choice(held)
    good, side, entry_level = state.edition.name_field(field)
    return Sell(good, side, entry_level, rng.choice((contracts, rng.randint(1, contracts))))


TRIALS = LongShortTrials()
