"""What the tests of disturbed tournaments share."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import crash_records
import pytest
from crash_run import Expected, run_folder, undisturbed
from databases import INSTALL

TOURNAMENT = "threes"
"""What all these tests disturb, but for those that kill."""


@pytest.fixture(scope="session")
def expected() -> Expected:
    """The tournament as it goes undisturbed."""
    return undisturbed("sqlite", TOURNAMENT)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder for a run, with a short name; it is left after a failure."""
    with run_folder() as folder:
        yield folder


@pytest.fixture
def url(folder: Path) -> Iterator[str]:
    """A database of the run's own."""
    with crash_records.database("sqlite", folder) as url:
        yield url


@pytest.fixture
def database(request: pytest.FixtureRequest, folder: Path, require: Any) -> Iterator[str]:
    """The URL of a database of the run's own, of the kind that is the parameter."""
    if request.param == "postgresql":
        require(crash_records.is_reachable(), INSTALL)
    with crash_records.database(request.param, folder) as url:
        yield url
