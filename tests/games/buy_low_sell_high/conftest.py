"""Shared by the tests of the Buy Low Sell High engine."""

from collections.abc import Callable

import pytest
from buy_low_sell_high_play import Table


@pytest.fixture
def table() -> Table:
    """Two seats, past the first turns of the game, which allow fewer trades."""
    table = Table()
    table.past_first_turns()
    return table


@pytest.fixture
def new_table() -> Callable[..., Table]:
    """Makes tables of other sizes, at the beginning of the game."""
    return Table
