"""What a game adds to its events so that people can follow a match: in tables, in charts, live or afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Look:
    """What everybody can see of a match at one moment."""

    clock: str
    """How far it is: "round 3 of 10"."""
    goods: tuple[str, ...]
    """What has prices, by name."""
    prices: Mapping[str, tuple[int | None, ...]]
    """By what they are, unit included: one for each of the goods, None: there is none. The first are charted."""
    cash: tuple[int, ...]
    """By seat, in the game's own unit; below zero is a debt."""
    holdings: tuple[str, ...]
    """By seat: what it holds besides cash, in a few words; empty: nothing."""


class Narration(Protocol):
    """How one game is told. It sees what everybody sees, so that nothing told by it is secret."""

    def look(self, public: bytes, edition: Any) -> Look:
        """What there is to see in the public part of an observation, serialised."""

    def remark(self, event: Any, edition: Any) -> str:
        """What those should be told besides who do not know the cards of *event* by heart; mostly nothing."""
