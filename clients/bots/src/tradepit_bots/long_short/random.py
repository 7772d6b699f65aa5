"""Random does anything that the rules allow: the yardstick that every bot should clear.

All its chance comes from ``view.rng``, which follows from the match's bot seed. So a match that is played again from
the same seed is the same match, which makes bots much easier to debug and to compare.
"""

from tradepit.long_short import Desk, LongShortBot, LongShortView, Sale, Side, Turn

SIDES: tuple[Side, Side] = ("long", "short")


class Random(LongShortBot):
    """Sells some, buys some, plays any card and names any pile."""

    max_concurrent_matches = 64

    def take_turn(self, view: LongShortView) -> Turn:
        """A few random orders, a random card, a random pile."""
        # A desk works out what is left after each order: orders are carried out one after another.
        desk = view.desk()
        sell_some(view, desk)
        for _ in range(view.rng.randrange(3)):
            buy_something(view, desk)
        return Turn(desk.orders, price_card=view.rng.choice(view.hand), pile=view.rng.randint(1, 3))

    def day_trade(self, view: LongShortView) -> list[Sale]:
        """Now and then, spend the card on random sales."""
        desk = view.desk()
        if view.rng.random() < 0.25:
            sell_some(view, desk)
        return desk.sales

    def cancel_end_of_game(self, view: LongShortView) -> bool:
        """Toss a coin."""
        return view.rng.random() < 0.5


def sell_some(view: LongShortView, desk: Desk) -> None:
    """Sell a random part of about every third position, where cash allows it."""
    for position in view.positions:
        contracts = view.rng.randint(1, position.contracts)
        if view.rng.random() < 0.35 and desk.can_sell(*position.field, contracts):
            desk.sell(*position.field, contracts)


def buy_something(view: LongShortView, desk: Desk) -> None:
    """Buy a random number of contracts of a random good, if any can be bought."""
    good, side = view.rng.choice(view.goods).name, view.rng.choice(SIDES)
    contracts = view.rng.randint(1, desk.max_contracts(good, side) or 1)
    if desk.can_buy(good, side, contracts):  # fewer than the most may be impossible, for want of single chips
        desk.buy(good, side, contracts)


BOT = Random
