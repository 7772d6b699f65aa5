"""Greedy trades with the one thing that it knows for certain: what the card in its hand is about to do.

Orders come before the price change card. So a bot can buy whatever its card will move, and the gain is sure; what the
dice and the other seats do afterwards is as often good as bad. Next turn it sells and starts again.
"""

from collections.abc import Mapping
from typing import NamedTuple

from tradepit.long_short import Desk, LongShortBot, LongShortView, PriceCard, Side, Turn

RESERVE = 0.5
"""The part of its worth that stays in cash. A contract can lose more than its margin: whoever puts everything into the
pit makes more on average, and finds itself below where it began in every sixth match."""


class Plan(NamedTuple):
    """A card, the orders to give before it, and what it then adds to the contracts, in dollars."""

    gain: int
    card: PriceCard
    desk: Desk


class Greedy(LongShortBot):
    """Finds the card and the contracts that gain most this turn."""

    max_concurrent_matches = 64

    def take_turn(self, view: LongShortView) -> Turn:
        """The plan with the highest gain; among equal ones the first card of the hand."""
        plan = max((best_plan(view, card, sure_gains(view, card)) for card in view.hand), key=lambda plan: plan.gain)
        view.note = f"{plan.card} gains {plan.gain:,} $"
        return Turn(plan.desk.orders, price_card=plan.card)


def best_plan(view: LongShortView, card: PriceCard, gains: Mapping[str, int]) -> Plan:
    """The better of two ways to spend the cash before *card*, when one long contract of each good gains *gains*.

    While cash is short, what counts is points: a point returns a third of the margin, whatever the good. Once there is
    more cash than chips, what counts is dollars a contract.
    """
    by_points = sorted(gains, key=lambda good: -abs(gains[good]) / view.edition.goods[good].margin)
    by_dollars = sorted(gains, key=lambda good: -abs(gains[good]))
    plans = [spend(view, card, gains, order) for order in (by_points, by_dollars)]
    return max(plans, key=lambda plan: plan.gain)


def sure_gains(view: LongShortView, card: PriceCard) -> dict[str, int]:
    """Dollars that *card* adds to one long contract of each good; a short one gets the opposite.

    ``levels_after`` stops at the edge of the table, as the rules do: nothing is gained beyond it.
    """
    after = view.levels_after(card)
    return {good.name: (after[good.name] - view.levels[good.name]) * good.point_value for good in view.goods}


def spend(view: LongShortView, card: PriceCard, gains: Mapping[str, int], goods: list[str]) -> Plan:
    """Sell what does not gain, then buy what gains, the first of *goods* first."""
    desk = view.desk()
    reserve = max(0, round(RESERVE * view.own.worth))
    gain = 0
    for position in sorted(view.positions, key=lambda position: -position.value_each):
        each = gains[position.good] if position.side == "long" else -gains[position.good]
        # There is nothing to buy in the last round, so what still gains is kept.
        keep = each > 0 and view.rounds_left == 0
        if not keep and desk.can_sell(*position.field, position.contracts):
            desk.sell(*position.field, position.contracts)
        else:
            gain += each * position.contracts
    for good in goods:
        side: Side = "long" if gains[good] > 0 else "short"
        contracts = desk.max_contracts(good, side, reserve)
        if gains[good] and contracts:
            desk.buy(good, side, contracts)
            gain += abs(gains[good]) * contracts
    return Plan(gain, card, desk)


BOT = Greedy
