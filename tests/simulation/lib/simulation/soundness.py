"""Which bots must never be charged: they do nothing wrong, and their lines and clocks suffice."""

from typing import TYPE_CHECKING

from simulation.clocks import MILLISECOND, Clocks
from tradepit_server import registry

if TYPE_CHECKING:
    from simulation.bots import Bot
    from simulation.world import World

MOST_OUTAGES = 2
"""So often an honest bot loses its line."""

_SPARE = 20 * MILLISECOND


def is_sound(world: "World", bot: "Bot") -> bool:
    """Whether *bot* does nothing wrong in *world*, and all clocks that it plays by leave it the time."""
    return (
        not bot.faults
        and not (world.padding and bot.outage)  # too much may wait for it meanwhile
        and bot.name not in world.released
        and all(
            _suffices(world, bot, plan.clocks, registry.get(plan.game).game.decision_bound(len(plan.bots)))
            for plan in world.plans
            if bot.name in plan.bots
        )
    )


def _suffices(world: "World", bot: "Bot", clocks: Clocks, decisions: int) -> bool:
    lags = world.lags * world.longest_lag
    gap = bot.outage + 4 * world.latency + lags + _SPARE
    slowest = (
        max(world.longest_thought, 3 * MILLISECOND)
        + 2 * world.latency
        + MOST_OUTAGES * gap * bool(bot.outage)
        + lags
        + _SPARE
    )
    banked = clocks.bank is None or clocks.bank > slowest * decisions
    return (
        (clocks.startup is None or clocks.startup > slowest)
        and (clocks.decision is None or clocks.decision > slowest)
        and banked
        and clocks.window > gap
    )
