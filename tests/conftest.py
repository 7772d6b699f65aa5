"""What every test may use."""

import os
from typing import Protocol, TypeVar

import pytest

T = TypeVar("T")


class Require(Protocol):
    """``path = require(shutil.which("setpriv"), "setpriv, from util-linux")``."""

    def __call__(self, part: T | None, install: str) -> T:
        """Return *part*, unless it is missing: then the test is skipped, naming what to *install*."""


def _require(part: T | None, install: str) -> T:
    if part:
        return part
    reason = f"needs {install}"
    if os.environ.get("TRADEPIT_REQUIRE") == "all":
        pytest.fail(f"{reason}, and TRADEPIT_REQUIRE=all lets no test be skipped for that")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def require() -> Require:
    """Returns a part of the system that the test needs; a machine without it skips the test.

    With TRADEPIT_REQUIRE=all in the environment, as .ci/run sets it, the test fails instead.
    """
    return _require
