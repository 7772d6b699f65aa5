"""What a ladder answers about ratings, beside its leaderboards."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A bot's rating after a match."""

    match_id: str
    placement: int
    """In this match; 1 is best, ties share."""
    version: int
    """Of the bot's program, from 1."""
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """How the rating of a bot came about."""

    game: str
    bot: str
    points: tuple[RatingPoint, ...]
    """One a match that counts, in the order in which they were folded; empty: none counts yet."""
    fold_version: int
    """See Leaderboard."""


@dataclass(frozen=True, slots=True)
class RatingDifference:
    """What a stored rating, made again from the first result, is not."""

    bot: str
    """Empty: it is no bot's."""
    what: str
    stored: str
    rebuilt: str


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What came of making the ratings of a game again from the first result."""

    game: str
    matches: int
    """So many were folded; 0: the game has none."""
    fold_version: int
    """See Leaderboard."""
    on_new_version: str
    """What a new version of a bot does to its rating: ``keep``, ``widen`` or ``reset``."""
    compared: bool
    """With the ratings that were stored; not when they were made by another policy."""
    differences: tuple[RatingDifference, ...]
    """Empty: they were the same, bit by bit."""
