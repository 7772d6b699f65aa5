"""Every ruling of the rules page has a test that names it: its docstring begins with "Ruling:" and the page's words."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

RULINGS = {
    "rise": "+k moves k shares",
    "ceiling": "with the top share on 30 nothing rises",
    "floor": "with the lowest on 2 nothing falls",
    "start": "the starting player is drawn by chance",
    "one share": "one share may be traded",
    "sales for a fee": "shares are sold one at a time in that order until the fee is paid or no share is left",
    "fee": "who cannot pay gives all the cash and owes the rest",
    "target": "any, not only the latest; news cannot cover news",
    "news alone": "news without a legal target may be played only if the hand holds nothing else playable",
    "one decision": "cards after an expense are part of the same decision",
    "played cards": "every card played this year, covered cards and news included, goes into the draw pile",
    "discards": "in turn order, beginning with the player who would be next",
}
"""What the rules page decides where the source is silent or garbled, in the page's order."""


def named() -> Iterator[str]:
    """What the tests of this folder name as rulings."""
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                text = ast.get_docstring(node) or ""
                if text.startswith("Ruling: "):
                    yield text.removeprefix("Ruling: ")


@pytest.mark.parametrize("ruling", RULINGS.values(), ids=RULINGS.keys())
def test_ruling_has_a_test_that_names_it(ruling: str) -> None:
    assert any(text.startswith(ruling) for text in named())


def test_nothing_else_is_named_a_ruling() -> None:
    assert all(text.startswith(tuple(RULINGS.values())) for text in named())
