"""What lies where, and what may not lie anywhere."""

import re
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

FILES = {"README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", "Makefile", "pyproject.toml"}
FOLDERS = {"proto", "server", "clients", "ladder", "tests", "docker", "docs"}

# In pieces, so that this file does not hold what it looks for.
REGISTRY = re.compile(
    "|".join(
        re.escape(".".join(parts))
        for parts in [
            ("pypi", "org"),
            ("pythonhosted", "org"),
            ("registry", "npmjs", "org"),
            ("deb", "debian", "org"),
            ("security", "debian", "org"),
        ]
    )
    + "|"
    + "-".join(["(extra-)?index", "url"])
    + r"[ =]\S*://"
)
ADDRESS = re.compile(r"\w+://")


def names_a_registry(text: str) -> bool:
    return REGISTRY.search(text) is not None


def strangers(names: set[str]) -> set[str]:
    """Those of *names*, at the root of the tree, that have no place there."""
    return {name for name in names if name not in FILES | FOLDERS and not name.startswith(".")}


def test_nothing_else_lies_at_the_root(tracked: list[Path], root: Path) -> None:
    assert strangers({path.relative_to(root).parts[0] for path in tracked}) == set()


def test_a_stranger_at_the_root_is_found() -> None:
    assert strangers({"setup.py", "src", ".ci", "README.md"}) == {"setup.py", "src"}


def test_no_file_names_a_registry(tracked: list[Path]) -> None:
    assert [path for path in tracked if names_a_registry(path.read_text(errors="replace"))] == []


@pytest.mark.parametrize("host", ["pypi", "files.pythonhosted", "registry.npmjs", "deb.debian"])
def test_a_registry_is_found(host: str) -> None:
    assert names_a_registry(f"pip install --index https://{host}" + ".org/simple")


def test_an_index_option_is_found() -> None:
    assert names_a_registry("--extra-index" + "-url https://packages.example/simple")


def test_the_lock_holds_no_address(root: Path) -> None:
    lock = Path(root, ".ci/requirements.lock").read_text()
    assert ADDRESS.search(lock) is None
    assert ADDRESS.search("wheel @ https://packages.example/wheel.whl")


def test_the_lock_pins_and_hashes_every_package(root: Path) -> None:
    lock = Path(root, ".ci/requirements.lock").read_text().replace("\\\n", "")
    for line in lock.splitlines():
        assert re.match(r"[\w.-]+==[\w.]+ .*--hash=sha256:[0-9a-f]{64}", line), line


def unmet(requirements: list[str], lock: str) -> list[str]:
    """The *requirements* that *lock* does not meet: it is older than they are."""
    pinned = dict(re.findall(r"^([\w.-]+)==(\S+)", lock, re.MULTILINE))
    parsed = [Requirement(line) for line in requirements if not line.startswith("tradepit[")]
    return [str(r) for r in parsed if r.name not in pinned or pinned[r.name] not in r.specifier]


def test_the_lock_meets_what_pyproject_asks_for(root: Path, pyproject: dict[str, Any]) -> None:
    """`make lock` mends a difference."""
    project = pyproject["project"]
    extras = project["optional-dependencies"]
    requirements = [*project["dependencies"], *extras["server"], *extras["ladder"], *extras["dev"]]
    assert unmet(requirements, Path(root, ".ci/requirements.lock").read_text()) == []


def test_a_lock_that_is_too_old_is_found() -> None:
    assert unmet(["ruff>=0.9", "mypy", "tradepit[server]"], "ruff==0.8.1 \\\n") == ["ruff>=0.9", "mypy"]


def test_the_licence_is_the_whole_apache_licence(root: Path) -> None:
    text = Path(root, "LICENSE").read_text()
    assert len(text.splitlines()) == 202
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_ci_requires_every_part_of_the_system(root: Path) -> None:
    script = Path(root, ".ci/run")
    assert script.stat().st_mode & 0o111
    assert "set -euo pipefail" in script.read_text()
    assert "export TRADEPIT_REQUIRE=all" in script.read_text()
