"""Shared by the tests of the Long Short codec."""

import pytest
from long_short_play import Table


@pytest.fixture
def table() -> Table:
    """Two seats, the rulebook's options, dice that give a day-trade card and move nothing."""
    return Table()
