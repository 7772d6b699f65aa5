"""The values of protobuf enums as the words that people and replays use."""

from typing import Any


class Words(dict[int, str]):
    """An enum's numbers and words: ``TERMINATION_FORFEITED_TIME`` is "forfeited_time".

    A number that this version of the library does not know is "unknown".
    """

    def __init__(self, enum: Any, prefix: str) -> None:
        """*enum* is a generated enum, *prefix* that of its values."""
        super().__init__((number, name.removeprefix(prefix).lower()) for name, number in enum.items())

    def __missing__(self, number: int) -> str:
        return "unknown"
