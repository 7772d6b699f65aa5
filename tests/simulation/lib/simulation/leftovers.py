"""What is left in a core when everybody has gone: nothing may be."""

from collections import deque
from collections.abc import Iterator
from typing import Any

from simulation.errors import require

_CORE = "tradepit_server.referee"

KEPT_EMPTY = (dict, list, set, deque)


def check(core: Any) -> None:
    """Raise a Violation if anything in *core*, or in what it holds, has not been forgotten."""
    found = [f"{where}: {len(container)}" for where, container in _containers(core, "core", set()) if container]
    require(not found, "nothing is left", ", ".join(found))


def _containers(thing: Any, where: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """Every container that hangs on *thing* by objects of the core's own."""
    if id(thing) in seen or not any(kind.__module__.startswith(_CORE) for kind in type(thing).__mro__):
        return
    seen.add(id(thing))
    for name, value in _attributes(thing):
        if isinstance(value, KEPT_EMPTY):
            yield f"{where}.{name}", value
        else:
            yield from _containers(value, f"{where}.{name}", seen)


def _attributes(thing: Any) -> Iterator[tuple[str, Any]]:
    yield from getattr(thing, "__dict__", {}).items()
    for kind in type(thing).__mro__:
        for name in getattr(kind, "__slots__", ()):
            if hasattr(thing, name):
                yield name, getattr(thing, name)
