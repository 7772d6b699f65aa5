"""Names and ids: what they may look like, and how they follow from one another."""

import hmac
import re

NAME_RULE = "a lower-case letter or digit, then up to 39 more of a-z 0-9 _ . -"
"""What a name may be, in words."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,39}")


def is_name(text: str) -> bool:
    """Whether *text* may be the name of a bot, a game or a tournament: safe in paths, ids and shells."""
    return _NAME.fullmatch(text) is not None


def reproducible_tournament_id(game: str, root: bytes, arguments: str) -> str:
    """The id of a tournament whose chance follows from *root*: it too follows from *root* and *arguments*.

    Block ids enter the seeds, so the same order from the same root plays the same matches on every ladder.
    """
    return f"{game}-{hmac.digest(root, f'tournament/{arguments}'.encode(), 'sha256')[:8].hex()}"


def block_id(tournament_id: str, index: int, attempt: int | None) -> str:
    """``<tournament>/<index>``, and ``/<attempt>`` behind it when its chance is drawn anew for each attempt."""
    return f"{tournament_id}/{index}" if attempt is None else f"{tournament_id}/{index}/{attempt}"


def match_id(block: str, index: int) -> str:
    """``<block id>/<match index>``."""
    return f"{block}/{index}"
