"""Every registered game passes the suite, with every number of seats and every preset."""

import pytest

from tradepit_server import registry
from tradepit_server.testing import Check, checks

CHECKS = [pytest.param(check, id=f"{game} {check}") for game in registry.names() for check in checks(game)]


@pytest.mark.parametrize("check", CHECKS)
def test_it_conforms(check: Check) -> None:
    check()
