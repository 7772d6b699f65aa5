"""Hand Reader takes positions by what its whole remaining hand will do, not by the next card alone.

Every card of the hand will be played, one a turn. So their sum is where this bot itself will push each good until the
game ends; what the others and the dice will do is unknown, and good or bad alike. A contract that the rest of the hand
supports is worth more than one that the next card lifts and a later one drops.
"""

from collections.abc import Sequence

from tradepit.long_short import LongShortBot, LongShortView, Position, PriceCard, Sale, Turn
from tradepit_bots.long_short.greedy import Plan, best_plan, sure_gains

TRUST = 0.1
"""What a point that a later card will bring counts against a point that this turn's card brings. Later is less: others
play in between, and a contract may be bought just before that card as well."""


class HandReader(LongShortBot):
    """Weighs each card together with the rest of the hand, takes profits, and uses its day-trade cards."""

    max_concurrent_matches = 64

    def take_turn(self, view: LongShortView) -> Turn:
        """The card and the contracts of the highest expected gain.

        Selling and buying cost nothing, so profits are taken every turn: the same money then carries more contracts.
        """
        plan = max((self.plan(view, card) for card in view.hand), key=lambda plan: plan.gain)
        view.note = f"{plan.card}: expects {plan.gain:,} $"
        return Turn(plan.desk.orders, price_card=plan.card, pile=self.pile(view))

    def plan(self, view: LongShortView, card: PriceCard) -> Plan:
        """The best contracts for playing *card* now and the rest of the hand later."""
        gains = sure_gains(view, card)
        later = outlook(view, [other for other in view.hand if other is not card])
        expected = {good: gains[good] + round(TRUST * later[good]) for good in gains}
        return best_plan(view, card, expected)

    def pile(self, view: LongShortView) -> int:
        """The pile from which least has been drawn: its next card is the least known to the others, too."""
        return 1 + min(range(3), key=lambda pile: len(view.piles[pile].drawn))

    def day_trade(self, view: LongShortView) -> list[Sale]:
        """Sell what has made a profit and has nothing more to expect from the hand, before the table takes it back."""
        later = outlook(view, view.hand)
        desk = view.desk()
        for position in view.positions:
            done = position.profit > 0 and supports(position, later[position.good]) <= 0
            if done and desk.can_sell(*position.field, position.contracts):
                desk.sell(*position.field, position.contracts)
        return desk.sales

    def cancel_end_of_game(self, view: LongShortView) -> bool:
        """Go on if there is time to earn the price back, which takes cards and money."""
        return len(view.hand) >= 3 and view.cash >= 30_000


def outlook(view: LongShortView, cards: Sequence[PriceCard]) -> dict[str, int]:
    """Dollars by which *cards* together will move one long contract of each good."""
    return {good.name: good.point_value * sum(card.moves.get(good.name, 0) for card in cards) for good in view.goods}


def supports(position: Position, dollars: int) -> int:
    """What a price that rises by *dollars* does to *position*: the same if it is long, the opposite if short."""
    return dollars if position.side == "long" else -dollars


BOT = HandReader
