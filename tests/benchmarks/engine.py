"""Decisions a second of the rules alone, in random play: ours, and RLCard's uno."""

from random import Random
from time import perf_counter
from typing import Any

from tradepit.chance import Chance
from tradepit_server import registry
from tradepit_server.games.long_short.actions import Buy, DayTrade, EndOfGame, Sell, Turn

MATCHES = 300
SEATS = 4


class PeerMissing(Exception):
    """What is measured against is not installed."""


def long_short() -> float:
    """Random turns with up to one order each, validated and applied; decisions a second."""
    game, rng = registry.get("long-short").game, Random(1)
    options = {"end_of_game_card": "removed"}
    seeds = [rng.randbytes(32) for _ in range(MATCHES)]
    decisions, begun = 0, perf_counter()
    for seed in seeds:
        state = game.new(SEATS, options, Chance(seed))
        while awaiting := state.awaiting:
            actions = {}
            for seat in awaiting:
                actions[seat] = action = _choose(state, seat, rng)
                state.validate(seat, action)
            decisions += len(actions)
            state.apply(actions)
    return decisions / (perf_counter() - begun)


def _choose(state: Any, seat: int, rng: Random) -> Turn | DayTrade | EndOfGame:
    if state.decision == "day_trade":
        return DayTrade()
    if state.decision == "end_of_game":
        return EndOfGame()
    edition, hand, positions = state.edition, state.hands[seat], state.positions[seat]
    card = edition.price_cards[hand[int(rng.random() * len(hand))]].id
    chance = int(rng.random() * 24)
    good, side = edition.goods[chance >> 1 if chance < 12 else 0], ("long", "short")[chance & 1]
    orders: tuple[Buy | Sell, ...] = ()
    if chance < 12 and state.can_buy(seat, good, side, 1):
        orders = (Buy(good, side, 1),)
    elif chance >= 18 and positions:
        good, side, entry_level = edition.name_field(next(iter(positions)))
        if state.can_sell(seat, good, side, entry_level, 1):
            orders = (Sell(good, side, entry_level, 1),)
    return Turn(orders, card, 1 + int(rng.random() * 3))


def rlcard_uno() -> float:
    """Uno by RLCard with its own random agents; decisions a second. Raises PeerMissing."""
    try:
        import rlcard  # type: ignore[import-untyped,import-not-found,unused-ignore]  # has no types, or is not there
        from rlcard.agents import RandomAgent  # type: ignore[import-untyped,import-not-found,unused-ignore]  # as above
    except ImportError as error:
        raise PeerMissing("pip install rlcard") from error
    environment = rlcard.make("uno", config={"seed": 1})
    environment.set_agents([RandomAgent(environment.num_actions) for _ in range(environment.num_players)])
    decisions, begun = 0, perf_counter()
    for _ in range(MATCHES):
        trajectories, _ = environment.run(is_training=False)
        decisions += sum(len(trajectory) // 2 for trajectory in trajectories)
    return decisions / (perf_counter() - begun)
