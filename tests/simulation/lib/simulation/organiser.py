"""Who orders blocks: begins them when their bots are there, cancels some, runs again what the referee lost."""

from typing import TYPE_CHECKING

from simulation.accounts import Plan
from simulation.clocks import MILLISECOND, SECOND, draw
from tradepit.v1 import block_pb2
from tradepit_server import registry
from tradepit_server.referee import BlockSpec, SpecificationError

if TYPE_CHECKING:
    from simulation.world import World

PATIENCE = 30
"""So often the organiser looks whether the bots of a block are there."""

MOST_ATTEMPTS = 3

BOUND = 20 * SECOND
"""A block without clocks of its own is cancelled after so long."""


class Order:
    """A block that is to be played."""

    def __init__(self, plan: Plan, cancel_after: int | None) -> None:
        self.plan = plan
        self.cancel_after = cancel_after
        self.attempt = 0
        self.looks = 0


class Organiser:
    """All orders of a world."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._rng = world.rng
        self._waiting: list[Order] = []
        self._running: dict[str, Order] = {}
        self.draining = False

    @property
    def done(self) -> bool:
        """Nothing is to be played any more."""
        return not self._waiting and not self._running

    def order(self, blocks: int) -> None:
        """Think of so many blocks."""
        for index in range(blocks):
            order = Order(self._draw_plan(index), self._draw_end())
            self._waiting.append(order)
            self._world.after(self._rng.randrange(1, 300 * MILLISECOND), self._begin, order)

    def plans(self) -> list[Plan]:
        """What is ordered and has not begun."""
        return [order.plan for order in self._waiting]

    def _draw_end(self) -> int | None:
        """When to cancel a block for no reason, in nanoseconds from its beginning."""
        return self._rng.randrange(1, 400 * MILLISECOND) if self._rng.random() < 0.05 else None

    def _draw_plan(self, index: int) -> Plan:
        rng, world = self._rng, self._world
        seats = min(rng.choice((2, 2, 2, 3, 4)), len(world.bots))
        bots = tuple(bot.name for bot in rng.sample(world.bots, seats))
        options: dict[str, int | str] = {}
        if world.game == "toy":
            options = {"padding": world.padding, "limit": rng.choice((9, 9, 5))}
        matches = 1 if world.game != "toy" else rng.choice((1, 1, 2, 3, seats))
        if world.padding or world.crowded:
            matches = rng.choice((5, 6))
        if world.padding:
            bots = ("bot-0", "bot-1")
        reproducible = rng.randbytes(32) if rng.random() < 0.1 else b""
        return Plan(
            f"cup/{index}",
            world.game,
            options,
            rng.random() < 0.2,
            bots,
            matches,
            draw(rng),
            reproducible,
            rng.random() < 0.3,
        )

    def _begin(self, order: Order) -> None:
        world = self._world
        sessions = [self._session(name) for name in order.plan.bots]
        order.looks += 1
        if self.draining or order.looks > PATIENCE:
            self._give_up(order)
        elif not all(sessions) or not self._started(order, [session for session in sessions if session]):
            world.after(self._rng.randrange(1, 40 * MILLISECOND), self._begin, order)

    def _session(self, name: str) -> str | None:
        bot = self._world.named[name]
        if bot.reserved is not None:
            return bot.reserved
        known = [
            session for session, (owner, connected) in self._world.shell.known.items() if owner == name and connected
        ]
        return known[-1] if known else None

    def _started(self, order: Order, sessions: list[str]) -> bool:
        order.attempt += 1
        plan = order.plan._replace(block_id=f"{order.plan.block_id}/{order.attempt}")
        try:
            spec = BlockSpec.from_message(_message(plan), sessions)
            self._world.shell.start_block(spec, plan, sessions)
        except SpecificationError:
            order.attempt -= 1
            return False
        self._world.note("block begins", plan.block_id, *plan.bots)
        self._world.tally["blocks"] += 1
        self._world.allow(plan)
        self._waiting.remove(order)
        self._running[plan.block_id] = order
        self._plan_end(plan, order)
        return True

    def _plan_end(self, plan: Plan, order: Order) -> None:
        world = self._world
        if not plan.clocks.bounded:
            world.after(BOUND, self._cancel, plan.block_id, order, block_pb2.VOID_CAUSE_UNKNOWN, "it takes too long")
        if order.cancel_after is not None:
            cause = block_pb2.VOID_CAUSE_CANCELLED
            world.after(order.cancel_after, self._cancel, plan.block_id, order, cause, "cancelled")

    def _cancel(self, block_id: str, order: Order, cause: block_pb2.VoidCause.ValueType, reason: str) -> None:
        if self._running.get(block_id) is order:
            self._world.note("block cancelled", block_id, reason)
            self._world.shell.cancel(block_id, cause, reason)

    def _give_up(self, order: Order) -> None:
        self._waiting.remove(order)
        self._world.tally["blocks given up"] += 1

    def ended(self, block_id: str, result: block_pb2.BlockResult) -> None:
        """A block is over."""
        del self._running[block_id]
        why = "complete" if result.outcome == block_pb2.BLOCK_OUTCOME_COMPLETE else f"void: {result.reason}"
        self._world.note("block ended", block_id, why)
        self._world.outcomes[why] += 1
        self._world.tally["matches"] += len(result.replays)

    def referee_lost(self) -> None:
        """The referee is gone: what it played is void, and is played again."""
        for order in self._running.values():
            self._world.outcomes["void: the referee was lost"] += 1
            self._waiting.append(order)
            order.looks = 0 if order.attempt < MOST_ATTEMPTS else PATIENCE
            self._world.after(self._rng.randrange(1, 100 * MILLISECOND), self._begin, order)
        self._running.clear()

    def drain(self, grace: int) -> None:
        """Begin no more blocks, and end what runs after *grace* nanoseconds."""
        self.draining = True
        self._world.shell.drain(grace)
        self._world.after(grace, self._end_all)

    def _end_all(self) -> None:
        for block_id, order in list(self._running.items()):
            self._cancel(block_id, order, block_pb2.VOID_CAUSE_INFRASTRUCTURE, "the referee went away")


def _message(plan: Plan) -> block_pb2.BlockSpecification:
    return block_pb2.BlockSpecification(
        block_id=plan.block_id,
        game=plan.game,
        options={name: str(value) for name, value in plan.options.items()},
        deal=block_pb2.DEAL_DUPLICATE if plan.duplicate else block_pb2.DEAL_INDEPENDENT,
        entrants=[block_pb2.Entrant(bot=bot) for bot in plan.bots],
        matches=plan.matches,
        time_control=plan.clocks.message(),
        reproducible_secret=plan.reproducible,
        named_entrants=plan.named,
    )


def bound(plan: Plan) -> int:
    """Nanoseconds after which a block is over, with nothing else at its tables."""
    if not plan.clocks.bounded:
        return BOUND
    game = registry.get(plan.game).game
    decisions = game.decision_bound(len(plan.bots))
    return (plan.clocks.startup or 0) + plan.matches * plan.clocks.longest(decisions)
