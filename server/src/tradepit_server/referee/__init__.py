"""The referee core: sessions, blocks, matches, clocks and faults, without sockets, threads or clocks of its own."""

from tradepit_server.referee.core import Referee
from tradepit_server.referee.effects import Effects
from tradepit_server.referee.gallery import Selection, UnknownMatch
from tradepit_server.referee.lobby import Identity
from tradepit_server.referee.specification import BlockSpec, SpecificationError

__all__ = ["BlockSpec", "Effects", "Identity", "Referee", "Selection", "SpecificationError", "UnknownMatch"]
