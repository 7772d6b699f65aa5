"""The engines' words as enum numbers of the messages, and back."""

from collections.abc import Iterable


def numbers(prefix: str, items: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The words of an enum, from the names of its values: "long" for SIDE_LONG; what is unspecified has none."""
    return {name.removeprefix(prefix).lower(): number for name, number in items if number}


def backwards(known: dict[str, int]) -> dict[int, str]:
    """Words by number."""
    return {number: word for word, number in known.items()}
