"""Replays: their published JSON form, playing a match again, and checking that it proves what it says.

The forms of a replay are described in ``docs/replays.md``. Nothing here knows a game; each is found in the registry.
"""

from tradepit_server.replay.base import FORMAT, ReplayError
from tradepit_server.replay.execution import Outcome, execute
from tradepit_server.replay.json_reading import from_json
from tradepit_server.replay.json_writing import to_json

__all__ = ["FORMAT", "Outcome", "ReplayError", "execute", "from_json", "to_json"]
