"""Small files, small functions, and a docstring on everything that is public."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

FILE_LINES = 400
FUNCTION_LINES = 40
Function = (ast.FunctionDef, ast.AsyncFunctionDef)
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@pytest.fixture(scope="session")
def sources(tracked: list[Path]) -> list[Path]:
    """Every Python file that people wrote."""
    return [path for path in tracked if path.suffix == ".py" and "_pb2" not in path.name]


def long_functions(text: str) -> list[str]:
    """The functions with too many lines, decorators left out."""
    functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, Function))
    return [node.name for node in functions if (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES]


def undocumented(text: str) -> list[str]:
    """The public modules, classes, functions and methods without docstring."""
    found = public("module", ast.parse(text))
    return [name for name, node in found if not ast.get_docstring(node) and not is_setter(node)]


def is_setter(node: Documented) -> bool:
    """Whether *node* sets a property, which is documented where it is read."""
    decorators = node.decorator_list if isinstance(node, Function) else []
    return any(isinstance(decorator, ast.Attribute) and decorator.attr == "setter" for decorator in decorators)


def public(name: str, node: Documented) -> Iterator[tuple[str, Documented]]:
    """*node* and what is public in it, by name; what is inside a function is its own business."""
    yield name, node
    for child in [] if isinstance(node, Function) else node.body:
        if isinstance(child, (ast.ClassDef, *Function)) and not child.name.startswith("_"):
            yield from public(child.name, child)


def test_no_file_is_long(sources: list[Path]) -> None:
    assert {path.name: lines for path in sources if (lines := len(path.read_text().splitlines())) > FILE_LINES} == {}


def test_no_function_is_long(sources: list[Path]) -> None:
    found = {str(path): names for path in sources if (names := long_functions(path.read_text()))}
    assert found == {}


def test_a_long_function_is_found() -> None:
    body = "    pass\n" * FUNCTION_LINES
    assert long_functions(f"class A:\n  def short(self): pass\ndef long():\n{body}") == ["long"]


def test_everything_public_is_documented(sources: list[Path], packages: list[Path]) -> None:
    ours = [path for path in sources if any(path.is_relative_to(package) for package in packages)]
    assert {str(path): names for path in ours if (names := undocumented(path.read_text()))} == {}


def test_a_missing_docstring_is_found() -> None:
    text = '"""Module."""\nclass A:\n    """A."""\n    def b(self): pass\n    def _c(self): pass\ndef d(): pass\n'
    assert undocumented(text) == ["b", "d"]
    assert undocumented("") == ["module"]
