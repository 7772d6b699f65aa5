"""The published example matches come out as they say."""

import json
from pathlib import Path
from typing import Any

import pytest

from tradepit_server import replay

GOLDEN = Path(__file__).parents[1] / "golden"
EXAMPLES = [*sorted(GOLDEN.glob("buy-low-sell-high-*.json")), *sorted(GOLDEN.glob("long-short-*.json"))]


@pytest.fixture(params=EXAMPLES, ids=lambda path: str(path.stem))
def example(request: pytest.FixtureRequest) -> Any:
    """One published match."""
    return json.loads(request.param.read_text())


def test_there_are_examples() -> None:
    assert [path.stem for path in EXAMPLES] == [
        "buy-low-sell-high-2p-fee",
        "buy-low-sell-high-2p",
        "buy-low-sell-high-3p",
        "buy-low-sell-high-4p",
        "long-short-2p",
        "long-short-3p-cancellable",
        "long-short-4p",
        "long-short-5p-ranked",
        "long-short-6p-balanced",
    ]


def test_example_comes_to_its_very_scores_and_placements(example: Any) -> None:
    outcome = replay.execute(replay.from_json(example))
    assert outcome.scores == example["result"]["scores"]
    assert outcome.placements == example["result"]["placements"]


def test_example_is_exported_as_it_was_published(example: Any) -> None:
    exported = replay.to_json(replay.from_json(example))
    for key in ("format", "game", "edition", "bots", "seed", "decisions"):
        assert exported[key] == example[key]
    assert exported["result"] == {**example["result"], "faults": []}
    assert exported["options"].items() >= example["options"].items()
