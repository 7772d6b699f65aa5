"""What the referee asks of its shell."""

from dataclasses import dataclass, field

from tradepit.v1 import block_pb2, referee_pb2
from tradepit_server.referee.endings import Ending


@dataclass(slots=True)
class Effects:
    """To be carried out in this order."""

    frames: list[tuple[int, bytes]] = field(default_factory=list)
    """A connection, and an encoded PlayResponse to send there."""
    closing: list[tuple[int, str, Ending]] = field(default_factory=list)
    """A connection to close once its frames are sent, a sentence that says why, and what kind of end that is."""
    matches_ended: list[tuple[str, int, int]] = field(default_factory=list)
    """A block id, how many of its matches have ended, how many there are."""
    blocks_ended: list[tuple[str, block_pb2.BlockResult]] = field(default_factory=list)
    """A block id and what came of it."""
    sessions_changed: list[tuple[str, str, bool]] = field(default_factory=list)
    """A session, its bot, and whether a stream has come to carry it, or the one that did has gone."""
    late_answers: list[tuple[str, int]] = field(default_factory=list)
    """A bot, and the id of a decision that it answered after it was decided; for the log."""
    shown: list[tuple[int, referee_pb2.WatchMatchResponse]] = field(default_factory=list)
    """A spectator, and something for them to see. One message may be for several: it is not to be changed."""
    satisfied: list[int] = field(default_factory=list)
    """Spectators who have been shown everything that they asked for."""
