"""Every ruling of the rules page has a test that names it: its docstring begins with "Ruling:" and the page's words."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

RULINGS = {
    "piles": "of 15, 15 and 14",
    "start": "again and again, each player rolls the green die until one rolls `day_trade`",
    "orders": "a bound on the message",
    "fives": "the best use",
    "chips": "selling never fails for want of chips",
    "naming a pile": "the player names the pile (1, 2 or 3) along with the turn, before rolling",
    "day trades": "all of them are asked at the same moment and answer without knowing the others' answers",
    "leaving the table": "settlement is at the last field",
    "covering": "contracts are sold one at a time, at current levels, most valuable first",
    "capital": 'that is what "capital" counts',
    "cancellation": "from cash, nothing may be sold for it",
}
"""What the rules page decides where the rulebook is silent or can be read in two ways, in the page's order."""


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
