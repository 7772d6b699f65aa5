"""What every view has, whatever the game: the match, the clock, chance, a note. Each game derives its own."""

from datetime import timedelta
from random import Random

from tradepit.match import Match, Request


class View:
    """One decision. Complete in itself: a bot needs no memory to play. ``print(view)`` shows it."""

    match: Match
    decision: str
    """What is asked, in the game's own word; "turn" for example."""

    def __init__(self, request: Request, decision: str) -> None:
        """The view of *request*, which asks for *decision*."""
        self.match = request.match
        self.decision = decision
        self._request = request

    @property
    def seat(self) -> int:
        """The own seat, from 0."""
        return self.match.seat

    @property
    def time_left(self) -> timedelta | None:
        """How long the referee waits, from the moment the request left it; None: for ever."""
        return self._request.time_left

    @property
    def bank_left(self) -> timedelta | None:
        """What the time bank held before this decision; None: no bank is kept."""
        return self._request.bank_left

    @property
    def rng(self) -> Random:
        """Chance of the bot's own. Equal seeds give equal numbers at each decision, whatever else is going on."""
        return self._request.rng

    @property
    def note(self) -> str:
        """What the owner may want to read later; set it while deciding, at most 1 KiB."""
        return self._request.note

    @note.setter
    def note(self, text: str) -> None:
        self._request.note = text
