"""How the referee ends a stream."""

from enum import Enum, auto


class Ending(Enum):
    """What a bot makes of the end of its stream depends on this, and not on the sentence that comes with it."""

    ORDERLY = auto()
    """All is said: the bot left, its session is over, or the referee goes away."""
    MISUSE = auto()
    """What came was not the protocol."""
    WRONG_REVISION = auto()
    """Bot and referee speak different revisions of the protocol."""
    NO_SESSION = auto()
    """The session to go on with is not there, or is over."""
    SUPERSEDED = auto()
    """A newer stream carries the session."""
    UNREAD = auto()
    """Too much waits for the bot; its session is over."""
