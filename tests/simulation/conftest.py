"""Shared by the tests of the simulator."""

from collections.abc import Callable, Iterator

import pytest
from simulation import toy
from simulation.errors import Violation
from simulation.seeds import run_one
from simulation.shell import Factory
from simulation.trace import Trace
from simulation.world import World

from tradepit_server import registry


@pytest.fixture(autouse=True)
def toy_game() -> Iterator[None]:
    """The registry knows the simulator's toy during a test, and no longer."""
    installed = registry.get
    toy.install()
    yield
    registry.get = installed


@pytest.fixture
def breaks() -> Callable[[Factory, str], bool]:
    """``breaks(make_core, rule)``: within 300 seeds a world with such a core breaks *rule*."""

    def find(make_core: Factory, rule: str) -> bool:
        return any(_broken(seed, make_core) == rule for seed in range(300))

    return find


def _broken(seed: int, make_core: Factory) -> str:
    try:
        World(seed, make_core=make_core).run()
    except Violation as violation:
        return violation.invariant
    return ""


@pytest.fixture
def digest() -> Callable[[int], str]:
    """``digest(seed)``: the digest over everything that happens in a world."""

    def run(seed: int) -> str:
        world, failure = run_one(seed, Trace(digest=True))
        assert failure is None
        return world.trace.digest

    return run
