"""Shared by the tests of the Buy Low Sell High codec."""

import pytest
from buy_low_sell_high_play import Table


@pytest.fixture
def table() -> Table:
    """Two seats at the beginning of the game."""
    return Table()
